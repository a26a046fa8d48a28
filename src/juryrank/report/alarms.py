"""What the monitor says about a report's votes, in words."""

from __future__ import annotations

from juryrank.core.monitor import watch
from juryrank.core.witness import Witness
from juryrank.report.material import Material


def alarm_words(material: Material) -> list[str]:
    """The monitor's alarms about these answers and this order."""
    order = [str(item) for item in material.ranking.order]
    known = set(order)
    votes = [v for v in material.decided if v.left in known and v.right in known]
    if not votes:
        return []
    seen = Witness.of((vote.judge, vote.left, vote.right, vote.winner) for vote in votes)
    steady = (material.created.get("options") or {}).get("model") == "steady"
    return [alarm.words for alarm in watch(seen, order, steady=steady, random_sides=material.sides_known)]

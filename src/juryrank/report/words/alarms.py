"""What the monitor says about a report's votes."""

from __future__ import annotations

from juryrank.core.monitor.tallies import AnswerTallies
from juryrank.core.monitor.watches import by_side, watch
from juryrank.report.material import Material


def alarm_words(material: Material) -> list[str]:
    """The monitor's alarms about these answers and this order."""
    order = [str(item) for item in material.ranking.order]
    steady = (material.created.get("options") or {}).get("assume") == "steady"
    at_random = not material.imported  # nobody knows how another program chose the sides
    seen = _tallies(material)
    return (
        [alarm.words for alarm in watch(seen, order, steady=steady, random_sides=at_random)] if seen.sides else []
    )


def one_sided(material: Material) -> list[str]:
    """Judges who choose one side more often than chance explains, as "name (left in 9 of 10)"."""
    seen = _tallies(material)
    said = []
    for alarm in by_side(seen):
        left, right = seen.sides[alarm.about[0]]
        more, side = max((left, "left"), (right, "right"))
        said.append(f"{alarm.about[0]} ({side} in {more:,} of {left + right:,})")
    return said


def _tallies(material: Material) -> AnswerTallies:
    known = {str(item) for item in material.ranking.order}
    votes = [vote for vote in material.decided if vote.left in known and vote.right in known]
    return AnswerTallies.of((vote.judge, vote.left, vote.right, vote.winner) for vote in votes)

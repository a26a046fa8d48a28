"""What the monitor says about a report's votes: tests, whose false alarms `core/monitor/alarm.py` bounds."""

from __future__ import annotations

from juryrank.core.monitor.tallies import AnswerTallies
from juryrank.core.monitor.watches import by_side, chooses_by_side, watch
from juryrank.report.material import Material


def alarm_words(material: Material) -> list[str]:
    """The monitor's alarms about these answers.

    What is held against an order is said only where that order is certified as a whole: an order that is still a
    guess may be what is wrong. And of opinions, nobody is wrong who has another one.
    """
    order = [str(item) for item in material.ranking.order]
    steady = (material.created.get("options") or {}).get("assume") == "steady"
    opinions = {"people", "jury"} & set(material.ranking.details)
    seen = _tallies(material)
    if material.ranking.certified and not opinions:
        found = [*watch(seen, order, steady=steady, random_sides=sides_by_lot(material))]
    else:
        found = [*by_side(seen)] if sides_by_lot(material) else []
    return [alarm.words for alarm in found]


def sides_by_lot(material: Material) -> bool:
    """Were sides drawn at random? Nobody knows how another program, whose votes were imported, chose them."""
    return not material.imported


def one_sided(material: Material) -> list[str]:
    """Judges who choose one side more often than chance explains, as "name (left in 9 of 10)"."""
    seen = _tallies(material)
    said = []
    for alarm in by_side(seen) if sides_by_lot(material) else ():
        left, right = seen.sides[alarm.about[0]]
        more, side = max((left, "left"), (right, "right"))
        said.append(f"{alarm.about[0]} ({side} in {more:,} of {left + right:,})")
    return said


def all_one_sided(material: Material) -> bool:
    """Do all judges together choose one side more often than chance explains?"""
    sides = _tallies(material).sides.values()
    left, right = (sum(both[k] for both in sides) for k in range(2))
    return sides_by_lot(material) and chooses_by_side(left, right, place=0)


def _tallies(material: Material) -> AnswerTallies:
    known = {str(item) for item in material.ranking.order}
    votes = [vote for vote in material.decided if vote.left in known and vote.right in known]
    return AnswerTallies.of((vote.judge, vote.left, vote.right, vote.winner) for vote in votes)

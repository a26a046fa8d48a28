"""What the monitor says about a report's votes: tests, whose false alarms `core/tallies.py` bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from juryrank.core.tallies import AnswerTallies
from juryrank.core.watches import by_side, chooses_by_side, watch
from juryrank.log import Conduct
from juryrank.rankers import ranker_class, ranker_names
from juryrank.report.material import Material
from juryrank.verify.record.conduct import sentences, totals


def alarm_words(material: Material) -> list[str]:
    """The monitor's alarms about these answers.

    What is held against an order is said only where that order is certified as a whole: an order that is still a
    guess may be what is wrong. And of opinions, nobody is wrong who has another one.
    """
    order = [str(item) for item in material.ranking.order]
    steady = (material.created.get("options") or {}).get("assume") == "steady"
    opinions = material.ranking.details.opinions
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


# ----------------------------------------------------------------------------
# What judges left out or changed: a reader of a promise is told where it is more than a few
def conduct_words(conduct: Mapping[str, Conduct], ranker: str, *, named: bool = True) -> list[str]:
    """The same sentences as in a certificate's statement, from the same counts; `named`: with judges' names.

    >>> conduct_words({"ann": Conduct(asked=40, chosen=28, skips=12)}, "certified")[0]
    '12 questions (30 % of 40; most by ann: 12 of 40) were skipped. This assumes that leaving a question open did \
not depend on the answer.'
    """
    rows = [{"judge": judge, **asdict(one)} for judge, one in conduct.items()]
    return sentences(rows, totals(rows), ranker, named=named) if rows else []


def left_out_words(one: Conduct) -> str:
    """What one judge left out or changed, in a few words; empty where there is nothing to say.

    >>> left_out_words(Conduct(asked=9, chosen=6, skips=1, expired=2, undone=1))
    '1 skipped, 2 expired, 1 changed'
    """
    counts = (
        (one.skips, "skipped"),
        (one.expired, "expired"),
        (one.undone, "changed"),
        (one.taken_back, "taken back"),
    )
    return ", ".join(f"{count:,} {word}" for count, word in counts if count)


# ----------------------------------------------------------------------------
# What the promise of a study's ranker assumes, in plain words
def assumed(created: Mapping[str, Any]) -> tuple[str, ...]:
    """The assumptions behind a study's promise, each as the end of a sentence; () if the ranker is not known.

    >>> assumed({"ranker": "panel", "options": {"about": "panel"}})[0][:33]
    'each judge has one opinion on a p'
    """
    ranker = created.get("ranker")
    return ranker_class(ranker).assumptions(created.get("options") or {}) if ranker in ranker_names() else ()

"""Is a recorded question the one that the search asks? Its rule is played again, with room for the last digits.

Which list was fixed, where, and with which prior, decides what is evidence: whoever knows seed and answers could
choose them. So a checker has them computed again. Who comes when is not the search's: cells that were drawn ahead
may be of any moment since the question before, and only their lists are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from juryrank.core.jury.machine import EITHER_WAY, LAST_DIGITS, STRICT, Leniency, NextQuestion, pair_of
from juryrank.rankers.contract.snapshots import frozen
from juryrank.rankers.jury.asking import list_terms
from juryrank.types import Question

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

Terms = Mapping[str, Any]


def lists_now(jury: JuryState, *, ahead: int = 0) -> list[Terms]:
    """The lists that a question asked now would fix; there may be several where only the last digits decide.

    `ahead`: of the cells drawn by then, so many are on record only later.
    """
    plans = [plan for more in range(ahead + 1) for plan in _plans(jury, ahead=more)]
    found = [list_terms(jury, plan.begins) for plan in plans if plan.begins is not None]
    return [one for at, one in enumerate(found) if one not in found[:at]]


def fault(jury: JuryState, question: Question, *, before: Sequence[Terms] = ()) -> str:
    """What is wrong with a recorded question, were it asked now; empty: nothing.

    `before`: the lists that could have been fixed since the question before, for cells drawn ahead.
    """
    terms, pair = question.terms, _pair(jury, question.left, question.right)
    rows = terms.get("ahead", [])
    book = jury.machine.books.get(pair)
    place = (len(book.drawn) if book else 0) + sum(
        _pair(jury, row["first"], row["second"]) == pair for row in rows
    )
    drawn_here = "chances" in terms and terms.get("place") == place
    if rows:
        return _ahead_fault(jury, [*rows, terms] if drawn_here else rows, before)
    if not drawn_here:
        return ""  # the second side of a cell, or one that was drawn before: nothing is chosen here
    given, about, other = terms.get("list"), False, None
    for plan in _plans(jury, prefer=pair):
        fixed = None if plan.begins is None else list_terms(jury, plan.begins)
        other = other or plan
        about = about or plan.pair == pair
        if plan.pair == pair and _same(given, fixed):
            return ""
    if other is None:
        return "the search asks nothing there"
    if about:
        return "the list that it fixes, or does not fix, is not that of the search"
    first, second = jury.names(other.pair)
    return f"the search asks about {first} and {second} there"


def _pair(jury: JuryState, first: Any, second: Any) -> tuple[int, int]:
    return pair_of(jury.roster.item(frozen(first)), jury.roster.item(frozen(second)))


def _ahead_fault(jury: JuryState, rows: Sequence[Terms], before: Sequence[Terms]) -> str:
    fixed = [row["list"] for row in rows if "list" in row]
    known = [*before, *(lists_now(jury, ahead=len(rows)) if fixed else ())]
    if all(any(_same(given, one) for one in known) for given in fixed):
        return ""
    return "a list that was fixed since the question before is not that of the search"


def _plans(jury: JuryState, *, prefer: tuple[int, int] | None = None, ahead: int = 0) -> Iterator[NextQuestion]:
    """What the search does now, on this processor and on others; for judges who are called, and who come."""
    machine, aside = jury.machine, jury.roster.paused
    try:
        for slack in EITHER_WAY:
            for hold in (True, False):
                machine.leniency = Leniency(slack, prefer, ahead)
                plan = machine.plan(aside, hold=hold)
                if plan is not None:
                    yield plan
    finally:
        machine.leniency = STRICT


def _same(given: Terms | None, fixed: Terms | None) -> bool:
    """Are two lists the same, but for the last digit of their priors?"""
    if given is None or fixed is None:
        return given is fixed
    plain = ("rule", "number", "goal", "order")
    if given.keys() != fixed.keys() or any(given[name] != fixed[name] for name in plain):
        return False
    rows = [[row[:2] for row in one["claims"]] for one in (given, fixed)]
    if rows[0] != rows[1]:
        return False
    numbers = [[one["square"], *(value for row in one["claims"] for value in row[2:])] for one in (given, fixed)]
    return all(abs(a - b) <= LAST_DIGITS for a, b in zip(*numbers, strict=True))

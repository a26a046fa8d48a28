"""Keeps the record of the attempts that are over, and follows a recorded one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from juryrank.core.certified import state as st
from juryrank.core.certified.search.gaps import FREE, ITEM, heaviest
from juryrank.core.certified.search.insert import place
from juryrank.rankers.certified.result import attempt_record

if TYPE_CHECKING:
    from juryrank.rankers.certified.ranker import Certified


class Watched:
    """Notes the end of an attempt while something happens to the machine."""

    def __init__(self, ranker: Certified, outcome: str) -> None:
        self.ranker, self.outcome = ranker, outcome

    def __enter__(self) -> None:
        n = self.ranker._hand.numbers
        self.phase, self.attempt, self.asked = n[st.PHASE], n[st.ATTEMPT], n[st.ATTEMPT_ASKED]

    def __exit__(self, *problem: object) -> None:
        n = self.ranker._hand.numbers
        ran = self.phase in (st.PROVE, st.CERTIFIED) and self.attempt > 0
        goes_on = n[st.PHASE] in (st.PROVE, st.CERTIFIED) and n[st.ATTEMPT] == self.attempt
        if ran and not goes_on:
            outcome = "certified, then " + self.outcome if self.phase == st.CERTIFIED else self.outcome
            self.ranker._ended.append(attempt_record(self.ranker.error, self.attempt, self.asked, outcome))


def place_all(s: Any) -> None:
    """End the placing of items: a recorded attempt begins, so they all had their places when it was recorded.

    Here they may not: an answer was taken back since, or another version weighed the answers otherwise.
    """
    n = s.numbers
    if n[st.PHASE] != st.INSERT:
        return
    for row in range(n[st.ROWS]):
        if s.slots.row[row, ITEM] != FREE:
            place(s, row, heaviest(s.slots, row))
    n[st.PLACED] = n[st.NEXT] = n[st.ITEMS]
    s.reals[st.BITS_LEFT] = 0.0

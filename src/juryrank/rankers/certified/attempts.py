"""Keeps the record of the attempts that are over, and follows a recorded one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.search.gaps import FREE, ITEM, heaviest
from juryrank.rankers.certified.core.search.insert import place
from juryrank.rankers.certified.result import attempt_record

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState


class Watched:
    """Notes the end of an attempt while something happens to the machine."""

    def __init__(self, state: CertifiedState, outcome: str) -> None:
        self.state, self.outcome = state, outcome

    def __enter__(self) -> None:
        c = self.state.hand.cursor
        self.phase, self.attempt, self.asked = c.phase, c.attempt, c.attempt_asked

    def __exit__(self, *problem: object) -> None:
        c = self.state.hand.cursor
        ran = self.phase in (phases.PROVE, phases.CERTIFIED) and self.attempt > 0
        goes_on = c.phase in (phases.PROVE, phases.CERTIFIED) and c.attempt == self.attempt
        if ran and not goes_on:
            outcome = "certified, then " + self.outcome if self.phase == phases.CERTIFIED else self.outcome
            self.state.ended.append(attempt_record(self.state.error, self.attempt, self.asked, outcome))


def place_all(s: Any) -> None:
    """End the placing of items: a recorded attempt begins, so they all had their places when it was recorded.

    Here they may have none: an answer was taken back since, or another version weighed the answers differently.
    """
    c = s.cursor
    if c.phase != phases.INSERT:
        return
    for row in range(c.rows):
        if s.slots.row[row, ITEM] != FREE:
            place(s, row, heaviest(s.slots, row))
    c.placed = c.next_arrival = c.items
    s.cursor.bits_left = 0.0

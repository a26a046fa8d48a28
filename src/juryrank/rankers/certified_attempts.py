"""Keeps the record of the attempts that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from juryrank.core import state as st
from juryrank.rankers.certified_result import attempt_record

if TYPE_CHECKING:
    from juryrank.rankers.certified import Certified


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

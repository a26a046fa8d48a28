"""Who is here and what is out: what every ranker knows, and the parts of a ranker share."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.rankers.contract.open_questions import OpenQuestions
from juryrank.rankers.contract.roster import Roster
from juryrank.types import Item, Judge, Question


class RosterView:
    """What follows from who is here and what is out; for rankers, and for the state that their parts share."""

    __slots__ = ()
    roster: Roster
    outstanding: OpenQuestions

    @property
    def items(self) -> list[Item]:
        return self.roster.items

    @property
    def judge_names(self) -> list[Judge]:
        return self.roster.judges

    @property
    def prices(self) -> dict[Judge, float]:
        """What one answer of each judge costs."""
        return self.roster.prices

    @property
    def questions(self) -> int:
        """How many questions were put to a judge, open ones included."""
        return sum(self.roster.asked)

    @property
    def cost(self) -> float:
        """What the questions cost at the judges' prices."""
        return self.outstanding.cost

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return self.outstanding.in_time


@dataclass(slots=True)
class SharedState(RosterView):
    """Who is here and what is out; a ranker's own state adds what its algorithm knows."""

    roster: Roster
    outstanding: OpenQuestions
    error: float
    seed: int

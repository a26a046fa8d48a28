"""Questions that are out, and answers that count in the order in which they were asked.

A question is open, then told or expired; an answer after expiry is late. Where a question has a lane, its answer
waits until every earlier question of that lane is told or expired: how fast somebody answers may depend on what
they answer, so that counting by arrival would favour one side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from enum import StrEnum

from juryrank.errors import AnsweredTwice, UnknownQuestion
from juryrank.rankers.contract.roster import Roster
from juryrank.types import Answer, Item, Judge, Question


class Fate(StrEnum):
    """What became of a question, as snapshots write it."""

    OPEN = "o"
    TOLD = "t"
    EXPIRED = "e"
    LATE = "l"  # answered after it had expired
    ELSEWHERE = ""  # a number that this ranker never asked


class Lanes(Roster):
    """A ranker's questions, each with its fate."""

    def __init__(
        self, items: Iterable[Item], *, judges: Iterable[Judge], prices: Mapping[Judge, float] | None
    ) -> None:
        super().__init__(items, judges=judges, prices=prices)
        self._next_id = 1
        self._cost = 0.0
        self._late = 0
        self._open: dict[int, Question] = {}
        self._fate: list[str] = [Fate.ELSEWHERE]  # by question id, from 1 on
        self._lanes: dict[Hashable, deque[int]] = {}  # questions not yet counted, in asking order
        self._lane_of: dict[int, Hashable] = {}
        self._held: dict[int, tuple[Question, Answer | None]] = {}  # told or expired, waiting for earlier ones

    @property
    def questions(self) -> int:
        """How many questions were asked, open ones included."""
        return sum(self._asked_of)

    @property
    def cost(self) -> float:
        """What the questions cost at the judges' prices."""
        return self._cost

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return tuple(q for q in self._open.values() if self._fate[q.id] == Fate.OPEN)

    def _register(self, question: Question, lane: Hashable) -> None:
        u = self._judge(question.judge)
        self._open[question.id] = question
        self._fate.append(Fate.OPEN)
        self._next_id = question.id + 1
        self._asked_of[u] += 1
        self._cost += self.prices[question.judge]
        if lane is not None:
            self._lanes.setdefault(lane, deque()).append(question.id)
            self._lane_of[question.id] = lane
        self._asked(question)

    def _arrive(self, question: Question, answer: Answer | None) -> None:
        """An answer (None: expiry). Within its lane it waits until every earlier one is told or expired."""
        if question.id not in self._lane_of:
            self._deliver(question, answer)
            return
        self._held[question.id] = (question, answer)
        lane = self._lane_of[question.id]
        queue = self._lanes[lane]
        while queue and queue[0] in self._held:
            due, given = self._held.pop(queue.popleft())
            del self._lane_of[due.id]
            if not queue:
                self._lanes.pop(lane, None)
            self._deliver(due, given)

    def _deliver(self, question: Question, answer: Answer | None) -> None:
        if answer is None:
            self._expired(question)
        else:
            self._count(question, answer)

    def _open_question(self, question: Question | int) -> Question:
        number = question if isinstance(question, int) else question.id
        if number in self._open:
            return self._open[number]
        if not 0 < number < self._next_id or self._fate[number] == Fate.ELSEWHERE:
            raise UnknownQuestion(
                f"question {number} was never asked by this ranker; answer a question that ask() gave you"
            )
        raise AnsweredTwice(f"question {number} already has its answer; the first one stands")

"""Questions that are out, and answers that count in the order in which they were asked.

A question is open, then told or expired; an answer after expiry is late. Where a question has a lane, its answer
waits until every earlier question of that lane is told or expired: how fast somebody answers may depend on what
they answer, so that counting by arrival would favour one side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from juryrank.errors import AnsweredTwice, UnknownQuestion
from juryrank.rankers.contract.snapshots import frozen, pack, pack_answer, unpack, unpack_answer
from juryrank.types import Answer, Question


class Fate(StrEnum):
    """What became of a question, as snapshots write it."""

    OPEN = "o"
    TOLD = "t"
    EXPIRED = "e"
    LATE = "l"  # answered after it had expired
    ELSEWHERE = ""  # a number that this ranker never asked


class OpenQuestions:
    """A ranker's questions, each with its fate."""

    def __init__(self) -> None:
        self.next_id = 1
        self.cost = 0.0  # of all questions that were asked
        self.late = 0  # answers that came too late to count
        self._open: dict[int, Question] = {}  # open, or expired and still without an answer
        self._fate: list[str] = [Fate.ELSEWHERE]  # by question id, from 1 on
        self._lanes: dict[Hashable, deque[int]] = {}  # questions not yet counted, in asking order
        self._lane_of: dict[int, Hashable] = {}
        self._held: dict[int, tuple[Question, Answer | None]] = {}  # told or expired, waiting for earlier ones

    # ------------------------------------------------------------------ what is out
    @property
    def in_time(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return tuple(q for q in self._open.values() if self._fate[q.id] == Fate.OPEN)

    @property
    def unanswered(self) -> tuple[Question, ...]:
        """Questions without an answer, expired ones included."""
        return tuple(self._open.values())

    @property
    def uncounted(self) -> frozenset[int]:
        """Numbers of the questions that have a lane, and are not counted in it yet."""
        return frozenset(self._lane_of)

    def has_lane(self, number: int) -> bool:
        """Does this question wait in a lane?"""
        return number in self._lane_of

    def find(self, question: Question | int) -> Question:
        """The question that can still be answered; raises if there is none."""
        number = question if isinstance(question, int) else question.id
        if number in self._open:
            return self._open[number]
        if not 0 < number < self.next_id or self._fate[number] == Fate.ELSEWHERE:
            raise UnknownQuestion(
                f"question {number} was never asked by this ranker; answer a question that ask() gave you"
            )
        raise AnsweredTwice(f"question {number} already has its answer; the first one stands")

    # ------------------------------------------------------------------ what happens to them
    def skip_to(self, number: int) -> None:
        """Numbers below this one were asked elsewhere."""
        while self.next_id < number:
            self._fate.append(Fate.ELSEWHERE)
            self.next_id += 1

    def put_out(self, question: Question, *, lane: Hashable, price: float) -> None:
        """A question is asked."""
        self._open[question.id] = question
        self._fate.append(Fate.OPEN)
        self.next_id = question.id + 1
        self.cost += price
        if lane is not None:
            self._lanes.setdefault(lane, deque()).append(question.id)
            self._lane_of[question.id] = lane

    def told(self, question: Question, answer: Answer) -> Iterator[tuple[Question, Answer | None]]:
        """Note an answer; what counts now: nothing if it is late."""
        in_time = self._fate[question.id] != Fate.EXPIRED
        self._fate[question.id] = Fate.TOLD if in_time else Fate.LATE
        self.late += not in_time
        del self._open[question.id]
        return self._due(question, answer) if in_time else iter(())

    def expired(self, question: Question) -> Iterator[tuple[Question, Answer | None]]:
        """Note that a deadline has passed; what counts now: nothing if it was noted before."""
        if self._fate[question.id] == Fate.EXPIRED:
            return iter(())
        self._fate[question.id] = Fate.EXPIRED
        return self._due(question, None)

    def _due(self, question: Question, answer: Answer | None) -> Iterator[tuple[Question, Answer | None]]:
        """What counts now that this answer (None: expiry) is in; it may wait for earlier ones of its lane."""
        if question.id not in self._lane_of:
            yield question, answer
            return
        self._held[question.id] = (question, answer)
        lane = self._lane_of[question.id]
        queue = self._lanes[lane]
        while queue and queue[0] in self._held:
            first, given = self._held.pop(queue.popleft())
            del self._lane_of[first.id]
            if not queue:
                self._lanes.pop(lane, None)
            yield first, given

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "next_id": self.next_id,
            "cost": self.cost,
            "late": self.late,
            "fate": ",".join(self._fate[1:]),
            "open": [pack(q) for q in self._open.values()],
            "held": [[pack(q), pack_answer(q, answer)] for q, answer in self._held.values()],
            "lanes": [[lane, list(queue)] for lane, queue in self._lanes.items()],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.next_id, self.cost, self.late = state["next_id"], state["cost"], state["late"]
        self._fate = ["", *state["fate"].split(",")] if state["next_id"] > 1 else [""]
        self._open = {q.id: q for q in map(unpack, state["open"])}
        held = [(unpack(q), answer) for q, answer in state["held"]]
        self._held = {q.id: (q, unpack_answer(q, answer)) for q, answer in held}
        self._lanes = {frozen(lane): deque(queue) for lane, queue in state["lanes"]}
        self._lane_of = {qid: lane for lane, queue in self._lanes.items() for qid in queue}

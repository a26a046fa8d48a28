"""A log played through the paper's pseudocode.

Answers of one duel count in the order in which they were asked: one waits until all before it are answered or have
expired. One that comes after its duel's verdict does not count; nor do ties, skips and silence.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from juryrank.verify.paper.pseudocode import Steps, Wants
from juryrank.verify.record import Asked, Record

Lane = tuple[object, object]  # stage and duel, as a question's terms say them


@dataclass(slots=True)
class Replay:
    """The algorithm as far as the log takes it. `order` is worst first, once it is done."""

    record: Record
    steps: Steps[list[int]]
    wants: Wants | None = None
    order: list[int] | None = None
    counted: int = 0
    faults: list[str] = field(default_factory=list)

    def play(self) -> Replay:
        """All questions and answers, in the order of the log."""
        self._next(None)
        judge = {name: u for u, name in enumerate(self.record.judges)}
        item = {name: k for k, name in enumerate(self.record.items)}
        lanes: dict[Lane, deque[Asked]] = {}
        ended: set[int] = set()
        for _, q, begins in self._moments():
            lane = (q.terms.get("stage"), q.terms.get("duel"))
            queue = lanes.setdefault(lane, deque())
            if begins:
                queue.append(q)
                continue
            ended.add(q.id)
            while queue and queue[0].id in ended:
                due = queue.popleft()
                if due.winner is not None and self._fits(due, lane, item):
                    self._answer(due, judge[due.judge], item[due.winner])
        return self

    def _moments(self) -> list[tuple[int, Asked, bool]]:
        """(event, question, True: asked, False: ended)."""
        questions = self.record.questions.values()
        found = [(q.seq, q, True) for q in questions]
        found += [(q.ended, q, False) for q in questions if q.ended is not None]
        return sorted(found, key=lambda moment: moment[0])

    def _fits(self, q: Asked, lane: Lane, item: dict[str, int]) -> bool:
        wants = self.wants
        if wants is None or lane != (wants.stage, wants.duel):
            return False
        return {item[q.left], item[q.right]} == {wants.z, wants.j}

    def _answer(self, q: Asked, u: int, winner: int) -> None:
        wants = self.wants
        assert wants is not None  # it fits
        self.record.room.take(3 * (len(wants.users) + len(wants.allowed)), "so many judges for each answer")
        if u in wants.users or u in wants.allowed:
            self.counted += 1
            self._next((u, winner == wants.z))
        elif wants.stage != "select":  # there, judges may be dropped while questions to them are out
            self.faults.append(f"question {q.id} counts for duel {wants.duel}, but {q.judge!r} had been dropped")

    def _next(self, sent: tuple[int, bool] | None) -> None:
        try:
            self.wants = next(self.steps) if sent is None else self.steps.send(sent)
        except StopIteration as end:
            self.wants, self.order = None, end.value

"""Per judge: how many questions were answered, skipped, left to expire, and answered again after an undo.

An answer left out or replaced could be one that somebody did not like. A log cannot say why, but it says how many
there are: results, reports and verdicts show it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from juryrank.log import bodies
from juryrank.log.chain import Event, LogReader, answer_anew, is_own_undo

COLUMNS = {"left": "chosen", "right": "chosen", "tie": "ties", "skip": "skips"}


@dataclass(slots=True)
class Conduct:
    """How one judge's questions ended. Each question is counted once, by its final outcome."""

    asked: int = 0
    chosen: int = 0  # answered in time with one of the two items
    ties: int = 0
    skips: int = 0
    expired: int = 0  # not answered in time, or the judge was called and gave no answer
    late: int = 0  # of these: answered all the same
    undone: int = 0  # answers that the judge took back before the next one
    taken_back: int = 0  # answers that somebody else took back or discarded: an edit


def conduct_of(events: Iterable[Event]) -> dict[str, Conduct]:
    """The conduct of every judge of a log, in the order in which they joined.

    >>> log = [Event(2, "asked", {"q": 1, "judge": "ann", "left": "a", "right": "b"}),
    ...        Event(3, "told", {"q": 1, "answer": "skip"})]
    >>> conduct_of(log)["ann"].skips
    1
    """
    return ConductTable().walk(events).judges


@dataclass(slots=True)
class ConductTable(LogReader):
    """The conduct of every judge so far."""

    judges: dict[str, Conduct] = field(default_factory=dict)
    fresh: bool = False
    judge_of: dict[int, str] = field(default_factory=dict)
    stands: dict[int, str] = field(default_factory=dict)  # question -> the column that counts its answer
    expired: set[int] = field(default_factory=set)

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.fresh = answer_anew(event.data)
        self.judges = {judge: Conduct() for judge in created.judges}

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self.judges.setdefault(added.judge, Conduct())

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self.judge_of[asked.q] = asked.judge
        self._add(asked.q, "asked")

    def on_told(self, event: Event, told: bodies.Told) -> None:
        if told.q in self.expired:
            self._add(told.q, "late")
        else:
            column = "expired" if told.source == bodies.FAILED else COLUMNS[told.answer]
            self.stands[told.q] = column
            self._add(told.q, column)

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        if expired.q not in self.expired:
            self.expired.add(expired.q)
            self._add(expired.q, "expired")

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        column = self.stands.pop(retracted.q, None)
        if column is not None:
            self._add(retracted.q, column, -1)
            self._add(retracted.q, "undone" if is_own_undo(retracted, fresh=self.fresh) else "taken_back")

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if not removed.discard:
            return
        for q in [q for q in self.stands if self.judge_of[q] == removed.judge]:
            self._add(q, self.stands.pop(q), -1)
            self._add(q, "taken_back")

    def _add(self, q: int, column: str, number: int = 1) -> None:
        judge = self.judges.setdefault(self.judge_of[q], Conduct())
        setattr(judge, column, getattr(judge, column) + number)

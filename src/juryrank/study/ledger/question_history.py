"""What the log holds about one question: its lease, its answer, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from juryrank.log import Event, LogReader, bodies
from juryrank.storage.plain import seconds_of
from juryrank.study.ledger.leases import LastAnswer, Lease


@dataclass(slots=True)
class QuestionHistory(LogReader):
    """The events of one question, read in order."""

    lease: Lease | None = None  # None: it was never asked
    answer: LastAnswer | None = None  # the one that was not taken back
    late: bool = False  # did an answer come after the deadline?
    gone_for_good: bool = False  # was the answer taken back after the fact?
    _expired: bool = False

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self.lease = lease_of(asked)

    def on_told(self, event: Event, told: bodies.Told) -> None:
        if self.lease is not None:
            self.answer = LastAnswer(self.lease, event.seq, told.answer, told.grade)
        self.late = self.late or self._expired

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        self._expired = True

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        self.answer = None
        self.gone_for_good = self.gone_for_good or bool(retracted.post_hoc)


def lease_of(asked: bodies.Asked) -> Lease:
    """The lease that an `asked` event gives out."""
    deadline = None if asked.deadline is None else seconds_of(asked.deadline)
    terms = asked.terms or {}
    sitting = None if terms.get("beyond") else terms.get("sitting")  # beyond: no part of what has a deadline
    return Lease(asked.q, asked.judge, asked.left, asked.right, deadline, sitting)


def history_of(events: Iterable[Event]) -> QuestionHistory:
    """What these events of one question amount to."""
    return QuestionHistory().walk(events)

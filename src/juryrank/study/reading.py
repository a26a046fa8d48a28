"""Reading a study's state: a judge's status and seat, and events as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from juryrank.log import Event, Fold
from juryrank.study.ledger.leases import LeaseTally
from juryrank.study.state import StudyState
from juryrank.study.values import Seat
from juryrank.types import Question, Status, Wait


def status_of(fold: Fold, state: StudyState, judge: str | None) -> Status:
    """Why there is (or is not) a question now, in words."""
    if state.ledger.closed:
        return Status(Wait.DONE, "The study is closed: thank you.")
    if judge in state.ledger.removed:
        return Status(Wait.DROPPED, "You are no longer asked in this study: thank you.")
    return fold.ranker.status(judge)


def seat_of(state: StudyState, judge: str) -> Seat:
    """A judge's open questions, latest answer and count."""
    ledger = state.ledger
    mine = [lease for _, lease in sorted(ledger.open.items()) if lease.judge == judge]
    return Seat(
        open=tuple(Question(one.q, one.judge, one.left, one.right) for one in mine),
        last=ledger.last.get(judge),
        answered=ledger.tallies.get(judge, LeaseTally()).answered,
        items=len(ledger.items) - len(ledger.withdrawn),
        closed=ledger.closed,
        removed=judge in ledger.removed,
    )


def follow(
    events: Callable[..., Iterator[Event]], *, after: int, poll: float, timeout: float | None
) -> Iterator[Event]:
    """Events after `after` as they come; ends `timeout` seconds after the last one."""
    seen, quiet_since = after, time.monotonic()
    while True:
        for event in events(after=seen):
            seen, quiet_since = event.seq, time.monotonic()
            yield event
        if timeout is not None and time.monotonic() - quiet_since >= timeout:
            return
        time.sleep(poll)

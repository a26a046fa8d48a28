"""Reading a study's state: a judge's status and seat, and events as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from juryrank.log import Event, Fold
from juryrank.log.gold import GoldBook
from juryrank.study.ledger.leases import LeaseTally
from juryrank.study.state import StudyState
from juryrank.study.values import BesideRow, JudgeRow, Seat, StudyProgress
from juryrank.types import JudgeReport, Question, Status, Wait


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


# ----------------------------------------------------------------------------
# How far a study is, from its ranker and its ledger
def progress_of(name: str, fold: Fold, state: StudyState) -> StudyProgress:
    """Everything that a display of a study needs."""
    ledger, ranker = state.ledger, fold.ranker
    status = ranker.status()
    word = "done" if ranker.done else "spent" if ranker.spent else "closed" if ledger.closed else "running"
    rows = tuple(_judge_row(report, state, fold.gold) for report in ranker.judges)
    return StudyProgress(
        study=name,
        state=word,
        reason="The study is closed." if word == "closed" else status.reason,
        ranker=ranker.name,
        error=ranker.error,
        progress=ranker.progress,
        judges=rows,
        answers=sum(row.left + row.right + row.ties + row.skips for row in rows),
        late=sum(row.late for row in rows),
        seq=state.head.seq,
        post_hoc=tuple(fold.edits),
        beside=tuple(
            BesideRow(name, fold.gold.asked.get(name, 0), cost)
            for name, cost in fold.gold.cost.items()
            if name not in ranker.judge_names
        ),
        cost_unit="questions" if all(report.price == 1 for report in ranker.judges) else "money",
    )


def _judge_row(report: JudgeReport, state: StudyState, gold: GoldBook) -> JudgeRow:
    ledger, judge = state.ledger, str(report.name)
    tally = ledger.tallies.get(judge, LeaseTally())
    return JudgeRow(
        report,
        tally.left,
        tally.right,
        tally.tie,
        tally.skip,
        tally.late,
        sum(lease.judge == judge for lease in ledger.open.values()),
        tally.last_at,
        judge in ledger.paused,
        judge in ledger.removed,
        tally.expired,
        tally.undone,
        tally.cost + gold.cost.get(judge, 0.0),
    )

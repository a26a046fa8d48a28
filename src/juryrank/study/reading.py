"""What a study returns, and how it is read from its state: receipts, progress, a judge's status and seat."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from juryrank.log import Event, Fold
from juryrank.log.gold import GoldBook
from juryrank.study.ledger import LeaseTally
from juryrank.study.state import StudyState
from juryrank.types import JudgeReport, Progress, Status, Wait


# ----------------------------------------------------------------------------
# What a study returns: receipts and progress.
@dataclass(frozen=True, slots=True)
class Receipt:
    """An answer that is on disk. `late`: it came after its deadline, is kept, and does not count.

    `repeated`: the same answer was on disk already; telling it again changed nothing.
    """

    question: int
    judge: str
    answer: str  # left, right, tie or skip
    late: bool = False
    repeated: bool = False

    @property
    def notice(self) -> str:
        """A sentence for people; empty when there is nothing to say."""
        if self.late:
            return (
                f"the answer to question {self.question} came after its deadline: it is kept in the log, marked "
                "late, and does not count; ask for the next one"
            )
        return f"question {self.question} had this answer already" if self.repeated else ""


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge in a study's table: the ranker's report, and what the log shows."""

    report: JudgeReport
    left: int = 0
    right: int = 0
    ties: int = 0
    skips: int = 0
    late: int = 0
    open: int = 0
    last_at: str | None = None
    paused: bool = False
    removed: bool = False
    expired: int = 0
    undone: int = 0
    cost: float = 0.0  # of a model whose price is known: its answers, gold pairs included


@dataclass(frozen=True, slots=True)
class BesideRow:
    """A model whose answers stand beside the people's: they never count in the promise."""

    name: str
    answers: int
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How far a study has come; `state` is running, done, spent or closed, and `reason` says it for people."""

    study: str
    state: str
    reason: str
    ranker: str
    error: float
    progress: Progress
    judges: tuple[JudgeRow, ...]
    answers: int
    late: int
    seq: int
    post_hoc: tuple[str, ...] = ()
    beside: tuple[BesideRow, ...] = ()
    cost_unit: str = "questions"  # of `progress.cost` and a ranking's: "money" where prices were given

    @property
    def model_cost(self) -> float:
        """What models have cost so far, as far as their prices are known."""
        return sum(row.cost for row in self.judges) + sum(row.cost for row in self.beside)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self), default=str))
        del plain["cost_unit"]
        units = {"progress.cost": self.cost_unit, "ranking.cost": self.cost_unit, "model_cost": "money"}
        return {**plain, "model_cost": self.model_cost, "units": units}


# ----------------------------------------------------------------------------
# Reading a study's state: a judge's status, and events as they come.
def status_of(fold: Fold, state: StudyState, judge: str | None) -> Status:
    """Why there is (or is not) a question now, in words."""
    if state.ledger.closed:
        return Status(Wait.DONE, "The study is closed: thank you.")
    if judge in state.ledger.removed:
        return Status(Wait.DROPPED, "You are no longer asked in this study: thank you.")
    return fold.ranker.status(judge)


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
    reports = ranker.judges
    rows = tuple(_judge_row(report, state, fold.gold) for report in reports)
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
        cost_unit="questions" if all(report.price == 1 for report in reports) else "money",
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

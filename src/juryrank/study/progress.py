"""How far a study is, from its ranker and its ledger."""

from __future__ import annotations

from juryrank.log import Fold
from juryrank.log.gold import GoldBook
from juryrank.study.ledger.leases import LeaseTally
from juryrank.study.state import StudyState
from juryrank.study.values import BesideRow, JudgeRow, StudyProgress
from juryrank.types import JudgeReport


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

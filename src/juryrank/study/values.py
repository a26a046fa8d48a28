"""What a study returns: receipts and progress."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from juryrank.study.ledger.leases import LastAnswer
from juryrank.types import JudgeReport, Progress, Question


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


@dataclass(frozen=True, slots=True)
class Seat:
    """A judge's place in a study: open questions, the latest answer, and how many were answered."""

    open: tuple[Question, ...] = ()
    last: LastAnswer | None = None
    answered: int = 0
    items: int = 0  # without those that were withdrawn
    closed: bool = False
    removed: bool = False

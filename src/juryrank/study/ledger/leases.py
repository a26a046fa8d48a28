"""An open question: whose it is and for how long; and a judge's earlier ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from juryrank.errors import BadInput

THE_STUDYS_OWN: Any = object()  # "use the study's setting", where None means "no limit"


@dataclass(frozen=True, slots=True)
class Lease:
    """An open question. `deadline`: seconds since 1970 by the storage's clock; None: no limit."""

    q: int
    judge: str
    left: str
    right: str
    deadline: float | None = None
    sitting: int | None = None


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """A judge's latest answer, as long as it can be taken back freely; `seq` is its place in the log."""

    lease: Lease
    seq: int
    answer: str
    grade: float | None = None  # of a graded answer, where its question's history is read


@dataclass(slots=True)
class LeaseTally:
    """What became of a judge's questions so far."""

    left: int = 0
    right: int = 0
    tie: int = 0
    skip: int = 0
    late: int = 0
    expired: int = 0
    undone: int = 0
    own: int = 0  # own work that was passed over unseen: no answer of theirs
    last_at: str | None = None
    cost: float = 0.0  # of a model whose price is known

    @property
    def answered(self) -> int:
        return self.left + self.right + self.tie + self.skip


def check_lease(lease: float | None) -> None:
    """Raise unless it is a number of seconds, or None for no limit."""
    if lease is THE_STUDYS_OWN or lease is None:
        return
    if isinstance(lease, bool) or not isinstance(lease, int | float) or not 0 < lease < 1e9:
        raise BadInput(f"the lease is {lease!r}; it is a number of seconds above 0, or None for no limit")

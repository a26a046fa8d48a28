"""One vote as a row: who was shown what, and what became of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from juryrank.log.bodies import OWN_WORK, WITHDRAWN


class Outcome(enum.StrEnum):
    """What became of a question."""

    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"
    SKIP = "skip"
    LATE = "late"  # answered after its lease had expired: kept, not counted
    OPEN = "open"  # still waiting for its answer
    EXPIRED = "expired"  # the lease ran out without an answer
    RETRACTED = "retracted"  # taken back, or discarded with its judge


@dataclass(frozen=True, slots=True)
class Vote:
    """One row of a vote file. Empty text and None mean: not known.

    `winner` is the item chosen; it stays there when the answer was late or taken back.

    >>> Vote(1, left="a", right="b", winner="b", outcome=Outcome.RIGHT, judge="ann").counts
    True
    """

    vote_id: int | str
    study: str = ""
    seq: int | None = None
    judge: str = ""
    left: str = ""
    right: str = ""
    winner: str = ""
    outcome: Outcome = Outcome.OPEN
    asked_at: str = ""
    answered_at: str = ""
    response_time: float | None = None
    cost: float | None = None
    source: str = ""
    comment: str = ""
    case: str = ""  # on which the two were compared
    grade: float | None = None  # from 1 (left) to -1 (right), where the file says by how much; not exported

    @property
    def counts(self) -> bool:
        """Is it a preference or a tie, given in time and not taken back?"""
        return self.outcome in (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE)

    @property
    def skipped(self) -> bool:
        """Did its judge say "skip"? A pair that was passed over unseen is nobody's answer."""
        return self.outcome is Outcome.SKIP and self.source not in (OWN_WORK, WITHDRAWN)


COLUMNS = (
    "vote_id",
    "study",
    "seq",
    "judge",
    "left",
    "right",
    "winner",
    "outcome",
    "asked_at",
    "answered_at",
    "response_time",
    "cost",
    "source",
    "comment",
    "case",
)

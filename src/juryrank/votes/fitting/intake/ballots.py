"""What a fit works on: one entry per counted vote, with items and judges as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.fitting.arrays import Ints

LEFT_WON, RIGHT_WON, TIED = 0, 1, 2  # what `Ballots.outcome` holds


@dataclass(frozen=True, slots=True)
class Ballots:
    """Counted votes, sorted by judge (so that sums per judge run over neighbours).

    `judged` and `sided` say whether the source names judges, and which item was shown on which side. `case`
    numbers the case of each vote (a vote without one has a number of its own); None where there are no cases.
    """

    judge: Ints
    left: Ints
    right: Ints
    outcome: NDArray[np.int8]
    items: tuple[str, ...]
    judges: tuple[str, ...]
    case: Ints | None = None
    judged: bool = True
    sided: bool = True
    duplicates: int = 0  # rows that repeat another row in every column
    left_out: tuple[str, ...] = ()  # what was not counted, in words
    never_compared: tuple[str, ...] = ()  # items of a study without a counted vote
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def size_in_words(self) -> str:
        """How many votes, items and judges."""
        counts = {"vote": len(self), "item": len(self.items), "judge": len(self.judges)}
        return ", ".join(f"{many:,} {what}{'' if many == 1 else 's'}" for what, many in counts.items())

    @property
    def ties(self) -> int:
        """How many votes are ties."""
        return int(np.count_nonzero(self.outcome == TIED))

    @property
    def score(self) -> NDArray[np.float64]:
        """Left's score: 1, 0, or a half for a tie."""
        return np.array([1.0, 0.0, 0.5])[self.outcome]

    def part(self, chosen: Any) -> Ballots:
        """Some of the votes, with the same items and judges."""
        return replace(
            self,
            judge=self.judge[chosen],
            left=self.left[chosen],
            right=self.right[chosen],
            outcome=self.outcome[chosen],
            case=None if self.case is None else self.case[chosen],
        )

    def seen(self) -> NDArray[np.int64]:
        """How many votes each item has."""
        n = len(self.items)
        return np.bincount(self.left, minlength=n) + np.bincount(self.right, minlength=n)

    def decided(self) -> NDArray[np.int64]:
        """How many votes of each item are not ties."""
        return self.part(self.outcome != TIED).seen()

    def per_judge(self) -> NDArray[np.int64]:
        """How many votes each judge has."""
        return np.bincount(self.judge, minlength=len(self.judges))


def sorted_by_judge(ballots: Ballots) -> Ballots:
    """The same votes in order of their judges."""
    if np.all(np.diff(ballots.judge) >= 0):
        return ballots
    return ballots.part(np.argsort(ballots.judge, kind="stable"))

"""A made-up evaluation: what each judge would say of each pair on each case, on either side.

Systems differ in strength by uneven gaps; a judge has a slope (how much strength shows), an error of its own
about each pair, and a leaning to one side; a case helps or hurts each system. Answers of a pair are made when it
is first asked about, from the seed and the pair alone: a large table takes room only for the pairs asked about.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadWorld

Floats = NDArray[np.float64]
SLOPES = (1.0, 0.6, 1.5, 0.4, 0.8)  # of the judges, round and round: some see strength better than others
PAIR_STREAM = 7


@dataclass
class CaseWorld:
    """`values(i, j)[judge, case, side]` is 1, 0 or -1 from the side of i < j; NaN is a refusal.

    >>> world = CaseWorld(systems=3, judges=2, cases=10, seed=1)
    >>> world.values(0, 1).shape, np.unique(world.values(0, 1)).tolist()
    ((2, 10, 2), [-1.0, 1.0])
    """

    systems: int = 8
    judges: int = 3
    cases: int = 100
    seed: int = 0
    gap: float = 0.35  # mean difference of neighbours, in log-odds of an answer
    uneven: float = 0.5  # how much gaps differ
    wrong: float = 0.3  # of a judge about a pair, for ever
    by_case: float = 1.0  # how much a case helps or hurts a system
    by_cell: float = 0.7
    side: float = 0.5  # a judge's leaning to one side
    ties: float = 0.0  # answers closer than this are ties
    refuse: float = 0.0  # share of refusals
    strengths: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in (("systems", 1), ("judges", 1), ("cases", 1)):
            if getattr(self, name) < least:
                raise BadWorld(f"a world needs {least} of {name} at least; {getattr(self, name)} is too few")
        if not 0 <= self.refuse < 1:
            raise BadWorld(f"the share of refusals is {self.refuse}; it must be from 0 to less than 1")
        rng = np.random.default_rng([self.seed, 1])
        shape = 1 / self.uneven**2 if self.uneven > 0 else 1e6
        gaps = self.gap * rng.gamma(shape, 1 / shape, max(self.systems - 1, 0))
        ladder = -np.concatenate(([0.0], np.cumsum(gaps)))
        self.strengths = ladder[rng.permutation(self.systems)]
        self._lean = rng.normal(0, self.side, self.judges)
        self._effects = np.random.default_rng([self.seed, 2]).normal(0, self.by_case, (self.systems, self.cases))
        self._made: dict[tuple[int, int], Floats] = {}

    def values(self, i: int, j: int) -> Floats:
        """What the jury would say of i against j."""
        if (i, j) not in self._made:
            self._made[i, j] = self._make(i, j)
        return self._made[i, j]

    def _make(self, i: int, j: int) -> Floats:
        rng = np.random.default_rng([self.seed, PAIR_STREAM, i, j])
        slopes = np.array([SLOPES[u % len(SLOPES)] for u in range(self.judges)])[:, None]
        lead = self.strengths[i] - self.strengths[j] + self._effects[i] - self._effects[j]
        own = rng.normal(0, self.wrong, (self.judges, 1)) + rng.normal(0, self.by_cell, (self.judges, self.cases))
        base = slopes * lead[None, :] + own
        odds = np.stack([base + self._lean[:, None], base - self._lean[:, None]], axis=2)
        said = np.where(rng.random(odds.shape) < 1 / (1 + np.exp(-odds)), 1.0, -1.0)
        said[np.abs(odds) < self.ties] = 0.0
        said[rng.random(odds.shape) < self.refuse] = np.nan
        return said

    def forget(self) -> None:
        """Free the memory of the answers made so far; made again, they are the same."""
        self._made.clear()

    def mean(self, i: int, j: int, epsilon: float = 0.0) -> float:
        """Z of "i over j": what the whole table says."""
        first, second, sign = (i, j, 1) if i < j else (j, i, -1)
        x = sign * self.values(first, second)
        return float(np.where(np.isnan(x), 0.0, x + 2 * epsilon).mean())

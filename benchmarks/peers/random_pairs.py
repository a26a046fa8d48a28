"""Random pairs, random judges, a Bradley-Terry fit by choix: the usual first try."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.method import Method, best_first

RIDGE = 0.01  # choix's own regularisation: without it, an unbeaten item has no finite score


class RandomPairs(Method):
    name = "random pairs + Bradley-Terry"
    order_is_cheap = False

    def __init__(self, items: int, judges: int, rng: np.random.Generator) -> None:
        super().__init__(items, judges, rng)
        self.won: list[tuple[int, int]] = []

    def choose(self) -> tuple[int, int, int]:
        i, j = self.rng.choice(self.items, size=2, replace=False)
        return self.any_judge(), int(i), int(j)

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        self.won.append((i, j) if won else (j, i))

    def order(self) -> NDArray[np.int64]:
        import choix

        return best_first(choix.ilsr_pairwise(self.items, self.won, alpha=RIDGE, max_iter=1000, tol=1e-6))

"""What a peer has to do: choose a question, learn from its answer, give an order."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray


class Method(ABC):
    """One way to rank. `order_is_cheap`: looked at after every question, else at checkpoints only."""

    name: str
    order_is_cheap = True

    def __init__(self, items: int, judges: int, rng: np.random.Generator) -> None:
        self.items, self.judges, self.rng = items, judges, rng

    @abstractmethod
    def choose(self) -> tuple[int, int, int]:
        """(judge, i, j) to ask next."""

    @abstractmethod
    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        """Judge preferred i to j (won), or j to i."""

    @abstractmethod
    def order(self) -> NDArray[np.int64]:
        """Best first."""

    def any_judge(self) -> int:
        return int(self.rng.integers(self.judges))


def best_first(score: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-score, kind="stable")

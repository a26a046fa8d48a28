"""juryrank's own rankers as methods: the public contract, nothing else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.method import Method
from juryrank import make_ranker
from juryrank.types import Question

ERROR = 0.1


class Ours(Method):
    """A ranker that stops by its own rule."""

    order_is_cheap = False

    def __init__(
        self, ranker: str, items: int, judges: int, rng: np.random.Generator, *, label: str = "", **options: object
    ) -> None:
        super().__init__(items, judges, rng)
        self.name = label or ranker
        self.ranker = make_ranker(
            ranker, range(items), judges=range(judges), error=ERROR, seed=int(rng.integers(2**31)), **options
        )
        self.question: Question | None = None

    @property
    def finished(self) -> bool:
        return self.ranker.done or self.ranker.spent

    def choose(self) -> tuple[int, int, int]:
        self.question = self.ranker.ask()
        assert self.question is not None, self.ranker.status()
        return self.question.judge, self.question.left, self.question.right  # type: ignore[return-value]

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        assert self.question is not None
        self.ranker.tell(self.question, i if won else j)

    def order(self) -> NDArray[np.int64]:
        return np.array(self.ranker.ranking.order, np.int64)


class PlacedFirst(Ours):
    """The certified ranker's list, with the items it has not placed at its end: as results were shown once."""

    def order(self) -> NDArray[np.int64]:
        ranking = self.ranker.ranking
        waiting = set(ranking.details.unplaced)
        placed = [item for item in ranking.order if item not in waiting]
        return np.array([*placed, *sorted(waiting)], np.int64)  # type: ignore[type-var]

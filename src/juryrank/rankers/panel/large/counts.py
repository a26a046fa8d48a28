"""What counts of many items share: settled pairs as a graph, tallies by pair, and when the objective is met."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from juryrank.core.levels import Objective
from juryrank.core.relation import Relation, lines_of

TABLES_UP_TO = 300  # items: up to here a panel keeps tables of all pairs, and chooses among all of them
SEVERAL_UP_TO = 1000  # where judges are counted: with tables nobody waits for another's answers
FRONT = 10  # places that are settled first, where no other number was asked for
Pair = tuple[int, int]


def sorted_pair(i: int, j: int) -> Pair:
    return (i, j) if i < j else (j, i)


class LargeCount(ABC):
    """Counted answers about many items. `settled`: "i over j" is settled, and stays so."""

    objective: Objective
    k: int | None
    items: int
    level: float
    settled: Relation
    wins: dict[Pair, int]  # by (better, worse)

    @property
    def fewest_alike(self) -> int | None:
        """How many answers, all the same, settle a pair, where that is a matter of proof."""
        return None

    @property
    def chose_any(self) -> bool:
        return bool(self.wins)

    def tally(self, i: int, j: int) -> Pair:
        """How many prefer i to j, and j to i."""
        return self.wins.get((i, j), 0), self.wins.get((j, i), 0)

    @abstractmethod
    def join(self, more: int, *, arrived: int = 0) -> None: ...

    @abstractmethod
    def state(self) -> dict[str, Any]: ...

    @abstractmethod
    def load(self, state: Mapping[str, Any]) -> None: ...

    def wanted_lines(self) -> set[int]:
        """The sizes of top groups that the objective asks for."""
        if self.objective is Objective.TOP and self.k is not None:
            return {self.k}
        return set(range(1, self.items)) if self.objective is Objective.TIERS else set()

    def finished(self) -> bool:
        """Every pair is settled, or the line that is asked for."""
        if len(self.settled) >= self.items * (self.items - 1) // 2:
            return True
        if self.objective is not Objective.TOP or self.k is None:
            return False
        if len(self.settled) < self.k * (self.items - self.k):
            return False
        below, above = self.settled.degrees(self.items)
        order = [int(i) for i in np.argsort(above - below, kind="stable")]
        return self.k in lines_of(below, above, order)

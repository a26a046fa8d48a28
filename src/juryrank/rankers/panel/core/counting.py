"""What every way of counting a panel has in common: tallies, settled pairs, and when the objective is met."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.rankers.panel.core.bradley_terry import Floats, strengths
from juryrank.rankers.panel.core.plans import Asked, Pairs, all_pairs
from juryrank.rankers.panel.core.tournament import consistent_order, gathered, impossible_lines, settled_lines

Plan = list[tuple[int, int]]
NOBODY: frozenset[int] = frozenset()


class Counting(ABC):
    """Counted answers about `items` items. `settled[i, j]`: "i over j" is settled, and stays so."""

    objective: Objective
    k: int | None
    items: int
    wins: NDArray[np.int64]
    pairs: Pairs
    level: float

    def _blank(self, items: int) -> None:
        self.items = items
        self.wins = np.zeros((items, items), dtype=np.int64)
        self.pairs = all_pairs(items)

    @property
    @abstractmethod
    def settled(self) -> NDArray[np.bool_]: ...

    @property
    def fewest_alike(self) -> int | None:
        """How many answers, all the same, settle a pair, where that is a matter of proof."""
        return None

    @property
    def chose_any(self) -> bool:
        return bool(self.wins.any())

    @abstractmethod
    def join(self, more: int, *, arrived: int) -> None:
        """`more` items join after `arrived` sittings have begun."""

    @abstractmethod
    def state(self) -> dict[str, Any]: ...

    @abstractmethod
    def load(self, state: Mapping[str, Any]) -> None: ...

    def guide(self) -> Floats:
        """Strengths that promise nothing."""
        return strengths(self.wins)

    @property
    def open_pairs(self) -> NDArray[np.bool_]:
        """For each pair: not settled in either direction."""
        i, j = self.pairs
        settled = self.settled
        undecided: NDArray[np.bool_] = ~(settled[i, j] | settled[j, i])
        return undecided

    def order(self, guess: Floats) -> list[int]:
        """The best guess, moved only where settled pairs say otherwise."""
        return consistent_order(self.settled, guess)

    def shown(self, guess: Floats) -> list[int]:
        """The order as a result shows it: nobody before those settled above them, circles side by side."""
        return gathered(self.settled, self.order(guess))

    @property
    def not_below(self) -> NDArray[np.bool_]:
        """Row settled over column, or exactly tied with it (where ties can be known)."""
        return self.settled

    def wanted_lines(self) -> set[int]:
        """The sizes of top groups that the objective asks for."""
        if self.objective is Objective.TOP and self.k is not None:
            return {self.k}
        return set(range(1, self.items)) if self.objective is Objective.TIERS else set()

    def finished(self) -> bool:
        """Everything that the objective asks for is settled, or cannot be: a circle or a tie is in its way."""
        if self.items < 2 or not self.open_pairs.any():
            return True
        if self.objective is Objective.RANGES:
            return False
        order = self.order(self.settled.sum(axis=1).astype(float))
        open_lines = self.wanted_lines() - set(settled_lines(self.settled, order))
        return not open_lines - impossible_lines(self.not_below)


class BySittings(Counting):
    """Answers that come in sittings, each counted as a whole and in order of arrival."""

    @abstractmethod
    def count_person(self, number: int, preferences: Plan, *, own: frozenset[int] = NOBODY) -> None:
        """All choices of sitting `number` as (better, worse); `own`: items that are the person's own work."""

    @abstractmethod
    def plan(self, size: int, asked: Asked, rng: Generator, *, without: frozenset[int] = NOBODY) -> Plan:
        """Up to `size` pairs for the next person; `without`: items that nobody is asked about any more."""

"""What every judge said about every pair, counted as it comes: all answers, whatever a promise makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LOW, HIGH, TIE = range(3)  # whom a judge preferred: the item with the lower number, the other, neither


class CountTable(NamedTuple):
    """One row per judge and pair, sorted: the same answers give the same table, in whatever order they came."""

    judge: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    wins: NDArray[np.float64]  # of `low`, ties counting half
    losses: NDArray[np.float64]

    @property
    def answers(self) -> int:
        return round(float(self.wins.sum() + self.losses.sum()))


class AnswerCounts:
    """Answers by judge and pair.

    >>> counts = AnswerCounts()
    >>> counts.add(0, first=3, second=1, preferred=3)
    >>> counts.add(0, first=1, second=3, preferred=None)
    >>> table = counts.table()
    >>> table.low.tolist(), table.wins.tolist(), table.losses.tolist()
    ([1], [0.5], [1.5])
    """

    def __init__(self, rows: Iterable[Iterable[int]] = ()) -> None:
        self._counts = {(u, i, j): [low, high, ties] for u, i, j, low, high, ties in rows}
        self.answers = sum(map(sum, self._counts.values()))
        self._table: CountTable | None = None

    def add(self, judge: int, *, first: int, second: int, preferred: int | None) -> None:
        """One answer; None: a tie."""
        low, high = (first, second) if first < second else (second, first)
        counts = self._counts.setdefault((judge, low, high), [0, 0, 0])
        counts[TIE if preferred is None else LOW if preferred == low else HIGH] += 1
        self.answers += 1
        self._table = None

    def rows(self) -> list[list[int]]:
        """As JSON values, sorted: judge, lower item, higher item, how often either was preferred, ties."""
        found: list[list[int]] = self._sorted().tolist()
        return found

    def table(self) -> CountTable:
        """As arrays, which stay as they are when more answers come."""
        if self._table is None:
            rows = self._sorted()
            half = rows[:, 5] / 2
            self._table = CountTable(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] + half, rows[:, 4] + half)
        return self._table

    def _sorted(self) -> NDArray[np.int64]:
        keys = np.array(list(self._counts), np.int64).reshape(-1, 3)
        rows = np.hstack([keys, np.array(list(self._counts.values()), np.int64).reshape(-1, 3)])
        return rows[np.lexsort(keys.T[::-1])]

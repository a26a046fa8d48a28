"""Merge sort where k random judges vote on each comparison: what one would do without any theory."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.method import Method

Comparison = Generator[tuple[int, int], bool, list[int]]


class MergeSort(Method):
    """One sort; a comparison ends as soon as one side has more than half of the k votes."""

    def __init__(self, items: int, judges: int, rng: np.random.Generator, *, votes: int = 1) -> None:
        super().__init__(items, judges, rng)
        self.name, self.votes = f"merge sort, {votes} votes", votes
        self.sorted = list(range(items))
        self.finished = False
        self.sorting = merge_sort([int(i) for i in rng.permutation(items)])
        self.pair = next(self.sorting)
        self.tally = [0, 0]

    def choose(self) -> tuple[int, int, int]:
        return self.any_judge(), *self.pair

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        self.tally[0 if won else 1] += 1
        if 2 * max(self.tally) <= self.votes:
            return
        try:
            self.pair = self.sorting.send(self.tally[0] > self.tally[1])
        except StopIteration as done:
            self.sorted, self.finished = done.value, True
        self.tally = [0, 0]

    def order(self) -> NDArray[np.int64]:
        return np.array(self.sorted)


def merge_sort(items: list[int]) -> Comparison:
    """Yields pairs, is sent whether the first goes before the second, returns the sorted list."""
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left = yield from merge_sort(items[:middle])
    right = yield from merge_sort(items[middle:])
    merged: list[int] = []
    while left and right:
        first_wins = yield left[0], right[0]
        merged.append((left if first_wins else right).pop(0))
    return merged + left + right

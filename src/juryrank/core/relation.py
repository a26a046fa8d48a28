"""Who stands over whom, as a graph of pairs: for lists of which a table of all pairs would be too large.

What hangs on chains (who is reached from where) is kept as one whole number per group of items, a bit for each:
that is quadratic only in bits, and is made for a result, never for a question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Relation:
    """Directed pairs of items.

    >>> over = Relation([(0, 1), (1, 2)])
    >>> (0, 1) in over, (0, 2) in over, len(over)
    (True, False, 2)
    """

    def __init__(self, pairs: Iterable[tuple[int, int]] = ()) -> None:
        self.below: dict[int, set[int]] = defaultdict(set)
        self.above: dict[int, set[int]] = defaultdict(set)
        self._size = 0
        for upper, lower in pairs:
            self.add(upper, lower)

    def add(self, upper: int, lower: int) -> None:
        self._size += lower not in self.below[upper]
        self.below[upper].add(lower)
        self.above[lower].add(upper)

    def __contains__(self, pair: tuple[int, int]) -> bool:
        return pair[0] in self.below and pair[1] in self.below[pair[0]]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((upper, lower) for upper, lowers in self.below.items() for lower in lowers)

    def touched(self) -> list[int]:
        """Items that stand in any pair, by number."""
        return sorted({item for ends in (self.below, self.above) for item, others in ends.items() if others})

    def degrees(self, items: int) -> tuple[Ints, Ints]:
        """For each item, how many it is over and how many are over it."""
        found = np.zeros((2, items), dtype=np.int64)
        for row, ends in zip(found, (self.below, self.above), strict=True):
            for item, others in ends.items():
                row[item] = len(others)
        return found[0], found[1]

    def blocks(self) -> list[list[int]]:
        """Touched items, together where they go in a circle; nobody comes after those that it is over.

        >>> Relation([(0, 1), (1, 2), (2, 1), (2, 3)]).blocks()
        [[3], [1, 2], [0]]
        """
        found: list[list[int]] = []
        number: dict[int, int] = {}
        lowest: dict[int, int] = {}
        waiting: list[int] = []
        done: set[int] = set()
        for root in self.touched():
            if root in number:
                continue
            walk: list[tuple[int, Iterator[int]]] = []
            _enter(root, number, lowest, waiting, walk, self.below)
            while walk:
                here, rest = walk[-1]
                there = next((lower for lower in rest if lower not in done), None)
                if there is None:
                    walk.pop()
                    if walk:
                        lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[here])
                    if lowest[here] == number[here]:
                        block = [waiting.pop()]
                        while block[-1] != here:
                            block.append(waiting.pop())
                        found.append(sorted(block))
                        done.update(block)
                elif there in number:
                    lowest[here] = min(lowest[here], number[there])
                else:
                    _enter(there, number, lowest, waiting, walk, self.below)
        return found


def _enter(
    item: int,
    number: dict[int, int],
    lowest: dict[int, int],
    waiting: list[int],
    walk: list[tuple[int, Iterator[int]]],
    below: dict[int, set[int]],
) -> None:
    number[item] = lowest[item] = len(number)
    waiting.append(item)
    walk.append((item, iter(sorted(below.get(item, ())))))


class Reach(NamedTuple):
    """How many items stand below and above each, counting those that chains lead to and no circle joins."""

    below: Ints
    above: Ints


def reach_of(relation: Relation, blocks: list[list[int]], items: int) -> Reach:
    """Along chains.

    >>> over = Relation([(0, 1), (1, 2), (2, 1)])
    >>> [part.tolist() for part in reach_of(over, over.blocks(), 4)]
    [[2, 0, 0, 0], [0, 1, 1, 0]]
    """
    below, above = np.zeros(items, dtype=np.int64), np.zeros(items, dtype=np.int64)
    place = {item: k for k, block in enumerate(blocks) for item in block}
    own = [sum(1 << item for item in block) if len(block) > 1 else 1 << block[0] for block in blocks]
    for counts, ends, order in (
        (below, relation.below, range(len(blocks))),
        (above, relation.above, range(len(blocks) - 1, -1, -1)),
    ):
        reached = [0] * len(blocks)
        for k in order:
            for other in {place[there] for item in blocks[k] for there in ends.get(item, ())} - {k}:
                reached[k] |= reached[other] | own[other]
            counts[blocks[k]] = reached[k].bit_count()
    return Reach(below, above)


def arranged(
    relation: Relation, guess: NDArray[np.float64], *, inside: Callable[[list[int]], list[int]]
) -> list[int]:
    """All items by `guess` (higher is better), moved only where the relation says otherwise.

    Circles stand side by side, in the order that `inside` gives them.

    >>> arranged(Relation([(2, 0)]), np.array([3.0, 2.0, 1.0]), inside=sorted)
    [1, 2, 0]
    """
    blocks = relation.blocks()
    place = {item: k for k, block in enumerate(blocks) for item in block}
    blocks += [[item] for item in range(len(guess)) if item not in place]
    after = [
        {place[lower] for item in block for lower in relation.below.get(item, ())} - {k}
        for k, block in enumerate(blocks)
    ]
    left = [0] * len(blocks)
    for others in after:
        for other in others:
            left[other] += 1
    keys = [(-max(float(guess[item]) for item in block), min(block)) for block in blocks]
    free: list[tuple[tuple[float, int], int]] = []
    for k, above in enumerate(left):
        if not above:
            heappush(free, (keys[k], k))
    order: list[int] = []
    while free:
        k = heappop(free)[1]
        order += inside(blocks[k]) if len(blocks[k]) > 1 else blocks[k]
        for other in after[k]:
            left[other] -= 1
            if not left[other]:
                heappush(free, (keys[other], other))
    return order


def lines_of(below: Ints, above: Ints, order: list[int]) -> list[int]:
    """Positions after which everything above is over everything below, from how many each item is over and under.

    Pairs within the upper part cancel out, so that what is left counts those across.

    >>> lines_of(np.array([2, 0, 0]), np.array([0, 1, 1]), [0, 1, 2])
    [1]
    """
    across = np.cumsum((below - above)[order])[:-1]
    k = np.arange(1, len(order))
    return [int(line) for line in k[across == k * (len(order) - k)]]

"""A tournament tree over numbers: their largest and their sum are at hand after every change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel

OUT = -1e100  # the value of a place that must never win


class MaxTree(NamedTuple):
    """`value` by place; node n has children 2n and 2n+1; the leaves follow the inner nodes."""

    value: NDArray[np.float64]
    winner: NDArray[np.int64]  # the place with the largest value below a node
    total: NDArray[np.float64]  # the sum of the values below a node


def max_tree(size: int) -> MaxTree:
    """Room for `size` numbers, all 0.

    >>> tree = max_tree(3)
    >>> put(tree, 1, 2.5)
    >>> int(tree.winner[1]), float(tree.total[1])
    (1, 2.5)
    """
    room = 1
    while room < max(size, 2):
        room *= 2
    tree = MaxTree(np.zeros(room), np.zeros(2 * room, np.int64), np.zeros(2 * room))
    rebuild(tree)
    return tree


@kernel(inline=False)
def rebuild(tree: MaxTree) -> None:
    """Recompute all inner nodes after many values were changed at once."""
    replay_path(tree, 0, len(tree.value) - 1)


@kernel(inline=False)
def replay_path(tree: MaxTree, first: int, last: int) -> None:
    """Recompute what stands above the places from `first` to `last`, whose values were changed."""
    values = tree.value
    winner = tree.winner
    total = tree.total
    room = len(values)
    for k in range(first, last + 1):
        winner[room + k] = k
        total[room + k] = values[k]
    first = (room + first) >> 1
    last = (room + last) >> 1
    while first > 0:
        for node in range(first, last + 1):
            a = winner[2 * node]
            b = winner[2 * node + 1]
            winner[node] = a if values[a] >= values[b] else b
            total[node] = total[2 * node] + total[2 * node + 1]
        first >>= 1
        last >>= 1


@kernel(inline=False)
def put(tree: MaxTree, k: int, value: float) -> None:
    """Change one value."""
    if tree.value[k] != value:
        tree.value[k] = value
        replay_path(tree, k, k)

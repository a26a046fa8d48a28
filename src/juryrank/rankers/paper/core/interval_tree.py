"""The preference interval tree over a ranked list (paper: PIT), kept as intervals instead of nodes.

Positions 0 .. n-1 are the ranked items, worst first; -1 and n are the sentinels -∞ and +∞. A node is an
interval (left, right) of positions; its middle item splits it into two children; (k-1, k) is a leaf: the gap
before the k-th item. The root is (-1, n).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.rankers.paper.core.elimination import INNER, LEAF, ROOT

DEEPEST = 64  # levels: more items than any memory holds


def height(n: int) -> int:
    """The depth of the tree over n items, as the paper counts it.

    >>> height(1), height(7)
    (2, 4)
    """
    return math.ceil(1 + math.log2(1 + n))


@kernel
def middle(left: int, right: int) -> int:
    return (left + right) // 2


@kernel
def kind_of(path: NDArray[np.int64], depth: int) -> int:
    """ROOT, LEAF or INNER."""
    if depth == 0:
        return ROOT
    if path[depth, 1] - path[depth, 0] == 1:
        return LEAF
    return INNER


@kernel
def descend(path: NDArray[np.int64], depth: int, to_right: bool) -> None:
    """Write the child of the node at `depth` below it."""
    left = path[depth, 0]
    right = path[depth, 1]
    mid = middle(left, right)
    if to_right:
        path[depth + 1, 0] = mid
        path[depth + 1, 1] = right
    else:
        path[depth + 1, 0] = left
        path[depth + 1, 1] = mid

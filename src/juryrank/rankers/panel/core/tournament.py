"""What follows from settled pairs: ranks, lines, who is in the top k, cycles. No transitivity is used.

`settled[i, j]` is True where "i over j" is settled. An item's rank is one plus the number of items that a
majority prefers to it. Items that go in a circle have no order among themselves: they stand together, and share
all ranks that any of them can have without the others. So every item stands at a rank that it can have, at most k
items are among the first k, and no line cuts a circle.
"""

from __future__ import annotations

import itertools
from collections import deque

import numpy as np
from numpy.typing import NDArray

Settled = NDArray[np.bool_]


def rank_ranges(settled: Settled) -> list[tuple[int, int]]:
    """Best and worst possible rank of each item; those of a circle share theirs.

    >>> rank_ranges(np.array([[False, True, True], [False, False, False], [False, False, False]]))
    [(1, 1), (2, 3), (2, 3)]
    >>> rank_ranges(np.array([[False, True, False], [False, False, True], [True, False, False]]))
    [(1, 3), (1, 3), (1, 3)]
    """
    above, below = settled.sum(axis=0), settled.sum(axis=1)
    for circle in knots(settled):
        inside = settled[np.ix_(circle, circle)]
        above[circle] = (above[circle] - inside.sum(axis=0)).min()
        below[circle] = (below[circle] - inside.sum(axis=1)).min()
    return [(1 + int(a), len(settled) - int(b)) for a, b in zip(above, below, strict=True)]


def ranges_from_lines(order: list[int], lines: list[int]) -> list[tuple[int, int]]:
    """Ranges by item that follow from lines alone: between the line above and the line below."""
    ranges = [(1, len(order))] * len(order)
    borders = [0, *lines, len(order)]
    for top, bottom in itertools.pairwise(borders):
        for item in order[top:bottom]:
            ranges[item] = (top + 1, bottom)
    return ranges


def consistent_order(settled: Settled, guess: NDArray[np.float64]) -> list[int]:
    """The items by `guess` (higher is better), moved only where settled pairs say otherwise.

    An item comes only after all that are settled above it; inside a cycle, after as few of them as possible.
    """
    left = np.ones(len(settled), dtype=bool)
    above = settled.sum(axis=0).astype(np.int64)
    order: list[int] = []
    for _ in range(len(settled)):
        waiting = np.where(left, above, len(settled) + 1)
        free = np.flatnonzero(waiting == waiting.min())
        item = int(free[np.argmax(guess[free])])
        order.append(item)
        left[item] = False
        above -= settled[item]
    return order


def gathered(over: Settled, order: list[int], *, inside: list[int] | None = None) -> list[int]:
    """An order, moved only where `over` says otherwise, with items that go in a circle side by side.

    Exact ties, entered in both directions, are circles of two. `inside`: the order within such a block.

    >>> over = np.zeros((4, 4), dtype=bool)
    >>> for better, worse in [(0, 1), (1, 2), (2, 0), (0, 3)]:
    ...     over[better, worse] = True
    >>> gathered(over, [3, 0, 1, 2]), gathered(over, [0, 1, 2, 3], inside=[3, 2, 1, 0])
    ([0, 1, 2, 3], [2, 1, 0, 3])
    """
    if not np.tril(over[np.ix_(order, order)]).any():
        return order  # each item stands after all that are over it, so there is no circle
    circles = knots(over)
    alone = set(order).difference(*circles)
    place, within = _places(order), _places(inside or order)
    blocks = [sorted(block, key=within.__getitem__) for block in [*circles, *([item] for item in alone)]]
    above = np.array([[over[np.ix_(a, b)].any() for b in blocks] for a in blocks])
    np.fill_diagonal(above, val=False)
    first = np.array([-min(place[item] for item in block) for block in blocks], dtype=float)
    return [item for block in consistent_order(above, first) for item in blocks[block]]


def _places(order: list[int]) -> dict[int, int]:
    return {item: position for position, item in enumerate(order)}


def settled_lines(settled: Settled, order: list[int]) -> list[int]:
    """Positions after which everything above is settled over everything below, pair by pair.

    >>> settled_lines(np.array([[False, True, True], [False, False, False], [False, False, False]]), [0, 1, 2])
    [1]
    """
    n = len(order)
    sorted_ = settled[np.ix_(order, order)]
    reach = 0  # lines up to this position are crossed by an open pair
    lines = []
    for position in range(n - 1):
        open_below = np.flatnonzero(~sorted_[position, position + 1 :])
        if open_below.size:
            reach = max(reach, position + 1 + int(open_below[-1]))
        if reach <= position:
            lines.append(position + 1)
    return lines


def groups(order: list[int], lines: list[int]) -> list[list[int]]:
    """The order cut at its lines."""
    borders = [0, *lines, len(order)]
    return [order[top:bottom] for top, bottom in itertools.pairwise(borders)]


def reaches(settled: Settled) -> Settled:
    """Who stands above whom by a chain of settled pairs (the transitive closure)."""
    closure = settled.copy()
    for middle in range(len(settled)):
        if closure[middle].any():
            closure[closure[:, middle]] |= closure[middle]
    return closure


def knots(settled: Settled) -> list[list[int]]:
    """Groups of items that stand above each other in a cycle (strong components of two or more)."""
    if _has_no_circle(settled):
        return []
    closure = reaches(settled)
    mutual = closure & closure.T
    found, seen = [], np.zeros(len(settled), dtype=bool)
    for item in np.flatnonzero(mutual.diagonal()):
        if not seen[item]:
            members = np.flatnonzero(mutual[item])
            seen[members] = True
            found.append([int(member) for member in members])
    return found


def _has_no_circle(settled: Settled) -> bool:
    """Can the items be taken away one by one, each with nothing left above it?"""
    above = settled.sum(axis=0).astype(np.int64)
    free = np.flatnonzero(above == 0)
    taken = 0
    while len(free):
        taken += len(free)
        below = settled[free].sum(axis=0)
        above -= below
        free = np.flatnonzero((below > 0) & (above == 0))
    return taken == len(settled)


def shortest_cycle(settled: Settled, members: list[int]) -> list[int]:
    """One shortest cycle of settled pairs among `members`: each over the next, the last over the first."""
    best: list[int] = []
    for start in members:
        path = _way_round(settled, members, start)
        if path and (not best or len(path) < len(best)):
            best = path
    return best


def _way_round(settled: Settled, members: list[int], start: int) -> list[int]:
    came_from = {start: -1}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if settled[here, start]:
            path = [here]
            while came_from[path[-1]] >= 0:
                path.append(came_from[path[-1]])
            return path[::-1]
        for there in members:
            if settled[here, there] and there not in came_from:
                came_from[there] = here
                queue.append(there)
    return []


def impossible_lines(over: Settled) -> set[int]:
    """Sizes k for which there is no line: any would cut a circle, or an exact tie (entered in both directions)."""
    if not (found := knots(over)):
        return set()
    n, closure = len(over), reaches(over)
    blocked: set[int] = set()
    for members in found:
        above_or_in = int((closure[:, members[0]]).sum())
        below_or_in = int((closure[members[0]]).sum())
        blocked.update(range(n - below_or_in + 1, above_or_in))
    return blocked

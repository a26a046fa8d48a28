"""Drawn orders that keep what is promised: no item leaves its range, and every place still goes to one item."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from juryrank.rankers.guess.core.link import Floats, Ints

MOST_CELLS, LEAST_DRAWS = 40_000_000, 100  # draws times items squared: about a second; of long lists fewer draws


class Promised(NamedTuple):
    """A result's order as item numbers, and the best and the worst place that is promised, along that order.

    `own`: it is the ranker's own list, which knows more than the model: the likeliest places go along it.
    """

    order: Ints
    best: Ints
    worst: Ints
    own: bool


def within_promises(drawn: Floats, ranks: Ints, promised: Promised) -> Ints | None:
    """Ranks by draw and item that keep what is promised; None where no order keeps all of it (a circle)."""
    order, items = promised.order, drawn.shape[1]
    if not _some_order(promised.best, promised.worst):
        return None
    draws = min(len(drawn), max(LEAST_DRAWS, MOST_CELLS // items**2))
    along = order[np.argsort(ranks.mean(axis=0)[order], kind="stable")] if promised.own else order
    kept = np.empty((draws, items), np.int64)
    kept[:, order] = kept_places(drawn[:draws, along], promised.best, promised.worst)
    return kept


def kept_places(drawn: Floats, best: Ints, worst: Ints) -> Ints:
    """The place of each item in each draw, from scores by draw and item.

    Place by place goes to the highest score of those who may have it; where as many items are due by some place as
    there are places until then, to one of those.

    >>> drawn = np.array([[1.0, 3.0, 2.0], [3.0, 2.0, 1.0]])
    >>> kept_places(drawn, np.array([1, 2, 1]), np.array([3, 3, 3])).tolist()  # the second is not the best
    [[3, 2, 1], [1, 2, 3]]
    >>> kept_places(drawn, np.array([1, 1, 1]), np.array([1, 3, 3])).tolist()  # the first is
    [[1, 2, 3], [1, 2, 3]]
    """
    draws, items = drawn.shape
    rows, at = np.arange(draws), np.arange(1, items + 1)
    waiting = drawn.copy()
    due = np.tile(np.cumsum(np.bincount(worst - 1, minlength=items)), (draws, 1))  # by each place, of those left
    places = np.empty((draws, items), np.int64)
    for place in range(1, items + 1):
        full = due[:, place - 1 :] >= at[: items - place + 1]
        limit = place + full.argmax(axis=1)  # whoever comes next is due by then
        may = (best <= place) & (worst <= limit[:, None])
        chosen = np.where(may, waiting, -np.inf).argmax(axis=1)
        places[rows, chosen] = place
        waiting[rows, chosen] = -np.inf
        due -= at >= worst[chosen][:, None]
    return places


def _some_order(best: Ints, worst: Ints) -> bool:
    """Is there an order in which every item is in its range? Each place goes to whoever may wait least."""
    first = np.argsort(best, kind="stable")
    waiting: list[int] = []
    reached = 0
    for place in range(1, len(best) + 1):
        while reached < len(first) and best[first[reached]] <= place:
            heappush(waiting, int(worst[first[reached]]))
            reached += 1
        if not waiting or heappop(waiting) < place:
            return False
    return True

"""From scores to what people ask: ranks, chances of being best or in the top k, chances against another item."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from juryrank.rankers.guess.core.posterior import Floats, Ints, sigmoid

# ----------------------------------------------------------------------------
# Drawn orders that keep what is promised: no item leaves its range, and every place still goes to one item
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


# ----------------------------------------------------------------------------
# From scores to what people ask: ranks, chances of being best or in the top k, chances against another item
DRAWS = 1000
DRAW_SEED, LINK_SEED = 16, 17  # always the same draws: the same answers give the same estimates
SHARE_DRAWS, OPPONENTS = 300, 40  # for chances against another item, where there are more than so many others
LINK_LAPSES, LINK_SLOPES = np.linspace(0.0, 0.49, 25), np.geomspace(0.2, 1000.0, 31)  # the steepest is a step
LEAST_CHANCE = 1e-6  # scores are log odds, and finite


class Chances(NamedTuple):
    """By item. `score` is the log odds of `beats`: that an answer prefers the item to a random other one."""

    score: Floats
    score_low: Floats
    score_high: Floats
    rank: Floats
    rank_low: Ints
    rank_high: Ints
    best: Floats
    top: Floats
    beats: Floats


def unknown(items: int, *, k: int) -> Chances:
    """Before any answer: every order is as likely as any other, and a score may be anything.

    >>> found = unknown(4, k=3)
    >>> found.rank.tolist(), found.best.tolist(), found.top.tolist(), found.score_low.round(1).tolist()
    ([2.5, 2.5, 2.5, 2.5], [0.25, 0.25, 0.25, 0.25], [0.75, 0.75, 0.75, 0.75], [-13.8, -13.8, -13.8, -13.8])
    """
    each = np.ones(items)
    anything = log_odds(each) * (items > 1)
    return Chances(
        score=0.0 * each,
        score_low=-anything,
        score_high=anything,
        rank=(items + 1) / 2 * each,
        rank_low=np.ones(items, np.int64),
        rank_high=np.full(items, items),
        best=each / max(items, 1),
        top=min(k, items) / max(items, 1) * each,
        beats=0.5 * each,
    )


def chances(
    mean: Floats,
    covariance: Floats,
    link: Floats,
    *,
    level: float,
    k: int,
    room: float = 1.0,
    order: Ints | None = None,
    promised: Promised | None = None,
) -> Chances:
    """Means, intervals and chances from draws of the scores; those for the intervals of `score` are `room` wider.

    `link`: the belief about the lapse and the slope of an answer, by `LINK_LAPSES` and `LINK_SLOPES`. `order`: a
    proven one, best first, which every draw follows. `promised`: ranges of ranks, which ranks and chances keep to.
    """
    free = _draws(mean, covariance)
    drawn = _along(free, order)
    ranks = _ranks(drawn)
    kept = within_promises(drawn, ranks, promised) if promised is not None else None
    ranks = ranks if kept is None else kept
    rank_low, rank_high = shortest_runs(ranks, level=level)
    shares = beaten(drawn, link)
    beats = shares.mean(axis=0)
    score = log_odds(beats)
    if room != 1.0:
        shares = beaten(_along(mean + room * (free - mean), order), link)
    low, high = log_odds(np.quantile(shares, [(1 - level) / 2, (1 + level) / 2], axis=0))
    low, high = np.minimum(low, score), np.maximum(high, score)  # a mean may lie beyond most of its draws
    return Chances(
        score=score,
        score_low=low,
        score_high=high,
        rank=ranks.mean(axis=0),
        rank_low=rank_low,
        rank_high=rank_high,
        best=(ranks == 1).mean(axis=0),
        top=(ranks <= k).mean(axis=0),
        beats=beats,
    )


def _draws(mean: Floats, covariance: Floats) -> Floats:
    """Draws by the symmetric root, of which there is one: signs of eigenvectors differ between processors."""
    values, vectors = np.linalg.eigh(covariance)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    normal = np.random.default_rng(DRAW_SEED).standard_normal((DRAWS, len(mean)))
    drawn: Floats = mean + normal @ root
    return drawn


def _along(drawn: Floats, order: Ints | None) -> Floats:
    """The draws, if nothing is proven; else each draw's scores from the best item to the last."""
    if order is None:
        return drawn
    found = np.empty_like(drawn)
    found[:, order] = -np.sort(-drawn, axis=1)
    return found


def _ranks(drawn: Floats) -> Ints:
    """Per draw and item, 1 = best."""
    ranks = np.empty(drawn.shape, np.int64)
    np.put_along_axis(ranks, np.argsort(-drawn, axis=1), np.arange(1, drawn.shape[1] + 1)[None, :], axis=1)
    return ranks


def shortest_runs(ranks: Ints, *, level: float) -> tuple[Ints, Ints]:
    """Per item the shortest run of ranks that holds `level` of the draws.

    >>> low, high = shortest_runs(np.array([[1], [2], [2], [2], [9]]), level=0.6)
    >>> low.tolist(), high.tolist()
    ([2], [2])
    """
    draws, items = ranks.shape
    need = int(np.ceil(level * draws - 1e-9))
    ordered = np.sort(ranks, axis=0)
    at = (ordered[need - 1 :] - ordered[: draws - need + 1]).argmin(axis=0)
    column = np.arange(items)
    return ordered[at, column], ordered[at + need - 1, column]


def beaten(drawn: Floats, link: Floats) -> Floats:
    """Per draw and item: the chance that an answer like those given prefers it to a random other item."""
    if drawn.shape[1] < 2:
        return np.full_like(drawn, 0.5)
    drawn = drawn[:SHARE_DRAWS] if drawn.shape[1] > OPPONENTS else drawn
    draws, items = drawn.shape
    cells = np.random.default_rng(LINK_SEED).choice(link.size, size=draws, p=link.ravel())
    lapse = LINK_LAPSES[cells // len(LINK_SLOPES)][:, None]
    slope = LINK_SLOPES[cells % len(LINK_SLOPES)][:, None]
    steps = np.unique(np.linspace(1, items - 1, min(items - 1, OPPONENTS)).astype(np.int64))
    total = np.zeros_like(drawn)
    for step in steps:
        total += sigmoid(slope * (drawn - np.roll(drawn, step, axis=1)))
    shares: Floats = lapse + (1 - 2 * lapse) * total / len(steps)
    return shares


def log_odds(p: Floats) -> Floats:
    """Finite log odds.

    >>> log_odds(np.array([0.5])).tolist()
    [0.0]
    """
    kept = np.clip(p, LEAST_CHANCE, 1 - LEAST_CHANCE)
    values: Floats = np.log(kept / (1 - kept))
    return values

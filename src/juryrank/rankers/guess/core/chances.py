"""From scores to what people ask: ranks, chances of being best or in the top k, chances against another item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from juryrank.rankers.guess.core.link import Floats, Ints, sigmoid
from juryrank.rankers.guess.core.places import Promised, within_promises

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

"""Rank intervals that hold for all items at once.

`rank_low` is one more than the number of items surely better, `rank_high` counts those surely worse from the end.
"Surely" has one level for all pairs together: the largest t value of any pair, had the judges' pulls random signs.
Where an item's clustered error says nothing (`weak`), a difference has at least the naive error, as its score has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.core.student import t_quantile, t_quantiles
from juryrank.votes.fitting.arrays import Bools, Floats, Ints
from juryrank.votes.fitting.intervals.influence import MOST_LEVERAGE
from juryrank.votes.fitting.intervals.sandwich import Errors

PAIRS_UP_TO = 500  # items on a scale; above, and where errors are sparse: scores whose intervals do not overlap
FLIPS = 1000
SEED = 1928  # of the random signs
LEAST_FREEDOM = 2.0  # degrees; with fewer a t value says nothing any more
LEAST_SQUARE = 1e-18  # of an error, so that nothing is divided by 0
SAME = 1e-6  # scores closer than this share a rank: the solver's last digits must not order items


def rank_intervals(
    scores: Floats, errors: Any, component: Ints, *, weak: Bools, level: float
) -> tuple[Ints, Ints, Ints]:
    """Rank, lowest and highest possible rank of each item, within its scale."""
    rank, low, high = (np.ones(len(scores), dtype=np.int64) for _ in range(3))
    for c in range(int(component.max()) + 1):
        inside = np.flatnonzero(component == c)
        s = scores[inside]
        rank[inside] = 1 + len(s) - np.searchsorted(np.sort(s), s + SAME, side="right")
        by_pairs = isinstance(errors, Errors) and len(s) <= PAIRS_UP_TO
        better, worse = (_by_pairs if by_pairs else _by_gaps)(s, errors, inside, weak, level)
        low[inside], high[inside] = 1 + better, len(s) - worse
    return rank, low, high


def _by_pairs(s: Floats, errors: Any, inside: Ints, weak: Bools, level: float) -> tuple[Ints, Ints]:
    gap = s[:, None] - s
    squares, critical = _critical(errors, inside, level)
    either = weak[inside][:, None] | weak[inside]
    if either.any():
        squares = np.where(either, np.maximum(squares, _of_pairs(errors.naive[np.ix_(inside, inside)])), squares)
    surely = np.abs(gap) > critical * np.sqrt(squares) + 1e-12
    return (surely & (gap < 0)).sum(1), (surely & (gap > 0)).sum(1)


def _critical(errors: Any, inside: Ints, level: float) -> tuple[Floats, float]:
    """The squared error of each difference, and the t value that the largest of all exceeds by chance."""
    squares = _of_pairs(errors.covariance[np.ix_(inside, inside)])
    rng = np.random.default_rng(SEED)
    if errors.influence is not None and errors.by_judge:
        most = _flipped(errors.influence[:, inside], np.minimum(errors.share, MOST_LEVERAGE), rng)
    else:
        values, vectors = np.linalg.eigh(errors.covariance[np.ix_(inside, inside)])
        draws = rng.normal(size=(FLIPS, len(inside))) @ (vectors * np.sqrt(np.maximum(values, 0))).T
        most = np.array([np.max((draw[:, None] - draw) ** 2 / squares) for draw in draws])
    # never below what as many pairs as there are neighbours would ask of the effective number of judges: random
    # signs of a few judges, one of whom gave most of the votes, take only a few values
    each = 1 - (1 - level) / max(len(inside) - 1, 1)
    alone = t_quantile(each, max(float(np.min(errors.effective[inside])) - 1, LEAST_FREEDOM))
    return squares, max(float(np.sqrt(np.quantile(most, level, method="higher"))), alone)


def _of_pairs(covariance: Floats) -> Floats:
    """The variance of each difference."""
    spread = np.diag(covariance)
    return np.maximum(spread[:, None] + spread - 2 * covariance, LEAST_SQUARE)


def _flipped(influence: Floats, share: Floats, rng: np.random.Generator) -> Floats:
    """The largest t² of all pairs when every judge's pull has a random sign (wild bootstrap).

    Each draw estimates its own errors, as the votes did: a judge's pull is seen only beside the scores that it has
    moved by its share, and corrected for that (CR2). Without this, few or unequal judges look too sure.
    """
    signs = rng.choice([-1.0, 1.0], size=(FLIPS, len(share)))
    sums, moved = signs @ influence, (signs * (share / (1 - share))) @ influence
    own = _of_pairs(influence.T @ (influence / (1 - share)[:, None]))
    back = float(np.sum(share**2 / (1 - share)))
    most = np.empty(FLIPS)
    for k in range(FLIPS):
        gap, part = sums[k][:, None] - sums[k], moved[k][:, None] - moved[k]
        most[k] = np.max(gap**2 / np.maximum(own - 2 * gap * part + gap**2 * back, LEAST_SQUARE))
    return most


def _by_gaps(s: Floats, errors: Any, inside: Ints, weak: Bools, level: float) -> tuple[Ints, Ints]:
    """Intervals of all scores at one level (Bonferroni): who lies wholly above, and wholly below."""
    each = 1 - (1 - level) / len(s)
    clustered, naive = errors.variance(), errors.naive_variance()
    variance = np.where(weak, np.maximum(clustered, naive), clustered)[inside]
    half = t_quantiles(each, errors.effective[inside] - 1) * np.sqrt(variance)
    top, bottom = s + half, s - half
    better = len(s) - np.searchsorted(np.sort(bottom), top, side="right")
    worse = np.searchsorted(np.sort(top), bottom, side="left")
    return better, worse

"""Rank intervals that hold for all items at once.

`rank_low` is one more than the number of items surely better, `rank_high` counts those surely worse from the end.
"Surely" has one level for all pairs together, shared evenly among them (Bonferroni). Each pair has an error and
degrees of freedom of its own: a few judges' covariance of all scores has too low a rank to be drawn from.
"""

from __future__ import annotations

import numpy as np

from juryrank.votes.fitting.arrays import Floats, Ints
from juryrank.votes.fitting.intervals.named import Interval
from juryrank.votes.fitting.intervals.sandwich import Errors

PAIRS_UP_TO = 500  # items on a scale; above, and where errors are sparse: scores whose intervals do not overlap
SAME = 1e-6  # scores closer than this share a rank: the solver's last digits must not order items


def plain_ranks(scores: Floats, component: Ints) -> Ints:
    """The rank of each item within its scale."""
    rank = np.ones(len(scores), dtype=np.int64)
    for inside in _scales(component):
        s = scores[inside]
        rank[inside] = 1 + len(s) - np.searchsorted(np.sort(s), s + SAME, side="right")
    return rank


def rank_ranges(scores: Floats, interval: Interval, component: Ints, *, level: float) -> tuple[Ints, Ints]:
    """The lowest and the highest possible rank of each item, within its scale."""
    low, high = (np.ones(len(scores), dtype=np.int64) for _ in range(2))
    for inside in _scales(component):
        by_pairs = isinstance(interval.errors, Errors) and len(inside) <= PAIRS_UP_TO
        better, worse = (_by_pairs if by_pairs else _by_gaps)(scores[inside], interval, inside, level)
        low[inside], high[inside] = 1 + better, len(inside) - worse
    return low, high


def _scales(component: Ints) -> list[Ints]:
    return [np.flatnonzero(component == c) for c in range(int(component.max()) + 1)]


def _by_pairs(s: Floats, interval: Interval, inside: Ints, level: float) -> tuple[Ints, Ints]:
    pairs = max(len(s) * (len(s) - 1) // 2, 1)
    gap, half = s[:, None] - s, interval.pairs(1 - (1 - level) / pairs, inside)
    surely = np.abs(gap) > half + 1e-12
    return (surely & (gap < 0)).sum(1), (surely & (gap > 0)).sum(1)


def _by_gaps(s: Floats, interval: Interval, inside: Ints, level: float) -> tuple[Ints, Ints]:
    """Intervals of all scores at one level (Bonferroni): who lies wholly above, and wholly below."""
    half = interval.scores(1 - (1 - level) / len(s))[inside]
    top, bottom = s + half, s - half
    better = len(s) - np.searchsorted(np.sort(bottom), top, side="right")
    worse = np.searchsorted(np.sort(top), bottom, side="left")
    return better, worse

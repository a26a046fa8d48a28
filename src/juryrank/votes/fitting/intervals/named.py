"""The two intervals of a fit, by the question that they answer.

*these judges*: where would the scores be on endlessly many cases like these, with exactly these judges? Errors
are clustered by case, or by vote where there are no cases.

*judges like these*: where would they be with endlessly many judges drawn alike as well? What judges add is their
own two-way share: by judge, plus by case, less by judge and case (Cameron, Gelbach and Miller 2011), each with
its own t quantile. A half-width is never below that of these judges. With one quantile for the whole sum,
intervals of three judges who agree would be nearly twice too wide: the few degrees of freedom are those of the
judges' part alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.core.intervals import t_quantiles
from juryrank.votes.fitting.arrays import Floats, Ints
from juryrank.votes.fitting.intervals.influence import ANSWERS, BY_JUDGE, CELLS
from juryrank.votes.fitting.intervals.sandwich import Errors, Spread

THESE, LIKE_THESE = "these judges", "judges like these"


@dataclass(frozen=True, slots=True)
class Interval:
    """Half-widths at a level, under the name of what they cover; `errors`: `Errors` or `SparseErrors`."""

    name: str
    errors: Any

    def scores(self, level: float) -> Floats:
        """Of each score minus its scale's mean."""
        return np.sqrt(self._squares(lambda name: self.errors.scores(name), level))

    def pairs(self, level: float, inside: Ints) -> Floats:
        """Of each difference between some items, each on its own."""
        return np.sqrt(self._squares(lambda name: self.errors.pairs(name, inside), level))

    def variance(self) -> Floats:
        """Of each score minus its scale's mean."""
        return self._squares(lambda name: self.errors.scores(name), None)

    def shared(self, level: float, weights: Floats, *, groups: dict[str, int]) -> float:
        """Of a weighted sum of the shared numbers; `groups`: how many there are of each kind."""

        def spread(name: str) -> Spread:
            of = np.array([self.errors.shared_variance(name, weights)])
            return Spread(of, np.array([float(groups[name])]))

        return float(np.sqrt(self._squares(spread, level))[0])

    def _squares(self, spread: Any, level: float | None) -> Floats:
        these = _square(spread(ANSWERS), level)
        if self.name == THESE:
            return these
        both = _square(spread(CELLS), level) if CELLS in self.errors.effective else these
        return these + np.maximum(_square(spread(BY_JUDGE), level) - both, 0.0)


def _square(spread: Spread, level: float | None) -> Floats:
    """A squared half-width; without a level the variance itself."""
    if level is None:
        return spread.variance
    return t_quantiles(level, spread.effective - 1) ** 2 * spread.variance


# ----------------------------------------------------------------------------
# Rank intervals that hold for all items at once
#
# `rank_low` is one more than the number of items surely better, `rank_high` counts those surely worse from the
# end. "Surely" has one level for all pairs together, shared evenly among them (Bonferroni). Each pair has an
# error and degrees of freedom of its own: a few judges' covariance of all scores has too low a rank to be drawn
# from.
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

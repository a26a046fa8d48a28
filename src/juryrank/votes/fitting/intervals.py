"""Errors of scores from votes in groups: what other cases, or other judges, drawn alike, would have made of them.

One vote more on the same case, or from the same person, is not one more opinion. The naive errors (inverse
information) take it for one. Each group's pull is corrected for its own leverage (CR2): on an item where groups
are many, on each contrast where judges are few. Degrees of freedom are the effective number of groups, less one.
The usual CR1 with M - 1 degrees covered 87 to 94 % instead of 95 % where some judges vote ten times as often as
others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.core.intervals import t_quantiles
from juryrank.votes.fitting.ballots import Bools, Floats, Graph, Ints
from juryrank.votes.fitting.influence import (
    ANSWERS,
    BY_JUDGE,
    CELLS,
    MOST_LEVERAGE,
    FewJudges,
    Grouped,
    Ingredients,
    Summed,
)
from juryrank.votes.fitting.matrices import product

FEW = 2.0  # effective groups of an item below which their error says nothing: it is at least the naive one
ALIKE = 0.25  # of the naive variance: three cases with the same votes had an error of 0 in one file of nine
SMALLEST = 1e-200  # below this a judge has seen nothing of a contrast
DENSE_CELLS = 20_000_000  # groups times parameters worked on as one array (160 MB)


@dataclass(frozen=True, slots=True)
class Spread:
    """What one kind of groups says about some scores or differences: their variance, and how many groups do."""

    variance: Floats
    effective: Floats

    def at_least(self, least: Floats) -> Spread:
        """The same with a least variance."""
        return Spread(np.maximum(self.variance, least), self.effective)


@dataclass(frozen=True, slots=True)
class ByCovariance:
    """Many groups: one covariance of scores minus their mean says it all."""

    covariance: Floats
    effective: Floats

    def scores(self) -> Spread:
        """Of each score minus the mean."""
        return Spread(np.diag(self.covariance), self.effective)

    def pairs(self, inside: Ints) -> Spread:
        """Of each difference between some items."""
        effective = self.effective[inside]
        return Spread(
            _of_pairs(self.covariance[np.ix_(inside, inside)]), np.minimum(effective[:, None], effective)
        )


@dataclass(frozen=True, slots=True)
class ByContrast:
    """A few judges: each contrast has an error and degrees of freedom of its own (Bell and McCaffrey 2002)."""

    of_scores: Spread
    of_pairs: Spread

    def scores(self) -> Spread:
        """Of each score minus the mean."""
        return self.of_scores

    def pairs(self, inside: Ints) -> Spread:
        """Of each difference between some items."""
        at = np.ix_(inside, inside)
        return Spread(self.of_pairs.variance[at], self.of_pairs.effective[at])


@dataclass(frozen=True, slots=True)
class Errors:
    """By groups, errors of scores minus their mean; `naive`: what their covariance would be if every vote were one
    more opinion. `effective`: groups that hold each item. `silent`: items whose votes show no spread of their own
    (never lost, only ever tied)."""

    by: dict[str, ByCovariance | ByContrast]
    effective: dict[str, Floats]
    naive: Floats
    silent: Bools
    shared: dict[str, Floats]  # covariances of the shared numbers, by groups

    def shared_variance(self, name: str, weights: Floats) -> float:
        """Of a weighted sum of the shared numbers."""
        return float(weights @ self.shared[name] @ weights)

    def scores(self, name: str) -> Spread:
        """Of each score minus the mean."""
        return self.by[name].scores().at_least(least_share(name, self.weak(name)) * np.diag(self.naive))

    def pairs(self, name: str, inside: Ints) -> Spread:
        """Of each difference between some items."""
        weak, naive = self.weak(name)[inside], _of_pairs(self.naive[np.ix_(inside, inside)])
        return self.by[name].pairs(inside).at_least(least_share(name, weak[:, None] | weak) * naive)

    def naive_variance(self) -> Floats:
        """Of each score minus the mean, by the inverse information."""
        return np.diag(self.naive).copy()

    def weak(self, name: str) -> Bools:
        """Items about which these groups say too little: the naive error is the least that is true."""
        return self.silent | (self.effective[name] < FEW)


def least_share(name: str, weak: Bools) -> Floats:
    """Of the naive variance: below this an error is chance, as a few cases may all look alike."""
    return np.where(weak, 1.0, ALIKE if name == ANSWERS else 0.0)


def _of_pairs(covariance: Floats) -> Floats:
    spread = np.diag(covariance)
    return np.maximum(spread[:, None] + spread - 2 * covariance, 0.0)


def sandwich(parts: Ingredients, graph: Graph, silent: Bools) -> Errors:
    """Dense: up to some thousands of items."""
    items, centre, bread = len(graph.component), _centring(graph), _bread(parts, graph)
    half = centre @ bread[:items]  # items by parameters
    rest = bread[items:]  # shared numbers by parameters
    effect = projection(parts)
    effective = {name: group.effective[:items] for name, group in parts.groups.items()}
    meat = {name: _meat(group, effect) for name, group in parts.groups.items()}
    by: dict[str, ByCovariance | ByContrast] = {
        name: ByCovariance(half @ meat[name] @ half.T, effective[name])
        for name in parts.groups
        if name != BY_JUDGE or parts.few_judges is None
    }
    shared = {name: rest @ matrix @ rest.T for name, matrix in meat.items()}
    if parts.few_judges is not None:
        by[BY_JUDGE] = _one_by_one(parts.few_judges, half, bread)
    return Errors(by, effective, half[:, :items] @ centre, silent, shared)


def _one_by_one(judges: FewJudges, half: Floats, bread: Floats) -> ByContrast:
    """What each judge did to each contrast, beside what chance would do in the model."""
    moved = judges.pull @ half.T
    seen = [half @ hold @ half.T for hold in judges.hold]
    taken = [half @ hold @ bread @ hold @ half.T for hold in judges.hold]  # by fitting: a judge moves the scores
    scores = _bell_mccaffrey(moved**2, *(np.array([np.diag(m) for m in some]) for some in (seen, taken)))
    gaps = (moved[:, :, None] - moved[:, None, :]) ** 2
    return ByContrast(
        scores, _bell_mccaffrey(gaps, *(np.array([_of_pairs(m) for m in some]) for some in (seen, taken)))
    )


def _bell_mccaffrey(square: Floats, seen: Floats, taken: Floats) -> Spread:
    """CR2 per contrast: each judge's square is raised by what fitting took from it, and the sum has as many
    degrees of freedom as a chi-square of its mean and variance (products of two judges' shares as if balanced)."""
    lost = np.divide(taken, seen, out=np.zeros_like(seen), where=seen > SMALLEST)
    raised = 1 / (1 - np.minimum(lost, MOST_LEVERAGE))
    share = seen / np.maximum(seen.sum(0), SMALLEST)
    both = np.sum(raised * share**2, axis=0) ** 2 - np.sum(raised**2 * share**4, axis=0)
    freedom = 1 / np.maximum(np.sum(share**2, axis=0) + both, 1 / len(seen))
    return Spread(np.sum(raised * square, axis=0), 1 + np.minimum(freedom, len(seen) - 1))


def projection(parts: Ingredients) -> Any:
    """Columns by parameters: a parameter's own pull, less what the effects of the judge explain of it. None where
    judges have no effects."""
    if not parts.cross:
        return None
    from scipy.sparse import identity, vstack

    size = parts.hold.shape[0]
    return vstack([identity(size), *(-part.sparse() for part in parts.explained())], format="csr")


def _meat(group: Grouped | Summed, effect: Any) -> Floats:
    """The summed squares of the groups' pulls at the parameters."""
    if isinstance(group, Summed):
        return group.square
    if effect is None or group.pull.shape[1] < effect.shape[0]:
        return product(group.pull, group.pull)
    pull = group.pull.sparse()
    if not group.mixed:  # votes of one judge each: judges do not meet, and the product stays small
        return np.asarray((effect.T @ ((pull.T @ pull) @ effect)).toarray())
    moved = pull @ effect
    if moved.shape[0] * moved.shape[1] <= DENSE_CELLS:
        moved = moved.toarray()
        return np.asarray(moved.T @ moved)
    return np.asarray((moved.T @ moved).toarray())


def _bread(parts: Ingredients, graph: Graph) -> Floats:
    """The inverse information, with each scale's free constant pinned."""
    matrix = parts.hold.dense()
    if parts.cross:  # all of them have the same places; a root of `own` takes a product per effect, not per two
        root, row = np.linalg.cholesky(parts.own), parts.cross[0].row
        for k in range(len(parts.cross)):
            mixed = [part.value * root[row, i, k] for i, part in enumerate(parts.cross)]
            seen = parts.cross[0].with_values(np.sum(mixed, axis=0))
            matrix -= product(seen, seen)
    for c in range(graph.count):
        inside = np.flatnonzero(graph.component == c)
        matrix[np.ix_(inside, inside)] += 1 / len(inside)
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:  # votes that say nothing about some direction
        return np.linalg.pinv(matrix, hermitian=True)


def _centring(graph: Graph) -> Floats:
    """The matrix that takes the mean off each scale."""
    same = graph.component[:, None] == graph.component
    return np.eye(len(graph.component)) - same / same.sum(1, keepdims=True)


THESE, LIKE_THESE = "these judges", "judges like these"


# ----------------------------------------------------------------------------
# The two intervals of a fit, by the question that they answer
#
# *these judges*: where would the scores be on endlessly many cases like these, with exactly these judges? Errors
# are clustered by case, or by vote where there are no cases.
#
# *judges like these*: where would they be with endlessly many judges drawn alike as well? What judges add is their
# own two-way share: by judge, plus by case, less by judge and case (Cameron, Gelbach and Miller 2011), each with
# its own t quantile. A half-width is never below that of these judges. With one quantile for the whole sum,
# intervals of three judges who agree would be nearly twice too wide: the few degrees of freedom are those of the
# judges' part alone.


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

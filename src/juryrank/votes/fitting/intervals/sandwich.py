"""Errors of scores, clustered by judge: what other judges, drawn alike, would have made of the scores.

One vote more from the same person is not one more opinion. The naive errors (inverse information) take it for one.
Each cluster's pull is corrected for its own leverage on an item (CR2), with Student's t and as many degrees of
freedom as an item has effective judges, less one. The usual CR1 with M - 1 degrees covered 87 to 94 % instead of
95 % where some judges vote ten times as often as others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.intervals.influence import Ingredients
from juryrank.votes.fitting.intervals.matrices import product, times
from juryrank.votes.fitting.model.graph import Graph

DENSE_CELLS = 20_000_000  # clusters times items that are kept as one array (160 MB)


@dataclass(frozen=True, slots=True)
class Errors:
    """`covariance` of scores minus their mean; `naive`: what it would be if every vote were one more opinion.
    `influence`: clusters by items, how far each moved the scores (None where it would be too large)."""

    covariance: Floats
    naive: Floats
    influence: Floats | None
    effective: Floats  # judges per item
    share: Floats  # of the information, per cluster
    clusters: int
    by_judge: bool

    def variance(self) -> Floats:
        """Of each score minus the mean."""
        return np.diag(self.covariance).copy()

    def naive_variance(self) -> Floats:
        """The same by the inverse information."""
        return np.diag(self.naive).copy()

    def between(self, a: int, b: int) -> float:
        """The variance of a difference of two scores."""
        return _of_difference(self.covariance, a, b)

    def naive_between(self, a: int, b: int) -> float:
        """The same by the inverse information."""
        return _of_difference(self.naive, a, b)


def _of_difference(c: Floats, a: int, b: int) -> float:
    return float(max(c[a, a] + c[b, b] - 2 * c[a, b], 0.0))


def sandwich(parts: Ingredients, graph: Graph) -> Errors:
    """Dense: up to some thousands of items."""
    items = len(graph.component)
    bread = _bread(parts, graph)
    centre = _centring(graph)
    half = centre @ bread[:items]  # items by parameters
    naive = half[:, :items] @ centre
    influence = None
    if parts.clusters * items <= DENSE_CELLS:
        influence = times(parts.pull, half.T)
        covariance = influence.T @ influence
    else:
        covariance = half @ product(parts.pull, parts.pull) @ half.T
    effective = parts.effective[:items]
    return Errors(covariance, naive, influence, effective, parts.share, parts.clusters, parts.by_judge)


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

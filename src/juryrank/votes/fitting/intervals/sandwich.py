"""Errors of scores from votes in groups: what other cases, or other judges, drawn alike, would have made of them.

One vote more on the same case, or from the same person, is not one more opinion. The naive errors (inverse
information) take it for one. Each group's pull is corrected for its own leverage on an item (CR2); degrees of freedom
are the effective number of groups, less one. The usual CR1 with M - 1 degrees covered 87 to 94 % instead of 95 %
where some judges vote ten times as often as others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.votes.fitting.arrays import Bools, Floats, Ints
from juryrank.votes.fitting.intervals.influence import Grouped, Ingredients
from juryrank.votes.fitting.intervals.matrices import product
from juryrank.votes.fitting.model.graph import Graph

FEW = 2.0  # effective groups of an item below which their error says nothing: it is at least the naive one
DENSE_CELLS = 20_000_000  # groups times parameters worked on as one array (160 MB)


@dataclass(frozen=True, slots=True)
class Spread:
    """What one kind of groups says about some scores or differences: their variance, and how many groups do."""

    variance: Floats
    effective: Floats


@dataclass(frozen=True, slots=True)
class Errors:
    """By groups, the `covariance` of scores minus their mean; `naive`: what it would be if every vote were one more
    opinion. `silent`: items whose votes show no spread of their own (never lost, only ever tied)."""

    covariance: dict[str, Floats]
    effective: dict[str, Floats]
    naive: Floats
    silent: Bools

    def scores(self, name: str) -> Spread:
        """Of each score minus the mean."""
        own = np.diag(self.covariance[name])
        least = np.where(self.weak(name), np.diag(self.naive), 0.0)
        return Spread(np.maximum(own, least), self.effective[name])

    def pairs(self, name: str, inside: Ints) -> Spread:
        """Of each difference between some items."""
        weak, effective, at = self.weak(name)[inside], self.effective[name][inside], np.ix_(inside, inside)
        least = np.where(weak[:, None] | weak, _of_pairs(self.naive[at]), 0.0)
        own = np.maximum(_of_pairs(self.covariance[name][at]), least)
        return Spread(own, np.minimum(effective[:, None], effective))

    def naive_variance(self) -> Floats:
        """Of each score minus the mean, by the inverse information."""
        return np.diag(self.naive).copy()

    def weak(self, name: str) -> Bools:
        """Items about which these groups say too little: the naive error is the least that is true."""
        return self.silent | (self.effective[name] < FEW)


def _of_pairs(covariance: Floats) -> Floats:
    spread = np.diag(covariance)
    return np.maximum(spread[:, None] + spread - 2 * covariance, 0.0)


def sandwich(parts: Ingredients, graph: Graph, silent: Bools) -> Errors:
    """Dense: up to some thousands of items."""
    items, centre = len(graph.component), _centring(graph)
    half = centre @ _bread(parts, graph)[:items]  # items by parameters
    effect = projection(parts)
    covariance = {name: half @ _meat(group, effect) @ half.T for name, group in parts.groups.items()}
    effective = {name: group.effective[:items] for name, group in parts.groups.items()}
    return Errors(covariance, effective, half[:, :items] @ centre, silent)


def projection(parts: Ingredients) -> Any:
    """Columns by parameters: a parameter's own pull, less what the effects of the judge explain of it. None where
    judges have no effects."""
    if not parts.cross:
        return None
    from scipy.sparse import identity, vstack

    size = parts.hold.shape[0]
    return vstack([identity(size), *(-part.sparse() for part in parts.explained())], format="csr")


def _meat(group: Grouped, effect: Any) -> Floats:
    """The summed squares of the groups' pulls at the parameters."""
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

"""The sandwich above some thousands of items: by conjugate gradients, the diagonal from random signs.

With a random sign per group of votes, x = A⁻¹ Gᵀ z has the variance of score i in its i-th place. The quotient
with what the diagonal of A alone gives is steady (it is near 1 where items are well connected), so a few dozen
draws do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from juryrank.errors import need_extra
from juryrank.votes.fitting.ballots import Bools, Floats, Graph, Ints
from juryrank.votes.fitting.influence import Grouped, Ingredients
from juryrank.votes.fitting.intervals import FEW, Spread, least_share, projection

SMALLEST = 1e-300
BATCH, MOST_BATCHES = 16, 6  # draws at a time
AT_ONCE = 4  # of them, as floats: a million votes have a million signs each
ALIKE = 0.95  # correlation with the diagonal's answer at which one batch is enough
SEED = 20130  # of the signs: the same votes give the same intervals
EXACT, EXACT_PAIR = 1e-2, 1e-6  # relative residual of a solution
MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class GroupPull:
    """Groups by parameters, as a product that is never worked out; `effect` None: `direct` is all of it."""

    direct: Any
    effect: Any

    def at(self, block: Floats) -> Floats:
        """The matrix times a block."""
        return np.asarray(self.direct @ (block if self.effect is None else self.effect @ block))

    def both(self, block: Floats) -> tuple[Floats, Floats]:
        """The direct part turned round times a block, and all of it."""
        out = self.direct.T @ block
        return out, np.asarray(out if self.effect is None else self.effect.T @ out)


@dataclass(frozen=True, slots=True)
class SparseErrors:
    """As `Errors`, without the whole covariance: pairs are solved for on demand."""

    effective: dict[str, Floats]
    variance: dict[str, Floats]
    naive: Floats
    silent: Bools
    pull: dict[str, GroupPull]
    solve: Callable[[Floats, float], Floats]

    def scores(self, name: str) -> Spread:
        """Of each score minus the mean."""
        least = least_share(name, self.weak(name)) * self.naive
        return Spread(np.maximum(self.variance[name], least), self.effective[name])

    def pairs(self, name: str, inside: Ints) -> Spread:
        """Of each difference between some items, by one solution per pair."""
        many, weak = len(inside), self.weak(name)[inside]
        out = np.zeros((many, many))
        for i, j in combinations(range(many), 2):
            out[i, j] = out[j, i] = self._between(name, inside[i], inside[j])
        both = self.naive[inside][:, None] + self.naive[inside]
        least = least_share(name, weak[:, None] | weak) * both
        effective = self.effective[name][inside]
        return Spread(np.maximum(out, least), np.minimum(effective[:, None], effective))

    def _between(self, name: str, a: int, b: int) -> float:
        pull = self.pull[name]
        side = np.zeros((pull.direct.shape[1] if pull.effect is None else pull.effect.shape[1], 1))
        side[a], side[b] = 1.0, -1.0
        return float(np.sum(pull.at(self.solve(side, EXACT_PAIR)) ** 2))

    def shared_variance(self, name: str, weights: Floats) -> float:
        """Of a weighted sum of the shared numbers."""
        pull = self.pull[name]
        side = np.zeros((pull.direct.shape[1] if pull.effect is None else pull.effect.shape[1], 1))
        start = len(self.silent)
        side[start : start + len(weights), 0] = weights
        return float(np.sum(pull.at(self.solve(side, EXACT_PAIR)) ** 2))

    def naive_variance(self) -> Floats:
        """By the diagonal of the information."""
        return self.naive.copy()

    def weak(self, name: str) -> Bools:
        """Items about which these groups say too little: the naive error is the least that is true."""
        return self.silent | (self.effective[name] < FEW)


def sparse_sandwich(parts: Ingredients, graph: Graph, silent: Bools) -> SparseErrors:
    """Intervals' ingredients put together without any dense matrix."""
    need_extra("scipy", extra="fit", what="intervals for thousands of items")
    items, hold = len(graph.component), parts.hold.sparse()
    cross = [part.sparse() for part in parts.cross]

    def times(block: Floats) -> Floats:
        out = hold @ block
        seen = [part @ block for part in cross]
        for i, part in enumerate(cross):
            out = out - part.T @ sum(parts.own[:, i, j, None] * seen[j] for j in range(len(cross)))
        return np.asarray(out)

    diagonal = _diagonal(parts, hold)

    def solve(block: Floats, exact: float) -> Floats:
        level = block.copy()
        level[:items] = graph.centred(block[:items].T).T  # A knows nothing about a scale's constant
        found = conjugate_gradients(times, level, diagonal, exact=exact)
        found[:items] = graph.centred(found[:items].T).T
        return found

    effect, size = projection(parts), hold.shape[0]
    groups = {name: group for name, group in parts.groups.items() if isinstance(group, Grouped)}  # none is summed
    pull = {
        name: GroupPull(group.pull.sparse(), effect if group.pull.shape[1] > size else None)
        for name, group in groups.items()
    }
    variance = {
        name: _drawn_variance(group, pull[name], solve, diagonal[:items]) for name, group in groups.items()
    }
    effective = {name: group.effective[:items] for name, group in groups.items()}
    return SparseErrors(effective, variance, 1 / diagonal[:items], silent, pull, solve)


def _drawn_variance(group: Grouped, pull: GroupPull, solve: Any, diagonal: Floats) -> Floats:
    """The diagonal's own answer, corrected by the quotient of two sums over random signs."""
    rng, items = np.random.default_rng(SEED), len(diagonal)
    whole, rough = np.zeros(items), np.zeros(items)
    for _ in range(MOST_BATCHES):
        signs = 2 * rng.integers(0, 2, size=(group.pull.shape[0], BATCH), dtype=np.int8) - 1
        parts = [pull.both(signs[:, k : k + AT_ONCE].astype(float)) for k in range(0, BATCH, AT_ONCE)]
        direct, drawn = (np.concatenate(some, axis=1) for some in zip(*parts, strict=True))
        moved, plain = solve(drawn, EXACT)[:items], direct[:items] / diagonal[:, None]
        whole += np.sum(moved**2, axis=1)
        rough += np.sum(plain**2, axis=1)
        if np.sum(moved * plain) > ALIKE * np.linalg.norm(moved) * np.linalg.norm(plain):
            break
    squares = np.bincount(group.pull.column, group.pull.value**2, group.pull.shape[1])[:items]
    return squares / diagonal**2 * whole / np.maximum(rough, SMALLEST)


def _diagonal(parts: Ingredients, hold: Any) -> Floats:
    out = np.asarray(hold.diagonal())
    for i, first in enumerate(parts.cross):
        for j, second in enumerate(parts.cross):  # all have the same places
            both = first.value * second.value * parts.own[first.row, i, j]
            out = out - np.bincount(first.column, both, len(out))
    return np.maximum(out, 1e-9)


def conjugate_gradients(
    times: Callable[[Floats], Floats], goal: Floats, diagonal: Floats, *, exact: float
) -> Floats:
    """A⁻¹ of several right-hand sides at once, scaled by the diagonal of A (Jacobi)."""
    x, rest = np.zeros_like(goal), goal.copy()
    size = np.linalg.norm(goal, axis=0)
    scaled = rest / diagonal[:, None]
    way, strength = scaled.copy(), np.sum(rest * scaled, axis=0)
    for _ in range(MOST_STEPS):
        open_ = np.linalg.norm(rest, axis=0) > exact * size
        if not open_.any():
            break
        step = times(way)
        length = np.where(open_, strength / np.maximum(np.sum(way * step, axis=0), SMALLEST), 0.0)
        x += length * way
        rest -= length * step
        scaled = rest / diagonal[:, None]
        new = np.sum(rest * scaled, axis=0)
        way = np.where(open_, scaled + np.where(open_, new / np.maximum(strength, SMALLEST), 0.0) * way, 0.0)
        strength = new
    return x

"""Scores with one Gaussian site per pair: expectation propagation over all answers about a pair together.

What n answers say about a pair is not what one says, n times over: where judges err equally often on every pair,
ten answers tell on which side of another an item stands, and hardly how far away. So a pair's site matches the
mean and the variance of its gap under all of its answers together, integrated over a grid of gaps that follows
what is believed of the pair: hundreds of answers leave much less open than the rest of the answers do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from juryrank.rankers.guess.core.answer_counts import CountTable
from juryrank.rankers.guess.core.link import SLOPES, Floats, Ints, JudgeLinks, sigmoid
from juryrank.rankers.guess.core.posterior import (
    DAMPING,
    ENOUGH,
    LEAST,
    SWEEPS,
    CountedAnswers,
    Posterior,
    Sites,
    normal,
)

NODES: Floats = np.linspace(-1.0, 1.0, 31)  # gaps at which a pair's answers are weighed, from end to end
FEW_NODES: Floats = np.linspace(-1.0, 1.0, 13)  # the same for the links, of which there are many, or with ...
REACH = 4.0  # standard deviations to either end
MANY_ROWS = 3000  # ... more rows than these: most have hardly more than an answer each
LINK_EVERY = 3  # sweeps
FROM_CERTAIN = 1e-12  # how far every chance stays from 0 and 1: logarithms are finite
UNLIKELY = 1e-7  # slopes that are believed less change no digit that is shown


class PairRows(NamedTuple):
    """Answers by pair and judge, sorted by pair; `first` is each pair's first row."""

    judge: Ints
    pair: Ints
    wins: Floats  # of the pair's item with the lower number, ties counting half
    losses: Floats
    first: Ints
    pairs: CountedAnswers  # one row per pair, without a judge

    @classmethod
    def of(cls, table: CountTable, *, items: int) -> PairRows:
        order = np.argsort(table.low * items + table.high, kind="stable")
        keys, first, pair = np.unique(
            (table.low * items + table.high)[order], return_index=True, return_inverse=True
        )
        pairs = CountedAnswers(np.zeros_like(keys), keys // items, keys % items, np.ones(len(keys)))
        return cls(table.judge[order], pair.ravel(), table.wins[order], table.losses[order], first, pairs)

    def alike(self) -> PairRows:
        """The same answers as if one judge had given them all."""
        wins, losses = (np.add.reduceat(column, self.first) for column in (self.wins, self.losses))
        each = np.arange(len(self.first))
        return PairRows(np.zeros_like(each), each, wins, losses, each, self.pairs)


class GapNodes(NamedTuple):
    """By pair and node: a gap, and the logarithm of the mass that the other pairs give to its surroundings."""

    at: Floats
    likely: Floats


def fit_pairs(rows: PairRows, *, items: int, jury: JudgeLinks, weighed: Callable[..., JudgeLinks]) -> Posterior:
    """The posterior after one or more answers; `weighed(found, rows)` is what they tell about the judges."""
    found = Posterior(np.zeros(items), np.eye(items), jury, Sites(*np.zeros((2, len(rows.first)))))
    nodes = NODES if len(rows.pair) <= MANY_ROWS else FEW_NODES
    for sweep in range(SWEEPS):
        before = found.mean
        if sweep and sweep % LINK_EVERY == 0:
            found = found._replace(jury=weighed(found, rows))
        new = _matched(found, rows, nodes)
        sites = Sites(*(was + DAMPING * (now - was) for was, now in zip(found.sites, new, strict=True)))
        mean, covariance = normal(items, rows.pairs, sites)
        found = Posterior(mean, covariance, found.jury, sites)
        if sweep > 2 * LINK_EVERY and np.abs(mean - before).max() < ENOUGH:
            break
    return found


def looked(found: Posterior, rows: PairRows, nodes: Floats) -> GapNodes:
    """Gaps from one end of what the other pairs leave open to the other, closer where the pair's answers are."""
    gap, spread = (column[:, None] for column in found.without(rows.pairs))
    mean, variance = (column[:, None] for column in found.gaps(rows.pairs.winner, rows.pairs.loser))
    wide, near = np.sqrt(spread), np.sqrt(variance)
    stretch = np.arcsinh((np.abs(gap - mean) + REACH * wide) / near)
    at = mean + near * np.sinh(stretch * nodes)
    return GapNodes(at, np.log(np.cosh(stretch * nodes)) - ((at - gap) / wide) ** 2 / 2)


def told(jury: JudgeLinks, rows: PairRows, at: Floats) -> Floats:
    """(row, node): log-likelihood of each row's answers."""
    chance = np.repeat(jury.flat[rows.judge][:, None], at.shape[1], axis=1)
    for g in np.flatnonzero(jury.steep.max(axis=0) > UNLIKELY):
        up = sigmoid(SLOPES[g] * at)[rows.pair]
        up *= jury.steep[rows.judge, g][:, None]
        chance += up
    np.minimum(np.maximum(chance, FROM_CERTAIN, out=chance), 1 - FROM_CERTAIN, out=chance)
    return log_likelihood(chance, rows.wins, rows.losses)


def log_likelihood(chance: Floats, wins: Floats, losses: Floats) -> Floats:
    """(..., row, node): of each row's answers, so many either way; most rows have answers one way only."""
    said = np.where((losses > wins)[:, None], 1 - chance, chance)
    values: Floats = np.maximum(wins, losses)[:, None] * np.log(said)
    split = np.flatnonzero(np.minimum(wins, losses))
    values[..., split, :] += np.minimum(wins, losses)[split, None] * np.log1p(-said[..., split, :])
    return values


def _matched(found: Posterior, rows: PairRows, nodes: Floats) -> Sites:
    """Sites that give each gap the mean and the variance it has once the pair's answers are in."""
    at, likely = looked(found, rows, nodes)
    total = np.add.reduceat(told(found.jury, rows, at), rows.first, axis=0) + likely
    mass = np.exp(total - total.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    mean = (mass * at).sum(axis=1)
    variance = np.maximum((mass * (at - mean[:, None]) ** 2).sum(axis=1), LEAST)
    gap, spread = found.without(rows.pairs)
    precision = np.maximum(1 / variance - 1 / spread, 0.0)
    return Sites(precision, mean * (precision + 1 / spread) - gap / spread)

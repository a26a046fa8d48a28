"""Scores where all answers count alike: expectation propagation with one Gaussian site per pair.

What n answers say about a pair is not what one says, n times over: where judges err equally often on every pair,
ten answers tell on which side of another an item stands, and hardly how far away. So a pair's site matches the
mean and the variance of its gap under all of its answers together, integrated over a grid of gaps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from juryrank.core.guess.chances import LINK_LAPSES, LINK_SLOPES
from juryrank.core.guess.link import LAPSES, SLOPES, Floats, JudgeLinks, sigmoid
from juryrank.core.guess.posterior import DAMPING, ENOUGH, LEAST, CountedAnswers, Posterior, Sites, normal

NODES: Floats = np.linspace(-4.5, 4.5, 46)  # gaps at which a pair's answers are weighed, in standard deviations
COARSE: Floats = np.linspace(-3.0, 3.0, 13)  # the same for the link: there are many links
SWEEPS, LINK_EVERY = 16, 3
LINK_PAIRS = 500  # that one link is learned from
# Before any answer: most people mean what they say, so small lapses are likelier than large ones
MEANT = 4.0  # the power of 1 - 2 e
FROM_CERTAIN = 1e-12  # how far every chance stays from 0 and 1: logarithms are finite
MANY_PAIRS = 20_000  # beyond, a third of the nodes: such pairs have hardly more than an answer each
UNLIKELY = 1e-7  # slopes that are believed less change no digit that is shown


class Pairs(NamedTuple):
    """By pair: mean and variance of its gap by the other pairs; how often either item was preferred."""

    gap: Floats
    spread: Floats
    wins: Floats
    losses: Floats


def fit_pairs(answers: CountedAnswers, *, items: int) -> tuple[Posterior, Floats]:
    """The posterior after one or more answers that count alike, and the belief about their lapse and slope."""
    rows, wins, losses = _counted(answers, items)
    found = Posterior(np.zeros(items), np.eye(items), JudgeLinks.unheard(1), Sites(*np.zeros((2, len(wins)))))
    for sweep in range(SWEEPS):
        before = found.mean
        pairs = Pairs(*found.without(rows), wins, losses)
        if sweep and sweep % LINK_EVERY == 0:
            found = found._replace(jury=JudgeLinks.of(_belief(pairs, LAPSES, SLOPES)[None]))
        new = _matched(found.jury, pairs)
        sites = Sites(*(was + DAMPING * (now - was) for was, now in zip(found.sites, new, strict=True)))
        mean, covariance = normal(items, rows, sites)
        found = Posterior(mean, covariance, found.jury, sites)
        if sweep > 2 * LINK_EVERY and np.abs(mean - before).max() < ENOUGH:
            break
    pairs = Pairs(*found.without(rows), wins, losses)
    return found, _belief(pairs, LINK_LAPSES, LINK_SLOPES)


def _counted(answers: CountedAnswers, items: int) -> tuple[CountedAnswers, Floats, Floats]:
    """One row per pair, the item with the lower number first; how often it was preferred, and the other."""
    low, high = np.minimum(answers.winner, answers.loser), np.maximum(answers.winner, answers.loser)
    keys, of_row = np.unique(low * items + high, return_inverse=True)
    of_row = of_row.ravel()
    total = np.asarray(np.bincount(of_row, weights=answers.times), np.float64)
    wins = np.asarray(np.bincount(of_row, weights=answers.times * (answers.winner == low)), np.float64)
    rows = CountedAnswers(np.zeros_like(keys), keys // items, keys % items, np.ones(len(keys)))
    return rows, wins, total - wins


def _matched(jury: JudgeLinks, pairs: Pairs) -> Sites:
    """Sites that give each gap the mean and the variance it has once the pair's answers are in."""
    gap, spread, wins, losses = pairs
    nodes = NODES if len(gap) <= MANY_PAIRS else NODES[::3]
    at = gap[:, None] + np.sqrt(spread)[:, None] * nodes
    likely = jury.steep[0] > UNLIKELY
    chance = jury.flat[0] + sigmoid(at[..., None] * SLOPES[likely]) @ jury.steep[0][likely]
    chance = np.clip(chance, FROM_CERTAIN, 1 - FROM_CERTAIN)
    told = wins[:, None] * np.log(chance) + losses[:, None] * np.log1p(-chance) - nodes**2 / 2
    mass = np.exp(told - told.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    mean = mass @ nodes
    variance = np.maximum(mass @ nodes**2 - mean**2, LEAST)  # of the cavity's
    precision = np.maximum(1 / variance - 1, 0.0) / spread
    after = gap + np.sqrt(spread) * mean
    return Sites(precision, after * (precision + 1 / spread) - gap / spread)


def _belief(pairs: Pairs, lapses: Floats, slopes: Floats) -> Floats:
    """What is believed of everybody's (lapse, slope); each pair counts by what the other pairs say of its gap."""
    every = -(-len(pairs.gap) // LINK_PAIRS)
    gap, spread, wins, losses = (column[::every, None] for column in pairs)
    at = gap + np.sqrt(spread) * COARSE
    like = np.empty((len(lapses), len(slopes)))
    for g, slope in enumerate(slopes):
        up = sigmoid(slope * at)
        for e, lapse in enumerate(lapses):
            chance = np.clip(lapse + (1 - 2 * lapse) * up, FROM_CERTAIN, 1 - FROM_CERTAIN)
            told = wins * np.log(chance) + losses * np.log1p(-chance) - COARSE**2 / 2
            like[e, g] = every * np.logaddexp.reduce(told, axis=1).sum()
    like += MEANT * np.log(1 - 2 * lapses)[:, None]
    belief: Floats = np.exp(like - like.max())
    return belief / belief.sum()

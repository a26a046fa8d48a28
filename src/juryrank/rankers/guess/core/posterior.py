"""Scores of all items from all answers: expectation propagation, one Gaussian site per answer.

The posterior of the scores is a normal distribution with precision I + Σ τ a aᵀ, where a = e_winner - e_loser and
τ is the site's precision. A sweep replaces every answer's likelihood (by its judge's mean link) by the Gaussian
that has the same mean and variance beside all other answers. Equal answers of one judge have equal sites. Then the
judges are weighed anew, each answer by what all the others say about its pair: by itself, any answer would agree.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from juryrank.core.tallies import CountTable
from juryrank.rankers.guess.core.link import LAPSES, PRIOR, Floats, Ints, JudgeLinks, flattened, pooled, sigmoid

DAMPING = 0.7  # of a sweep's change: all sites move at once, and would overshoot
SWEEPS = 12
ENOUGH = 2e-3  # a sweep that moves no score by more than this is the last
LEAST = 1e-9
DENSE = 500_000  # judges times rows, up to which one product is quicker than counting


class CountedAnswers(NamedTuple):
    """One row per judge, winner and loser, with how many such answers there are."""

    judge: Ints
    winner: Ints
    loser: Ints
    times: Floats

    @classmethod
    def of(cls, table: CountTable) -> CountedAnswers:
        """A tie is half an answer each way."""
        won, lost = np.flatnonzero(table.wins), np.flatnonzero(table.losses)
        return cls(
            np.concatenate([table.judge[won], table.judge[lost]]),
            np.concatenate([table.low[won], table.high[lost]]),
            np.concatenate([table.high[won], table.low[lost]]),
            np.concatenate([table.wins[won], table.losses[lost]]),
        )


class Sites(NamedTuple):
    """What one answer of each row comes to: precision, and precision times mean, of x_winner - x_loser."""

    precision: Floats
    shift: Floats


class ScoreBelief(Protocol):
    """What questions are chosen by: means and variances of scores, and what is believed of the judges."""

    @property
    def mean(self) -> Floats: ...

    @property
    def variance(self) -> Floats: ...

    @property
    def jury(self) -> JudgeLinks: ...

    def gaps(self, first: Ints, second: Ints) -> tuple[Floats, Floats]: ...


class Posterior(NamedTuple):
    """Scores: normal with this mean and covariance; what is believed of the judges; and the sites behind it."""

    mean: Floats
    covariance: Floats
    jury: JudgeLinks
    sites: Sites

    @property
    def variance(self) -> Floats:
        return self.covariance.diagonal()

    def gaps(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """Mean and variance of x_first - x_second."""
        variance = self.variance
        spread = variance[first] + variance[second] - 2 * self.covariance[first, second]
        return self.mean[first] - self.mean[second], np.maximum(spread, LEAST)

    def without(self, answers: CountedAnswers) -> tuple[Floats, Floats]:
        """Mean and variance of x_winner - x_loser by all answers but one of the row's."""
        gap, spread = self.gaps(answers.winner, answers.loser)
        rest = np.maximum(1 / spread - self.sites.precision, LEAST)
        return (gap / spread - self.sites.shift) / rest, 1 / rest


def fit(answers: CountedAnswers, *, items: int, judges: int, prior: Floats = PRIOR) -> Posterior:
    """The posterior after these answers; `prior`: of the judges' lapses and slopes."""
    nothing = np.zeros(len(answers.judge))
    jury = JudgeLinks.unheard(judges, prior=prior)
    found = Posterior(np.zeros(items), np.eye(items), jury, Sites(nothing, nothing))
    for sweep in range(SWEEPS if len(nothing) else 0):
        before = found.mean
        found = _swept(found, answers, prior)
        if sweep > 2 and np.abs(found.mean - before).max() < ENOUGH:
            break
    return found


def _swept(found: Posterior, answers: CountedAnswers, prior: Floats) -> Posterior:
    gap, spread = found.without(answers)
    slopes = flattened(spread)
    up = sigmoid(slopes * gap[:, None])
    new = _matched(found.jury, answers, gap, spread, slopes, up)
    old = found.sites
    sites = Sites(*(was + DAMPING * (now - was) for was, now in zip(old, new, strict=True)))
    mean, covariance = normal(len(found.mean), answers, sites)
    return Posterior(mean, covariance, weighed(answers, up, judges=len(found.jury.flat), prior=prior), sites)


def _matched(
    jury: JudgeLinks, answers: CountedAnswers, gap: Floats, spread: Floats, slopes: Floats, up: Floats
) -> Sites:
    """Sites that give each gap the mean and variance it has once the answer is in."""
    steep = jury.steep[answers.judge]
    chance = jury.chance(answers.judge, up)
    bend = slopes * up * (1 - up)
    first = (steep * bend).sum(axis=1) / chance  # of log chance, by the mean of the gap
    second = (steep * bend * slopes * (1 - 2 * up)).sum(axis=1) / chance - first**2
    narrower = np.clip(-second, 0.0, 0.95 / spread)  # of the variance, over its square; never wider
    precision = narrower / (1 - spread * narrower)
    shift = (gap + spread * first) * (precision + 1 / spread) - gap / spread
    return Sites(precision, shift)


def normal(items: int, answers: CountedAnswers, sites: Sites) -> tuple[Floats, Floats]:
    """Mean and covariance of the scores from the sites."""
    cells = answers.winner * items + answers.loser
    weight = np.bincount(cells, weights=answers.times * sites.precision, minlength=items * items)
    matrix = -weight.reshape(items, items)
    matrix += matrix.T
    matrix[np.diag_indices(items)] = 1.0 - matrix.sum(axis=1)
    pull = np.bincount(answers.winner, weights=answers.times * sites.shift, minlength=items)
    pull -= np.bincount(answers.loser, weights=answers.times * sites.shift, minlength=items)
    covariance: Floats = np.linalg.inv(matrix)
    return covariance @ pull, covariance


def weighed(answers: CountedAnswers, up: Floats, *, judges: int, prior: Floats) -> JudgeLinks:
    """The judges by how likely each (lapse, slope) makes their answers; `up`: what the others say, by slope."""
    heard = np.asarray(np.bincount(answers.judge, weights=answers.times, minlength=judges), np.float64)
    if judges * len(answers.judge) <= DENSE:
        members = (answers.judge == np.arange(judges)[:, None]) * answers.times
        told = np.log(LAPSES[:, None, None] + (1 - 2 * LAPSES[:, None, None]) * up)
        return pooled(np.swapaxes(members @ told, 0, 1), heard, prior=prior)
    like = np.empty((judges, len(LAPSES), up.shape[1]))
    for e, lapse in enumerate(LAPSES):
        for g, column in enumerate(np.log(lapse + (1 - 2 * lapse) * up).T):
            like[:, e, g] = np.bincount(answers.judge, weights=answers.times * column, minlength=judges)
    return pooled(like, heard, prior=prior)

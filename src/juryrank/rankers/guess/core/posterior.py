"""Scores of all items from all answers: expectation propagation, one Gaussian site per answer.

The posterior of the scores is a normal distribution with precision I + Σ τ a aᵀ, where a = e_winner - e_loser and
τ is the site's precision. A sweep replaces every answer's likelihood (by its judge's mean link) by the Gaussian
that has the same mean and variance beside all other answers. Equal answers of one judge have equal sites. Then the
judges are weighed anew, each answer by what all the others say about its pair: by itself, any answer would agree.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from juryrank.core.tallies import CountTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LAPSES: Floats = 1 / (1 + np.exp(np.array([0.02, 0.35, 0.75, 1.2, 1.7, 2.3, 3.0, 4.0, 5.5])))
SLOPES: Floats = np.array([0.3, 0.7, 1.5, 3.5, 10.0, 40.0])
POOL = 2.0  # judges that the fixed prior counts for beside those who were heard
HEARD = 3  # answers from which a judge counts in the pool
POOL_ROUNDS = 3  # the pool and its members nearly settle within these
MOST_LOGIT = 40.0  # beyond it σ is 0 or 1 for every purpose here
PROBIT = np.pi / 8  # E σ(g d), d normal with variance v, is about σ(g d / sqrt(1 + PROBIT g² v))
SLOPES_BEFORE: Floats = np.array([0.1, 0.15, 0.2, 0.2, 0.15, 0.2])  # how likely each is before any answer
_CALM = (LAPSES / (1 - LAPSES)) ** 0.4  # whom to ask: before any answer large lapses are somewhat likelier
PRIOR: Floats = np.outer(_CALM / _CALM.sum(), SLOPES_BEFORE)


def meant(power: float) -> Floats:
    """For reading answers: small lapses e are likelier, by (1 - 2 e)^power, as most people mean what they say.

    Answers about close items are split whoever gives them; if that passed for lapses, all scores would shrink.
    """
    likely = (1 - 2 * LAPSES) ** power
    prior: Floats = np.outer(likely / likely.sum(), SLOPES_BEFORE)
    return prior


class JudgeLinks(NamedTuple):
    """Each judge's mean link: chance = flat + Σ_g steep_g σ(g d)."""

    flat: Floats  # (judge)
    steep: Floats  # (judge, slope)
    belief: Floats  # (judge, lapse, slope): the distribution that the two are means of

    @classmethod
    def of(cls, belief: Floats) -> JudgeLinks:
        flat = np.einsum("ueg,e->u", belief, LAPSES)
        return cls(flat, np.einsum("ueg,e->ug", belief, 1 - 2 * LAPSES), belief)

    @classmethod
    def unheard(cls, judges: int, *, prior: Floats = PRIOR) -> JudgeLinks:
        """Before any answer."""
        return cls.of(np.repeat(prior[None], judges, axis=0))

    def chance(self, judge: Ints, up: Floats) -> Floats:
        """(row, ...) chances of these judges, from σ(g d) with the slopes as the last axis of `up`."""
        steep = self.steep[judge].reshape(len(judge), *[1] * (up.ndim - 2), -1)
        flat = self.flat[judge].reshape(len(judge), *[1] * (up.ndim - 2))
        found: Floats = flat + (up * steep).sum(axis=-1)
        return found


def sigmoid(z: Floats) -> Floats:
    """The logistic function, without overflow."""
    values: Floats = np.maximum(z, -MOST_LOGIT)
    np.minimum(values, MOST_LOGIT, out=values)
    np.negative(values, out=values)  # in place from here on: most of the time went into making room
    np.exp(values, out=values)
    values += 1
    return np.divide(1.0, values, out=values)


def flattened(spread: Floats) -> Floats:
    """Slopes (last axis) of E σ(g d) where d has this variance: what is not known blurs every step."""
    slopes: Floats = SLOPES / np.sqrt(1 + PROBIT * SLOPES**2 * spread[..., None])
    return slopes


def pooled(
    like: Floats, heard: Floats, *, prior: Floats = PRIOR, weight: float = POOL, rounds: int = POOL_ROUNDS
) -> JudgeLinks:
    """Judges from the log-likelihood of their (lapse, slope): the pool of all of them is each one's prior."""
    share = np.exp(like - like.max(axis=(1, 2), keepdims=True))
    some = heard >= HEARD
    pool = prior
    for _ in range(rounds):
        belief = share * pool
        belief /= belief.sum(axis=(1, 2), keepdims=True)
        pool = (weight * prior + belief[some].sum(axis=0)) / (weight + some.sum())
    return JudgeLinks.of(belief)


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


class AnswerEffect(NamedTuple):
    """What each answer does to a gap of this mean and variance: its mean grows by variance times `first`."""

    up: Floats  # σ of the gap, by slope
    first: Floats
    narrower: Floats  # by how much the variance shrinks, over its square; never wider

    @classmethod
    def of(cls, jury: JudgeLinks, judge: Ints, gap: Floats, spread: Floats) -> AnswerEffect:
        slopes = flattened(spread)
        up = sigmoid(slopes * gap[:, None])
        steep, chance, bend = jury.steep[judge], jury.chance(judge, up), slopes * up * (1 - up)
        first = (steep * bend).sum(axis=1) / chance  # of log chance, by the mean of the gap
        second = (steep * bend * slopes * (1 - 2 * up)).sum(axis=1) / chance - first**2
        return cls(up, first, np.clip(-second, 0.0, 0.95 / spread))


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
    effect = AnswerEffect.of(found.jury, answers.judge, gap, spread)
    precision = effect.narrower / (1 - spread * effect.narrower)
    new = Sites(precision, (gap + spread * effect.first) * (precision + 1 / spread) - gap / spread)
    sites = Sites(*(was + DAMPING * (now - was) for was, now in zip(found.sites, new, strict=True)))
    mean, covariance = normal(len(found.mean), answers, sites)
    return Posterior(
        mean, covariance, weighed(answers, effect.up, judges=len(found.jury.flat), prior=prior), sites
    )


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

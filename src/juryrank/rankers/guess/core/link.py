"""How likely a judge prefers one item to another, given their scores: a lapse and a slope per judge.

    P(u prefers i to j) = e + (1 - 2e) σ(g (x_i - x_j))         e: lapse, g: slope

Lapse 0 is the heterogeneous Bradley-Terry model; the steepest slope is a judge who is equally good on every pair.
A judge is a distribution over a grid of (e, g), so that the chance is  A_u + Σ_g B_ug σ(g d).  Scores are standard
normal a priori: the slopes carry the scale.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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

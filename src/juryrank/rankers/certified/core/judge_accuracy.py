"""What is known of the judges: a posterior over each one's accuracy, on a grid.

credit(jury, u, c, o) u said something that is right with probability c, judged *without this answer*
                      (else a judge would be credited for agreeing with a placement that its own answer decided)
learn_pool(jury)      the prior of a judge = a fixed one, mixed with the posteriors of the judges seen
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.prove.evidence import ACCURACY_GRID, GRID_SIZE

PRIOR_SCALE = 1.5  # the fixed prior falls as exp(-logit / 1.5): most judges are not oracles
PRIOR_JUDGES = 2.0  # how many judges the fixed prior counts for beside those seen
SEEN = 3.0  # answers after which a judge's posterior joins the pool
WEIGHT_MOST = 7.6  # logit of .9995: no answer is final (judges who are always right get there)
UNDERFLOW = 1e-60  # rescale likelihoods below this

HARDNESS: Final = (1.0, 0.5, 0.25, 0.12, 0.06)  # a pair may be harder: logits shrink by this factor
LEVELS: Final = len(HARDNESS)
HARD_PAIRS: Final = GRID_SIZE  # place in `pool`: the share of pairs that are hard, learned while repairing
HARD_START = 0.1  # that share before anything is known
HARD_MATTERS = 0.15  # from this share on, even a pair without disagreement may be a hard one

_BITS = [1 + p * math.log2(p) + (1 - p) * math.log2(1 - p) for p in ACCURACY_GRID]
GRID_BITS: Final[tuple[float, ...]] = tuple(_BITS)  # information of one answer, 1 - h2(p)
_PRIOR = np.array([math.exp(-math.log(p / (1 - p)) / PRIOR_SCALE) for p in ACCURACY_GRID])
FIXED_PRIOR: Final[tuple[float, ...]] = tuple((_PRIOR / _PRIOR.sum()).tolist())


# Columns of `real`: accuracy, information of one answer, logit of the accuracy (what one answer adds to log odds),
# answers credited, credit earned, price, information per unit of cost, and on hard pairs: answers, and those that
# agreed with what the others say
MEAN, BITS, WEIGHT, CREDITED, RIGHT, PRICE, VALUE, HARD_SEEN, HARD_RIGHT = range(9)
# Columns of `tally`: answers; ties, skips and expiries; answers and open questions not yet credited; credited
# since the posterior was computed; may be asked (not paused, not too dear); and, as a list of its own, the
# judges in random order: ties go to the first there (by index, the first judges would look better than they are)
VOTES, BLANKS, WAITING, STALE, ALLOWED, TURN = range(6)


class JudgeBeliefs(NamedTuple):
    """One row per judge, except `pool`."""

    likelihood: NDArray[np.float64]  # (M, grid), up to a factor
    posterior: NDArray[np.float64]  # (M, grid)
    tail: NDArray[np.float64]  # (M, grid): chance of this accuracy or a higher one
    pool: NDArray[np.float64]  # (grid): the prior of a judge; then the share of hard pairs
    spread: NDArray[np.float64]  # (M, hardness): log 2cosh(hw/2), for pairs that may be hard
    real: NDArray[np.float64]
    tally: NDArray[np.int64]


def jury(size: int, turn: list[int], prices: list[float]) -> JudgeBeliefs:
    """A jury about which nothing is known yet."""
    grid = (size, GRID_SIZE)
    made = JudgeBeliefs(
        np.ones(grid), np.zeros(grid), np.zeros(grid), np.append(FIXED_PRIOR, HARD_START),
        np.zeros((size, LEVELS)), np.zeros((size, 9)), np.zeros((size, 6), np.int64),
    )  # fmt: skip
    made.real[:, PRICE] = prices
    made.tally[:, TURN] = turn
    made.tally[:, ALLOWED] = 1
    for u in range(size):
        refresh(made, u)
    return made


@kernel(inline=False)
def refresh(jury: JudgeBeliefs, u: int) -> None:
    """Recompute a judge's posterior and what is read off it, after the likelihood or the pool changed."""
    pool = jury.pool
    likelihood = jury.likelihood
    posterior = jury.posterior
    tail = jury.tail
    jury.tally[u, STALE] = 0
    total = 0.0
    for k in range(GRID_SIZE):
        total += pool[k] * likelihood[u, k]
    above = 0.0
    mean = 0.0
    bits = 0.0
    for k in range(GRID_SIZE - 1, -1, -1):
        mass = pool[k] * likelihood[u, k] / total
        posterior[u, k] = mass
        above += mass
        tail[u, k] = above
        mean += mass * ACCURACY_GRID[k]
        bits += mass * GRID_BITS[k]
    jury.real[u, MEAN] = mean
    jury.real[u, BITS] = bits
    weight = min(math.log(mean / (1.0 - mean)), WEIGHT_MOST)
    jury.real[u, WEIGHT] = weight
    appraise(jury, u)
    for h in range(LEVELS):
        half = 0.5 * HARDNESS[h] * weight
        jury.spread[u, h] = half + math.log1p(math.exp(-2.0 * half))


@kernel(inline=False)
def credit(jury: JudgeBeliefs, u: int, right: float, ordinary: float) -> None:
    """Judge u's answer is right with probability `right`, as far as all other answers tell.

    `ordinary`: the chance that the pair is no harder than most; an answer to a hard pair says nothing about u.
    """
    wrong = 1.0 - right
    other = 0.5 * (1.0 - ordinary)
    likelihood = jury.likelihood
    most = 0.0
    for k in range(GRID_SIZE):
        p = ACCURACY_GRID[k]
        mass = likelihood[u, k] * (ordinary * (right * p + wrong * (1.0 - p)) + other)
        likelihood[u, k] = mass
        if mass > most:
            most = mass
    if most < UNDERFLOW:
        for k in range(GRID_SIZE):
            likelihood[u, k] /= most
    jury.tally[u, STALE] = 1
    jury.real[u, CREDITED] += 1.0
    jury.real[u, RIGHT] += right


@kernel
def refresh_stale(jury: JudgeBeliefs) -> None:
    """Recompute the posteriors of all judges credited since the last refresh."""
    for u in range(len(jury.tally)):
        if jury.tally[u, STALE]:
            refresh(jury, u)


@kernel(inline=False)
def learn_pool(jury: JudgeBeliefs) -> None:
    """Learn the pool from the judges seen, then every posterior from the pool."""
    judges = len(jury.tally)
    count = PRIOR_JUDGES
    for k in range(GRID_SIZE):
        jury.pool[k] = PRIOR_JUDGES * FIXED_PRIOR[k]
    for u in range(judges):
        if jury.real[u, CREDITED] >= SEEN:
            count += 1.0
            for k in range(GRID_SIZE):
                jury.pool[k] += jury.posterior[u, k]
    for k in range(GRID_SIZE):
        jury.pool[k] /= count
    for u in range(judges):
        refresh(jury, u)


@kernel
def hardness_prior(jury: JudgeBeliefs, h: int) -> float:
    """The chance that a pair has this degree of hardness."""
    hard = jury.pool[HARD_PAIRS]
    return 1.0 - hard if h == 0 else hard / (LEVELS - 1)


@kernel
def appraise(jury: JudgeBeliefs, u: int) -> None:
    """Information per unit of cost, allowing for questions that come back blank."""
    votes = jury.tally[u, VOTES] + 1.0
    answered = votes / (votes + jury.tally[u, BLANKS])
    jury.real[u, VALUE] = jury.real[u, BITS] * answered / max(jury.real[u, PRICE], 1e-9)

"""What to ask next, if only the best guess counts: the judge worth most, and the pair that tells most.

A judge's worth is the information in an answer about a pair as far apart as pairs typically are uncertain. The
leader is asked, unless somebody else is likely enough to be better to be worth a trial, given how many questions
are still to come. The pair is the one whose answer tells most about the scores.
"""

from __future__ import annotations

import numpy as np

from juryrank.core.guess.link import LAPSES, SLOPES, Floats, Ints, flattened, sigmoid
from juryrank.core.guess.posterior import Posterior

NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(7)
WEIGHTS: Floats = _WEIGHTS / _WEIGHTS.sum()
TYPICAL = 1.1  # of the median uncertainty of a score: how far apart a pair is that a judge is tried on
BETTER = 1.3  # a trial looks for somebody worth so much more than the leader
FINDING_OUT = 10.0  # answers that a trial of somebody costs
CORE_ITEMS, CORE_EACH, CORE_FROM = (
    16,
    5,
    60,
)  # from so many items on, the first questions go to a few of them: on a
# sparse graph no answer contradicts another, and judges cannot be told apart


def entropy(p: Floats) -> Floats:
    """Of a coin, in nats."""
    q = np.clip(p, 1e-12, 1 - 1e-12)
    nats: Floats = -q * np.log(q) - (1 - q) * np.log1p(-q)
    return nats


def worths(found: Posterior) -> tuple[Floats, Floats]:
    """Each judge's expected worth, and by how likely each is to be worth much more than the best of these."""
    apart = TYPICAL * np.sqrt(np.median(np.maximum(found.covariance.diagonal(), 1e-4)))
    right = LAPSES[:, None] + (1 - 2 * LAPSES[:, None]) * sigmoid(SLOPES * apart)
    worth = np.log(2) - entropy(right)
    mean = np.einsum("ueg,eg->u", found.jury.belief, worth)
    better = np.einsum("ueg,eg->u", found.jury.belief, (worth > BETTER * mean.max()).astype(float))
    return mean, better


def choose_judge(found: Posterior, *, allowed: Ints, to_come: float, prices: Floats, noise: Floats) -> int:
    """The leader, or somebody on trial; `noise` breaks ties."""
    mean, better = worths(found)
    value = mean / np.maximum(prices, 1e-9) if (prices > 0).all() else mean
    lead = int(allowed[np.argmax(value[allowed] * (1 + 1e-6 * noise[allowed]))])
    others = allowed[allowed != lead]
    if not len(others):
        return lead
    trial = int(others[np.argmax(better[others] + 1e-9 * noise[others])])
    return trial if better[trial] * to_come > FINDING_OUT else lead


def information(found: Posterior, judge: int, first: Ints, second: Ints) -> Floats:
    """How much an answer of this judge about each pair would tell about the scores."""
    gap, spread = found.gaps(first, second)
    flat, steep = found.jury.flat[judge], found.jury.steep[judge]
    expected = flat + sigmoid(flattened(spread) * gap[:, None]) @ steep
    nodes = gap[:, None] + np.sqrt(spread)[:, None] * NODES
    known = flat + sigmoid(SLOPES * nodes[:, :, None]) @ steep
    told: Floats = entropy(expected) - entropy(known) @ WEIGHTS
    return told


def doubt(found: Posterior) -> float:
    """The chance that the least certain neighbours of the guess stand in the wrong order."""
    order = np.argsort(-found.mean, kind="stable")
    if len(order) < 2:
        return 0.0
    gap, spread = found.gaps(order[:-1], order[1:])
    return float(sigmoid(-1.702 * gap / np.sqrt(spread)).max())  # the logistic that is nearest to the normal

"""What to ask next, if only the best guess counts: the judge worth most, and the pair that tells most.

A judge's worth is the information in an answer about a pair as far apart as pairs typically are uncertain. The
leader is asked, unless somebody else is likely enough to be better to be worth a trial, given how many questions
are still to come. The pair is the one whose answer tells most about the scores and, while there is time to make
use of it, about the judge.
"""

from __future__ import annotations

import numpy as np

from juryrank.rankers.guess.core.posterior import LAPSES, SLOPES, Floats, Ints, ScoreBelief, flattened, sigmoid

EDGES: Floats = np.linspace(-3.0, 3.0, 17)  # a normal distribution in slices, in standard deviations ...
_SLICES = np.diff(np.tanh(np.sqrt(2 / np.pi) * (EDGES + 0.044715 * EDGES**3))) / 2  # ... and the mass of each
SLICES: Floats = _SLICES / _SLICES.sum()
TABLE = 2001  # gaps at which a judge's link is looked up
TYPICAL = 1.1  # of the median uncertainty of a score: how far apart a pair is that a judge is tried on
BETTER = 1.3  # a trial looks for somebody worth so much more than the leader
FINDING_OUT = 10.0  # answers that a trial of somebody costs
ABOUT_JUDGES = 2.0  # how much an answer's news about its judge counts, per question per item still to come ...
LATE = 0.5  # ... beyond these: then it is too late to make use of such news
# From 60 items on, the first questions go to 16 of them, 5 each: on a sparse graph no answer contradicts another,
# and judges cannot be told apart. With less than 3 questions per item, too few would be left for the others
CORE_ITEMS, CORE_EACH, CORE_FROM, CORE_PER_ITEM = 16, 5, 60, 3


def entropy(p: Floats) -> Floats:
    """The entropy of a coin that shows heads with probability p, in nats."""
    q = np.clip(p, 1e-12, 1 - 1e-12)
    nats: Floats = -q * np.log(q) - (1 - q) * np.log1p(-q)
    return nats


def worths(found: ScoreBelief) -> tuple[Floats, Floats]:
    """Each judge's expected worth, and the chance that it is worth much more than the best of these."""
    apart = TYPICAL * np.sqrt(np.median(np.maximum(found.variance, 1e-4)))
    right = LAPSES[:, None] + (1 - 2 * LAPSES[:, None]) * sigmoid(SLOPES * apart)
    worth = np.log(2) - entropy(right)
    mean = np.einsum("ueg,eg->u", found.jury.belief, worth)
    better = np.einsum("ueg,eg->u", found.jury.belief, (worth > BETTER * mean.max()).astype(float))
    return mean, better


def choose_judge(found: ScoreBelief, *, allowed: Ints, to_come: float, prices: Floats, noise: Floats) -> int:
    """The leader, or somebody on trial; `noise` breaks ties."""
    mean, better = worths(found)
    value = mean / np.maximum(prices, 1e-9) if (prices > 0).all() else mean
    lead = int(allowed[np.argmax(value[allowed] * (1 + 1e-6 * noise[allowed]))])
    others = allowed[allowed != lead]
    if not len(others):
        return lead
    trial = int(others[np.argmax(better[others] + 1e-9 * noise[others])])
    return trial if better[trial] * to_come > FINDING_OUT else lead


def worth_asking(found: ScoreBelief, judge: int, first: Ints, second: Ints, *, to_come: float) -> Floats:
    """What an answer of this judge about each pair tells about the scores, and, early, about the judge.

    Answers about pairs that nobody else was asked about tell nothing about who gave them: without the second part
    it is learned too late how good judges are.
    """
    alone = len(found.jury.flat) == 1  # then there is nobody to prefer, whatever is found out
    weight = 0.0 if alone else ABOUT_JUDGES * max(to_come / len(found.mean) - LATE, 0.0)
    told = information(found, judge, first, second)
    return told + weight * about_judge(found, judge, first, second) if weight else told


def about_judge(found: ScoreBelief, judge: int, first: Ints, second: Ints) -> Floats:
    """How much an answer would tell about the judge, to second order: the variance of what the judge would say."""
    gap, spread = found.gaps(first, second)
    up = sigmoid(flattened(spread) * gap[:, None])
    lapse, steep = LAPSES[:, None], 1 - 2 * LAPSES[:, None]
    belief = found.jury.belief[judge]
    chance = found.jury.flat[judge] + up @ found.jury.steep[judge]
    squares = (belief * lapse**2).sum() + up @ (2 * belief * lapse * steep).sum(axis=0)
    squares = squares + up**2 @ (belief * steep**2).sum(axis=0)
    told: Floats = np.maximum(squares - chance**2, 0.0) / (2 * chance * (1 - chance))
    return told


def information(found: ScoreBelief, judge: int, first: Ints, second: Ints) -> Floats:
    """How much an answer of this judge about each pair would tell about the scores."""
    gap, spread = found.gaps(first, second)
    wide = np.sqrt(spread)
    most = float((np.abs(gap) + EDGES[-1] * wide).max())
    table = np.linspace(-most, most, TABLE)
    chance = found.jury.flat[judge] + sigmoid(table[:, None] * SLOPES) @ found.jury.steep[judge]
    expected, left = _means(np.stack([chance, entropy(chance)], axis=1), gap, wide, most=most)
    told: Floats = entropy(expected) - left
    return told


def _means(values: Floats, gap: Floats, wide: Floats, *, most: float) -> Floats:
    """(function, pair): means of functions, known at gaps from -most to most, over each pair's distribution.

    By slices, and exactly within each: a steep link has all of its doubt in a gap so small that single points
    would miss it or, worse, hit it.
    """
    step = 2 * most / (len(values) - 1)
    area = np.zeros_like(values)
    area[1:] = np.cumsum((values[1:] + values[:-1]) / 2, axis=0) * step
    at = np.clip((gap[:, None] + wide[:, None] * EDGES + most) / step, 0, len(values) - 1 - 1e-9)
    low = at.astype(np.int64)
    part = (at - low)[:, :, None]
    upto = (1 - part) * area[low] + part * area[low + 1]
    means: Floats = np.einsum("psf,s->fp", np.diff(upto, axis=1), SLICES / np.diff(EDGES)) / wide
    return means


def doubt(found: ScoreBelief) -> float:
    """The chance that the least certain neighbours of the guess stand in the wrong order."""
    order = np.argsort(-found.mean, kind="stable")
    if len(order) < 2:
        return 0.0
    gap, spread = found.gaps(order[:-1], order[1:])
    return float(sigmoid(-1.702 * gap / np.sqrt(spread)).max())  # the logistic that is nearest to the normal

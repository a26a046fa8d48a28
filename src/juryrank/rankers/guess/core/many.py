"""Scores and chances of many items: a mean and a variance each, without a covariance of all.

Expectation propagation again, but each answer sends a message to each of its two items, and all items are taken
to be independent. Ranks follow from how many items are expected above each score, which is one curve for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from juryrank.core.tallies import CountTable
from juryrank.defaults import ESTIMATE_LEVEL
from juryrank.rankers.guess.core.chances import Chances, log_odds, unknown
from juryrank.rankers.guess.core.posterior import (
    LAPSES,
    MOST_LOGIT,
    PRIOR,
    SLOPES,
    SWEEPS,
    AnswerEffect,
    CountedAnswers,
    Floats,
    Ints,
    JudgeLinks,
    flattened,
    meant,
    pooled,
    sigmoid,
    weighed,
)

GENTLE = 0.6  # of a sweep's change: all messages move at once
GRID, AT_ONCE = 400, 4096  # scores at which the curve is known, and items worked on at once
NODES: Floats = np.linspace(-2.4, 2.4, 9)  # standard deviations from a mean at which ranks are looked up
_MASS = np.exp(-(NODES**2) / 2)
MASS: Floats = _MASS / _MASS.sum()
NORMAL = 1.702  # the logistic that is nearest to the normal
WIDER = 1.5  # of variances: items are not independent, and fitted judges look surer than they are
MEANT: Floats = meant(4.0)


class ManyScores(NamedTuple):
    """Each item's mean and variance, and what is believed of the judges."""

    mean: Floats
    variance: Floats
    jury: JudgeLinks

    def gaps(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """Mean and variance of x_first - x_second."""
        return self.mean[first] - self.mean[second], self.variance[first] + self.variance[second]


def fit_many(answers: CountedAnswers, *, items: int, judges: int, prior: Floats = PRIOR) -> ManyScores:
    """The posterior after these answers."""
    jury = JudgeLinks.unheard(judges, prior=prior)
    ends = (answers.winner, answers.loser)
    told = np.zeros((2, 2, len(answers.judge)))  # to the winner and to the loser: precision, precision times mean
    total = np.stack([np.ones(items), np.zeros(items)])
    for _ in range(SWEEPS if len(answers.judge) else 0):
        rest = [total[:, end] - message for end, message in zip(ends, told, strict=True)]
        spread_of = [1 / np.maximum(part[0], LEAST) for part in rest]
        mean_of = [part[1] * spread for part, spread in zip(rest, spread_of, strict=True)]
        gap, spread = mean_of[0] - mean_of[1], spread_of[0] + spread_of[1]
        up, first, narrower = AnswerEffect.of(jury, answers.judge, gap, spread)
        total = np.stack([np.ones(items), np.zeros(items)])
        for k, way in ((0, 1.0), (1, -1.0)):
            mean = mean_of[k] + way * spread_of[k] * first
            variance = np.maximum(spread_of[k] - spread_of[k] ** 2 * narrower, LEAST)
            new = np.stack([1 / variance - rest[k][0], mean / variance - rest[k][1]])
            told[k] += GENTLE * (new - told[k])
            for row in (0, 1):
                total[row] += np.bincount(ends[k], weights=answers.times * told[k][row], minlength=items)
        jury = weighed(answers, up, judges=judges, prior=prior)
    return ManyScores(total[1] / total[0], 1 / total[0], jury)


def estimate_many(
    table: CountTable, *, items: int, judges: int, opinions: bool, level: float = ESTIMATE_LEVEL, k: int = 1
) -> Chances:
    """Chances of all items; `opinions`: all answers count alike."""
    if not len(table.judge):
        return unknown(items, k=k)
    answers = CountedAnswers.of(table)
    if opinions:
        answers, judges = answers._replace(judge=np.zeros_like(answers.judge)), 1
    found = fit_many(answers, items=items, judges=judges, prior=MEANT)
    deviation = np.sqrt(WIDER * found.variance)
    scores = np.linspace((found.mean - 4 * deviation).min(), (found.mean + 4 * deviation).max(), GRID)
    upto = np.zeros(GRID)  # how many items are expected below each score
    for start in range(0, items, AT_ONCE):
        mean, wide = found.mean[start : start + AT_ONCE, None], deviation[start : start + AT_ONCE, None]
        upto += sigmoid(NORMAL * (scores - mean) / wide).sum(axis=0)
    at = found.mean[:, None] + deviation[:, None] * NODES
    above = np.maximum(items - 0.5 - np.interp(at, scores, upto), 0.0)  # the item itself is half on either side
    reach = NORMAL_AT[level] if level in NORMAL_AT else float(np.log((1 + level) / (1 - level)) / NORMAL)
    ends = found.mean[:, None] + deviation[:, None] * np.array([reach, -reach])
    spans = 1 + items - 0.5 - np.interp(ends, scores, upto)
    beats = _beats(found, answers, scores, upto)
    values = [np.interp(points, scores, beats) for points in (found.mean, ends[:, 1], ends[:, 0])]
    return Chances(
        score=log_odds(values[0]),
        score_low=log_odds(values[1]),
        score_high=log_odds(values[2]),
        rank=1 + above @ MASS,
        rank_low=np.clip(np.floor(spans[:, 0]), 1, items).astype(np.int64),
        rank_high=np.clip(np.ceil(spans[:, 1]), 1, items).astype(np.int64),
        best=_among(above, 1),
        top=_among(above, k),
        beats=values[0],
    )


NORMAL_AT = {0.9: 1.645}  # a normal's reach either side


def _beats(found: ManyScores, answers: CountedAnswers, scores: Floats, upto: Floats) -> Floats:
    """At each score: the chance that an answer like those given prefers it to a random item."""
    heard = np.bincount(answers.judge, weights=answers.times, minlength=len(found.jury.flat))
    flat, steep = heard @ found.jury.flat / heard.sum(), heard @ found.jury.steep / heard.sum()
    share = np.diff(upto, prepend=0.0)
    apart = np.clip(SLOPES[:, None, None] * (scores[:, None] - scores), -MOST_LOGIT, MOST_LOGIT)
    chance: Floats = flat + np.einsum("g,gab,b->a", steep, sigmoid(apart), share / share.sum())
    return chance


def _among(above: Floats, k: int) -> Floats:
    """The chance of each item to be among the first k; they sum to k."""
    wide = np.sqrt(np.maximum(above, 0.25))
    chance = sigmoid(NORMAL * (k - 0.5 - above) / wide) @ MASS
    found: Floats = np.minimum(chance * (min(k, len(above)) / max(float(chance.sum()), 1e-12)), 1.0)
    return found


# ----------------------------------------------------------------------------
# Scores of many items, answer by answer: each item by itself, so that an answer moves two of them and no more.
#
# With thousands of items a covariance of all is too large. Each score is normal with a mean and a variance of
# its own; an answer moves both items to the mean and the variance that they have once it is in, and is then
# forgotten. Who is asked about next: whoever is owed most questions, as the guess has it now, the first places
# first.
OWED_LEAST, OWED_EACH = (
    2.0,
    2.0,
)  # questions for the last place, and more for each halving of those in front
NEAR = 60  # opponents that are looked at, those nearest to the item's score
LEAST = 1e-6  # of a variance


class RunningScores:
    """Means and variances of scores, and what is believed of the judges.

    >>> scores = RunningScores(3, judges=1)
    >>> scores.hear(0, winner=2, loser=0)
    >>> scores.mean.argmax(), scores.mean[1]
    (np.int64(2), np.float64(0.0))
    """

    def __init__(self, items: int, *, judges: int, prior: Floats = PRIOR) -> None:
        self.mean: Floats = np.zeros(items)
        self.variance: Floats = np.ones(items)
        self.prior = prior
        self._like = np.zeros((judges, *prior.shape))
        self._heard = np.zeros(judges)
        self.jury = JudgeLinks.unheard(judges, prior=prior)

    def gaps(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """Mean and variance of x_first - x_second."""
        return self.mean[first] - self.mean[second], self.variance[first] + self.variance[second]

    def hear(self, judge: int, *, winner: int, loser: int, weight: float = 1.0) -> None:
        """One answer; a tie is half an answer each way."""
        gap, spread = self.mean[winner] - self.mean[loser], self.variance[winner] + self.variance[loser]
        slopes = flattened(np.array(spread))
        up = sigmoid(slopes * gap)
        steep, bend = self.jury.steep[judge], slopes * up * (1 - up)
        chance = self.jury.flat[judge] + float(steep @ up)
        first = float(steep @ bend) / chance  # of log chance, by the mean of the gap
        second = float((steep * bend) @ (slopes * (1 - 2 * up))) / chance - first**2
        narrower = min(max(-second, 0.0), 0.95 / spread)
        for item, way in ((winner, 1.0), (loser, -1.0)):
            own = self.variance[item]
            self.mean[item] += weight * way * own * first
            self.variance[item] = max(own - weight * own**2 * narrower, LEAST)
        self._like[judge] += weight * np.log(LAPSES[:, None] + (1 - 2 * LAPSES[:, None]) * up)
        self._heard[judge] += weight
        self.jury = pooled(self._like, self._heard, prior=self.prior)

    def grow(self, *, items: int = 0, judges: int = 0) -> None:
        """More items or judges, of whom nothing is known."""
        self.mean = np.append(self.mean, np.zeros(items))
        self.variance = np.append(self.variance, np.ones(items))
        self._like = np.concatenate([self._like, np.zeros((judges, *self.prior.shape))])
        self._heard = np.append(self._heard, np.zeros(judges))
        self.jury = pooled(self._like, self._heard, prior=self.prior)

    # ------------------------------------------------------------------ whom to ask about
    def owed(self, asked: Ints) -> Floats:
        """How many more questions each item is owed, having been asked about so often.

        >>> RunningScores(4, judges=1).owed(np.zeros(4, np.int64)).round(2).tolist()
        [6.0, 4.0, 2.83, 2.0]
        """
        place = np.empty(len(self.mean))
        place[np.argsort(-self.mean, kind="stable")] = np.arange(1, len(self.mean) + 1)
        due: Floats = OWED_LEAST + OWED_EACH * np.log2(len(place) / place) - asked
        return due

    def opponents(self, item: int, *, luck: Floats) -> Ints:
        """The items nearest to this one on the scale, itself left out; `luck` parts those that look equal."""
        far = np.abs(self.mean - self.mean[item]) + 1e-3 * luck
        far[item] = np.inf
        most = min(NEAR, len(far) - 1)
        near: Ints = np.argpartition(far, most - 1)[:most]
        return near[np.argsort(far[near], kind="stable")]

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        parts = {"mean": self.mean, "variance": self.variance, "like": self._like, "heard": self._heard}
        return {name: part.tolist() for name, part in parts.items()}

    def load(self, state: Mapping[str, Any]) -> None:
        self.mean, self.variance = np.array(state["mean"]), np.array(state["variance"])
        self._heard = np.array(state["heard"])
        self._like = np.array(state["like"]).reshape(len(self._heard), *self.prior.shape)
        if self._heard.any():
            self.jury = pooled(self._like, self._heard, prior=self.prior)

"""Scores of many items, answer by answer: each item by itself, so that an answer moves two of them and no more.

With thousands of items a covariance of all is too large. Each score is normal with a mean and a variance of its
own; an answer moves both items to the mean and the variance that they have once it is in, and is then forgotten.
Who is asked about next: whoever is owed most questions, as the guess has it now, the first places first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from juryrank.rankers.guess.core.link import (
    LAPSES,
    PRIOR,
    Floats,
    Ints,
    JudgeLinks,
    flattened,
    pooled,
    sigmoid,
)

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

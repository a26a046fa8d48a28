"""A rating with active pairs, in the way of Elo and TrueSkill (Herbrich, Minka & Graepel 2006).

Each item has a Gaussian skill. The item known least is shown against the one it would tie with most often;
the winner's mean rises and the loser's falls by how surprising that was, and both become more certain.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.method import Method, best_first

SKILL_SPREAD = 1.0
NOISE = SKILL_SPREAD / 2  # TrueSkill's β: half of the first spread
SQRT2, SQRT_2PI = math.sqrt(2), math.sqrt(2 * math.pi)


class Rating(Method):
    name = "TrueSkill-style ratings"

    def __init__(self, items: int, judges: int, rng: np.random.Generator) -> None:
        super().__init__(items, judges, rng)
        self.mean = np.zeros(items)
        self.variance = np.full(items, SKILL_SPREAD**2)

    def choose(self) -> tuple[int, int, int]:
        i = int(np.argmax(self.variance + 1e-9 * self.rng.random(self.items)))
        spread = 2 * NOISE**2 + self.variance[i] + self.variance
        quality = np.exp(-((self.mean[i] - self.mean) ** 2) / (2 * spread)) / np.sqrt(spread)
        quality[i] = -1.0
        j = int(np.argmax(quality + 1e-9 * self.rng.random(self.items)))
        return self.any_judge(), i, j

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        winner, loser = (i, j) if won else (j, i)
        total = math.sqrt(2 * NOISE**2 + self.variance[winner] + self.variance[loser])
        t = (self.mean[winner] - self.mean[loser]) / total
        surprise = math.exp(-t * t / 2) / SQRT_2PI / max(0.5 * math.erfc(-t / SQRT2), 1e-12)
        shrink = surprise * (surprise + t)
        for item, sign in ((winner, 1), (loser, -1)):
            share = self.variance[item] / total
            self.mean[item] += sign * share * surprise
            self.variance[item] *= max(1 - self.variance[item] / total**2 * shrink, 1e-6)

    def order(self) -> NDArray[np.int64]:
        return best_first(self.mean)

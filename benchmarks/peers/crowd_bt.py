"""Crowd-BT with active pairs, from its paper: Chen, Bennett, Collins-Thompson & Horvitz (WSDM 2013).

Judge u answers by Bradley-Terry with probability η_u and the other way round with 1-η_u. Scores are Gaussian,
η_u is a Beta; after each answer both are matched to the moments of the posterior. As in judging fairs, a judge
comes along, keeps the item just seen, and is shown the other item that promises most information; a quarter
of the time a random one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, digamma

from benchmarks.peers.method import Method, best_first

FIRST_TRUST = (10.0, 1.0)  # Beta prior of η: judges are mostly right
JUDGE_WEIGHT = 0.1  # how much learning about the judge counts beside learning about the items
EXPLORE = 0.25
LEAST_SHRINK = 1e-4  # a variance never falls by more than this factor at once

Array = NDArray[np.float64]


class CrowdBT(Method):
    name = "Crowd-BT, active pairs"

    def __init__(self, items: int, judges: int, rng: np.random.Generator) -> None:
        super().__init__(items, judges, rng)
        self.mean, self.variance = np.zeros(items), np.ones(items)
        self.right, self.wrong = np.full(judges, FIRST_TRUST[0]), np.full(judges, FIRST_TRUST[1])
        self.last_seen = rng.integers(items, size=judges)

    def choose(self) -> tuple[int, int, int]:
        u = self.any_judge()
        i = int(self.last_seen[u])
        others = np.delete(np.arange(self.items), i)
        if self.rng.random() < EXPLORE:
            j = int(self.rng.choice(others))
        else:
            gain = self._gain(u, i, others)
            j = int(others[np.argmax(gain + 1e-12 * self.rng.random(len(others)))])
        self.last_seen[u] = j
        return u, i, j

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        winner, loser = (i, j) if won else (j, i)
        (m_w, m_l, v_w, v_l, right, wrong), _ = self._after(judge, np.array([winner]), np.array([loser]))
        self.mean[winner], self.mean[loser] = m_w[0], m_l[0]
        self.variance[winner], self.variance[loser] = v_w[0], v_l[0]
        self.right[judge], self.wrong[judge] = right[0], wrong[0]

    def order(self) -> NDArray[np.int64]:
        return best_first(self.mean)

    def _gain(self, u: int, i: int, others: NDArray[np.int64]) -> Array:
        """Expected information of showing i against each of the others."""
        here = np.full(len(others), i)
        total = np.zeros(len(others))
        for winner, loser in ((here, others), (others, here)):
            (m_w, m_l, v_w, v_l, right, wrong), chance = self._after(u, winner, loser)
            gain = _normal_gain(m_w, v_w, self.mean[winner], self.variance[winner])
            gain += _normal_gain(m_l, v_l, self.mean[loser], self.variance[loser])
            gain += JUDGE_WEIGHT * _beta_gain(right, wrong, self.right[u], self.wrong[u])
            total += chance * gain
        return total

    def _after(
        self, u: int, winner: NDArray[np.int64], loser: NDArray[np.int64]
    ) -> tuple[tuple[Array, ...], Array]:
        """Means, variances and trust after judge u prefers `winner`; and how likely that was."""
        a, b = self.right[u], self.wrong[u]
        m_w, m_l, v_w, v_l = self.mean[winner], self.mean[loser], self.variance[winner], self.variance[loser]
        top = np.maximum(m_w, m_l)
        e_w, e_l = np.exp(m_w - top), np.exp(m_l - top)
        plain = e_w / (e_w + e_l)  # would win if the judge were right
        trusted = a * e_w / (a * e_w + b * e_l)  # and given that this judge said so
        step = trusted - plain
        curve = trusted * (1 - trusted) - plain * (1 - plain)
        new_m_w, new_m_l = m_w + v_w * step, m_l - v_l * step
        new_v_w = v_w * np.maximum(1 + v_w * curve, LEAST_SHRINK)
        new_v_l = v_l * np.maximum(1 + v_l * curve, LEAST_SHRINK)
        # the chance of winning, averaged over the scores' spread to second order
        agree = np.clip(plain + 0.5 * (v_w + v_l) * plain * (1 - plain) * (1 - 2 * plain), 1e-9, 1 - 1e-9)
        chance = (agree * a + (1 - agree) * b) / (a + b)
        first = (agree * (a + 1) * a + (1 - agree) * a * b) / (chance * (a + b + 1) * (a + b))
        second = (agree * (a + 2) * (a + 1) * a + (1 - agree) * (a + 1) * a * b) / (
            chance * (a + b + 2) * (a + b + 1) * (a + b)
        )
        size = (first - second) / np.maximum(second - first**2, 1e-12)
        return (new_m_w, new_m_l, new_v_w, new_v_l, first * size, (1 - first) * size), chance


def _normal_gain(mean: Array, variance: Array, old_mean: Array, old_variance: Array) -> Array:
    """Kullback-Leibler distance of the new Gaussian from the old one."""
    ratio = variance / old_variance
    gain: Array = 0.5 * (ratio - 1 - np.log(ratio) + (mean - old_mean) ** 2 / old_variance)
    return gain


def _beta_gain(a: Array, b: Array, old_a: float, old_b: float) -> Array:
    both = digamma(a + b)
    gain: Array = betaln(old_a, old_b) - betaln(a, b) + (a - old_a) * (digamma(a) - both)
    return gain + (b - old_b) * (digamma(b) - both)

"""Pairs by information gain in batches, as ASAP chooses them: Mikhailiuk et al. (ICPR 2020).

The posterior of all scores given all answers is a Gaussian (here: Laplace's, of a probit model, with the full
covariance). A pair is worth the mutual information between its answer and the scores. Each batch is the
spanning tree of the items with the most information, so that every item is asked about.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import log_ndtr, ndtr

from benchmarks.peers.method import Method, best_first

PRIOR_VARIANCE = 4.0
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
NEWTON_STEPS = 8

Array = NDArray[np.float64]


class InformationGain(Method):
    name = "information gain (ASAP-style)"

    def __init__(self, items: int, judges: int, rng: np.random.Generator) -> None:
        super().__init__(items, judges, rng)
        self.wins = np.zeros((items, items))
        self.mean, self.covariance = np.zeros(items), PRIOR_VARIANCE * np.eye(items)
        self.batch: list[tuple[int, int]] = []

    def choose(self) -> tuple[int, int, int]:
        if not self.batch:
            self._fit()
            tree = minimum_spanning_tree(_cost(self._information(), self.rng)).tocoo()
            self.batch = [(int(i), int(j)) for i, j in zip(tree.row, tree.col, strict=True)]
            self.rng.shuffle(self.batch)
        i, j = self.batch.pop()
        return self.any_judge(), i, j

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        self.wins[(i, j) if won else (j, i)] += 1

    def order(self) -> NDArray[np.int64]:
        return best_first(self.mean)

    def _fit(self) -> None:
        """Newton's method from the last posterior mean."""
        asked = self.wins > 0
        for _ in range(NEWTON_STEPS):
            gap = self.mean[:, None] - self.mean[None, :]
            slope = np.where(asked, np.exp(-(gap**2) / 2 - log_ndtr(gap)) / np.sqrt(2 * np.pi), 0.0)
            bend = self.wins * slope * (slope + gap)
            push = (self.wins * slope).sum(axis=1) - (self.wins * slope).sum(axis=0) - self.mean / PRIOR_VARIANCE
            both = bend + bend.T
            precision = np.diag(both.sum(axis=1) + 1 / PRIOR_VARIANCE) - both
            step = np.linalg.solve(precision, push)
            self.mean = self.mean + step
            if np.abs(step).max() < 1e-4:
                break
        self.covariance = np.linalg.inv(precision)

    def _information(self) -> Array:
        """Mutual information between the answer to each pair and the scores."""
        variance = np.diag(self.covariance)
        spread = np.maximum(variance[:, None] + variance[None, :] - 2 * self.covariance, 1e-12)
        gap = self.mean[:, None] - self.mean[None, :]
        inside = sum(w * _entropy(ndtr(gap + np.sqrt(spread) * x)) for x, w in zip(NODES, WEIGHTS, strict=True))
        information: Array = _entropy(ndtr(gap / np.sqrt(1 + spread))) - inside
        return information


def _entropy(p: Array) -> Array:
    p = np.clip(p, 1e-12, 1 - 1e-12)
    entropy: Array = -p * np.log(p) - (1 - p) * np.log(1 - p)
    return entropy


def _cost(information: Array, rng: np.random.Generator) -> Array:
    """From 1 (most information) to 2, ties broken at random; one triangle, as a pair is one edge."""
    worth = information / max(information.max(), 1e-300) + 1e-6 * rng.random(information.shape)
    return np.triu(2.0 - worth, 1)

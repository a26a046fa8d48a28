"""Where the search starts: strengths from elsewhere, with a width each. They are a guess, and never evidence.

A strength m with width w counts as one look at the item's strength that is off by about w, and by a drift that all
share: what changed since. How large the drift is, today's answers say: each drift has its likelihood, and a start
that they contradict ends with next to no weight.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.jury.core.evidence import Floats

DRIFTS = np.array([0.15, 0.4, 0.8, 50.0])  # of a strength, in log-odds; the last one: the start says nothing
Places = NDArray[np.int64]
NODES, SHARES = np.polynomial.hermite_e.hermegauss(15)  # of a normal distribution
USUAL_DRIFT = 0.4
CONFIRMED, HALF_HEARD, DROPPED = 0.05, 0.3, 0.75  # how likely it is that the start says nothing: up to the first
# it counts in full, from the second on not at all, and from the third on it is not looked at any more
SAME = 9  # digits kept: processors differ in the sixteenth, and equal systems must come out equal


class Start:
    """Strengths in log-odds with their widths, for the first items; None: nothing is known of that item.

    >>> start = Start([(1.0, 0.3), (-1.0, 0.3), None])
    >>> start.means.tolist(), start.weights(3).tolist()
    ([1.0, -1.0, 0.0], [0.712957594, 0.712957594, 0.0])
    """

    def __init__(self, strengths: Sequence[tuple[float, float] | None]) -> None:
        self.known = np.array([one is not None for one in strengths], dtype=bool)
        means = np.array([0.0 if one is None else one[0] for one in strengths])
        middle = means[self.known].mean() if self.known.any() else 0.0
        self.means: Floats = np.where(self.known, means - middle, 0.0)  # only differences mean something
        self.widths: Floats = np.array([1.0 if one is None else one[1] for one in strengths])
        self.trust: Floats = np.ones(len(DRIFTS)) / len(DRIFTS)  # of each drift: how likely it is now

    def _each(self) -> Floats:
        """drifts x items: the weight of each look."""
        found: Floats = np.where(self.known, 1 / (self.widths**2 + DRIFTS[:, None] ** 2), 0.0)
        return found

    def weights(self, items: int) -> Floats:
        """The weight of each item's look now: none unless today's answers speak for it."""
        found = np.zeros(items)
        heard = min(max((HALF_HEARD - self.trust[-1]) / (HALF_HEARD - CONFIRMED), 0.0), 1.0)
        found[: len(self.means)] = np.round(heard * (self.trust @ self._each()), SAME)
        return found

    def gap(self, better: int, worse: int) -> tuple[float, float]:
        """How far one item is ahead of another before any answer, and the standard deviation of that."""
        if max(better, worse) >= len(self.means) or not (self.known[better] and self.known[worse]):
            return 0.0, 0.0
        widths = self.widths[[better, worse]] ** 2 + USUAL_DRIFT**2
        return float(self.means[better] - self.means[worse]), float(np.sqrt(widths.sum()))

    def learn(self, i: Places, j: Places, size: Floats, share: Floats, *, strength: float, pair: float) -> None:
        """How likely each drift is, by today's answers: `size` of them about (i, j), of which i got a `share`.

        `strength`, `pair`: the variances of a strength and of a pair's own deviation, where nothing is known.
        """
        each = self._each() + 1 / strength
        means, spreads = (each - 1 / strength) * self.means / each, 1 / each
        gap = means[:, i] - means[:, j]
        wide = np.sqrt(spreads[:, i] + spreads[:, j] + pair)
        odds = gap[:, :, None] + wide[:, :, None] * NODES
        won = -np.logaddexp(0.0, -odds)  # log p
        likely = (size * share)[:, None] * won + (size * (1 - share))[:, None] * (won - odds)
        top = likely.max(axis=2)
        logs = (top + np.log(np.exp(likely - top[:, :, None]) @ SHARES)).sum(axis=1)
        trust = np.exp(logs - logs.max())
        self.trust = np.asarray(trust / trust.sum(), dtype=np.float64)

"""One judge's answers to gold pairs, counted as they come, and when they refute the judge.

A judge is refuted once, with r right of n first answers, the uniform mixture of all accuracies is 20 times
likelier than one half: 2^-n < r! (n-r)! / (n+1)! / 20. In whole numbers: 20 (n+1) C(n, r) < 2^n, with r < n/2.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field

ODDS = 20  # 1/0.05: a judge at one half or above is ever refuted with a chance of 5 % at most
CHOICES = ("left", "right")
CLOSE = 1e-6  # of logs: far more than their rounding


@dataclass(slots=True)
class GoldScore:
    """How many gold pairs a judge decided, and how many rightly, by the first answer to each."""

    decided: int = 0
    right: int = 0
    seen: set[Hashable] = field(default_factory=set)

    def add(self, pair: Hashable, answer: str, better: str) -> None:
        """One more answer."""
        if pair not in self.seen:
            self.seen.add(pair)
            self.decided += answer in CHOICES
            self.right += answer == better


def below_half(decided: int, right: int) -> bool:
    """Is the judge surely wrong more often than right?

    >>> below_half(7, 0), below_half(8, 0), below_half(8, 8)
    (False, True, False)
    """
    if 2 * right >= decided:
        return False
    ways = math.lgamma(decided + 1) - math.lgamma(right + 1) - math.lgamma(decided - right + 1)
    beyond = decided * math.log(2) - math.log(ODDS * (decided + 1)) - ways
    if abs(beyond) > CLOSE * max(1.0, ways):
        return beyond > 0
    return bool(ODDS * (decided + 1) * math.comb(decided, right) < 2**decided)

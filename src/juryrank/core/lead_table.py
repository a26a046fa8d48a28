"""Evidence that a majority prefers i to j: K = 2^n ∫_½^1 2 p^w (1-p)^l dp after w answers for, l against.

K bets on every share p between ½ and 1 at once. If the true share is at most ½, K is a nonnegative
supermartingale of mean at most 1, so it ever reaches 1/α with probability at most α (Ville). It depends on
the tally alone, never on who answered, and it is a ratio of whole numbers:

    K(w, l) = Σ_{j ≤ w} C(n+1, j) / ((n+1) C(n, w)),        n = w + l

so the test "K ≥ 1/α" becomes an exact table of integers: the lead w - l needed after n answers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadInput

LOG2 = math.log(2.0)


class LeadTable:
    """The lead that settles a pair after n answers, at level α; grows as it is read.

    >>> table = LeadTable(0.1 / 45)     # δ = 0.1, ten items, all pairs at once
    >>> [table.lead(n) for n in (12, 20, 40, 80, 160)]
    [12, 16, 24, 36, 50]
    >>> table.settles(11, 0), table.settles(12, 0)
    (False, True)
    """

    def __init__(self, level: float) -> None:
        if not 0 < level < 1:
            raise BadInput(f"the level α is {level!r}; it is a probability strictly between 0 and 1")
        self.level = level
        exact = Fraction(level)
        self._num, self._den = exact.numerator, exact.denominator
        self._wins: list[int] = []  # by n: the least number of wins that settles (n + 1: none does)
        self._choose, self._below = 1, 1  # C(n, w) and Σ_{j ≤ w} C(n+1, j) at the last entry

    @property
    def fewest(self) -> int:
        """How many unanimous answers settle a pair."""
        n = 0
        while self.lead(n) > n:
            n += 1
        return n

    def lead(self, n: int) -> int:
        """The least lead that settles after n answers; more than n where none does."""
        while len(self._wins) <= n:
            self._grow()
        return 2 * self._wins[n] - n

    def settles(self, wins: int, losses: int) -> bool:
        """Is K(wins, losses) ≥ 1/α?"""
        return wins - losses >= self.lead(wins + losses)

    def leads(self, upto: int) -> NDArray[np.int64]:
        """The leads after 0 .. `upto` answers."""
        self.lead(upto)
        wins = np.array(self._wins[: upto + 1], dtype=np.int64)
        return 2 * wins - np.arange(upto + 1)

    def _grow(self) -> None:
        """The entry after the last: the least w moves by 0 or 1 with each answer, as K falls with a loss."""
        n = len(self._wins)
        if n == 0 or self._wins[-1] > n - 1:  # nothing settled yet: try unanimity
            self._choose, self._below = 1, 2 ** (n + 1) - 1
            self._wins.append(n if self._enough(n) else n + 1)
            return
        w = self._wins[-1]
        bigger = self._choose * n // (n - w)  # C(n, w) from C(n-1, w)
        below = 2 * self._below - bigger
        self._choose, self._below = bigger, below
        if self._enough(n):
            self._wins.append(w)
            return
        self._below = below + math.comb(n + 1, w + 1)
        self._choose = bigger * (n - w) // (w + 1)
        self._wins.append(w + 1)

    def _enough(self, n: int) -> bool:
        return self._below * self._num >= (n + 1) * self._choose * self._den


@lru_cache(maxsize=200_000)
def log_evidence(wins: int, losses: int) -> float:
    """ln K(wins, losses).

    >>> round(math.exp(log_evidence(12, 0)), 2)     # (2^13 - 1) / 13
    630.08
    """
    n = wins + losses
    whole = (n + 1) * LOG2 + math.lgamma(wins + 1) + math.lgamma(losses + 1) - math.lgamma(n + 2)
    return whole + math.log(share_up_to(wins, n + 1))


def share_up_to(w: int, n: int) -> float:
    """P(Binomial(n, ½) ≤ w), summed from the nearer end so that the terms fall.

    >>> round(share_up_to(0, 3), 9), round(share_up_to(2, 3), 9)
    (0.125, 0.875)
    """
    if 2 * w >= n:
        return 1.0 if w >= n else 1.0 - share_up_to(n - w - 1, n)
    term = math.exp(math.lgamma(n + 1) - math.lgamma(w + 1) - math.lgamma(n - w + 1) - n * LOG2)
    total = term
    for j in range(w, 0, -1):
        term *= j / (n - j + 1)
        total += term
        if term < total * 1e-17:
            break
    return total

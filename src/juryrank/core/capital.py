"""Evidence from a tally alone: the capital of a gambler who bets that a coin is not fair.

Given the past, each answer is a coin. If it falls "for" with probability at most ½, the one-sided capital is
a nonnegative supermartingale that starts at 1, so it ever reaches 1/α with probability at most α (Ville),
however many questions are asked and whenever one looks. Nothing depends on who answers or in which order.

    one-sided   K(w, l) = 2^n ∫_½^1 2 p^w (1-p)^l dp = 2^(n+1) B(w+1, l+1) P(Bin(n+1, ½) ≤ w),   n = w + l
    two-sided   D(w, l) = 2^n ∫_0^1   p^w (1-p)^l dp = 2^n B(w+1, l+1)
"""

from __future__ import annotations

import math
from functools import lru_cache

LOG2 = math.log(2.0)


def _log_beta(w: float, l: float) -> float:  # noqa: E741 - w for, l against, as in the formulas
    """log B(w+1, l+1)."""
    return math.lgamma(w + 1) + math.lgamma(l + 1) - math.lgamma(w + l + 2)


@lru_cache(maxsize=1 << 16)
def log_capital(wins: int, losses: int) -> float:
    """log K: evidence that "for" is likelier than not.

    >>> round(math.exp(log_capital(0, 0)), 6), round(math.exp(log_capital(12, 0)), 1)  # 2^13/13, nearly
    (1.0, 630.1)
    >>> log_capital(3, 9) < 0
    True
    """
    n = wins + losses
    return (n + 1) * LOG2 + _log_beta(wins, losses) + _log_lower_tail(n + 1, wins)


def log_two_sided(wins: int, losses: int) -> float:
    """log D: evidence that the coin is not fair, in either direction.

    >>> round(math.exp(log_two_sided(10, 0)), 2)  # 2^10/11
    93.09
    """
    return (wins + losses) * LOG2 + _log_beta(wins, losses)


def _log_lower_tail(n: int, k: int) -> float:
    """log P(Bin(n, ½) ≤ k)."""
    if 2 * k >= n:  # the upper tail is the smaller one: subtract it
        return math.log1p(-math.exp(_log_lower_tail(n, n - k - 1))) if k < n else 0.0
    # terms shrink towards 0 at least as fast as k/(n-k+1) < 1: stop when they no longer matter
    log_top = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * LOG2
    total, term, j = 1.0, 1.0, k
    while j > 0 and term > 1e-17 * total:
        term *= j / (n - j + 1)
        total += term
        j -= 1
    return log_top + math.log(total)

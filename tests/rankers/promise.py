"""Is a promise broken more often than chance explains?"""

from __future__ import annotations

import math


def too_often(wrong: int, runs: int, allowed: float, confidence: float = 0.99) -> bool:
    """Is the one-sided Clopper-Pearson lower bound of the failure rate above `allowed`?

    The bound exceeds `allowed` exactly when so many failures have a chance below 1 - confidence at that rate.
    """
    tail = sum(math.comb(runs, k) * allowed**k * (1 - allowed) ** (runs - k) for k in range(wrong, runs + 1))
    return tail < 1 - confidence

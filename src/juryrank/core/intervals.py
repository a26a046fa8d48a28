"""Intervals for a judge's accuracy, for people to read (no promise depends on them)."""

from __future__ import annotations

import math

NORMAL_95 = 1.959964  # the 97.5 % quantile of the normal law


def wilson(right: float, answered: float) -> tuple[float, float]:
    """The 95 % Wilson score interval for a share.

    >>> low, high = wilson(90, 100)
    >>> round(low, 3), round(high, 3)
    (0.826, 0.945)
    """
    if answered <= 0:
        return 0.0, 1.0
    share, z2 = right / answered, NORMAL_95**2
    centre = (share + z2 / (2 * answered)) / (1 + z2 / answered)
    half = NORMAL_95 / (1 + z2 / answered) * math.sqrt(share * (1 - share) / answered + z2 / (4 * answered**2))
    return max(centre - half, 0.0), min(centre + half, 1.0)

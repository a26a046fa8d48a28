"""Rounding on the safe side: what speaks for a claim is rounded down, what a claim needs is rounded up.

Sums, products and quotients of doubles are right to half a unit in the last place (IEEE 754), which is relatively
u = 2^-53. That log, log1p and exp of the C library and of numpy are within four units, 8 u, is taken for granted;
those in use state one, and four at most. So whatever a formula here makes of a few of them is off by less than
ERROR = 32 u times the sum of the absolute values of its terms, and one more step to the next double covers the
rest, down to the smallest numbers there are:

    below(x, size) ≤ the exact value ≤ above(x, size)

No claim rests on less than this: it is confirmed where evidence rounded down reaches what is needed, rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

ERROR = 2.0**-48


def below(value: float, size: float | None = None) -> float:
    """Surely not more than what was meant; `size`: the absolute values of the terms, added up.

    >>> below(math.log(3)) < math.log(3), math.log(3) - below(math.log(3)) < 1e-14, below(0.0) < 0
    (True, True, True)
    """
    return math.nextafter(value - ERROR * (abs(value) if size is None else size), -math.inf)


def above(value: float, size: float | None = None) -> float:
    """Surely not less than what was meant.

    >>> above(-1.0) > -1.0
    True
    """
    return math.nextafter(value + ERROR * (abs(value) if size is None else size), math.inf)


def below_all(values: NDArray[np.float64], sizes: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The same of many at once."""
    found: NDArray[np.float64] = np.nextafter(
        values - ERROR * (np.abs(values) if sizes is None else sizes), -np.inf
    )
    return found


def step_down(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One addition each, rounded down."""
    found: NDArray[np.float64] = np.nextafter(values, -np.inf)
    return found


def needed_at(level: Fraction) -> float:
    """ln(1/α), rounded up: the logarithm of the evidence that proves a claim at this level.

    >>> 0 < needed_at(Fraction(1, 25)) - math.log(25) < 1e-13
    True
    """
    parts = math.log(level.denominator), math.log(level.numerator)
    return above(parts[0] - parts[1], sum(parts))

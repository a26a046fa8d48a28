"""Intervals for a share, such as a judge's accuracy, for people to read (no promise depends on them)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with its 95 % interval (Wilson).

    >>> print(Share(9, 10)), print(Share(0, 0))
    90% (60% to 98%)
    -
    (None, None)
    """

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share; one half where nothing was counted."""
        return self.part / self.whole if self.whole else 0.5

    @property
    def low(self) -> float:
        return wilson(self.part, self.whole)[0]

    @property
    def high(self) -> float:
        return wilson(self.part, self.whole)[1]

    def __str__(self) -> str:
        return f"{self.value:.0%} ({self.low:.0%} to {self.high:.0%})" if self.whole else "-"


ANY_TIME = 0.05  # a confidence sequence misses the share at any moment with at most this chance


@lru_cache(maxsize=4096)  # it is asked for after every answer, mostly with the same numbers
def confidence_sequence(right: int, asked: int) -> tuple[float, float]:
    """An interval for a share that holds at every moment at once, however often one looks (chance 95 %).

    A share is refuted once the mixture of all alternatives (uniform) is 20 times likelier than it (Ville).

    >>> low, high = confidence_sequence(30, 30)
    >>> low > 0.7, high
    (True, 1.0)
    """
    return _end(right, asked, upper=False), _end(right, asked, upper=True)


def surely_below_half(right: int, asked: int, *, odds: int = round(1 / ANY_TIME)) -> bool:
    """Does the confidence sequence end below one half? In whole numbers, so that every machine says the same.

    `odds` 1/α: of one that is right half of the time it is ever said with a chance of at most α.

    >>> surely_below_half(0, 7), surely_below_half(0, 8), surely_below_half(8, 8)
    (False, True, False)
    """
    return 2 * right < asked and odds * (asked + 1) * math.comb(asked, right) < 2**asked


def _end(right: int, asked: int, *, upper: bool) -> float:
    if (upper and right == asked) or (not upper and right == 0):
        return 1.0 if upper else 0.0
    mixture = math.lgamma(right + 1) + math.lgamma(asked - right + 1) - math.lgamma(asked + 2)
    bound = mixture + math.log(ANY_TIME)  # log-likelihoods below this are refuted
    inside, outside = right / asked, (1.0 if upper else 0.0)
    for _ in range(60):
        middle = (inside + outside) / 2
        wins = right * math.log(middle) if right else 0.0
        losses = (asked - right) * math.log1p(-middle) if asked > right else 0.0
        if wins + losses < bound:
            outside = middle
        else:
            inside = middle
    return outside


# ----------------------------------------------------------------------------
# Quantiles of Student's t with numpy alone.
GRID = 20_001  # points on a quarter turn: relative error below 1e-5 at the levels used
AS_NORMAL = 20_000.0  # degrees of freedom beyond which t and the normal law agree to four digits
FEW, STEP = (
    30.0,
    1.02,
)  # degrees beyond which 2 % fewer are as good: thousands of items share a few hundred quantiles


def t_quantile(level: float, degrees: float) -> float:
    """The t with P(|T| <= t) = level.

    With t = sqrt(ν) tan θ the density becomes cos^(ν-1) θ, which has no tail to cut off.

    >>> round(t_quantile(0.95, 9), 4), round(t_quantile(0.95, 1e9), 3)
    (2.2622, 1.96)
    """
    return _quantile(level, round(min(max(degrees, 1.0), AS_NORMAL), 2))


def t_quantiles(level: float, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """One for each number of degrees of freedom."""
    many = np.clip(degrees, 1.0, AS_NORMAL)
    near = np.where(many < FEW, np.round(many, 1), FEW * STEP ** np.floor(np.log(many / FEW) / math.log(STEP)))
    known, back = np.unique(near, return_inverse=True)
    return np.array([_quantile(level, float(nu)) for nu in known])[back].reshape(degrees.shape)


@lru_cache(maxsize=4096)
def _quantile(level: float, nu: float) -> float:
    angle = np.linspace(0, math.pi / 2, GRID)
    with np.errstate(divide="ignore"):
        density = np.exp((nu - 1) * np.log(np.cos(angle))) if nu > 1 else np.ones(GRID)
    mass = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
    return math.sqrt(nu) * math.tan(float(np.interp(level * mass[-1], mass, angle)))

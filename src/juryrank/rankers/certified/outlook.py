"""What lies ahead of a certified ranking: how many questions, and which links by when. A guess with an interval.

Costs of parts add up (means and variances). How good the judges are is not known, so everything is computed for
each accuracy they may have, and mixed. A sum of questions is taken as log-normal. Nothing here promises
anything or chooses a question; `python -m benchmarks.forecast` shows how often the intervals hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LOW, MIDDLE, HIGH = 0.05, 0.5, 0.95  # an interval should hold nine times out of ten
NEVER = 1e9  # questions


@dataclass(frozen=True, slots=True)
class Costs:
    """Questions that something takes: mean and variance, for each accuracy that the judges may have."""

    mean: Floats
    variance: Floats

    def __add__(self, other: Costs) -> Costs:
        return Costs(self.mean + other.mean, self.variance + other.variance)

    def times(self, count: float) -> Costs:
        """The same, `count` times over, independently."""
        return Costs(self.mean * count, self.variance * count)

    def spread(self, share: float) -> Costs:
        """With more variance, for what the model leaves out: a standard deviation of this share of the mean."""
        return Costs(self.mean, self.variance + (share * self.mean) ** 2)

    def within(self, questions: float) -> Floats:
        """The chance that so many questions are enough.

        >>> Costs(np.array([100.0]), np.array([400.0])).within(100).round(2).tolist()
        [0.54]
        """
        if questions <= 0:
            return np.zeros(len(self.mean))
        spread = np.log1p(self.variance / self.mean**2)
        z = (math.log(questions) - np.log(self.mean) + spread / 2) / np.sqrt(spread)
        return np.array([0.5 * math.erfc(-one / math.sqrt(2)) for one in z])


@dataclass(frozen=True, slots=True)
class Span:
    """A number of questions: the middle of what is expected, and an interval."""

    questions: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Step:
    """A link to be claimed: its own cost, the cost of everything until then, the chance of getting that far."""

    link: int
    alone: float
    costs: Costs
    holds: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """The rest of a ranking; `steps` in the order in which links may be claimed."""

    weights: Floats  # of the judges' possible accuracies
    search: Costs | None  # until the list is fixed; None: it is
    steps: tuple[Step, ...]
    proof: Costs | None  # until the last link is claimed, if this list holds; None: out of reach
    holds: float  # the chance that it does
    again: Costs  # what another attempt takes

    def fixed(self) -> Span | None:
        """Questions until the list is fixed; None: it is."""
        search = self.search
        return None if search is None else span(lambda asked: float(self.weights @ search.within(asked)))

    def chances(self, questions: int) -> list[tuple[int, float]]:
        """The links to come, each with the chance that it is claimed by then."""
        return [(one.link, one.holds * float(self.weights @ one.costs.within(questions))) for one in self.steps]

    def whole(self) -> Span | None:
        """Questions until every link is claimed; None: these judges will hardly get there."""
        proof = self.proof
        if proof is None or not self.steps:
            return None if proof is None else Span(0, 0, 0)
        longer = proof + self.again

        def within(asked: float) -> float:
            mixed = self.holds * proof.within(asked) + (1 - self.holds) * longer.within(asked)
            return float(self.weights @ mixed)

        return span(within)


def span(within: Callable[[float], float]) -> Span | None:
    """Middle and interval of a number of questions, from the chance that so many are enough.

    >>> span(lambda asked: min(1.0, asked / 100))
    Span(questions=50, low=5, high=95)
    """
    middle, low, high = (_quantile(within, share) for share in (MIDDLE, LOW, HIGH))
    return None if high >= NEVER else Span(middle, low, high)


def _quantile(within: Callable[[float], float], share: float) -> int:
    high = 1.0
    while within(high) < share and high < NEVER:
        high *= 2
    low = 0.0
    while high - low > max(0.25, low / 500):
        middle = (low + high) / 2
        low, high = (low, middle) if within(middle) >= share else (middle, high)
    return max(1, round(high))

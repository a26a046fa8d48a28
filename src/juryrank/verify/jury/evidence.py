"""The evidence of a claim, written a second time and in plain numbers: S, B, λ, E for one resolution at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MEANS = (0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
RISK = 0.95
LEAST_VARIANCE = 0.03
TRUST = 20.0  # answers that the search's mean square is worth
FLAT = 0.02
LEAST_SPREAD = 0.05
TINY = 1e-12
UNCHOSEN = (0.2, 0.4)  # mean and spread of a prior that nobody chose


@dataclass(frozen=True, slots=True)
class Before:
    """A pair before one cell counts, from the side of a claim."""

    answers: float  # Σ v x
    answered: float  # Σ v of answers
    against: float  # Σ v of what counts against the claim
    open: Sequence[tuple[float, float]]  # (weight of the open cells, chance) of each judge that could be drawn
    square: float

    def seen(self, epsilon: float) -> float:
        """S."""
        return self.answers + 2 * epsilon * self.answered + (2 * epsilon - 1) * self.against


class Wealth:
    """log of each alternative's stake, for one claim at one resolution."""

    def __init__(self, epsilon: float, mean: float, spread: float) -> None:
        self.epsilon = epsilon
        width = LEAST_SPREAD + spread
        stakes = [math.exp(-0.5 * ((g - 2 * epsilon - mean) / width) ** 2) + FLAT for g in MEANS]
        total = math.fsum(stakes)
        self._logs = [math.log(stake / total) for stake in stakes]

    def bet(self, before: Before, payoff: float, z: float) -> None:
        """One cell: E ← E (1 + λ Y) for each alternative."""
        seen = before.seen(self.epsilon)
        most = max(weight / chance for weight, chance in before.open)
        bound = max(most * (1 - 2 * self.epsilon) - seen, TINY)
        y = seen + payoff * z
        for at, mean in enumerate(MEANS):
            stake = min(max(self._ideal(before, seen, mean), 0.0), RISK / bound)
            self._logs[at] += math.log1p(stake * y)

    def _ideal(self, before: Before, seen: float, mean: float) -> float:
        """mean Y / mean Y² if the cells left have this mean z."""
        left = math.fsum(weight for weight, _ in before.open)
        factor = math.fsum(weight * weight / chance for weight, chance in before.open)
        spread = max(before.square - (mean - 2 * self.epsilon) ** 2, LEAST_VARIANCE)
        squared = factor * (spread + mean * mean) + 2 * seen * left * mean + seen * seen
        return (seen + left * mean) / max(squared, TINY)

    @property
    def log(self) -> float:
        """log E."""
        top = max(self._logs)
        return top + math.log(math.fsum(math.exp(value - top) for value in self._logs))

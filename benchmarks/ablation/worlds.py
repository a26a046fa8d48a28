"""Worlds that no constant was chosen on: every run draws its own jury, and its own gaps between the items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from juryrank.simulation import Bernoulli, Btl, World, Wst

Draw = Callable[[np.random.Generator, int], World]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of world."""

    name: str
    items: int
    draw: Draw  # from (rng, items)
    parallel: int = 1
    delta: float = 0.1
    fewer: int = 1  # so many times fewer runs


def beta(judges: int, a: float, b: float) -> Draw:
    """Accuracies ½ + ½ Beta(a, b)."""
    return lambda rng, items: Bernoulli(tuple(0.5 + 0.499 * rng.beta(a, b, judges)))


def spam(judges: int, good: int) -> Draw:
    """A few good judges among many who hardly know anything."""
    return lambda rng, items: Bernoulli((*rng.uniform(0.8, 0.95, good), *rng.uniform(0.5, 0.52, judges - good)))


def alike(judges: int) -> Draw:
    return lambda rng, items: Bernoulli((float(rng.uniform(0.65, 0.95)),) * judges)


def gaps(judges: int, least: float, most: float) -> Draw:
    """Bradley-Terry: uneven gaps, judges of uneven sharpness."""
    return lambda rng, items: Btl(
        tuple(rng.uniform(0.5, 3.0, judges)),
        scores=tuple(np.concatenate([[0.0], np.cumsum(rng.uniform(least, most, items - 1))])),
    )


def hard_gaps(judges: int) -> Draw:
    """Bradley-Terry: every other pair of neighbours is so close that nearly all questions go there."""

    def draw(rng: np.random.Generator, items: int) -> World:
        each = [rng.uniform(1.0, 1.5) if k % 2 else rng.uniform(0.12, 0.25) for k in range(items - 1)]
        return Btl(tuple(rng.uniform(0.5, 3.0, judges)), scores=tuple(np.cumsum([0.0, *each])))

    return draw


def own(judges: int) -> Draw:
    """Every pair has a difficulty of its own."""
    return lambda rng, items: Wst(tuple(rng.uniform(0.3, 1.0, judges)), least=0.15, seed=int(rng.integers(2**31)))


KINDS = (
    Kind("12 judges, Beta(2,3), N = 10", 10, beta(12, 2, 3)),
    Kind("3 judges, Beta(2,2), N = 10", 10, beta(3, 2, 2), delta=0.05),
    Kind("40 judges, Beta(1,3), N = 10", 10, beta(40, 1, 3)),
    Kind("25 judges, Beta(2,3), N = 30", 30, beta(25, 2, 3), delta=0.05),
    Kind("50 alike, N = 30", 30, alike(50)),
    Kind("3 of 30 good, rest spam, N = 30", 30, spam(30, 3)),
    Kind("40 judges, Beta(1,2), N = 100", 100, beta(40, 1, 2)),
    Kind("20 judges, Beta(2,4), N = 100, 10 open", 100, beta(20, 2, 4), parallel=10, fewer=2),
    Kind("20 judges, Beta(3,3), N = 100, 100 open", 100, beta(20, 3, 3), parallel=100, fewer=2),
    Kind("7 judges, Beta(3,2), N = 300", 300, beta(7, 3, 2), fewer=4),
    Kind("gaps 0.3-2, 8 judges, N = 10", 10, gaps(8, 0.3, 2.0)),
    Kind("gaps 0.2-2, 15 judges, N = 30", 30, gaps(15, 0.2, 2.0)),
    Kind("gaps 0.3-2, 15 judges, N = 30, 10 open", 30, gaps(15, 0.3, 2.0), parallel=10),
    Kind("gaps 0.3-2, 10 judges, N = 100", 100, gaps(10, 0.3, 2.0), fewer=2),
    Kind("gaps 0.12-0.25 and 1-1.5, 12 judges, N = 20", 20, hard_gaps(12), fewer=2),
    Kind("pairs of their own, 10 judges, N = 30", 30, own(10)),
)

"""Hard small worlds: ties everywhere, circles, judges who contradict each other, one link just false, and more."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks.jury.play import Answers


@dataclass(frozen=True)
class HardWorld:
    """A world, what is asked of it, and at which resolutions."""

    name: str
    answers: Answers
    objective: str
    resolution: tuple[float, ...]


def cells(judges: int, cases: int, plus: int, *, ties: int = 0, seed: int = 0) -> np.ndarray:
    """A pair's table with `plus` cells of +1 and `ties` of 0, the others -1, in random order."""
    total = judges * cases * 2
    flat = [1.0] * plus + [0.0] * ties + [-1.0] * (total - plus - ties)
    random.Random(seed).shuffle(flat)
    return np.array(flat).reshape(judges, cases, 2)


def even(items: int, judges: int, cases: int, lead: Callable[[int, int], int], *, ties: int = 0) -> Answers:
    """Every pair half and half, with `lead` cells more for the first item."""
    half = (judges * cases * 2 - ties) // 2
    return Answers(
        {
            (i, j): cells(judges, cases, half + lead(i, j), ties=ties, seed=17 * i + j)
            for i, j in combinations(range(items), 2)
        }
    )


def contrary(items: int, cases: int, lead: int) -> Answers:
    """Two judges who always contradict each other on the first pair, one of them `lead` cells off."""
    found = even(items, 2, cases, lambda i, j: cases)
    block = np.ones((2, cases, 2))
    block[1] = -1.0
    flat = block[0].reshape(-1)
    flat[: -lead if lead < 0 else 0] = -1.0
    found.values[0, 1] = block
    return found


def refusing(items: int, cases: int) -> Answers:
    """Unwelcome answers about the first pair are refused half of the time; what is left is just against it."""
    found = even(items, 1, cases, lambda i, j: cases // 2)
    said = cells(1, cases, cases - 1, seed=4)
    refused = np.flatnonzero(said.reshape(-1) > 0)[: cases // 3]
    said.reshape(-1)[refused] = np.nan
    found.values[0, 1] = said
    return found


def fresh(items: int, judges: int, chance: Callable[[int, int, int], float]) -> Answers:
    """Chances of +1 per pair and judge, drawn anew each time."""
    return Answers(
        {
            (i, j): np.repeat([chance(i, j, u) for u in range(judges)], 4).reshape(judges, 2, 2).astype(float)
            for i, j in combinations(range(items), 2)
        },
        fresh=True,
    )


def circle(i: int, j: int) -> int:
    return -2 if (i, j) == (0, 2) else 2


def first_just_false(i: int, j: int) -> int:
    return -1 if (i, j) == (0, 1) else 6


FINE, FALLING = (0.0,), (0.1, 0.05, 0.02, 0.0)


def hard_worlds() -> list[HardWorld]:
    """N = 2, 3, 4 with 1 to 3 judges and 6 to 40 cells per pair, and some with fresh answers."""
    return [
        HardWorld("two equal, 6 cells", even(2, 1, 3, lambda i, j: 0), "best", FINE),
        HardWorld("two, one cell apart, 10 cells", even(2, 1, 5, lambda i, j: 1), "best", FINE),
        HardWorld("two, one cell apart, 40 cells", even(2, 2, 10, lambda i, j: -1), "best", FALLING),
        HardWorld("three equal, best", even(3, 1, 10, lambda i, j: 0), "best", FINE),
        HardWorld("three equal, order", even(3, 1, 10, lambda i, j: 0), "order", FINE),
        HardWorld("three equal with ties", even(3, 1, 10, lambda i, j: 0, ties=8), "order", (0.05,)),
        HardWorld("one tie among clear pairs", even(3, 1, 15, lambda i, j: 0 if j == 1 else 9), "order", FINE),
        HardWorld("circle of three, best", even(3, 1, 10, circle), "best", FINE),
        HardWorld("circle of three, order", even(3, 2, 10, circle), "order", FALLING),
        HardWorld("circle of three, top 2", even(3, 1, 10, circle), "top-2", FINE),
        HardWorld("judges contradict, just false", contrary(3, 10, -1), "order", FINE),
        HardWorld("judges contradict, just true", contrary(3, 10, 0), "best", FINE),
        HardWorld("one link just false, rest clear", even(3, 1, 20, first_just_false), "order", FINE),
        HardWorld("one link just false, best", even(3, 2, 10, first_just_false), "best", FINE),
        HardWorld("four, each one cell apart", even(4, 1, 20, lambda i, j: 1), "order", FINE),
        HardWorld("four, top 2, all equal", even(4, 1, 10, lambda i, j: 0), "top-2", (0.05,)),
        HardWorld("four, three judges, against", even(4, 3, 6, lambda i, j: -1), "order", FALLING),
        HardWorld("refusals favour one side", refusing(3, 20), "best", FINE),
        HardWorld("link at exactly -2ε", even(3, 1, 20, lambda i, j: -5 if j == 1 else 8), "order", (0.1,)),
        HardWorld("fresh, two equal", fresh(2, 1, lambda i, j, u: 0.4999), "best", FINE),
        HardWorld("fresh, judges .75 .75 0", fresh(3, 3, lambda i, j, u: (0.74, 0.75, 0.0)[u]), "order", FINE),
        HardWorld("fresh, just below -2ε", fresh(3, 1, lambda i, j, u: 0.399), "order", (0.1,)),
    ]

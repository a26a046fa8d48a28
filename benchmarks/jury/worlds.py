"""Hard small worlds: ties everywhere, circles, judges who contradict each other, one link just false, and more.

A claim is just false when Z is below 0 by one answer: `ties=1` makes the number of other cells odd, so that a
pair with `lead` 0 is against its first item by one answer. In worlds called equal, or exact, Z is 0: nothing
there is false, but the bets must not win either before everything is counted (`fooled` in the results).
"""

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


def near(lead: int) -> Answers:
    """Six systems on a ladder, 600 cells per pair; the first two are `lead` cells apart."""

    def plus(i: int, j: int) -> int:
        return 300 + lead if (i, j) == (0, 1) else 300 + 45 * min(j - i, 4)

    return Answers({(i, j): cells(1, 300, plus(i, j), seed=17 * i + j) for i, j in combinations(range(6), 2)})


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
    """A third of the cases lose an answer for the first item to a refusal: what is left is just against it."""
    found = even(items, 1, cases, lambda i, j: cases // 2)
    refused = cases // 3
    against = (2 * cases - refused) // 2
    said = cells(1, cases, 2 * cases - 1 - against, ties=1, seed=4)
    said.reshape(-1)[np.flatnonzero(said.reshape(-1) > 0)[:refused]] = np.nan
    found.values[0, 1] = said
    return found


def heavy_judge(items: int, cases: int) -> Answers:
    """A judge of half the weight is always for the first item, two others always against it, but for one tie."""
    found = even(items, 3, cases, lambda i, j: 2 * cases)
    block = np.ones((3, cases, 2))
    block[1:] = -1.0
    block[0, 0, 0] = 0.0
    found.values[0, 1] = block
    found.weights = (0.5, 0.3, 0.2)
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
    """With one tie: each beats the next by one cell, the last beats the first."""
    return 0 if (i, j) == (0, 2) else 1


def wide_circle(i: int, j: int) -> int:
    return -2 if (i, j) == (0, 2) else 2


def first_just_false(i: int, j: int) -> int:
    return 0 if (i, j) == (0, 1) else 6


def one_just_false(i: int, j: int) -> int:
    return 0 if j == 1 else 9


def misleading(i: int, j: int) -> int:
    """The first beats the third clearly and the third the second; yet the second just beats the first."""
    return {(0, 1): 0, (0, 2): 8, (1, 2): -8}[i, j]


def equal(i: int, j: int) -> int:
    return 0


FINE, FALLING = (0.0,), (0.1, 0.05, 0.02, 0.0)


def hard_worlds() -> list[HardWorld]:
    """N = 2, 3, 4 with 1 to 3 judges and 6 to 40 cells per pair, and some with fresh answers."""
    return [
        HardWorld("two, one cell apart, 6 cells", even(2, 1, 3, equal, ties=1), "best", FINE),
        HardWorld("two, one cell apart, 20 cells", even(2, 1, 10, equal, ties=1), "best", FINE),
        HardWorld("two, one cell apart, 40 cells", even(2, 2, 10, lambda i, j: -1), "best", FALLING),
        HardWorld("two equal, 40 cells", even(2, 1, 20, equal), "best", FINE),
        HardWorld("three equal, order", even(3, 1, 10, equal), "order", FINE),
        HardWorld("three, one cell apart, best", even(3, 1, 10, equal, ties=1), "best", FINE),
        HardWorld("three, one cell apart, order", even(3, 1, 10, equal, ties=1), "order", FINE),
        HardWorld("three with ties, just below -2ε", even(3, 1, 10, lambda i, j: -1, ties=9), "order", (0.05,)),
        HardWorld("three with ties, exactly -2ε", even(3, 1, 10, lambda i, j: -1, ties=8), "order", (0.05,)),
        HardWorld("one just false among clear pairs", even(3, 1, 15, one_just_false, ties=1), "order", FINE),
        HardWorld("circle of three, best", even(3, 1, 10, circle, ties=1), "best", FINE),
        HardWorld("circle of three, order", even(3, 2, 10, wide_circle), "order", FALLING),
        HardWorld("circle of three, top 2", even(3, 1, 10, circle, ties=1), "top-2", FINE),
        HardWorld("judges contradict, just false", contrary(3, 10, -1), "order", FINE),
        HardWorld("judges contradict, exactly even", contrary(3, 10, 0), "best", FINE),
        HardWorld("a heavy judge against two", heavy_judge(3, 6), "order", FINE),
        HardWorld("one link just false, order", even(3, 1, 20, first_just_false, ties=1), "order", FINE),
        HardWorld("one link just false, best", even(3, 2, 10, first_just_false, ties=1), "best", FINE),
        HardWorld("strengths mislead, best", even(3, 1, 15, misleading, ties=1), "best", FINE),
        HardWorld("refusals favour one side", refusing(3, 20), "best", FINE),
        HardWorld("link just below -2ε", even(3, 1, 20, lambda i, j: 8 if j > 1 else -4, ties=1), "order", (0.1,)),
        HardWorld("fresh, two just apart", fresh(2, 1, lambda i, j, u: 0.4999), "best", FINE),
        HardWorld("fresh, judges .75 .75 0", fresh(3, 3, lambda i, j, u: (0.7499, 0.75, 0.0)[u]), "order", FINE),
        HardWorld("fresh, just below -2ε", fresh(3, 1, lambda i, j, u: 0.3999), "order", (0.1,)),
        HardWorld("four, each one cell apart", even(4, 1, 12, equal, ties=1), "order", FINE),
        HardWorld("four, top 2, one cell apart", even(4, 1, 10, equal, ties=1), "top-2", FINE),
        HardWorld("four, three judges, against", even(4, 3, 6, lambda i, j: -1), "order", FALLING),
    ]


# ----------------------------------------------------------------------------
# All systems at once
def at_once(world: HardWorld) -> HardWorld:
    """The same where one call is about all pairs: a refusal is one for all of them."""
    values = world.answers.values
    refused = np.isnan(np.array(list(values.values()))).any(axis=0)
    together = {pair: np.where(refused, np.nan, x) for pair, x in values.items()}
    answers = Answers(together, absent=world.answers.absent, weights=world.answers.weights)
    return HardWorld(f"{world.name}, at once", answers, world.objective, world.resolution)


def orders(items: int, seed: int, *, judges: int = 2, cases: int = 200, gap: float = 0.25) -> Answers:
    """What orders of all systems say, as sharp as answers about two; what stands first has a small advantage."""
    rng = np.random.default_rng(seed)
    strength = np.sort(rng.normal(size=items))[::-1] * gap * np.sqrt(items)
    worth = np.empty((judges, cases, 2, items))
    for judge in range(judges):
        own = strength * (0.7 + 0.6 * rng.random()) + rng.normal(size=items) * 0.1
        for case in range(cases):
            base, shown = own + rng.normal(size=items) * 0.6, rng.permutation(items)
            for turned in (0, 1):
                place = np.empty(items)
                place[shown[::-1] if turned else shown] = np.arange(items)
                worth[judge, case, turned] = base + rng.gumbel(size=items) - 0.3 * place / (items - 1)
    return Answers({(i, j): np.sign(worth[..., i] - worth[..., j]) for i, j in combinations(range(items), 2)})

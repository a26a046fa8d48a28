"""A world whose answers are the same for every method: answer k of a judge to a pair is a fixed draw."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.core import chance

ITEMS = 30
WEAK, STRONG, STRONG_SHARE = 0.25, 1.0, 1 / 3  # γ of the judges; accuracy on a gap of 3 is sigmoid(3γ)
JUDGES = 18
SPAM = 0.0  # γ of a judge who tosses a coin
STEADY_GAP = 3.0  # in the steady world every pair counts as this far apart
GAPS = (2.4, 0.8)  # in turn, between neighbours of the world with gaps


@dataclass(frozen=True)
class World:
    """True places (0 = best) of the items, and each judge's accuracy on each pair."""

    name: str
    seed: int
    place: NDArray[np.int64]
    accuracy: NDArray[np.float64]  # judge, item, item

    @property
    def items(self) -> int:
        return len(self.place)

    @property
    def judges(self) -> int:
        return len(self.accuracy)


def make_world(name: str, seed: int, *, items: int = ITEMS, judges: int = JUDGES) -> World:
    """`steady`, `gaps`, or `spam` (steady, but all judges who are not strong toss coins); all in random order."""
    rng = np.random.default_rng([seed, items, judges])
    place = rng.permutation(items)
    strong = int(judges * STRONG_SHARE)
    others = SPAM if name == "spam" else WEAK
    skill = rng.permutation([STRONG] * strong + [others] * (judges - strong))
    score = -np.concatenate([[0.0], np.cumsum(np.resize(GAPS, items - 1))])[place]
    gap = np.abs(score[:, None] - score[None, :]) if name == "gaps" else np.full((items, items), STEADY_GAP)
    return World(name, seed, place, 1 / (1 + np.exp(-skill[:, None, None] * gap)))


class Jury:
    """Answers questions about a world and counts them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.asked = 0
        self._times: defaultdict[int, int] = defaultdict(int)

    def ask(self, judge: int, i: int, j: int) -> bool:
        """Is i preferred to j?"""
        world = self.world
        low, high = (i, j) if i < j else (j, i)
        stream = (judge * world.items + low) * world.items + high
        self._times[stream] += 1
        self.asked += 1
        right = chance.uniform(world.seed, stream, self._times[stream]) < world.accuracy[judge, i, j]
        return bool(right == (world.place[i] < world.place[j]))


def kendall_tau(world: World, order: NDArray[np.int64]) -> float:
    """Agreement of an order (best first) with the truth: 1 = the same, 0 = unrelated, -1 = reversed."""
    place = world.place[order]
    upper = np.triu_indices(len(place), 1)
    return float(np.sign(place[None, :] - place[:, None])[upper].mean())


def exact(world: World, order: NDArray[np.int64]) -> bool:
    return bool(np.all(np.diff(world.place[order]) > 0))

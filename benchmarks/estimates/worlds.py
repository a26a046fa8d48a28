"""Six kinds of worlds: what each judge says about each pair, and what all of them would say on average.

steady     all pairs equally hard, judges of two kinds
gaps       Bradley-Terry with uneven gaps, judges of different slope
tastes     people with an order of their own around a common one
spammers   as gaps, and every fourth judge answers at random
ties       items in groups of three that are exactly equal
camps      three camps with unrelated scores
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.simulation.worlds.people import clusters, normal_scores

KINDS = ("steady", "gaps", "tastes", "spammers", "ties", "camps")
SPAM = 0.25
STEADY = (0.9, 0.65)  # accuracies
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """`says(judge, i, j, rng)`: is i preferred to j? `shares`: how many prefer i to j, of all or by judge."""

    kind: str
    says: Callable[[int, int, int, np.random.Generator], bool]
    shares: Floats

    def beats(self, answered: list[int]) -> Floats:
        """The chance of each item to be preferred to a random other one, by an answer like those given."""
        weights = np.array(answered if self.shares.ndim == 3 else [1.0], np.float64)
        theta = np.tensordot(weights / weights.sum(), self.shares.reshape(-1, *self.shares.shape[-2:]), axes=1)
        beats: Floats = (theta.sum(axis=1) - 0.5) / (len(theta) - 1)
        return beats


def make_world(kind: str, *, items: int, judges: int, seed: int) -> World:
    """One world of a kind."""
    rng = np.random.default_rng([seed, KINDS.index(kind), items, judges])
    if kind in ("tastes", "camps"):
        population = normal_scores(items, rng) if kind == "tastes" else clusters(items, rng)
        people = [population.person(rng) for _ in range(judges)]
        return World(kind, lambda u, i, j, _: people[u].prefers(i, j), population.theta())
    chance = _chances(kind, items, judges, rng)
    return World(kind, lambda u, i, j, luck: bool(luck.random() < chance[u, i, j]), chance)


def _chances(kind: str, items: int, judges: int, rng: np.random.Generator) -> Floats:
    """By judge and pair."""
    if kind == "steady":
        place = rng.permutation(items)
        right = rng.choice(STEADY, size=judges)[:, None, None]
        chance: Floats = np.where(place[:, None] < place[None, :], right, 1 - right)
        chance[:, range(items), range(items)] = 0.5
        return chance
    score = 1.5 * rng.normal(size=items)
    if kind == "ties":
        score = np.repeat(score, 3)[:items]
    slope = np.exp(0.4 * rng.normal(size=judges))
    if kind == "spammers":
        slope[rng.random(judges) < SPAM] = 0.0
    shares: Floats = 1 / (1 + np.exp(-slope[:, None, None] * (score[:, None] - score[None, :])))
    return shares

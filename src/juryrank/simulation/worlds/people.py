"""Populations of people whose majority is known, and panels played on them.

A person belongs to a cluster of opinion, has a slope (how sharply they tell items apart), and either one order
of their own (transitive) or a coin for each pair (not transitive). In all cases the share that prefers i to j is

    θ_ij = Σ_clusters weight · mean_slopes σ(slope · (score_i - score_j))

exactly: for transitive people by the Gumbel trick (utility = slope · score + Gumbel noise).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from juryrank.errors import BadWorld
from juryrank.rankers.panel.core.bradley_terry import Floats, sigmoid
from juryrank.rankers.panel.ranker import Panel
from juryrank.types import SKIP, TIE, Answer, Question

EVEN_SLOPES = (1.0,)
UNEQUAL_SLOPES = (0.1, 0.3, 0.6, 1.0, 1.6, 2.4)  # people who hardly tell items apart, up to very sharp ones


@dataclass(frozen=True)
class Population:
    """People to draw from. `leave` is the chance to walk away before each question after the first."""

    name: str
    scores: Floats  # one row per cluster, one column per item
    weights: Floats
    slopes: tuple[float, ...] = EVEN_SLOPES
    transitive: bool = True
    tie: float = 0.0
    skip: float = 0.0
    leave: float = 0.0

    def __post_init__(self) -> None:
        if self.scores.ndim != 2 or len(self.scores) != len(self.weights):
            raise BadWorld("a population needs one row of scores and one weight for each cluster")
        if not np.isclose(self.weights.sum(), 1.0) or (self.weights < 0).any():
            raise BadWorld(f"the clusters' weights are {self.weights}; they must be 0 or more and sum to 1")

    @property
    def items(self) -> int:
        return int(self.scores.shape[1])

    def theta(self) -> Floats:
        """The share of people who prefer the row's item to the column's."""
        gaps = self.scores[:, :, None] - self.scores[:, None, :]
        shares = np.mean([sigmoid(slope * gaps) for slope in self.slopes], axis=0)
        theta: Floats = np.tensordot(self.weights, shares, axes=1)
        return theta

    def person(self, rng: np.random.Generator) -> SimulatedPerson:
        """Somebody drawn at random."""
        cluster = int(rng.choice(len(self.weights), p=self.weights))
        slope = float(rng.choice(self.slopes))
        utility = slope * self.scores[cluster]
        if self.transitive:
            utility = utility + rng.gumbel(size=self.items)
        return SimulatedPerson(self, utility, rng)


@dataclass(slots=True)
class SimulatedPerson:
    """One person's opinions, and what they do with a question."""

    population: Population
    utility: Floats
    rng: np.random.Generator

    def prefers(self, i: int, j: int) -> bool:
        """Is i preferred to j?"""
        gap = float(self.utility[i] - self.utility[j])
        if self.population.transitive:
            return gap > 0
        return float(self.rng.random()) < float(sigmoid(np.array(gap)))

    def answer(self, i: int, j: int) -> Answer:
        """i, j, TIE or SKIP."""
        luck = float(self.rng.random())
        if luck < self.population.tie:
            return TIE
        if luck < self.population.tie + self.population.skip:
            return SKIP
        return i if self.prefers(i, j) else j

    def leaves(self) -> bool:
        return float(self.rng.random()) < self.population.leave


# ---------------------------------------------------------------------- worlds
def normal_scores(
    items: int, rng: np.random.Generator, *, spread: float = 1.0, unequal: bool = True
) -> Population:
    """Items' scores normal, people of unequal slope.

    >>> world = normal_scores(4, np.random.default_rng(1))
    >>> theta = world.theta()
    >>> bool(np.allclose(theta + theta.T, 1))
    True
    """
    scores = np.sort(rng.normal(0, spread, (1, items)))[:, ::-1].copy()
    slopes = UNEQUAL_SLOPES if unequal else EVEN_SLOPES
    return Population("normal", scores, np.ones(1), slopes)


def clusters(items: int, rng: np.random.Generator, *, camps: int = 3, spread: float = 2.0) -> Population:
    """Camps of people with unrelated scores."""
    weights = rng.dirichlet(np.full(camps, 3.0))
    return Population("clusters", rng.normal(0, spread, (camps, items)), weights, UNEQUAL_SLOPES)


def circle(items: int, *, spread: float = 3.0) -> Population:
    """Three camps, each with the items in the same order, begun at another item: the majority goes in a circle."""
    base = -spread * np.arange(items, dtype=float)
    shift = max(1, items // 3)
    scores = np.array([np.roll(base, shift * camp) for camp in range(3)])
    return Population("circle", scores, np.full(3, 1 / 3))


def all_tied(items: int) -> Population:
    """θ = ½ everywhere, although every person has an order."""
    return Population("ties", np.zeros((1, items)), np.ones(1))


def without_order(population: Population) -> Population:
    """The same shares from people who toss a coin for each pair."""
    return replace(population, name=f"{population.name}, coins", transitive=False)


# ---------------------------------------------------------------------- playing
def play(
    panel: Panel,
    population: Population,
    *,
    people: int,
    rng: np.random.Generator,
    at_once: int = 1,
    after: Callable[[Panel], None] | None = None,
) -> int:
    """Let `people` people come, `at_once` of them at a time, answering in any order; returns how many came.

    Items of the panel are 0 .. N-1. Those who walk away lapse when their place is taken. `after` is called
    after every answer and lapse.
    """
    sitting: list[tuple[int, SimulatedPerson]] = []
    came = 0
    while True:
        while came < people and len(sitting) < at_once and not panel.done:
            came += 1
            panel.add_judge(came)
            sitting.append((came, population.person(rng)))
        if not sitting:
            return came
        turn = int(rng.integers(len(sitting))) if len(sitting) > 1 else 0
        name, person = sitting[turn]
        question = panel.ask(name)
        if question is None:
            sitting.pop(turn)
            continue
        walks = question.terms["place"] > 0 and person.leaves()
        if walks:
            panel.lapse(question.terms["sitting"])
            sitting.pop(turn)
        else:
            panel.tell(question, _said(person, question))
        if after is not None:
            after(panel)


def _said(person: SimulatedPerson, question: Question) -> Answer:
    assert isinstance(question.left, int) and isinstance(question.right, int)
    return person.answer(question.left, question.right)


def false_claims(panel: Panel, theta: Floats) -> int:
    """How many of the pairs that the panel's statement covers are false in this population.

    A pair claimed in both directions is false too, even where the population is exactly divided.
    """
    settled = panel.claims()
    if (settled & settled.T).any():
        return int((settled & settled.T).sum())
    if panel.state.options.relation == "field-share":
        scores = (theta.sum(axis=1) - 0.5) / max(len(theta) - 1, 1)
        return int((settled & (scores[:, None] < scores[None, :] - 1e-9)).sum())
    return int((settled & (theta < 0.5 - 1e-9)).sum())

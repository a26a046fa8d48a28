"""Worlds: who judges, and how often they are right about which pair. Small frozen descriptions, JSON in and out.

    bernoulli    every judge has one accuracy for all pairs (the paper's model)
    spammers     bernoulli, with a share of judges at or near chance
    btl          accuracy grows with the distance of two items, by the logistic curve (Bradley-Terry-Luce)
    thurstone    the same by the normal curve
    wst          every pair has a difficulty of its own; only "more often right than wrong" holds
                 (weak stochastic transitivity)
    drifting     accuracies change while questions are asked
    votes        answers are drawn from recorded votes

Nothing is hidden: a world and a seed give the same simulation everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from juryrank.errors import BadWorld
from juryrank.simulation.worlds.base import (
    DRIFT,
    LOGISTIC,
    MARGINS,
    PROBIT,
    Stage,
    SteadyWorld,
    World,
    check_count,
    numbers,
    put,
    stage,
)

__all__ = [
    "Bernoulli",
    "Btl",
    "Drifting",
    "Spammers",
    "Thurstone",
    "World",
    "Wst",
    "gamma_accuracy",
    "stage_of",
    "two_groups",
]

SCORE_DISTANCE = 3.0  # the paper's s_i - s_j: γ gives accuracy 1 / (1 + exp(-3γ))
GOOD_SHARE = 1 / 3  # the paper's share of judges with γ_B
MOST_PAIRWISE = 5_000  # items: a table of all pairs is 200 MB then


@dataclass(frozen=True, slots=True)
class Bernoulli(SteadyWorld):
    """Every judge has one accuracy for all pairs.

    >>> Bernoulli((0.9, 0.6)).to_dict()
    {'kind': 'bernoulli', 'accuracies': (0.9, 0.6)}
    """

    accuracies: tuple[float, ...]
    kind: ClassVar[str] = "bernoulli"

    def __post_init__(self) -> None:
        put(self, "accuracies", numbers(self.accuracies, "an accuracy", 0, 1))


@dataclass(frozen=True, slots=True)
class Spammers(SteadyWorld):
    """`n_judges` judges of accuracy `rest`, of whom a share answers at (or near) chance.

    >>> Spammers(n_judges=10, share=0.3, rest=0.9).accuracies.count(0.5)
    3
    """

    n_judges: int
    share: float
    rest: float
    spam: float = 0.5
    kind: ClassVar[str] = "spammers"

    def __post_init__(self) -> None:
        check_count(self.n_judges, "judges")
        numbers((self.share,), "the share of spammers", 0, 1)
        numbers((self.rest, self.spam), "an accuracy", 0, 1)

    @property
    def accuracies(self) -> tuple[float, ...]:
        spammers = math.floor(self.share * self.n_judges + 1e-9)
        return (self.rest,) * (self.n_judges - spammers) + (self.spam,) * spammers


@dataclass(frozen=True, slots=True)
class Btl(World):
    """Utility scores; judge u is right about i and j with chance 1 / (1 + exp(-γ_u |s_i - s_j|)).

    Give `scores` (worst first), or `spacing`: neighbours then lie that far apart.

    >>> Btl((1.0, 2.5), spacing=0.7).stage(3).scores.round(1).tolist()
    [0.0, 0.7, 1.4]
    """

    gammas: tuple[float, ...]
    spacing: float = 1.0
    scores: tuple[float, ...] = ()
    kind: ClassVar[str] = "btl"
    judge_values: ClassVar[str] = "gammas"
    curve: ClassVar[int] = LOGISTIC

    def __post_init__(self) -> None:
        put(self, "gammas", numbers(self.gammas, "a γ"))
        put(self, "scores", numbers(self.scores, "a score", need=0))
        if not 0 < self.spacing < math.inf:
            raise BadWorld(f"the spacing of scores is {self.spacing!r}; it must be above 0")
        if any(a >= b for a, b in zip(self.scores, self.scores[1:], strict=False)):
            raise BadWorld("scores must rise strictly (worst first): equal items have no true order")

    @property
    def items(self) -> int | None:
        return len(self.scores) or None

    def stage(self, items: int) -> Stage:
        scores = self.scores or self.spacing * np.arange(items)
        return stage(self.curve, self.gammas, scores=scores)


@dataclass(frozen=True, slots=True)
class Thurstone(Btl):
    """As `Btl`, by the normal curve: Φ(γ_u |s_i - s_j|).

    >>> Thurstone((1.0, 0.5)).judges
    2
    """

    kind: ClassVar[str] = "thurstone"
    curve: ClassVar[int] = PROBIT


@dataclass(frozen=True, slots=True)
class Wst(World):
    """Every pair has its own margin, drawn evenly from [`least`, 1/2] by `seed`; accuracy = 1/2 + skill · margin.

    >>> bool(Wst((1.0,), least=0.1).stage(4).margins.min() >= 0.1)
    True
    """

    skills: tuple[float, ...]
    least: float = 0.05
    seed: int = 0
    kind: ClassVar[str] = "wst"
    judge_values: ClassVar[str] = "skills"

    def __post_init__(self) -> None:
        put(self, "skills", numbers(self.skills, "a skill", -1, 1))
        numbers((self.least,), "the least margin", 0, 0.5)

    def stage(self, items: int) -> Stage:
        if items > MOST_PAIRWISE:
            raise BadWorld(f"a wst world keeps a margin per pair: {items} items are more than {MOST_PAIRWISE}")
        rng = np.random.default_rng(self.seed)
        return stage(MARGINS, self.skills, margins=rng.uniform(self.least, 0.5, (items, items)))


@dataclass(frozen=True, slots=True)
class Drifting(World):
    """Accuracies move evenly from `start` to `end` over the first `horizon` questions, then stay.

    >>> Drifting(start=(0.9, 0.8), end=(0.6, 0.8), horizon=1000).judges
    2
    """

    start: tuple[float, ...]
    end: tuple[float, ...]
    horizon: int
    kind: ClassVar[str] = "drifting"
    judge_values: ClassVar[str] = "start"

    def __post_init__(self) -> None:
        put(self, "start", numbers(self.start, "an accuracy", 0, 1))
        put(self, "end", numbers(self.end, "an accuracy", 0, 1))
        check_count(self.horizon, "questions until the end of the drift")
        if len(self.start) != len(self.end):
            raise BadWorld(f"{len(self.start)} judges at the start and {len(self.end)} at the end: give one each")

    @property
    def best_judge(self) -> int:
        both = [a + b for a, b in zip(self.start, self.end, strict=True)]
        return both.index(max(both))

    def stage(self, items: int) -> Stage:
        return stage(DRIFT, self.start, later=self.end, horizon=self.horizon)


def two_groups(judges: int, *, gamma_a: float, gamma_b: float, share: float = GOOD_SHARE) -> Bernoulli:
    """The paper's world: floor(judges · share) judges have γ_B and the others γ_A; accuracy is 1/(1 + exp(-3γ)).

    >>> [round(p, 3) for p in two_groups(3, gamma_a=0.5, gamma_b=2.5).accuracies]
    [0.999, 0.818, 0.818]
    """
    check_count(judges, "judges")
    numbers((gamma_a, gamma_b), "γ")
    good = math.floor(judges * share + 1e-9)
    if gamma_a != gamma_b and not 0 < good < judges:
        raise BadWorld(
            f"of {judges} judges, {good} would have γ_B and {judges - good} γ_A: each group needs one at least. "
            "Take more judges (3 or more), or give each accuracy"
        )
    return Bernoulli((gamma_accuracy(gamma_b),) * good + (gamma_accuracy(gamma_a),) * (judges - good))


def gamma_accuracy(gamma: float) -> float:
    """p = 1/(1 + exp(-3γ)).

    >>> [round(gamma_accuracy(gamma), 4) for gamma in (0.25, 0.5, 1.0, 2.5)]
    [0.6792, 0.8176, 0.9526, 0.9994]
    """
    return 1 / (1 + math.exp(-SCORE_DISTANCE * gamma))


@lru_cache(maxsize=8)
def stage_of(world: World, items: int) -> Stage:
    """A world in numbers, made once for all repeats."""
    return world.stage(items)

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

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from juryrank.errors import BadWorld
from juryrank.simulation.stage import DRIFT, LOGISTIC, MARGINS, PROBIT, STEADY, Stage, stage

SCORE_DISTANCE = 3.0  # the paper's s_i - s_j: γ gives accuracy 1 / (1 + exp(-3γ))
GOOD_SHARE = 1 / 3  # the paper's share of judges with γ_B


@dataclass(frozen=True, slots=True)
class World:
    """What all worlds have; `judge_values` names the field that has one number a judge."""

    kind: ClassVar[str] = ""
    judge_values: ClassVar[str] = "accuracies"

    def _values(self) -> tuple[float, ...]:
        values: tuple[float, ...] = getattr(self, self.judge_values)
        return values

    @property
    def judges(self) -> int:
        """How many judges there are."""
        return len(self._values())

    @property
    def items(self) -> int | None:
        """How many items this world is about, if it says so."""
        return None

    @property
    def best_judge(self) -> int:
        """The number of the judge who is right most often."""
        values = self._values()
        return values.index(max(values))

    @property
    def accuracy(self) -> float | None:
        """The best judge's accuracy, where every judge has one for all pairs and all times."""
        return None

    def stage(self, items: int) -> Stage:
        """This world in numbers, for so many items."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """As JSON values, for `world_from_dict`."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Bernoulli(World):
    """Every judge has one accuracy for all pairs.

    >>> Bernoulli((0.9, 0.6)).to_dict()
    {'kind': 'bernoulli', 'accuracies': (0.9, 0.6)}
    """

    accuracies: tuple[float, ...]
    kind: ClassVar[str] = "bernoulli"

    def __post_init__(self) -> None:
        _set(self, "accuracies", _numbers(self.accuracies, "an accuracy", 0, 1))

    @property
    def accuracy(self) -> float:
        return max(self.accuracies)

    def stage(self, items: int) -> Stage:
        return stage(STEADY, self.accuracies)


@dataclass(frozen=True, slots=True)
class Spammers(World):
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
        _count(self.n_judges, "judges")
        _numbers((self.share,), "the share of spammers", 0, 1)
        _numbers((self.rest, self.spam), "an accuracy", 0, 1)

    @property
    def accuracies(self) -> tuple[float, ...]:
        spammers = math.floor(self.share * self.n_judges + 1e-9)
        return (self.rest,) * (self.n_judges - spammers) + (self.spam,) * spammers

    @property
    def accuracy(self) -> float:
        return max(self.accuracies)

    def stage(self, items: int) -> Stage:
        return stage(STEADY, self.accuracies)


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
        _set(self, "gammas", _numbers(self.gammas, "a γ"))
        _set(self, "scores", _numbers(self.scores, "a score", need=0))
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
    """As `Btl`, by the normal curve: Φ(γ_u |s_i - s_j|)."""

    kind: ClassVar[str] = "thurstone"
    curve: ClassVar[int] = PROBIT


@dataclass(frozen=True, slots=True)
class Wst(World):
    """Every pair has its own margin, drawn evenly from [`least`, 1/2] by `seed`; accuracy = 1/2 + skill · margin.

    >>> Wst((1.0,), least=0.1).stage(4).margins.min() >= 0.1
    np.True_
    """

    skills: tuple[float, ...]
    least: float = 0.05
    seed: int = 0
    kind: ClassVar[str] = "wst"
    judge_values: ClassVar[str] = "skills"

    def __post_init__(self) -> None:
        _set(self, "skills", _numbers(self.skills, "a skill", -1, 1))
        _numbers((self.least,), "the least margin", 0, 0.5)

    def stage(self, items: int) -> Stage:
        if items > MOST_PAIRWISE:
            raise BadWorld(f"a wst world keeps a margin a pair: {items} items are more than {MOST_PAIRWISE}")
        rng = np.random.default_rng(self.seed)
        return stage(MARGINS, self.skills, margins=rng.uniform(self.least, 0.5, (items, items)))


@dataclass(frozen=True, slots=True)
class Drifting(World):
    """Accuracies move evenly from `start` to `end` over the first `horizon` questions, then stay."""

    start: tuple[float, ...]
    end: tuple[float, ...]
    horizon: int
    kind: ClassVar[str] = "drifting"
    judge_values: ClassVar[str] = "start"

    def __post_init__(self) -> None:
        _set(self, "start", _numbers(self.start, "an accuracy", 0, 1))
        _set(self, "end", _numbers(self.end, "an accuracy", 0, 1))
        _count(self.horizon, "questions until the end of the drift")
        if len(self.start) != len(self.end):
            raise BadWorld(f"{len(self.start)} judges at the start and {len(self.end)} at the end: give one each")

    @property
    def best_judge(self) -> int:
        both = [a + b for a, b in zip(self.start, self.end, strict=True)]
        return both.index(max(both))

    def stage(self, items: int) -> Stage:
        return stage(DRIFT, self.start, later=self.end, horizon=self.horizon)


MOST_PAIRWISE = 5_000  # items: a table of all pairs is 200 MB then


def two_groups(judges: int, *, gamma_a: float, gamma_b: float, share: float = GOOD_SHARE) -> Bernoulli:
    """The paper's world: floor(judges · share) judges have γ_B and the others γ_A; accuracy is 1/(1 + exp(-3γ)).

    >>> [round(p, 3) for p in two_groups(3, gamma_a=0.5, gamma_b=2.5).accuracies]
    [0.999, 0.818, 0.818]
    """
    _count(judges, "judges")
    _numbers((gamma_a, gamma_b), "γ")
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


def world_from_dict(given: Any) -> World:
    """The world that a JSON object describes.

    >>> world_from_dict({"kind": "bernoulli", "judges": 3, "gamma_a": 0.5, "gamma_b": 1.0}).judges
    3
    >>> world_from_dict(Drifting((0.9,), (0.6,), 1000).to_dict())
    Drifting(start=(0.9,), end=(0.6,), horizon=1000)
    """
    from juryrank.simulation.recorded import Recorded

    kinds: dict[str, type[World]] = {
        world.kind: world for world in (Bernoulli, Spammers, Btl, Thurstone, Wst, Drifting, Recorded)
    }
    if not isinstance(given, Mapping):
        raise BadWorld(f"a world is a JSON object such as {{\"kind\": \"bernoulli\", ...}}, not {given!r}")
    values = {str(key): value for key, value in given.items() if key != "kind"}
    kind = given.get("kind")
    if kind == "bernoulli" and "accuracies" not in values:
        return _built(two_groups, values, ("judges", "gamma_a", "gamma_b", "share"), "bernoulli")
    if kind not in kinds:
        raise BadWorld(f"there is no kind of world {kind!r}; there are: {', '.join(kinds)}")
    return _built(kinds[kind], values, tuple(field.name for field in fields(kinds[kind])), str(kind))


def read_world(path: str | Path) -> World:
    """The world in a JSON file."""
    try:
        return world_from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as problem:
        raise BadWorld(f"the world file {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise BadWorld(f"the world file {str(path)!r} is not JSON: {problem}") from problem


def _built(make: Any, values: dict[str, Any], known: Sequence[str], kind: str) -> World:
    for name in values:
        if name not in known:
            raise BadWorld(f"a {kind} world has no {name!r}; it has: {', '.join(known)}")
    try:
        made: World = make(**values)
    except TypeError as problem:
        raise BadWorld(f"this {kind} world is not complete: {problem}") from problem
    return made


def _set(world: World, name: str, value: Any) -> None:
    object.__setattr__(world, name, value)


def _numbers(
    values: Iterable[float], what: str, low: float = -math.inf, high: float = math.inf, *, need: int = 1
) -> tuple[float, ...]:
    try:
        kept = tuple(float(value) for value in values)
    except (TypeError, ValueError):
        raise BadWorld(f"{what} must be a number: {values!r}") from None
    if len(kept) < need:
        raise BadWorld("a world needs at least one judge")
    for value in kept:
        if not (math.isfinite(value) and low <= value <= high):
            raise BadWorld(f"{what} is {value!r}; it must be a number" + _range(low, high))
    return kept


def _range(low: float, high: float) -> str:
    return f" between {low:g} and {high:g}" if math.isfinite(low) else ""


def _count(value: Any, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadWorld(f"the number of {what} is {value!r}; it must be a whole number, 1 or more")

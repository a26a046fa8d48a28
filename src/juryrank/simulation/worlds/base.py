"""What all worlds have, and how the numbers that describe one are checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from juryrank.errors import BadWorld
from juryrank.simulation.worlds.arrays import STEADY, Stage, stage


@dataclass(frozen=True, slots=True)
class World:
    """What all worlds have; `judge_values` names the field that has one number per judge."""

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
class SteadyWorld(World):
    """Every judge has one accuracy for all pairs and all times."""

    @property
    def accuracy(self) -> float:
        return max(self._values())

    def stage(self, items: int) -> Stage:
        return stage(STEADY, self._values())


def put(world: World, name: str, value: Any) -> None:
    """Set a field of a world that is being made: it is frozen from then on."""
    object.__setattr__(world, name, value)


def numbers(
    values: Iterable[float], what: str, low: float = -math.inf, high: float = math.inf, *, need: int = 1
) -> tuple[float, ...]:
    """The values as numbers between `low` and `high`, at least `need` of them.

    >>> numbers([1, 0.5], "an accuracy", 0, 1)
    (1.0, 0.5)
    """
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


def check_count(value: Any, what: str) -> None:
    """Refuse what is no whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadWorld(f"the number of {what} is {value!r}; it must be a whole number, 1 or more")

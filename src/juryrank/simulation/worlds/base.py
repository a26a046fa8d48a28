"""What all worlds have, and how the numbers that describe one are checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.errors import BadWorld


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


# ----------------------------------------------------------------------------
# A world in numbers, as compiled play reads it: how likely a judge's answer to a pair is right.
#
# Items are known here by their true rank (0 = worst), so one stage serves every repeat of a simulation: only the
# order in which the items come differs.
STEADY, LOGISTIC, PROBIT, MARGINS, DRIFT, RECORDED = range(6)  # how accuracy depends on pair and time


class Stage(NamedTuple):
    """`kind` says which of the arrays are read."""

    kind: int
    judges: NDArray[np.float64]  # accuracy, scale or skill of each judge
    later: NDArray[np.float64]  # DRIFT: accuracy of each judge at the end
    horizon: float  # DRIFT: questions until then
    scores: NDArray[np.float64]  # LOGISTIC, PROBIT: utility by true rank
    margins: NDArray[np.float64]  # MARGINS: accuracy above 1/2 by (better, worse)
    recorded: NDArray[np.float32]  # RECORDED: share of right answers by (judge, better, worse)


def stage(kind: int, judges: Any, **given: Any) -> Stage:
    """A stage with the arrays it does not read left empty.

    >>> accuracy(stage(STEADY, [0.9, 0.6]), 1, 5, 2, 0)
    0.6
    """
    return Stage(
        kind,
        np.asarray(judges, np.float64),
        np.asarray(given.get("later", ()), np.float64),
        float(given.get("horizon", 1.0)),
        np.asarray(given.get("scores", ()), np.float64),
        np.asarray(given.get("margins", np.zeros((0, 0))), np.float64),
        np.asarray(given.get("recorded", np.zeros((0, 0, 0))), np.float32),
    )


@kernel
def accuracy(stage: Any, judge: int, better: int, worse: int, asked: int) -> float:
    """The chance that the judge prefers the truly better one, as the question after `asked` others."""
    if stage.kind == STEADY:
        return float(stage.judges[judge])
    if stage.kind == LOGISTIC:
        return 1.0 / (1.0 + math.exp(-stage.judges[judge] * (stage.scores[better] - stage.scores[worse])))
    if stage.kind == PROBIT:
        return 0.5 * math.erfc(
            -stage.judges[judge] * (stage.scores[better] - stage.scores[worse]) / math.sqrt(2.0)
        )
    if stage.kind == MARGINS:
        return float(0.5 + stage.judges[judge] * stage.margins[better, worse])
    if stage.kind == DRIFT:
        share = min(1.0, asked / stage.horizon)
        return float(stage.judges[judge] + share * (stage.later[judge] - stage.judges[judge]))
    return float(stage.recorded[judge, better, worse])

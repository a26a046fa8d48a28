"""A cell of a sweep: one ranker in one of the paper's worlds at one size, played many times; it gives a row."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from juryrank._version import __version__
from juryrank.core.levels import check_error
from juryrank.errors import BadInput
from juryrank.simulation.summary import simulate
from juryrank.simulation.worlds.kinds import two_groups


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """Which ranker, in which world, at which size."""

    judges: int
    gamma_a: float
    gamma_b: float
    items: int
    ranker: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What all cells of a sweep share. The version is part of it: another version may give other numbers."""

    delta: float
    constants: str
    repeats: int
    seed: int
    version: str = __version__


@dataclass(frozen=True, slots=True)
class CellRow:
    """A cell's result. `error` is empty, or says why there are no numbers."""

    cell: Cell
    questions_mean: float | None = None
    questions_std: float | None = None
    selection_questions_mean: float | None = None
    exact_rate: float | None = None
    certified_rate: float | None = None
    active_judges_mean: float | None = None
    error: str = ""

    @property
    def numbers(self) -> dict[str, float | None]:
        """The measured values by name."""
        return {name: getattr(self, name) for name in NUMBERS}

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self.cell), **self.numbers, "error": self.error}

    @staticmethod
    def from_json(given: dict[str, Any]) -> CellRow:
        """The row that `to_json` wrote; KeyError or TypeError where it did not."""
        cell = Cell(*(given[name] for name in CELL_FIELDS))
        return CellRow(cell, **{name: given[name] for name in (*NUMBERS, "error")})


CELL_FIELDS = tuple(Cell.__dataclass_fields__)
NUMBERS = tuple(name for name in CellRow.__dataclass_fields__ if name not in ("cell", "error"))


def play_cell(cell: Cell, settings: Settings) -> CellRow:
    """Play one cell. A cell that fails is a row that says so.

    >>> play_cell(Cell(3, 0.5, 2.5, 4, "oracle"), Settings(0.25, "paper", 5, 0)).exact_rate
    1.0
    >>> play_cell(Cell(1, 0.5, 2.5, 4, "oracle"), Settings(0.25, "paper", 5, 0)).error[:13]
    'BadWorld: of '
    """
    try:
        world = two_groups(cell.judges, gamma_a=cell.gamma_a, gamma_b=cell.gamma_b)
        found = simulate(
            cell.ranker, world, items=cell.items, delta=settings.delta, constants=settings.constants,
            repeats=settings.repeats, seed=settings.seed,
        )  # fmt: skip
    except Exception as problem:
        return CellRow(cell, error=f"{type(problem).__name__}: {problem}")
    return CellRow(cell, **{name: getattr(found, name) for name in NUMBERS})


def check_settings(settings: Settings) -> None:
    """Refuse settings that no cell could be played with."""
    from juryrank.rankers.paper.core.constants import constants_named

    constants_named(settings.constants)
    check_error(settings.delta, name="delta")
    if settings.repeats < 1:
        raise BadInput(f"repeats is {settings.repeats!r}; it must be 1 or more")

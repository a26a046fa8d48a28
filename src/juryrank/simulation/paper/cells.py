"""One cell of the paper's experiments: a ranker, a world of two groups of judges, a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from juryrank.core.levels import check_error
from juryrank.errors import BadInput, need_extra
from juryrank.simulation.summary import simulate
from juryrank.simulation.sweep import HERE, Counter, Engine, Results, Where, progress_of, sweep
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
    """What all cells of a sweep share."""

    delta: float
    constants: str
    repeats: int
    seed: int


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

    def flat(self) -> dict[str, Any]:
        """As a line of a table."""
        return {**asdict(self.cell), **self.numbers, "error": self.error}

    @staticmethod
    def rebuilt(given: dict[str, Any]) -> CellRow:
        """The row of its JSON; KeyError or TypeError where it is none."""
        return CellRow(**{**given, "cell": Cell(**given["cell"])})


CELL_FIELDS = tuple(Cell.__dataclass_fields__)
NUMBERS = tuple(name for name in CellRow.__dataclass_fields__ if name not in ("cell", "error"))


def play_cell(settings: Settings, cell: Cell) -> CellRow:
    """Play one cell. A cell that fails is a row that says so.

    >>> play_cell(Settings(0.25, "paper", 5, 0), Cell(3, 0.5, 2.5, 4, "oracle")).exact_rate
    1.0
    >>> play_cell(Settings(0.25, "paper", 5, 0), Cell(1, 0.5, 2.5, 4, "oracle")).error[:13]
    'BadWorld: of '
    """
    try:
        world = two_groups(cell.judges, gamma_a=cell.gamma_a, gamma_b=cell.gamma_b)
        found = simulate(cell.ranker, world, items=cell.items, **asdict(settings))
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


def sweep_cells(
    cells: Sequence[Cell],
    settings: Settings,
    *,
    results: Results[CellRow],
    where: Where = HERE,
    counter: Counter | None = None,
) -> dict[Cell, CellRow]:
    """Play the cells that have no row yet."""
    missing = [cell for cell in cells if cell not in results]
    if missing:
        need_extra("numba", extra="fast", what="playing the paper's experiments")  # without it they take days
    if where.engine == Engine.LOCAL:
        for ranker in sorted({cell.ranker for cell in missing}):  # compile here, once, not in every process
            play_cell(replace(settings, repeats=1), min(cell for cell in missing if cell.ranker == ranker))
    # the longest cells first, so that no process is left with one at the end
    cells_by_size = sorted(cells, key=lambda cell: (cell.items, cell.judges), reverse=True)
    tell = progress_of(counter, cells, results)
    sweep(partial(play_cell, settings), cells_by_size, where=where, results=results, progress=tell)
    return {cell: results[cell] for cell in cells}

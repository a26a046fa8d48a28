"""Many cells through joblib: in processes here, or on a Dask cluster. Rows come as they finish, in any order."""

from __future__ import annotations

import enum
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from juryrank._version import __version__
from juryrank.core.levels import check_error
from juryrank.errors import BadInput, need_extra
from juryrank.simulation.summary import simulate
from juryrank.simulation.worlds.kinds import two_groups

try:
    import fcntl
except ImportError:  # Windows: nobody keeps a second process away
    fcntl = None  # type: ignore[assignment]

FILE_NAME = "cells.jsonl"


class Results:
    """Rows on disk, for one set of settings; rows of other settings stay in the file, unread."""

    def __init__(self, file: IO[str], rows: dict[Cell, CellRow], settings: Settings) -> None:
        self._file = file
        self._settings = asdict(settings)
        self.rows = rows

    def add(self, row: CellRow) -> None:
        """Write a row, so that it outlives this process."""
        self._file.write(json.dumps({**self._settings, **row.to_json()}) + "\n")
        self._file.flush()
        self.rows[row.cell] = row


@contextmanager
def open_results(folder: Path, settings: Settings) -> Iterator[Results]:
    """Open (or begin) the results in a folder; one process at a time."""
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as problem:
        raise BadInput(
            f"the results cannot be written to {str(folder)!r}: {problem.strerror or problem}. "
            "Choose another folder with --out"
        ) from problem
    with file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(f"another process is writing to {str(path)!r}; wait, or choose another --out") from None
        rows = _read(file, path, settings)
        yield Results(file, rows, settings)


def _read(file: IO[str], path: Path, settings: Settings) -> dict[Cell, CellRow]:
    file.seek(0)
    try:
        text = file.read()
    except UnicodeDecodeError:
        raise BadInput(f"{str(path)!r} is not a results file; nothing was changed. Use another --out") from None
    whole = text[: text.rfind("\n") + 1]
    rows = {}
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            given = json.loads(line)
            row = CellRow.from_json(given)
            ours = all(given[name] == value for name, value in asdict(settings).items())
        except (ValueError, KeyError, TypeError):
            raise BadInput(
                f"line {number} of {str(path)!r} is broken; nothing was changed. "
                "Delete that line (its cell is played again), or use another --out"
            ) from None
        if ours and not row.error:  # a cell that failed gets another chance
            rows[row.cell] = row
    if whole != text:
        file.truncate(len(whole.encode("utf-8")))
    file.seek(0, os.SEEK_END)
    return rows


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


CONNECT_SECONDS = 10


class Engine(enum.StrEnum):
    """Where cells are played."""

    LOCAL = "local"
    DASK = "dask"


def sweep(
    cells: Sequence[Cell],
    settings: Settings,
    *,
    results: Results,
    workers: int = 1,
    engine: Engine = Engine.LOCAL,
    scheduler: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[Cell, CellRow]:
    """Play the cells that have no row yet; every row is on disk before the next one is waited for."""
    missing = [cell for cell in cells if cell not in results.rows]
    for row in _played(missing, settings, workers, engine, scheduler):
        results.add(row)
        if progress is not None:
            progress(1)
    return {cell: results.rows[cell] for cell in cells}


def _played(
    cells: Sequence[Cell], settings: Settings, workers: int, engine: Engine, scheduler: str | None
) -> Iterator[CellRow]:
    if not cells:
        return
    if engine is Engine.LOCAL:
        for ranker in sorted({cell.ranker for cell in cells}):  # compile here, once, not in every process
            play_cell(min(cell for cell in cells if cell.ranker == ranker), _once(settings))
        if workers == 1:
            yield from (play_cell(cell, settings) for cell in cells)
            return
    joblib = need_extra("joblib", extra="fast", what="a sweep in several processes")
    with ExitStack() as stack:
        if engine is Engine.DASK:
            stack.enter_context(connected(scheduler))
            stack.enter_context(joblib.parallel_config(backend="dask"))
            workers = -1
        # the longest cells first, so that no process is left with one at the end
        jobs = (joblib.delayed(play_cell)(cell, settings) for cell in sorted(cells, key=_size, reverse=True))
        yield from joblib.Parallel(n_jobs=workers, return_as="generator_unordered")(jobs)


def _size(cell: Cell) -> tuple[int, int]:
    return cell.items, cell.judges


def _once(settings: Settings) -> Settings:
    return Settings(settings.delta, settings.constants, 1, settings.seed)


def connected(scheduler: str | None) -> Any:
    """A Dask client for the scheduler at this address."""
    distributed = need_extra("distributed", extra="cluster", what="the dask engine")
    if not scheduler:
        raise BadInput("the dask engine needs the address of a scheduler: --scheduler tcp://HOST:8786")
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=True)
    except (OSError, ValueError, TimeoutError) as problem:
        raise BadInput(
            f"no Dask scheduler answers at {scheduler!r} ({type(problem).__name__}). "
            "Start one with `dask scheduler`, or leave --engine out to run here"
        ) from problem
    try:
        check_workers(client.run(version_here, on_error="return"))
    except BaseException:
        client.close()
        raise
    return client


def version_here() -> str:
    """Which juryrank a worker has."""
    return __version__


def check_workers(found: Mapping[str, object]) -> None:
    """Refuse workers that would give other numbers; `found`: by address, a version or the error of asking for it.

    >>> check_workers({"tcp://127.0.0.1:1": __version__})
    """
    for address, version in found.items():
        if version == __version__:
            continue
        has = f"has juryrank {version}" if isinstance(version, str) else f"has no juryrank of ours ({version!r})"
        raise BadInput(
            f"the worker {address} {has}, and this is {__version__}: another version may give other numbers. "
            f"Install juryrank=={__version__} there, or start the sweep from a machine with the workers' version. "
            "Rows already done are kept"
        )

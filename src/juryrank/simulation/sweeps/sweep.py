"""Many cells through joblib: in processes here, or on a Dask cluster. Rows come as they finish, in any order."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from juryrank._version import __version__
from juryrank.errors import BadInput, need_extra
from juryrank.simulation.sweeps.cells import Cell, CellRow, Settings, play_cell
from juryrank.simulation.sweeps.results import Results

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

"""A benchmark's runs through the sweep of `juryrank reproduce`: on every core or a Dask cluster, and resumable."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from juryrank.simulation.sweep import Engine, Where, open_results, sweep

R = TypeVar("R")


def add_where(parser: argparse.ArgumentParser) -> None:
    """The options that say where runs are played."""
    parser.add_argument("--workers", type=int, help="processes; results are the same (default: every core)")
    parser.add_argument("--engine", default=Engine.LOCAL, help="local, or dask: workers start in this folder")
    parser.add_argument("--scheduler", help="address of the Dask scheduler")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep runs there: the same call goes on")


def where_of(given: argparse.Namespace) -> Where:
    return Where(given.workers, given.engine, given.scheduler, given.keep)


def played(
    task: Callable[..., R],
    cells: Sequence[tuple[Any, ...]],
    given: argparse.Namespace,
    *,
    rebuild: Callable[[Any], R] = lambda row: row,
) -> list[R]:
    """`task(*cell)` of every cell, in order. Where runs are kept, `rebuild` makes a row of its JSON.

    A cell says all that its row depends on, seeds and sizes too.
    """
    where, made = where_of(given), Path(task.__code__.co_filename)
    settings = {"benchmark": f"{made.parent.name}/{made.stem} {task.__qualname__}"}
    with open_results(where.out, settings, rebuild) as results:
        return sweep(_Task(task), cells, where=where, results=results)


class _Task:
    """A function of a cell's parts."""

    def __init__(self, task: Callable[..., Any]) -> None:
        self.task = task

    def __call__(self, cell: tuple[Any, ...]) -> Any:
        return self.task(*cell)

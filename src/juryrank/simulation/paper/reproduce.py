"""All of the paper's experiments into one folder: rows, tables, figures, and the one-page summary."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from juryrank.errors import BadInput
from juryrank.simulation.paper import checks, tables
from juryrank.simulation.paper.draw import draw
from juryrank.simulation.paper.grid import Figure, figures_named
from juryrank.simulation.sweeps.cells import Settings, check_settings
from juryrank.simulation.sweeps.results import open_results
from juryrank.simulation.sweeps.sweep import Engine, sweep

Counter = Callable[[int, int], Callable[[int], None]]  # (cells in all, cells already there) -> call with new ones


def reproduce(
    what: str,
    out: Path,
    settings: Settings,
    *,
    workers: int = 1,
    engine: Engine = Engine.LOCAL,
    scheduler: str | None = None,
    counter: Counter | None = None,
) -> list[checks.Claim]:
    """Play what is missing, then write every figure's files; returns what was checked."""
    figures = figures_named(what)
    check_settings(settings)
    cells = list(dict.fromkeys(cell for figure in figures for cell in figure.cells))
    with open_results(out, settings) as results:
        there = sum(cell in results.rows for cell in cells)
        progress = counter(len(cells), there) if counter is not None else None
        rows = sweep(
            cells, settings, results=results, workers=workers, engine=engine, scheduler=scheduler,
            progress=progress,
        )  # fmt: skip
    try:
        for figure in figures:
            _write_figure(figure, rows, out)
        claims = checks.check_claims(figures, rows, repeats=settings.repeats)
        _write(out / "summary.md", checks.to_markdown(claims, command=command(what, settings)))
    except OSError as problem:
        raise BadInput(f"figures cannot be written to {str(out)!r}: {problem.strerror or problem}") from problem
    return claims


def command(what: str, settings: Settings) -> str:
    """The command line that gives the same numbers."""
    return (
        f"juryrank reproduce {what} --repeats {settings.repeats} --delta {settings.delta:g} "
        f"--constants {settings.constants} --seed {settings.seed}"
    )


def _write_figure(figure: Figure, rows: tables.Rows, out: Path) -> None:
    _write(out / f"{figure.name}.csv", tables.to_csv(figure, rows))
    _write(out / f"{figure.name}.md", tables.to_markdown(figure, rows))
    _write(out / f"{figure.name}.tex", tables.to_latex(figure, rows))
    draw(figure, rows, [out / f"{figure.name}.png", out / f"{figure.name}.pdf"])


def _write(path: Path, text: str) -> None:
    """All of the file or nothing: a kill leaves the old one."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)

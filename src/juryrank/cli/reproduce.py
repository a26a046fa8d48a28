"""`juryrank reproduce`: the paper's figures and tables, made again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from juryrank.cli.common import Error, Seed, console
from juryrank.cli.simulate import Constants
from juryrank.defaults import SIMULATED_RUNS
from juryrank.options import PaperChoices

HELP = """Make the paper's figures again: CSV, PNG, PDF, tables, and a check of what should be seen.

Finished cells are kept in --out: a run that was stopped continues where it
stopped.

[bold]Examples[/bold]

  juryrank reproduce fig1 --repeats 10
  juryrank reproduce all --out reproduced
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("reproduce", help=HELP)(reproduce_command)


def reproduce_command(
    what: Annotated[str, typer.Argument(help="fig1, m9, m18, m36 or all.")] = "fig1",
    out: Annotated[Path, typer.Option("--out", help="The folder for results.")] = Path("reproduced"),
    repeats: Annotated[int, typer.Option("--repeats", help="Runs per cell.")] = SIMULATED_RUNS,
    delta: Error = 0.25,
    constants: Constants = PaperChoices.default("constants"),
    seed: Seed = 0,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes [default: every core].")] = None,
    engine: Annotated[str, typer.Option("--engine", help="local, or dask for a cluster.")] = "local",
    scheduler: Annotated[str | None, typer.Option("--scheduler", help="Address of the Dask scheduler.")] = None,
) -> None:
    from juryrank.cli.simulate import bar
    from juryrank.errors import BadInput
    from juryrank.simulation.paper.reproduce import reproduce
    from juryrank.simulation.sweep import Engine, Settings

    if engine not in list(Engine):
        raise BadInput(f"there is no engine {engine!r}; there are: {', '.join(Engine)}")
    if workers is not None and workers < 1:
        raise BadInput(f"workers is {workers}; it must be 1 or more")
    settings = Settings(delta, constants, repeats, seed)
    with bar(f"reproducing {what}", total=0) as advance:
        claims = reproduce(
            what, out, settings, workers=workers or os.cpu_count() or 1, engine=Engine(engine),
            scheduler=scheduler, counter=advance.begin,
        )  # fmt: skip
    screen = console()
    for claim in claims:
        word = {True: "[green]holds[/]", False: "[red]does not hold[/]", None: "cannot tell"}[claim.holds]
        screen.print(f"{word}: {claim.sentence}: {claim.numbers}")
    screen.print(f"Written to {out}: figures, tables, summary.md.")

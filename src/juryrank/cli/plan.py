"""`juryrank plan`: what a ranking will cost, before it starts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from juryrank.cli.common import Delta, Json, Seed, console, emit_json
from juryrank.cli.rank import prices as priced
from juryrank.errors import BadInput

HELP = """Say what a ranking will cost, before you start.

Give the number of items and your guess of the judges' accuracies: how often
each is right about a pair. Every ranker is then simulated with such judges
where that is quick; elsewhere its formula gives the order of magnitude, and
the table says which.

[bold]Examples[/bold]

  juryrank plan --items 100 --accuracies 0.95,0.95,0.8,0.8,0.7
  juryrank plan --items 40 --accuracies big=0.9,small=0.7 --price big=0.01 \\\\
      --price small=0.002
  juryrank plan --items 40 --accuracies 0.9,0.7 --price 0.002 --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", help=HELP)(plan_command)


def plan_command(
    items: Annotated[int, typer.Option(help="How many items there are to rank.")],
    accuracies: Annotated[
        str, typer.Option(metavar="P,P,...", help="How often each judge is right: 0.95,0.8 or ann=0.95,bob=0.8.")
    ],
    delta: Delta = 0.05,
    price: Annotated[
        list[str] | None,
        typer.Option("--price", metavar="NAME=0.002", help="What one answer costs; without NAME=, for everybody."),
    ] = None,
    ranker: Annotated[list[str] | None, typer.Option("--ranker", help="Only these rankers.")] = None,
    runs: Annotated[int, typer.Option(help="Simulated runs a ranker.")] = 3,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    from juryrank.cli.plan_text import plan_text
    from juryrank.simulation.plan import plan

    judges = read_accuracies(accuracies)
    with console(stderr=True).status("simulating ..."):
        found = plan(
            items, judges, error=delta, prices=read_prices(price, judges), rankers=ranker, runs=runs, seed=seed
        )
    if as_json:
        emit_json(_finite(asdict(found)))
    else:
        typer.echo(plan_text(found), nl=False)


def read_accuracies(text: str) -> dict[str, float]:
    """`0.9,0.8` or `ann=0.9,bob=0.8`.

    >>> read_accuracies("0.9, bob=0.8")
    {'judge-1': 0.9, 'bob': 0.8}
    """
    found: dict[str, float] = {}
    for number, part in enumerate(filter(None, (part.strip() for part in text.split(","))), start=1):
        name, _, value = part.rpartition("=")
        try:
            accuracy = float(value)
        except ValueError:
            raise BadInput(f"--accuracies: {part!r} is no number; write 0.95,0.8 or ann=0.95,bob=0.8") from None
        name = name or f"judge-{number}"
        if name in found:
            raise BadInput(f"--accuracies names the judge {name!r} twice; names must differ")
        found[name] = accuracy
    return found


def read_prices(given: list[str] | None, judges: Mapping[str, float]) -> dict[str, float] | None:
    """One price for everybody, or one a judge.

    >>> read_prices(["0.5"], {"ann": 0.9, "bob": 0.8})
    {'ann': 0.5, 'bob': 0.5}
    """
    if given and len(given) == 1 and "=" not in given[0]:
        everybody = priced([f"all={given[0]}"]) or {}
        return dict.fromkeys(judges, everybody["all"])
    return priced(given)


def _finite(value: Any) -> Any:
    """JSON has no infinity: null."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and math.isinf(value) else value

"""`juryrank plan`: what a ranking will cost, before it starts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import (
    Assume,
    Engine,
    Error,
    Goal,
    Json,
    Runs,
    Scheduler,
    Seed,
    Set,
    Workers,
    console,
    emit_json,
)
from juryrank.cli.rank import options
from juryrank.cli.rank import prices as priced
from juryrank.defaults import DEFAULT_ERROR, DEFAULT_SITTING, PLAN_GAP, TYPICAL_MAJORITY
from juryrank.errors import BadInput
from juryrank.options import TOGETHER, JuryChoices

if TYPE_CHECKING:
    from juryrank.simulation.planning.cases import CasePlan
    from juryrank.simulation.sweep import Where

HELP = """Say what a ranking will cost, before you start.

Say how many items there are, and guess how often each judge is right about a
pair. Every ranker is then simulated with such judges; where that would take
long, a formula gives the order of magnitude, and the table says so.

[bold]Examples[/bold]

  juryrank plan --items 100 --accuracies 0.95,0.95,0.8,0.8,0.7
  juryrank plan --items 40 --accuracies big=0.9,small=0.7 --price big=0.01 \\
      --price small=0.002
  juryrank plan --items 40 --accuracies 0.9,0.7 --price 0.002 --json

People: say how many, and what they should settle (see docs/people.md).

  juryrank plan --people 40 --items 12 --goal top-3

Systems on cases: what proving takes, compared with asking everything (see
docs/systems.md).

  juryrank plan --systems 8 --cases 500 --judges 3 --price 0.002
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", help=HELP)(plan_command)


def plan_command(
    items: Annotated[int | None, typer.Option(help="How many items there are to rank.")] = None,
    accuracies: Annotated[
        str | None,
        typer.Option(metavar="P,P,...", help="How often each judge is right: 0.95,0.8 or ann=0.95,bob=0.8."),
    ] = None,
    systems: Annotated[int | None, typer.Option(help="On cases: how many systems are compared.")] = None,
    cases: Annotated[int | None, typer.Option(help="On cases: how many cases.")] = None,
    judges: Annotated[int, typer.Option(help="On cases: how many judges.")] = 1,
    gap: Annotated[
        float, typer.Option(help="On cases: your guess of how far apart neighbours are, in log-odds of an answer.")
    ] = PLAN_GAP,
    forecast: Annotated[
        float | None, typer.Option(help="On cases: your guess of how much of the answers forecasts explain (R²).")
    ] = None,
    people: Annotated[int | None, typer.Option(help="Plan a panel of this many people instead.")] = None,
    goal: Goal = None,
    assume: Assume = None,
    sitting: Annotated[int, typer.Option(help="People: questions each.")] = DEFAULT_SITTING,
    majority: Annotated[
        float, typer.Option(help="People: your guess of how many agree on a typical pair.")
    ] = TYPICAL_MAJORITY,
    unlike: Annotated[str, typer.Option(help="People: alike, unequal, or in camps.")] = "unequal",
    error: Error = DEFAULT_ERROR,
    price: Annotated[
        list[str] | None,
        typer.Option("--price", metavar="NAME=0.002", help="What one answer costs; without NAME=, for everybody."),
    ] = None,
    ranker: Annotated[list[str] | None, typer.Option("--ranker", help="Only these rankers.")] = None,
    option: Set = None,
    runs: Annotated[
        int | None,
        typer.Option(help="How many runs are simulated: 20.", show_default=False),
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    engine: Engine = "local",
    scheduler: Scheduler = None,
    out: Runs = None,
    as_json: Json = False,
) -> None:
    from juryrank.cli.plan.text import plan_text
    from juryrank.cli.simulate import bar
    from juryrank.simulation.planning.plan import plan
    from juryrank.simulation.sweep import Where

    where = Where(workers, engine, scheduler, out)
    if systems is not None or cases is not None:
        further = options(option)
        _plan_cases(systems, cases, judges, gap, forecast, price, error, runs, seed, as_json, further, where)
        return
    if items is None:
        raise BadInput("say how many: --items 40, or --systems 8 --cases 500 for systems on cases")
    if forecast is not None:
        raise BadInput("--forecast is about systems on cases: add --systems and --cases, or leave it out")
    if people is not None:
        if assume is not None:
            raise BadInput(
                "--assume goes with --accuracies; of people nothing like it is assumed, so leave it out"
            )
        guess = {"sitting": sitting, "majority": majority, "unlike": unlike}
        _plan_people(people, items, goal, error, runs, seed, as_json, guess, where)
        return
    if accuracies is None:
        raise BadInput("say who answers: --accuracies 0.95,0.8 for judges, or --people 40 for a panel of people")
    named = read_accuracies(accuracies)
    with bar("simulating", total=0) as advance:
        found = plan(
            items, named, error=error, prices=read_prices(price, named), rankers=ranker, runs=runs, seed=seed,
            goal=goal, where=where, counter=advance.begin,
            options={**({} if assume is None else {"assume": assume}), **options(option)},
        )  # fmt: skip
    if as_json:
        emit_json(_finite(asdict(found)))
    else:
        typer.echo(plan_text(found), nl=False)


def _plan_cases(
    systems: int | None,
    cases: int | None,
    judges: int,
    gap: float,
    forecast: float | None,
    price: list[str] | None,
    error: float,
    runs: int | None,
    seed: int,
    as_json: bool,
    further: dict[str, Any],
    where: Where,
) -> None:
    from juryrank.cli.plan.cases import beginning, ending, row
    from juryrank.simulation.planning.plan import plan

    if systems is None or cases is None or systems < 2 or cases < 1 or judges < 1:
        raise BadInput("a plan on cases needs --systems (2 or more) and --cases (1 or more), and --judges")
    if strange := sorted(further.keys() - {"at_once"}):
        raise BadInput(f"a plan on cases knows --set at_once=all alone, not {strange[0]}; leave it out")
    JuryChoices(**further)
    if further.get("at_once") == TOGETHER and forecast is not None:
        raise BadInput("forecasts are of pairs, and at_once=all asks about none; leave one of the two out")
    names = {f"judge-{u}": 0.5 for u in range(1, judges + 1)}
    shown = 0

    def show(found: CasePlan) -> None:
        """Each line as soon as it is known: the first one is the answer, and the others take a while."""
        nonlocal shown
        for line in () if as_json else found.lines[shown:]:
            typer.echo(row(found, line) if shown else beginning(found))
            shown += 1

    def tell(found: CasePlan, what: str) -> None:
        if len(found.lines) > shown:
            status.stop()
            show(found)
            status.start()
        status.update(f"simulating {what} ...")

    with console(stderr=True).status("simulating ...") as status:
        found = plan(
            systems, cases=cases, judges=judges, error=error, prices=read_prices(price, names), gap=gap, runs=runs,
            seed=seed, where=where, progress=tell, forecast=forecast, **further,
        )  # fmt: skip
    if as_json:
        emit_json(asdict(found))
        return
    show(found)
    typer.echo(ending(found))


def _plan_people(
    people: int,
    items: int,
    goal: str | None,
    error: float,
    runs: int | None,
    seed: int,
    as_json: bool,
    guess: dict[str, Any],
    where: Where,
) -> None:
    from juryrank.cli.plan.people import people_text
    from juryrank.cli.simulate import bar
    from juryrank.simulation.planning.plan import plan

    with bar("simulating", total=0) as advance:
        found = plan(
            items, people=people, goal=goal, error=error, runs=runs, seed=seed, where=where, counter=advance.begin,
            **guess,
        )  # fmt: skip
    if as_json:
        emit_json(asdict(found))
    else:
        typer.echo(people_text(found), nl=False)


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
            raise BadInput(f"--accuracies: {part!r} is not a number; write 0.95,0.8 or ann=0.95,bob=0.8") from None
        name = name or f"judge-{number}"
        if name in found:
            raise BadInput(f"--accuracies names the judge {name!r} twice; names must differ")
        found[name] = accuracy
    return found


def read_prices(given: list[str] | None, judges: Mapping[str, float]) -> dict[str, float] | None:
    """One price for everybody, or one per judge.

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

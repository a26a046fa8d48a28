"""`juryrank simulate`: play a ranker many times against simulated judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Error, Json, Seed, console, emit_json
from juryrank.cli.rank import number_or_word
from juryrank.defaults import DEFAULT_ERROR, SIMULATED_RUNS
from juryrank.errors import BadInput, BadWorld
from juryrank.options import SIMULATED, CertifiedChoices, JuryChoices, PaperChoices

if TYPE_CHECKING:
    from juryrank.simulation import Summary, World


Constants = Annotated[str, typer.Option("--constants", help="The paper's rankers: 'paper' or 'released'.")]

HELP = """Play a ranker many times in a simulated world: how many questions, how often exact.

[bold]Examples[/bold]

  juryrank simulate --ranker ada-iir --items 20 --gamma-a 0.5 --gamma-b 2.5
  juryrank simulate --ranker certified --items 20 --accuracies 0.9,0.8,0.6
  juryrank simulate --ranker jury --items 8 --judges 3 --cases 200 \\
      --goal order --repeats 20
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate", help=HELP)(simulate_command)


def simulate_command(
    ranker: Annotated[str, typer.Option("--ranker", help="The algorithm, such as ada-iir.")] = "ada-iir",
    items: Annotated[int | None, typer.Option("--items", "-n", help="How many items to rank.")] = None,
    judges: Annotated[int, typer.Option("--judges", "-m", help="How many judges; a third of them have γ_B.")] = 9,
    gamma_a: Annotated[float, typer.Option(help="γ of most judges; accuracy is 1/(1 + exp(-3γ)).")] = 0.5,
    gamma_b: Annotated[float, typer.Option(help="γ of a third of the judges.")] = 2.5,
    accuracies: Annotated[str | None, typer.Option(help="Instead: each judge's accuracy, as 0.9,0.8,0.6.")] = None,
    world: Annotated[Path | None, typer.Option(help="Instead: a world as JSON, or a file of votes.")] = None,
    delta: Error = DEFAULT_ERROR,
    constants: Constants = PaperChoices.default("constants"),
    repeats: Annotated[int, typer.Option("--repeats", help="How many runs.")] = SIMULATED_RUNS,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option("--workers", help="Processes; the numbers do not depend on it.")] = 1,
    budget: Annotated[
        int | None, typer.Option("--budget", help="The largest number of questions per run.")
    ] = None,
    assume: Annotated[
        str | None, typer.Option("--assume", help=f"Ranker certified: {CertifiedChoices.allowed('assume').words}.")
    ] = None,
    parallel: Annotated[
        int | None, typer.Option("--parallel", help="Ranker certified: questions open at once.")
    ] = None,
    insert: Annotated[
        str | None,
        typer.Option(
            "--insert",
            help=f"Ranker certified: {CertifiedChoices.allowed('insert').words} (for a better order early).",
        ),
    ] = None,
    cases: Annotated[int, typer.Option("--cases", help="Ranker jury: how many cases.")] = SIMULATED_RUNS,
    objective: Annotated[
        str | None,
        typer.Option("--goal", help="Rankers certified and jury: order, best, top-10, ..."),
    ] = None,
    resolution: Annotated[str, typer.Option("--within", help="Ranker jury: 0.05, or falling.")] = str(SIMULATED),
    as_json: Json = False,
) -> None:
    from juryrank.rankers.registry import ranker_class
    from juryrank.simulation import simulate

    if ranker_class(ranker).knows_cases:
        _simulate_on_cases(
            items or 8, judges, cases, objective=objective or JuryChoices.default("objective"), delta=delta,
            resolution=resolution,
            repeats=repeats, seed=seed, parallel=parallel or 1, budget=budget, as_json=as_json,
        )  # fmt: skip
        return
    given = world_of(judges, gamma_a, gamma_b, accuracies, world)
    special = options_of(ranker, assume=assume, parallel=parallel, objective=objective, insert=insert)
    with bar("playing", total=max(repeats, 0), quiet=as_json) as advance:
        found = simulate(
            ranker, given, items=items, delta=delta, constants=constants, repeats=repeats, seed=seed,
            workers=workers, budget=budget, progress=advance, **special,
        )  # fmt: skip
    if as_json:
        emit_json(found.to_dict())
    else:
        console().print(summary_table(found))


def _simulate_on_cases(
    systems: int,
    judges: int,
    cases: int,
    *,
    objective: str,
    resolution: str,
    delta: float,
    repeats: int,
    seed: int,
    parallel: int,
    budget: int | None,
    as_json: bool,
) -> None:
    """Play, and show the outcome."""
    from rich.table import Table

    from juryrank.report.words.jury import share_words
    from juryrank.simulation.players.cases import CaseWorld, simulate_cases

    world = CaseWorld(systems=systems, judges=judges, cases=cases)
    with bar("playing", total=max(repeats, 0), quiet=as_json) as advance:
        found = simulate_cases(
            world, objective=objective, resolution=number_or_word(resolution) or 0.0, error=delta, repeats=repeats,
            seed=seed, parallel=parallel, budget=budget, progress=advance,
        )  # fmt: skip
    if as_json:
        emit_json(found.to_dict())
        return
    table = Table(title=f"jury: {systems} systems, {judges} judges, {cases} cases, {repeats} runs")
    table.add_column("")
    table.add_column("mean", justify="right")
    table.add_column("± std", justify="right")
    table.add_row("calls", f"{found.calls_mean:,.1f}", f"{found.calls_std:,.1f}")
    table.add_row("  of the whole evaluation", share_words(found.calls_mean / found.whole), f"of {found.whole:,}")
    table.add_row(f"{objective} proven at {resolution}", f"{found.proven_rate:.1%}", "")
    table.add_row(f"false statements (δ = {delta})", f"{found.false_rate:.1%}", "")
    table.add_row("attempts", f"{found.attempts_mean:.2f}", "")
    table.caption = f"{found.seconds:.1f} s"
    console().print(table)


def options_of(ranker: str, **given: str | int | None) -> dict[str, str | int]:
    """Options that only some rankers have, with their defaults.

    >>> options_of("certified", assume=None, parallel=10)
    {'assume': 'better-than-chance', 'parallel': 10}
    """
    from juryrank.simulation.play import player_options

    known = player_options(ranker)
    for name, value in given.items():
        if value is not None and name not in known:
            raise BadInput(f"the ranker {ranker!r} has no option --{name}; leave it out, or use another ranker")
    return {name: known[name] if value is None else value for name, value in given.items() if name in known}


def world_of(judges: int, gamma_a: float, gamma_b: float, accuracies: str | None, file: Path | None) -> World:
    """The world that the options describe."""
    from juryrank.simulation import Bernoulli, two_groups

    if file is not None and accuracies is not None:
        raise BadInput("give --accuracies or --world, not both")
    if file is not None:
        return _world_in(file)
    if accuracies is None:
        return two_groups(judges, gamma_a=gamma_a, gamma_b=gamma_b)
    try:
        return Bernoulli(tuple(float(part) for part in accuracies.split(",")))
    except ValueError as problem:
        if isinstance(problem, BadWorld):
            raise
        raise BadWorld(f"--accuracies {accuracies!r} is not a list of numbers such as 0.9,0.8,0.6") from None


def _world_in(file: Path) -> World:
    """A world's own description, or recorded votes (in any format that the votes package reads) to draw from."""
    from juryrank.simulation import from_votes, read_world

    if file.suffix == ".json" or not file.is_file():
        return read_world(file)
    from juryrank.votes.read import read_votes

    votes = [vote for vote in read_votes(file).checked() if vote.winner in (vote.left, vote.right)]
    counted = [vote for vote in votes if vote.counts]
    return from_votes((vote.judge, vote.winner, _other(vote.left, vote.right, vote.winner)) for vote in counted)


def _other(left: str, right: str, winner: str) -> str:
    return right if winner == left else left


def summary_table(found: Summary) -> object:
    """What a summary says, for people."""
    from rich.table import Table

    table = Table(title=f"{found.ranker}: {found.items} items, {found.judges} judges, {found.repeats} runs")
    table.add_column("")
    table.add_column("mean", justify="right")
    table.add_column("± std", justify="right")
    table.add_row("questions", f"{found.questions_mean:,.1f}", f"{found.questions_std:,.1f}")
    if found.selection_questions_mean:
        table.add_row("  of them to select judges", f"{found.selection_questions_mean:,.1f}", "")
    if found.limit is not None and found.ratio_to_limit is not None:
        table.add_row("information limit", f"{found.limit:,.1f}", "")
        table.add_row("  times the limit", f"{found.ratio_to_limit:,.2f}", "")
    if found.yardstick is not None and found.ratio_to_yardstick is not None:
        table.add_row("finite-N yardstick", f"{found.yardstick:,.1f}", "")
        table.add_row("  times the yardstick", f"{found.ratio_to_yardstick:,.2f}", "")
    if found.fano is not None:
        table.add_row("Fano's bound (rigorous)", f"{found.fano:,.1f}", "")
    table.add_row(
        "exact order" if found.objective == "order" else f"right ({found.objective})",
        f"{found.exact_rate:.1%}",
        "",
    )
    table.add_row(f"certified (δ = {found.delta})", f"{found.certified_rate:.1%}", "")
    table.add_row("judges active at the end", f"{found.active_judges_mean:.1f}", "")
    table.caption = f"constants: {found.constants}; {found.seconds:.1f} s"
    return table


# ----------------------------------------------------------------------------
# A progress bar on standard error, with the time left; silent where there is no terminal


class Bar:
    """Call it with how much has been done since the last call."""

    def __init__(self, progress: Any, task: Any) -> None:
        self._progress, self._task = progress, task

    def __call__(self, steps: int) -> None:
        self._progress.advance(self._task, steps)

    def begin(self, total: int, done: int) -> Callable[[int], None]:
        """How much there is to do, and how much of it is done already."""
        self._progress.reset(self._task, total=total, completed=done)
        return self


@contextmanager
def bar(title: str, *, total: int, quiet: bool = False) -> Iterator[Bar]:
    """A bar that goes away when the work is done."""
    from rich import progress as parts

    screen = console(stderr=True)
    columns = (
        parts.TextColumn("{task.description}"),
        parts.BarColumn(),
        parts.MofNCompleteColumn(),
        parts.TimeElapsedColumn(),
        parts.TextColumn("left"),
        parts.TimeRemainingColumn(),
    )
    hidden = quiet or not screen.is_terminal
    with parts.Progress(*columns, console=screen, transient=True, disable=hidden) as shown:
        yield Bar(shown, shown.add_task(title, total=total))

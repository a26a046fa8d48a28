"""`juryrank study run`: programs and models answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from juryrank.cli import EXIT_DONE, EXIT_INTERRUPTED, EXIT_NOT_CERTIFIED
from juryrank.cli.common import Cache, DryRun, Gold, Json, JudgesFile, Storage, console, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_STORAGE, OPEN_AT_ONCE, PROGRAM_SECONDS, RUN_RETRIES, WIDTH
from juryrank.errors import BadInput

if TYPE_CHECKING:
    from juryrank.study.run import RunReport

ENDINGS = {  # of a run, where the word alone says too little
    "spent": "the study's budget is spent",
    "money": "the money for its models is spent",
    "beside": "the models' answers stand beside the people's, and never count in the promise about people",
    "budget": "as many questions were asked as --budget allows",
    "waiting": "these judges cannot be asked anything more now, and the ranking is not done",
}

HELP = """Let programs answer until the ranking is done; Ctrl-C keeps everything, and the next run continues.

If somebody else must answer first, it waits, at most until the deadline of
their question.

[bold]Examples[/bold]

  juryrank study run wines --judge ann=cmd:./ann.sh --judge bob=cmd:./bob.sh
  juryrank study run answers --judges judges.toml --money 2.00

Exit code: 0 what was asked for is proven, 3 it is not (yet), 130 interrupted.
"""


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", help=HELP)(run)


def run(
    name: Name,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", metavar="NAME=KIND:WHAT", help="cmd:PROGRAM, python:module:function, openai:MODEL@URL, ..."
        ),
    ] = None,
    judges: JudgesFile = None,
    money: Annotated[float | None, typer.Option(help="What the models of this run may cost, at most.")] = None,
    cache: Cache = True,
    gold: Gold = None,
    dry_run: DryRun = False,
    concurrency: Annotated[int, typer.Option(help="Questions open at once.")] = OPEN_AT_ONCE,
    per_judge: Annotated[int | None, typer.Option(help="Calls of one judge at once.")] = None,
    rate: Annotated[float | None, typer.Option(help="Calls of one judge per second, at most.")] = None,
    budget: Annotated[int | None, typer.Option(help="Questions of this run, at most.")] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds a judge may take for one answer.")] = PROGRAM_SECONDS,
    retries: Annotated[int, typer.Option(help="How often a failed call is tried again.")] = RUN_RETRIES,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    from juryrank.cli.dry_run import show_prompts
    from juryrank.cli.rank import judges_named
    from juryrank.run.display import ProgressDisplay
    from juryrank.study.run import catalogue_of

    named = judges_named(judge or [], judges, time_limit)
    if not named:
        raise BadInput("there is no judge to run; give --judge NAME=cmd:PROGRAM or --judges JUDGES.TOML")
    study = opened(name, storage)
    if dry_run:
        require = (study.created.get("options") or {}).get("require") or ()
        return show_prompts(named, catalogue_of(study), require=require)
    with ProgressDisplay(console(stderr=True), transient=True) as show:
        report = study.run(
            named,
            concurrency=concurrency,
            per_judge=per_judge,
            rate=rate,
            budget=budget,
            time_limit=time_limit,
            retries=retries,
            money=money,
            cache=cache,
            gold=gold,
            progress=show,
        )
    _finish(report, title=name, as_json=as_json)


def _finish(report: RunReport, *, title: str, as_json: bool) -> None:
    from juryrank.report import result_text
    from juryrank.report.words.formats import wrap
    from juryrank.run.rank import heard
    from juryrank.statements.numbers import number_of

    ranking = report.ranking
    assert ranking is not None
    nothing = bool(report.failed) and not heard(ranking)  # no answers, no order
    if as_json:
        emit_json({**asdict(report), "ranking": None if nothing else ranking.to_dict()})
    elif not nothing:
        typer.echo(result_text(ranking, title=title), nl=False)
        why = ENDINGS.get(report.state, report.state)
        said = f"{number_of(report.answered, 'answer')} in {report.seconds:.1f} s; the run ended: {why}."
        typer.echo("\n" + "\n".join(wrap(said, WIDTH)))
    for name, why in report.failed.items():
        typer.echo(f"juryrank: judge {name!r} is not asked any more: {why}", err=True)
    if report.state == "interrupted":
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(EXIT_DONE if ranking.proven else EXIT_NOT_CERTIFIED)

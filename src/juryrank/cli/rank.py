"""`juryrank rank`: rank the things in a file, by programs, functions, or the person at the terminal."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from juryrank.cli.common import (
    Assume,
    Cache,
    Delta,
    DryRun,
    Gold,
    Json,
    JudgesFile,
    Storage,
    console,
    emit_json,
)
from juryrank.defaults import DEFAULT_STORAGE, WIDTH
from juryrank.errors import BadInput, JudgeFailed
from juryrank.types import Ranking

PYTHON_WORDS = {"None": None, "True": True, "False": False}  # as messages say them

HELP = """Rank the things in a file.

ITEMS has one thing per line, or is CSV (named by its column id or item;
judges see the whole row), or JSON; - reads standard input.

Without --judge, [bold]you[/bold] are asked, in this terminal: arrow keys or
1 and 2, t for a tie, s to skip, u to undo, q to stop.

Every answer is kept in juryrank.db before the next question: after q, Ctrl-C
or a crash the same command goes on. Where items, judges or the goal have
changed, it is another ranking, and --again starts it beside the old one.
--no-keep keeps nothing. What comes from standard input, or runs in a build
(CI), is kept only if --study names it; models' answers are kept in a cache.

With --judge, programs or Python functions are asked. A program gets the pair
as JSON on its standard input, {"left": ..., "right": ..., "judge": NAME},
and prints left, right, tie or skip. A function gets the two items and gives
back the better one, juryrank.TIE or juryrank.SKIP.

With --judges, language models are asked (see juryrank judges): --dry-run
shows a whole prompt and what it may cost, --money sets a cap, --gold tests
them. What is promised is what these models prefer, not what is true.

[bold]Systems on cases[/bold]: ITEMS holds the outputs (CSV, JSON Lines or Parquet
with the columns system, case, output; or a folder with a folder or a file per
system), and --cases the inputs. A program then gets "case" too, a function is
called as (left, right, case); without --judge you see the input above both
outputs. The promise is about what these judges say on all cases, asked or
not. --require proves a claim: a gate for builds. Unless --resolution says
otherwise, it means at least as good: half of the answers or more.

A judge who may repeat itself is asked each pair once, and the result is about
the majority of these judges. If every answer is drawn anew (a
measurement with noise), say --fresh: then the exact order can be proven.

[bold]Examples[/bold]

  juryrank rank desserts.txt
  juryrank rank essays.csv --judge a=cmd:./a.sh --judge b=cmd:./b.sh
  juryrank rank answers.txt --judges judges.toml --money 2.00
  juryrank rank prompts.json --judge m=python:my_judges:m --fresh \\
      --delta 0.1 --out result.json
  juryrank rank outputs.jsonl --cases cases.jsonl --judge m=cmd:./m.sh \
      --objective best --resolution falling
  juryrank rank outputs/ --judge m=cmd:./m.sh --require "new over old"
  juryrank verify result.json

Exit code: 0 what was asked for is proven, 2 misuse, 3 it is not (also if no
judge answered: then there is no result).
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rank", help=HELP)(rank_command)


def rank_command(
    items: Annotated[
        str, typer.Argument(metavar="ITEMS", help="A file of lines, CSV or JSON, a folder; - for standard input.")
    ],
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            metavar="NAME=KIND:WHAT",
            help="NAME=cmd:PROGRAM, NAME=python:module:function, NAME=openai:MODEL@URL, NAME=anthropic:MODEL.",
        ),
    ] = None,
    judges: JudgesFile = None,
    cache: Cache = True,
    gold: Gold = None,
    dry_run: DryRun = False,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Compare systems on these cases: lines, CSV, JSON Lines, Parquet (id, input, group, weight)."
        ),
    ] = None,
    objective: Annotated[
        str | None, typer.Option(help="best, top-3, order (not of people); panels also: ranges, tiers.")
    ] = None,
    assume: Assume = None,
    resolution: Annotated[
        str | None, typer.Option(help="On cases: 0.05 proves at least 45 % of the answers; 'falling' sharpens it.")
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(metavar='"NEW over OLD"', help="On cases: prove this claim, or exit with 3."),
    ] = None,
    missing: Annotated[
        str, typer.Option(help="On cases without an output: 'refuse', or 'leave out' per pair.")
    ] = "refuse",
    fresh: Annotated[
        bool | None, typer.Option("--fresh/--not-fresh", help="Judges answer anew each time they are asked.")
    ] = None,
    ranker: Annotated[str | None, typer.Option(help="The ranker; by default one that fits the judges.")] = None,
    delta: Delta = 0.05,
    budget: Annotated[int | None, typer.Option(help="The largest number of questions.")] = None,
    price: Annotated[
        list[str] | None, typer.Option("--price", metavar="NAME=0.002", help="What one answer of a judge costs.")
    ] = None,
    money: Annotated[float | None, typer.Option(help="The most money to spend, at the judges' prices.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="KEY=VALUE",
            help="A further option of the ranker: patience=500, say, to give up sooner on close pairs.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same questions.")] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds a judge may take for one answer.")] = 60.0,
    concurrency: Annotated[int | None, typer.Option(help="Questions open at once (programs: 8).")] = None,
    format: Annotated[str | None, typer.Option(help="lines, csv or json, where the ending does not tell.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the certificate here: the result and every question and answer.")
    ] = None,
    study: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep it under this name, not under the file's.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Keep every answer, and go on later.")] = True,
    again: Annotated[bool, typer.Option("--again", help="Start anew; the old ranking is kept too.")] = False,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    from juryrank.cli.dry_run import show_prompts
    from juryrank.cli.keeping import keeping
    from juryrank.run.rank import catalogue_of

    asked = [*(judge or []), *([judges] if judges else [])]
    if items == "-" and not asked:
        raise BadInput("standard input cannot hold both the items and your answers; give a file of items")
    check_writable(out)
    things = read_things(items, on_cases=cases is not None or bool(require), format=format)
    chosen = {
        "objective": objective,
        "assume": assume,
        "resolution": number_or_word(resolution),
        "require": require,
    }
    settings: dict[str, Any] = {
        "ranker": ranker,
        "error": delta,
        "budget": budget,
        "prices": prices(price),
        "money": money,
        "seed": seed,
        "fresh": fresh,
        **{name: value for name, value in chosen.items() if value is not None},
        **options(option),
    }
    if isinstance(things, Path):
        settings |= {"cases": cases, "missing": missing}
    if asked:
        named = judges_named(judge or [], judges, time_limit)
        if dry_run:
            return show_prompts(named, catalogue_of(things, cases, missing=missing))
        with keeping(items, named, storage=storage, seed=seed, study=study, keep=keep, again=again) as kept:
            more = {"cache": cache, "gold": gold, "keep": kept}
            result, problem = _by_judges(things, named, time_limit, concurrency, {**settings, **more})
    elif dry_run:
        raise BadInput("--dry-run shows what models are asked; give --judges or --judge NAME=openai:MODEL")
    elif gold is not None:
        raise BadInput("--gold tests judges that run by themselves; give --judge or --judges")
    else:
        with keeping(items, {}, storage=storage, seed=seed, study=study, keep=keep, again=again) as kept:
            result, problem = _by_person(things, {**settings, "keep": kept}), None
    title = Path(items).stem if items != "-" else ""
    finish(result, title=title, out=out, as_json=as_json, problem=problem, again=again)


def check_writable(out: Path | None) -> None:
    """Refuse a place where nothing can be written, before any judge is asked."""
    if out is None:
        return
    if not out.parent.is_dir():
        raise BadInput(f"{out} cannot be written: there is no folder {out.parent}")
    if out.is_dir():
        raise BadInput(f"{out} cannot be written: it is a folder; name a file in it, as {out / 'result.json'}")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise BadInput(f"{out} cannot be written: that is not allowed; give another place")


def read_things(source: str, *, on_cases: bool, format: str | None) -> list[Any] | Path:
    """Items, or the place where systems' outputs are: a folder, a table, any file that comes with cases."""
    from juryrank.cli.items import read_items
    from juryrank.run.cases.outputs import holds_outputs

    place = Path(source)
    if source != "-" and format is None and holds_outputs(place):
        return place
    if source != "-" and (on_cases or place.is_dir() or place.suffix.lower() in (".jsonl", ".parquet")):
        if not place.exists():
            raise BadInput(f"{source} is not there; give the file or folder of the systems' outputs")
        return place
    return read_items(source, format=format)


def number_or_word(text: str | None) -> float | str | None:
    """A number where it is one.

    >>> number_or_word("0.05"), number_or_word("falling"), number_or_word(None)
    (0.05, 'falling', None)
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def judges_named(words: list[str], file: Path | None, time_limit: float) -> dict[str, Callable[..., Any]]:
    """The judges of --judge and --judges, by name."""
    from juryrank.judges import from_file, judge_named

    named = [judge_named(text, time_limit=time_limit) for text in words]
    named += [] if file is None else list(from_file(file).items())
    if len(dict(named)) != len(named):
        raise BadInput("two judges have the same name; names must differ")
    return dict(named)


def _by_judges(
    things: list[Any] | Path,
    judges: dict[str, Callable[..., Any]],
    time_limit: float,
    concurrency: int | None,
    settings: dict[str, Any],
) -> tuple[Ranking, str]:
    from juryrank.cli import EXIT_NOT_CERTIFIED
    from juryrank.run.display import ProgressDisplay
    from juryrank.run.rank import IN_PYTHON, heard, rank

    with ProgressDisplay(console(stderr=True), transient=True) as show:
        try:
            found, said = (
                rank(things, judges, progress=show, time_limit=time_limit, concurrency=concurrency, **settings),
                "",
            )
        except JudgeFailed as problem:
            said, found = str(problem).removesuffix(IN_PYTHON), problem.ranking
    silent = found.questions and not found.proven and not heard(found)  # identical outputs are proven unheard
    if silent:  # nothing is printed that looks like an order, and nothing is written
        typer.echo(f"juryrank: {said or 'stopped before any judge had answered, so there is no order'}", err=True)
        raise typer.Exit(EXIT_NOT_CERTIFIED)
    return found, said


def _by_person(things: list[Any] | Path, settings: dict[str, Any]) -> Ranking:
    from juryrank.cli.person import DONE, NAME, NO_ORDER, STOPPED, ask_person
    from juryrank.run.rank import catalogue_of, finished, open_session

    on_cases = isinstance(things, Path)
    catalogue = catalogue_of(things, settings.pop("cases", None), missing=settings.pop("missing", "refuse"))
    settings["fresh"] = bool(settings["fresh"])
    if on_cases:
        settings.setdefault("sides", "single")  # a person remembers the other side
    ours = settings["ranker"] is None and not (settings["fresh"] or on_cases or "objective" in settings)
    if ours:
        settings["objective"] = "order"
    session, reason = open_session(catalogue, [NAME], **settings)
    try:
        stopped = not ask_person(session, catalogue)
    except KeyboardInterrupt:
        stopped = True
    result = finished(session, catalogue, reason="" if ours else reason, stopped=stopped)
    said = STOPPED if stopped else DONE if result.proven else NO_ORDER
    return replace(result, statement=said) if ours else result


def finish(
    result: Ranking,
    *,
    title: str,
    out: Path | None,
    as_json: bool,
    problem: str | None = None,
    again: bool = False,
) -> None:
    """Write and print the result; exit with the code that says whether it is proven."""
    from juryrank.cli import EXIT_DONE, EXIT_NOT_CERTIFIED
    from juryrank.report import result_text

    unwritten = "" if out is None else _write(result, out)
    if as_json:
        emit_json(result.to_dict())
    else:
        typer.echo(result_text(result, title=title), nl=False)
        if result.details.get("reason"):
            typer.echo("\n" + textwrap.fill(result.details["reason"], WIDTH))
        if out is not None and not unwritten:
            typer.echo(f"\nCertificate: {out}. Anybody can re-check it: juryrank verify {out}")
    if problem:
        typer.echo(f"juryrank: {problem}", err=True)
    if result.record is not None and result.record.goes_on:
        typer.echo(f"Everything is kept: the same command{' without --again' if again else ''} goes on.", err=True)
    if unwritten:
        raise BadInput(f"the certificate could not be written to {out}: {unwritten}; the result itself is above")
    raise typer.Exit(EXIT_DONE if result.proven else EXIT_NOT_CERTIFIED)


def _write(result: Ranking, out: Path) -> str:
    """Write the certificate; why it could not be written, if so: the result must be seen all the same."""
    try:
        out.write_text(json.dumps(result.certificate(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        return problem.strerror or str(problem)
    return ""


def prices(given: list[str] | None) -> dict[str, float] | None:
    """`ann=0.002` as a mapping.

    >>> prices(["ann=0.002", "bob=0"])
    {'ann': 0.002, 'bob': 0.0}
    """
    if not given:
        return None
    found = {}
    for text in given:
        name, _, amount = text.rpartition("=")
        try:
            found[name] = float(amount)
        except ValueError:
            raise BadInput(f"--price {text!r} cannot be read; write NAME=0.002") from None
        if not name:
            raise BadInput(f"--price {text!r} names no judge; write NAME=0.002")
    return found


def options(given: list[str] | None) -> dict[str, Any]:
    """`key=value` as a mapping; JSON (numbers, true, false, null) and Python's words for these are read as such.

    >>> options(["objective=top-3", "repeats=2", "patience=None"])
    {'objective': 'top-3', 'repeats': 2, 'patience': None}
    """
    found: dict[str, Any] = {}
    for text in given or []:
        key, equals, value = text.partition("=")
        if not (key.isidentifier() and equals):
            raise BadInput(f"--option {text!r} cannot be read; write KEY=VALUE")
        try:
            found[key] = json.loads(value)
        except json.JSONDecodeError:
            found[key] = PYTHON_WORDS.get(value, value)
    return found

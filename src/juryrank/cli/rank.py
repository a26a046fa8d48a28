"""`juryrank rank`: rank the things in a file, by programs, functions, or the person at the terminal."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import (
    About,
    Assume,
    Cache,
    DryRun,
    Error,
    Forecast,
    Fresh,
    Goal,
    Gold,
    Json,
    JudgesFile,
    JUnit,
    Ranker,
    Set,
    StartFrom,
    Storage,
    Summary,
    Within,
    console,
    emit_json,
    in_flags,
    program,
    quoted,
)
from juryrank.defaults import DEFAULT_ERROR, DEFAULT_STORAGE, PROGRAM_SECONDS, WIDTH
from juryrank.errors import BadInput, JudgeFailed
from juryrank.types import Ranking

if TYPE_CHECKING:
    from juryrank.cli.gate import GateFiles
    from juryrank.run.cases.outputs import OutputFiles
    from juryrank.run.options import Wanted

PYTHON_WORDS = {"None": None, "True": True, "False": False}  # as messages say them

HELP = """Rank the things in a file.

You answer, in this terminal; or programs do (--judge), or language models
(--judges).

ITEMS is a file with one thing per line, or with longer texts between lines
of ---; a CSV or JSON file; or a folder with a file for each thing.

Every answer is kept before the next question. Stop when you like: the same
command goes on, and --again starts anew.

[bold]Examples[/bold]

  juryrank rank desserts.txt            you are asked: ? shows the keys
  juryrank rank essays/ --judge a=cmd:./a.sh --judge b=cmd:./b.sh
  juryrank rank answers.txt --judges judges.toml --money 2.00
  juryrank rank outputs.jsonl --cases cases.jsonl --judges judges.toml \\
      --goal best --out result.json
  juryrank rank outputs/ --cases cases.jsonl --judge m=cmd:./m.sh \\
      --require "new over old"       a gate for builds

Exit code: 0 what was asked for is proven, 2 misuse, 3 it is not proven,
4 what was required is refuted, 5 judges could not be asked.
\f
[bold]Items[/bold]: a CSV file is named by its column id or item, and judges see the
whole row. A folder holds texts or pictures. - reads standard input.

[bold]You[/bold]: arrow keys or 1 and 2, space for a tie, s to skip, u to undo, o for
the order so far, q to stop. TERM=dumb or NO_COLOR=1 asks line by line.

[bold]Programs and functions[/bold] (--judge): a program gets the pair as JSON on its
standard input, {"left": ..., "right": ..., "judge": NAME}, and prints left,
right, tie or skip. A function gets the two items and returns the better one,
juryrank.TIE or juryrank.SKIP.

[bold]Language models[/bold] (--judges): --dry-run shows a whole prompt and what it may
cost, --money sets a cap, --gold tests them. See also juryrank judges probe.

[bold]Systems on cases[/bold]: ITEMS holds the outputs (CSV, JSON Lines or Parquet
with the columns system, case, output; or a folder with a folder or a file per
system), and --cases the inputs. A program then gets "case" too, and a
function is called with (left, right, case). --require proves a claim: that
new gets half of the answers or more, unless --within says otherwise. Files
of AlpacaEval, Arena-Hard, MT-Bench, lm-evaluation-harness, promptfoo and
Inspect are read as they are; NAME=FILE names the system in a file:

  juryrank rank new=a.eval old=b.eval --judges judges.toml
  juryrank rank annotations.json --judge gpt4=table:annotations.json

[bold]What is proven[/bold]: what these judges say, right or wrong. Without cases, each
is asked a pair once and their majority is counted. --about people: what most
people like them would say. --about truth: the true order, from judges who
answer anew each time and are right at least half of the time.

[bold]What is kept[/bold]: the ranking, in juryrank.db, under the file's name. Items may
be added and removed: old answers count for what has not changed. Other judges
or another goal make another ranking; --again starts it and keeps the old one.
--no-keep keeps nothing. What comes from standard input, or runs in a build
(CI), is kept only if --study names it.
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rank", help=HELP)(rank_command)


def rank_command(
    items: Annotated[
        list[str],
        typer.Argument(metavar="ITEMS", help="A file of lines, CSV or JSON, a folder; - for standard input."),
    ],
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            metavar="NAME=KIND:WHAT",
            help="NAME=cmd:PROGRAM, NAME=python:module:function, NAME=openai:MODEL@URL, NAME=anthropic:MODEL, "
            "NAME=table:VOTES (recorded answers).",
        ),
    ] = None,
    judges: JudgesFile = None,
    cache: Cache = True,
    gold: Gold = None,
    dry_run: DryRun = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Ask models in batches: half the price, answers within a day.")
    ] = False,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Compare systems on these cases: lines, CSV, JSON Lines, Parquet (id, input, group, weight)."
        ),
    ] = None,
    about: About = None,
    goal: Goal = None,
    within: Within = None,
    assume: Assume = None,
    require: Annotated[
        list[str] | None,
        typer.Option(metavar='"NEW over OLD"', help="On cases: prove this claim (0), or refute it (4)."),
    ] = None,
    missing: Annotated[
        str, typer.Option(help="On cases without an output: 'refuse', or 'leave out' per pair.")
    ] = "refuse",
    fresh: Fresh = None,
    start_from: StartFrom = None,
    forecast: Forecast = None,
    ranker: Ranker = None,
    error: Error = DEFAULT_ERROR,
    budget: Annotated[int | None, typer.Option(help="The largest number of questions.")] = None,
    price: Annotated[
        list[str] | None, typer.Option("--price", metavar="NAME=0.002", help="What one answer of a judge costs.")
    ] = None,
    money: Annotated[float | None, typer.Option(help="The most money to spend, at the judges' prices.")] = None,
    option: Set = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same questions.")] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds a judge may take for one answer.")] = PROGRAM_SECONDS,
    concurrency: Annotated[int | None, typer.Option(help="Questions open at once (programs: 8).")] = None,
    format: Annotated[
        str | None, typer.Option(help="lines, csv, json, or whose file it is (inspect), if it cannot be told.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the certificate here: the result and every question and answer.")
    ] = None,
    study: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep it under this name, not under the file's.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Keep every answer, and go on later.")] = True,
    again: Annotated[bool, typer.Option("--again", help="Start anew; the old ranking is kept too.")] = False,
    storage: Storage = DEFAULT_STORAGE,
    summary: Summary = None,
    junit: JUnit = None,
    as_json: Json = False,
) -> None:
    from juryrank.cli.dry_run import show_prompts
    from juryrank.cli.gate import GateFiles
    from juryrank.cli.items import check_size, read_things, recorded_things
    from juryrank.cli.keeping import keeping
    from juryrank.run.options import Wanted
    from juryrank.run.rank import catalogue_of

    items = list(dict.fromkeys(items))  # a file that is named twice is read once
    asked, text = [*(judge or []), *([judges] if judges else [])], ""
    if items == ["-"] and not asked:
        raise BadInput("standard input cannot hold both the items and your answers; give a file of items")
    for file in (out, summary, junit):
        check_writable(file)
    place = Path(items[0])
    title = (place.name if place.is_dir() else place.stem) if items != ["-"] and len(items) == 1 else ""
    gate = GateFiles(summary, junit, title=title, priced=bool(price or money is not None))
    named = judges_named(judge or [], judges, time_limit, batch=batch)
    systems, recorded = recorded_things(items, named)
    on_cases = cases is not None or bool(require)
    things = systems or read_things(items, on_cases=on_cases, format=format)
    check_size(things, items[0])
    if goal is not None and require:
        raise BadInput("--require names the goal, so --goal says it twice; leave one of them out")
    wanted = Wanted(about, require or goal, number_or_word(within), ranker, assume)
    settings: dict[str, Any] = {
        "error": error,
        "budget": budget,
        "prices": prices(price),
        "money": money,
        "seed": seed,
        "fresh": fresh,
        "options": options(option),
    }
    before = {"start_from": start_from, "forecast": forecast}
    if not isinstance(things, list) or recorded:
        settings |= {"cases": recorded if cases is None and recorded else cases, "missing": missing}
    if asked:
        if dry_run:
            return show_prompts(named, catalogue_of(things, cases, missing=missing), require=require or ())
        with keeping(items, named, storage=storage, seed=seed, study=study, keep=keep, again=again) as kept:
            more = {"cache": cache, "gold": gold, "keep": kept, **before, **wanted._asdict()}
            result, problem = _by_judges(things, named, time_limit, concurrency, {**settings, **more}, gate)
    elif dry_run:
        raise BadInput("--dry-run shows what models are asked; give --judges or --judge NAME=openai:MODEL")
    elif gold is not None:
        raise BadInput("--gold tests judges that run by themselves; give --judge or --judges")
    elif require and os.environ.get("CI"):
        raise BadInput("nobody types answers in a build (CI is set); give --judge or --judges")
    else:
        with keeping(items, {}, storage=storage, seed=seed, study=study, keep=keep, again=again) as kept:
            more = {**settings, "keep": kept}
            result, text = _by_person(things, wanted, more, items[0], before)
            problem = None
    finish(result, title=title, text=text, out=out, as_json=as_json, problem=problem, again=again, gate=gate)


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


def number_or_word(text: str | None) -> float | str | None:
    """A number where it is one.

    >>> number_or_word("0.05"), number_or_word("falling"), number_or_word(None)
    (0.05, 'falling', None)
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def judges_named(
    words: list[str], file: Path | None, time_limit: float, *, batch: bool = False
) -> dict[str, Callable[..., Any]]:
    """The judges of --judge and --judges, by name."""
    if not words and file is None and not batch:
        return {}
    from juryrank.judges import ModelJudge, from_file, judge_named

    named = [judge_named(text, time_limit=time_limit) for text in words]
    named += [] if file is None else list(from_file(file).items())
    if len(dict(named)) != len(named):
        raise BadInput("two judges have the same name; names must differ")
    models = [judge for _, judge in named if isinstance(judge, ModelJudge)] if batch else []
    if batch and not models:
        raise BadInput("--batch is for language models; give --judges or --judge NAME=openai:MODEL")
    for model in models:
        model.settings = model.settings.in_batches()
    return dict(named)


def _by_judges(
    things: list[Any] | Path | OutputFiles,
    judges: dict[str, Callable[..., Any]],
    time_limit: float,
    concurrency: int | None,
    settings: dict[str, Any],
    gate: GateFiles,
) -> tuple[Ranking, str]:
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
        raise typer.Exit(gate.write(found, said))
    return found, said


def _by_person(
    things: list[Any] | Path | OutputFiles,
    wanted: Wanted,
    settings: dict[str, Any],
    source: str,
    before: dict[str, Path | None],
) -> tuple[Ranking, str]:
    """What the person at the terminal says, and the order in words, where that is all they asked for."""
    from juryrank.cli.keeping import where
    from juryrank.cli.person import NAME, ask_person, desk_here
    from juryrank.cli.person.pairs import COMPARED, DONE, NO_ORDER, STOPPED
    from juryrank.run.forecast import before_options
    from juryrank.run.rank import catalogue_of, check_priced, finished, open_session

    on_cases = not isinstance(things, list)
    catalogue = catalogue_of(things, settings.pop("cases", None), missing=settings.pop("missing", "refuse"))
    check_priced([NAME], settings["prices"], settings["money"])
    if on_cases:
        settings["options"].setdefault("sides", "single")  # a person remembers the other side
    settings["options"] |= before_options(before, catalogue, [NAME])
    ours = wanted.leaves_goal and wanted.of_judges and not (settings["fresh"] or on_cases)
    session, reason = open_session(catalogue, [NAME], wanted=wanted, people=wanted.about is not None, **settings)
    kept = settings["keep"]
    desk = desk_here(Path(source).name, kept=where(kept.storage.place) if kept else "")
    stopped = not ask_person(session, catalogue, desk, folder=Path(source).parent)
    result = finished(session, catalogue, reason="" if ours else reason, stopped=stopped)
    if not ours:
        return result, ""
    n = len(result.order)
    done = COMPARED if result.questions >= n * (n - 1) // 2 else DONE  # who is counted is asked a pair once
    result = replace(result, statement=STOPPED if stopped else done if result.proven else NO_ORDER)
    return result, _own_order(result, source, settings, kept)


def _own_order(result: Ranking, source: str, settings: dict[str, Any], kept: Any) -> str:
    """The order of the person at the terminal, and what to type next."""
    from juryrank.cli.person.pairs import MOST_LINES, end_text, rounded

    now, again = result.record.ranker.progress, f"{program()} rank {shlex.quote(source)}"
    done = result.record.ranker.done
    to_go = 0 if done else rounded((now.expected or 0) - now.questions + now.open)
    place = "" if kept is None or kept.storage.place == DEFAULT_STORAGE else f" --storage {kept.storage.place}"
    if kept is None and done:
        then = []
    elif kept is None:
        then = [("To keep your answers and go on later", f"{again} --study {shlex.quote(Path(source).stem)}")]
    elif not done:
        then = [("To go on", again + place)]
    elif result.proven:
        page = shlex.quote(f"{Path(source).stem}.{'html' if find_spec('jinja2') else 'svg'}")  # what works here
        then = [("To show it to others", f"{program()} report {quoted(kept.kept_as)} --out {page}{place}")]
    else:
        then = [("To be asked every pair", f"{again} --again --goal ranges{place}")]
    wide = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    most = MOST_LINES if sys.stdout.isatty() else None
    return end_text(result, title=Path(source).name, width=min(wide, WIDTH), to_go=to_go, then=then, most=most)


def finish(
    result: Ranking,
    *,
    title: str,
    out: Path | None,
    as_json: bool,
    text: str = "",
    problem: str | None = None,
    again: bool = False,
    gate: GateFiles,
) -> None:
    """Write and print the result (`text`: in these words); exit with the code that says whether it is proven."""
    from juryrank.report import result_text

    code = gate.write(result, problem)
    unwritten = "" if out is None else _write(result, out)
    if as_json:
        emit_json(result.to_dict())
    else:
        said = replace(result, warnings=tuple(map(in_flags, result.warnings)))
        typer.echo(text or result_text(said, title=title), nl=False)
        if result.details.reason:
            typer.echo("\n" + textwrap.fill(in_flags(result.details.reason), WIDTH))
        if out is not None and not unwritten:
            typer.echo(f"\nCertificate: {out}. Anybody can re-check it: {program()} verify {out}")
    if problem:
        typer.echo(f"juryrank: {problem}", err=True)
    if result.record is not None and result.record.goes_on and not text:
        typer.echo(f"Everything is kept: the same command{' without --again' if again else ''} goes on.", err=True)
    if unwritten:
        raise BadInput(f"the certificate could not be written to {out}: {unwritten}; the result itself is above")
    raise typer.Exit(code)


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
            raise BadInput(f"--set {text!r} cannot be read; write OPTION=VALUE")
        try:
            found[key] = json.loads(value)
        except json.JSONDecodeError:
            found[key] = PYTHON_WORDS.get(value, value)
    return found

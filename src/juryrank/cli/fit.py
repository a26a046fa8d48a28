"""`juryrank fit`: scores from votes that exist already."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Json, Storage, console, emit_json
from juryrank.cli.study.votes import columns_given, write_out
from juryrank.defaults import DEFAULT_STORAGE, FIT_LEVEL, FIT_ROWS, RELIABILITY_VOTES
from juryrank.errors import BadInput, need_extra, shown

if TYPE_CHECKING:
    from juryrank.votes.fitting import Fitted
    from juryrank.votes.fitting.result import FittedItem

QUIET_SECONDS = 2.0  # work that takes longer says what it does

MEANING = {
    "these judges": "with exactly these judges, {more}",
    "judges like these": "with other judges drawn alike as well",
}

HELP = """
Scores from votes you already have, with honest intervals and an audit.

A file is CSV, TSV, JSON, JSON Lines, Parquet, .xlsx, or a raw log; the
usual names of columns are recognised (see docs/votes.md). The scores are
estimates and promise nothing. Each has two intervals: for these judges, on
more cases like these; and, from three judges on, for judges like these.

[bold]Examples[/bold]

  juryrank fit votes.csv
  juryrank fit votes.csv --scale elo --out scores.csv --figure scores.png
  juryrank fit votes.csv --model bt --ties half    as other programs do it
  juryrank fit votes.csv --compare --json > fit.json
  juryrank fit annotations.json --control length
  juryrank fit votes.csv --against people.csv    do judges agree with people?
  juryrank fit --study wines    of a study that is kept here
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("fit", help=HELP)(fit_command)


def fit_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="The votes; - for standard input.", show_default=False),
    ] = None,
    study: Annotated[
        str | None, typer.Option("--study", help="The votes of this study, instead of a file.")
    ] = None,
    model: Annotated[
        str,
        typer.Option("--model", help="auto | bt | hbtl (judges differ in sharpness)"),
    ] = "auto",
    ties: Annotated[
        str,
        typer.Option(
            "--ties", help="davidson (an outcome) | half | drop | auto: davidson, or half where votes have grades"
        ),
    ] = "auto",
    tie: Annotated[
        list[str] | None,
        typer.Option("--tie", metavar="WORD", help="A word for no difference, such as gleich; may be repeated."),
    ] = None,
    control: Annotated[
        list[str] | None,
        typer.Option(
            "--control", metavar="COLUMN", help="Scores at equal length, or any number per side; may be repeated."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="WHO",
            help="Compare judges with one of them, or with a file of people's or gold votes.",
        ),
    ] = None,
    side: Annotated[str, typer.Option("--side", help="Fit an advantage of one side: auto | on | off")] = "auto",
    level: Annotated[float, typer.Option("--level", help="How often intervals should hold.")] = FIT_LEVEL,
    scale: Annotated[str, typer.Option("--scale", help="logit | elo | probability")] = "logit",
    out: Annotated[Path | None, typer.Option("--out", help="Scores as FILE.json or FILE.csv.")] = None,
    figure: Annotated[Path | None, typer.Option("--figure", help="A picture as FILE.png or FILE.svg.")] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare", help="Compare how well models predict judges (or cases) held back. Takes a while."
        ),
    ] = False,
    reliability: Annotated[
        bool | None,
        typer.Option(
            "--reliability/--no-reliability", help="SSR, split-half, alpha; by default up to 50,000 votes."
        ),
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out instead of refusing.")] = False,
    column: Annotated[
        list[str] | None, typer.Option("--column", help="MEANING=NAME, such as left=first_item; may be repeated.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Such as windows-1252; by default it is guessed.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option("--format", help="Whose file it is, such as alpaca-eval; by default it is recognised."),
    ] = None,
    engine: Annotated[str, typer.Option("--engine", help="local, or dask: a cluster counts the votes.")] = "local",
    scheduler: Annotated[str | None, typer.Option("--scheduler", help="Address of the Dask scheduler.")] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Scores from votes you already have, with honest intervals and an audit."""
    from juryrank.votes.fitting import fit
    from juryrank.votes.pieces import shown_to

    check_ending(out, (".json", ".csv"), what="--out")
    check_ending(figure, (".png", ".svg"), what="--figure")
    with (
        working() as show,
        shown_to(show),
        _votes(files or [], study, storage, engine, scheduler, encoding) as votes,
    ):
        fitted = fit(
            votes, model, ties=ties, side=side, level=level, scale=scale,
            skip_bad=skip_bad, columns=columns_given(column or []), encoding=encoding, format=format,
            tie=tie or [], control=control or [],
        )  # fmt: skip
        _ = fitted.items, fitted.checks  # what takes long
        more = _asked_for(fitted, compare=compare, reliability=reliability)
    if against is not None:
        more["against"] = asdict(fitted.against(against, tie=tie or [], skip_bad=skip_bad))
    if figure is not None:
        fitted.figure(figure)
    if out is not None:
        write_out(_file(fitted, more, out), out)
    if as_json:
        emit_json(fitted.to_dict() | more)
        return
    _print(fitted, more)
    for path in (out, figure):
        if path is not None:
            typer.echo(f"wrote {path}")


@contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """A line on standard error that says what is being done, once it takes long."""
    screen, began = console(stderr=True), time.monotonic()
    status = screen.status("")

    def show(words: str) -> None:
        if screen.is_terminal and time.monotonic() - began > QUIET_SECONDS:
            status.update(words)
            status.start()

    try:
        yield show
    finally:
        status.stop()


@contextmanager
def _votes(
    files: list[str], study: str | None, storage: str, engine: str, scheduler: str | None, encoding: str | None
) -> Iterator[Any]:
    """What to fit, here or on a cluster."""
    from juryrank.simulation.sweep import Engine, Where, connected
    from juryrank.votes.fitting.sources import not_counted

    where = Where(engine=engine, scheduler=scheduler)
    if where.engine == Engine.LOCAL:
        yield votes_in(files, study, storage)
        return
    endings = {Path(file).suffix.lower() for file in files}
    if study is not None or not endings <= {".csv", ".tsv", ".parquet"} or len(endings) != 1:
        raise BadInput("--engine dask counts the votes of Parquet or CSV files: give some, all of one kind")
    frames = need_extra("dask.dataframe", extra="cluster", what="the dask engine")
    with connected(str(where.scheduler)) as client, client.as_current():
        try:
            if endings == {".parquet"}:
                frame = frames.read_parquet(files)
            else:
                sep = "\t" if endings == {".tsv"} else ","
                frame = frames.read_csv(
                    files, sep=sep, dtype=str, keep_default_na=False, encoding=encoding or "utf-8"
                )
        except Exception as problem:  # whatever pandas, Arrow and Dask raise
            raise not_counted(problem) from problem
        yield frame


def votes_in(files: list[str], study: str | None, storage: str) -> Any:
    """What to fit: paths, what standard input holds, or a study."""
    if bool(files) == (study is not None):
        raise BadInput("say which votes: a file (juryrank fit votes.csv), or a study (juryrank fit --study wines)")
    if study is not None:
        from juryrank.study import open_study

        return open_study(study, storage=storage)
    paths = [Path(file) for file in files]
    return sys.stdin.buffer.read() if files == ["-"] else paths if len(paths) > 1 else paths[0]


def check_ending(path: Path | None, endings: tuple[str, ...], *, what: str) -> None:
    """Refuse a file name that does not say what to write, before any work is done."""
    if path is not None and path.suffix.lower() not in endings:
        raise BadInput(f"{what} {str(path)!r}: the name must end in {' or '.join(endings)}")


def _asked_for(fitted: Fitted, *, compare: bool, reliability: bool | None) -> dict[str, Any]:
    """The slower computations that go beside the fit itself."""
    more: dict[str, Any] = {}
    quick = fitted.estimate.ballots.total <= RELIABILITY_VOTES
    if reliability or (reliability is None and quick):
        more["reliability"] = asdict(fitted.reliability)
    if compare:
        more["comparison"] = [asdict(row) for row in fitted.compare()]
    return more


def _file(fitted: Fitted, more: dict[str, Any], out: Path) -> bytes:
    if out.suffix.lower() == ".json":
        return (json.dumps(fitted.to_dict() | more, ensure_ascii=False, indent=2) + "\n").encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = fitted.rows()
    writer.writerow(rows[0])
    writer.writerows([f"{v:.6g}" if isinstance(v, float) else v for v in row.values()] for row in rows)
    return text.getvalue().encode()


def _print(fitted: Fitted, more: dict[str, Any]) -> None:
    for note in fitted.estimate.ballots.notes:
        typer.echo(note)
    typer.echo("\n" + "\n".join(line.rstrip() for line in _rendered(score_table(fitted)).splitlines()))
    if len(fitted.items) > FIT_ROWS:
        typer.echo(f"... and {len(fitted.items) - FIT_ROWS:,} more items; --out FILE.csv has them all")
    _bullet(f"score: {fitted.unit}", mark="")
    for words in interval_words(fitted):
        _bullet(words, mark="")
    for effect in fitted.controls:
        _bullet(effect.words, mark="")
    typer.echo("\nChecks")
    for check in fitted.checks:
        _bullet(check.words, mark="  " if check.ok else "! ")
    if "reliability" in more:
        typer.echo("\nReliability")
        for words in fitted.reliability.words:
            _bullet(words, mark="  ")
    if "comparison" in more:
        _print_comparison(more["comparison"], fitted.model)
    if "against" in more:
        _print_against(more["against"])


def _print_against(found: dict[str, Any]) -> None:
    """Agreement of each judge with the reference, and the pairs on which they differ most."""
    typer.echo("\nAgreement with the reference (ties are verdicts; kappa 0 is chance)")
    themselves = [found["themselves"] | {"judge": "among themselves"}] if found["themselves"] else []
    for row in [*found["judges"], *themselves]:
        kappa, decided = ("–" if row[name] is None else row[name] for name in ("kappa", "decided"))
        kappa = kappa if isinstance(kappa, str) else f"{kappa:.2f}"
        decided = decided if isinstance(decided, str) else f"{decided:.0%}"
        share = f"{row['agreement']:4.0%} ({row['low']:.0%} to {row['high']:.0%})"
        typer.echo(
            f"  {row['judge'][:20]:20} {share:19} kappa {kappa}  without ties {decided}  of {row['in_common']:,}"
        )
    for pair in found["apart"]:
        cases = f"; they differ on {', '.join(pair['cases'])}" if pair["cases"] else ""
        _bullet(
            f"{pair['judge']} prefers {shown(pair['first'])} to {shown(pair['second'])} in "
            f"{pair['judge_prefers']:.0%} of {pair['in_common']:,}, the reference in "
            f"{pair['reference_prefers']:.0%}{cases}",
            mark="  ",
        )


def interval_words(fitted: Fitted) -> list[str]:
    """What each interval covers, and which one the ranks belong to."""
    from juryrank.votes.fitting.influence import by_case

    more = "on more cases like these" if by_case(fitted.estimate.ballots) else "if they answered again"
    shown = [name for name in MEANING if name in fitted.estimate.intervals]
    words = [f"{name}: where scores would be {MEANING[name].format(more=more)}" for name in shown]
    ranks = f"ranks: those that an item may have, for {fitted.interval}; they hold for all items together"
    return [*words, f"{ranks} at {100 * fitted.level:g} %"]


def _rendered(table: object) -> str:
    """A table as text, without trailing blanks."""
    screen = console()
    with screen.capture() as caught:
        screen.print(table)
    text: str = caught.get()
    return text


def _print_comparison(rows: list[dict[str, Any]], model: str) -> None:
    typer.echo(f"\nModels on {rows[0]['held_back']} held back (loss per vote, lower is better)")
    for row in rows:
        beside = "" if row is rows[0] else f"  {row['worse']:+.4f} ± {row['error']:.4f} beside {rows[0]['model']}"
        typer.echo(f"  {row['model']:6} {row['loss']:.4f}{beside}")
    best, ours = min(rows, key=lambda row: row["loss"]), next(row for row in rows if row["model"] == model)
    if best["worse"] + 2 * max(best["error"], ours["error"]) < ours["worse"]:
        typer.echo(f"  {best['model']} predicts these votes better than {model}: try --model {best['model']}")


def _bullet(words: str, *, mark: str) -> None:
    import textwrap

    typer.echo(textwrap.fill(words, width=79, initial_indent=mark, subsequent_indent="    "))


def _ranks(row: FittedItem) -> str:
    return f"{row.rank_low}–{row.rank_high}" if row.rank_low < row.rank_high else str(row.rank)


def score_table(fitted: Fitted) -> object:
    """Items with scores, intervals and ranks, for people."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from juryrank.report.words.formats import clean

    title = f"Estimate: {fitted.model}, {fitted.estimate.ballots.size_in_words}"
    several = fitted.estimate.graph.count > 1
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("rank", justify="right")
    table.add_column("item", overflow="fold", max_width=34)
    table.add_column("score", justify="right")
    both = {"these judges": "{} % these\njudges", "judges like these": "{} % judges\nlike these"}
    shown = sorted(fitted.estimate.intervals, key=lambda name: name != fitted.interval)
    plain = {} if fitted.without is None else {row.name: row for row in fitted.without.items}
    if plain:  # side by side, in the room of the other interval
        shown = shown[:1]
    for name in shown:
        table.add_column(both[name].format(f"{100 * fitted.level:g}"), no_wrap=True)
    table.add_column("ranks", justify="right")
    table.add_column("votes", justify="right")
    if plain:
        table.add_column("without\ncontrol", justify="right")
        table.add_column("its\nranks", justify="right")
    if several:
        table.add_column("scale", justify="right")
    digits = {"elo": 0, "logit": 2, "probability": 3}[fitted.scale]
    for row in fitted.items[:FIT_ROWS]:
        ends = [getattr(row, name.replace(" ", "_")) for name in shown]
        reach = [f"{end.low:.{digits}f} to {end.high:.{digits}f}" for end in ends]
        score = f"{row.score:.{digits}f}"
        cells = [str(row.rank), escape(clean(row.name)), score, *reach, _ranks(row), f"{row.votes:,}"]
        if plain:
            cells += [f"{plain[row.name].score:.{digits}f}", _ranks(plain[row.name])]
        table.add_row(*cells, *([str(row.scale)] if several else []))
    return table

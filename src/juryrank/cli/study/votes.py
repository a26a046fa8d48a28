"""`juryrank study export` and `juryrank study import`: votes out and in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Json, Storage, emit_json, lasting, quoted
from juryrank.defaults import DEFAULT_ERROR, DEFAULT_STORAGE
from juryrank.errors import BadInput, shown

if TYPE_CHECKING:
    from juryrank.study import Study
    from juryrank.study.archive import Archive
    from juryrank.votes.logs import RawLog
    from juryrank.votes.tables import FileTable

DEFAULT_DELTA = 0.05
DPO = "dpo"

EXPORT_HELP = """
Write a study's votes.

csv, parquet and votes-jsonl hold every question and its outcome; jsonl the raw
events, hashes included, and zip the same with the files that items show;
crowd-kit, lmarena and evalica the columns that these tools read. dpo holds
pairs for training (prompt, chosen, rejected): those that are proven, or on
which the votes agree by --margin.

[bold]Examples[/bold]

  juryrank study export wines > votes.csv
  juryrank study export wines --format parquet --out votes.parquet
  juryrank study export wines --format evalica --out wines.csv
  juryrank study export wines --format jsonl --out wines.jsonl    a back-up
  juryrank study export wines --format zip --out wines.zip    with its files
  juryrank study export models --format dpo --margin 0.5 > pairs.jsonl
"""
IMPORT_HELP = """
Make a study of votes that somebody else collected.

The usual names of columns are recognised (judge, annotator, worker, item_a,
model_a, label, ...), and ties in their various spellings. A bad row is named
by its line, and nothing is imported unless --skip-bad. The result is post-hoc
and promises nothing, because nobody knows how the pairs were chosen.

A raw log (export --format jsonl, or zip with its files) is restored instead:
the same study, event for event, with its promise. --as-votes makes a new
study of its votes.

[bold]Examples[/bold]

  juryrank study import votes.csv --dry-run
  juryrank study import votes.csv --name wines
  juryrank study import raw.csv --name wines --column left=first --skip-bad
  juryrank study import wines.jsonl --name wines    bring a back-up back
"""


def add(app: typer.Typer) -> None:
    """Add the two commands to `juryrank study`."""
    app.command("export", help=EXPORT_HELP)(export)
    app.command("import", help=IMPORT_HELP)(import_)


def export(
    name: Annotated[str, typer.Argument(help="The study.")],
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            help="csv | parquet | votes-jsonl | jsonl | zip | crowd-kit | lmarena | evalica | dpo",
        ),
    ] = "csv",
    margin: Annotated[
        float | None,
        typer.Option(help="For dpo: the mean vote (1: all agree) that chooses a text; else a proof does."),
    ] = None,
    prompt: Annotated[str | None, typer.Option(help="For dpo: the prompt of items that have none.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A file; by default standard output.")] = None,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    """Write a study's votes: every question and its outcome, the raw events, or what other tools read."""
    from juryrank.study import open_study
    from juryrank.study.archive import ARCHIVE
    from juryrank.votes.logs import votes_of
    from juryrank.votes.write import BINARY_FORMATS, FORMATS, export_votes, left_out

    if format == ARCHIVE:
        _write_archive(name, out, storage=storage)
        return
    if format == DPO:
        _write_pairs(open_study(name, storage=storage), out, margin=margin, prompt=prompt)
        return
    if margin is not None or prompt is not None:
        raise BadInput(f"--margin and --prompt choose pairs for training: they go with --format {DPO}")
    if format not in FORMATS:
        raise BadInput(f"there is no vote format {format!r}; there are: {', '.join((*FORMATS, ARCHIVE, DPO))}")
    events = list(open_study(name, storage=storage).events())
    data = export_votes(events, format=format, study=name)
    if out is None and format in BINARY_FORMATS and sys.stdout.isatty():
        raise BadInput(f"{format} is not text: name a file with --out, or send it on with a pipe")
    write_out(data, out)
    if format == "jsonl":
        typer.echo(f"juryrank: {len(events):,} events, head {events[-1].hash}", err=True)
    missing = left_out(votes_of(events), format=format)
    if missing:
        typer.echo(f"juryrank: {missing}", err=True)


def _write_pairs(study: Study, out: Path | None, *, margin: float | None, prompt: str | None) -> None:
    """Pairs for training, and how many were not clear."""
    from juryrank.run.cases.catalogue import KEPT_CASES
    from juryrank.votes.logs import votes_of
    from juryrank.votes.write import pairs_of_items, pairs_on_cases

    votes, kept = votes_of(study.events()), study.settings.get(KEPT_CASES)
    if kept is not None:
        if prompt is not None:
            raise BadInput("--prompt: on cases the prompt of each pair is the input of its case")
        found = pairs_on_cases(votes, kept, margin=margin)
    else:
        contents = study.settings.get("rows") or {}
        found = pairs_of_items(votes, study.ranking(), contents, prompt=prompt, margin=margin)
    write_out(found.jsonl(), out)
    why = "not proven" if margin is None else f"below the margin of {margin:g}"
    apart = f", {found.apart:,} of different prompts" if found.apart else ""
    typer.echo(f"juryrank: {len(found.rows):,} pairs; left out: {found.unclear:,} {why}{apart}", err=True)


def _write_archive(name: str, out: Path | None, *, storage: str) -> None:
    from juryrank.study import open_study
    from juryrank.study.archive import write_archive

    if out is None:
        raise BadInput("a ZIP is not text: name a file with --out")
    study = open_study(name, storage=storage)
    part = out.with_name(f"{out.name}.part")
    try:
        files = write_archive(study, part)
        part.replace(out)
    except OSError as problem:
        raise BadInput(f"cannot write {str(out)!r}: {problem.strerror or problem}") from None
    typer.echo(f"juryrank: the log with {files:,} files, head {study.log.head().head}", err=True)


def import_(
    file: Annotated[str, typer.Argument(help="CSV, TSV, JSON, JSON Lines or Parquet; - for standard input.")],
    name: Annotated[str, typer.Option("--name", help="The name of the new study.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say, row by row, what would be imported.")
    ] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out instead of refusing.")] = False,
    column: Annotated[
        list[str] | None, typer.Option("--column", help="MEANING=NAME, such as left=first_item; may be repeated.")
    ] = None,
    tie: Annotated[
        list[str] | None,
        typer.Option("--tie", metavar="WORD", help="A word for no difference, such as gleich; may be repeated."),
    ] = None,
    people: Annotated[
        bool, typer.Option("--people", help="The judges are people: names stay out of the log and can be erased.")
    ] = False,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Such as windows-1252; by default it is guessed.")
    ] = None,
    ranker: Annotated[str | None, typer.Option("--ranker", help="The ranker of the new study.")] = None,
    delta: Annotated[
        float | None, typer.Option("--error", help="The new study's δ.", show_default=str(DEFAULT_ERROR))
    ] = None,
    as_votes: Annotated[
        bool,
        typer.Option("--as-votes", help="For a raw log: make a new study of its votes, not the same study again."),
    ] = False,
    json_output: Json = False,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    """Make a study of votes that somebody else collected. A bad row is named, and nothing is imported."""
    from juryrank.study.archive import is_archive, read_archive
    from juryrank.votes.formats.registry import read_table
    from juryrank.votes.read import in_groups, votes_in

    source: bytes | Path = sys.stdin.buffer.read() if file == "-" else Path(file)
    archive = None
    if isinstance(source, Path) and is_archive(source):
        archive = read_archive(source)
        source = archive.log
    table = read_table(source, encoding=encoding)
    if not dry_run and not name.strip():
        raise BadInput("the new study needs a name: --name NAME (or --dry-run to look only)")
    if table.raw and not as_votes:
        _refuse_for_a_log({"--ranker": ranker, "--error": delta, "--people": people, "--column": column})
        _restore(table, name=name, storage=storage, dry_run=dry_run, json_output=json_output, archive=archive)
        return
    if not dry_run:
        lasting(storage)
    reading = votes_in(table, columns=columns_given(column or []), tie=tie or [])
    if dry_run:
        _say(reading, json_output=json_output)
        raise typer.Exit(2 if reading.problems and not skip_bad else 0)
    votes = reading.checked(skip_bad=skip_bad)
    from juryrank.study.archive import import_votes

    where = "standard input" if file == "-" else Path(file).name
    error = DEFAULT_DELTA if delta is None else delta
    more: dict[str, Any] = {
        "ranker": ranker,
        "error": error,
        "storage": storage,
        "sides": reading.sided,
        "people": people,
    }
    study = import_votes(votes, name=name, source=where, **more)
    if json_output:
        emit_json({"study": name, "votes": len(votes), "left_out": [str(p) for p in reading.problems]})
        return
    for words in in_groups(reading.problems):
        typer.echo(f"left out: {words}", err=True)
    typer.echo(f"Imported into study {shown(name)}: {reading.summary()}.")
    placed = study.ranking().details.placed
    if placed is not None and placed < len(study.items):
        typer.echo(
            f"The ranker {study.created['ranker']!r} asks its own questions: it places {placed} of "
            f"{len(study.items)} items so far. Without --ranker all imported votes are ranked."
        )
    typer.echo(f"Next: juryrank study show {quoted(name)}    juryrank report {quoted(name)} --out report.html")


def _refuse_for_a_log(given: dict[str, Any]) -> None:
    said = [option for option, value in given.items() if value]
    if said:
        raise BadInput(
            f"this file is a raw log, which is restored as it is: {said[0]} would change it. Leave it out, or "
            "make a new study of its votes with --as-votes"
        )


def _say(reading: object, *, json_output: bool) -> None:
    from juryrank.votes.read import Reading, row_words

    assert isinstance(reading, Reading)
    if json_output:
        rows = [row_words(line, vote) for line, vote in zip(reading.lines, reading.votes, strict=True)]
        problems = [{"line": problem.line, "why": problem.why} for problem in reading.problems]
        emit_json({"notes": reading.notes, "rows": rows, "problems": problems, "summary": reading.summary()})
        return
    for note in reading.notes:
        typer.echo(note)
    told = [(line, row_words(line, vote)) for line, vote in zip(reading.lines, reading.votes, strict=True)]
    told += [(problem.line, f"BAD {problem}") for problem in reading.problems]
    for _, words in sorted(told):
        typer.echo(words)
    typer.echo(f"{reading.summary()}. Nothing was imported: this was a dry run.")


def _restore(
    table: FileTable,
    *,
    name: str,
    storage: str,
    dry_run: bool,
    json_output: bool,
    archive: Archive | None = None,
) -> None:
    """Check the log, and write it as a study unless it is a dry run; with the files of an archive."""
    from juryrank.study.archive import checked_log, restore_study
    from juryrank.votes.logs import log_in

    log = log_in(table)
    if dry_run:
        checked_log(log)
        _say_log(log, json_output=json_output)
        return
    lasting(storage)
    study = restore_study(log, name=name, storage=storage)
    if archive is not None:
        _with_files(study, archive)
    if json_output:
        emit_json({"study": name, "restored": True, "events": len(log.events), "head": log.head})
        return
    typer.echo(f"Restored as study {shown(name)}: {log.summary()}.")
    typer.echo(f"Head {log.head}: every event is as it was written.")


def _with_files(study: Study, archive: Archive) -> None:
    """The study with its files, or no study at all."""
    try:
        archive.hand_over(study)
    except BaseException:
        study.storage.delete(study.id)
        raise


def _say_log(log: RawLog, *, json_output: bool) -> None:
    from juryrank.votes.logs import event_words

    rows = [f"line {line}: {event_words(event)}" for line, event in zip(log.lines, log.events, strict=True)]
    if json_output:
        emit_json({"notes": ["raw events of juryrank"], "rows": rows, "summary": log.summary(), "head": log.head})
        return
    typer.echo("raw events of juryrank: the same study would be restored (--as-votes: a new study of its votes)")
    for row in rows:
        typer.echo(row)
    typer.echo(f"{log.summary()}; the chain of hashes is whole, head {log.head}.")
    typer.echo("Nothing was restored: this was a dry run.")


def columns_given(given: list[str]) -> dict[str, str]:
    """What --column says: meaning and name of each."""
    pairs = [text.partition("=") for text in given]
    wrong = next((text for text, (_, sign, _) in zip(given, pairs, strict=True) if not sign), None)
    if wrong is not None:
        raise BadInput(f"--column {wrong!r}: write MEANING=NAME, such as --column left=first_item")
    return {meaning.strip(): name for meaning, _, name in pairs}


def write_out(data: bytes, out: Path | None) -> None:
    """Write bytes to a file, or to standard output with nothing else there."""
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        out.write_bytes(data)
    except OSError as problem:
        raise BadInput(f"cannot write {str(out)!r}: {problem.strerror or problem}") from None

"""`juryrank study import` of a raw log: the same study restored, or a dry run that says what would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from juryrank.cli.common import emit_json, lasting
from juryrank.errors import shown

if TYPE_CHECKING:
    from juryrank.study import Study
    from juryrank.study.backup.archive import Archive
    from juryrank.votes.raw_log import RawLog
    from juryrank.votes.tables import FileTable


def restore(
    table: FileTable,
    *,
    name: str,
    storage: str,
    dry_run: bool,
    json_output: bool,
    archive: Archive | None = None,
) -> None:
    """Check the log, and write it as a study unless it is a dry run; with the files of an archive."""
    from juryrank.study.restore import checked_log, restore_study
    from juryrank.votes.raw_log import log_in

    log = log_in(table)
    if dry_run:
        checked_log(log)
        _say(log, json_output=json_output)
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


def _say(log: RawLog, *, json_output: bool) -> None:
    from juryrank.votes.raw_log import event_words

    rows = [f"line {line}: {event_words(event)}" for line, event in zip(log.lines, log.events, strict=True)]
    if json_output:
        emit_json({"notes": ["raw events of juryrank"], "rows": rows, "summary": log.summary(), "head": log.head})
        return
    typer.echo("raw events of juryrank: the same study would be restored (--as-votes: a new study of its votes)")
    for row in rows:
        typer.echo(row)
    typer.echo(f"{log.summary()}; the chain of hashes is whole, head {log.head}.")
    typer.echo("Nothing was restored: this was a dry run.")

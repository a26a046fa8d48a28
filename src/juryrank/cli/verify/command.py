"""`juryrank verify`: re-check a certificate from its raw events."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Json
from juryrank.errors import BadInput, UnknownStudy
from juryrank.log.receipts import checked_key
from juryrank.verify import read_certificate, verify

if TYPE_CHECKING:
    from juryrank.study import Study

MOST_BYTES = 2**31  # a certificate of ten million questions has less

HELP = """Recompute a result from the raw events in its certificate: is everything it promises true?

Reads every question and answer, works out anew what they prove, and compares
it with the file: every claim, level, count and word. The checker shares no
code with the rankers. Estimates (an order that is not proven yet, accuracies,
forecasts) promise nothing and are compared by --rerun only.

[bold]Examples[/bold]

  juryrank verify result.json
  juryrank verify result.json --rerun
  juryrank verify result.json --storage sqlite:///juryrank.db
  juryrank verify result.json --receipt 17-VOV2-XK5L-VOV2-XK5L

Exit codes: 0 true, and what was asked for is proven; 3 true, but not proven
(yet); 4 true, and what was required is refuted; 2 not true, or not a
certificate. docs/verify.md says what a certificate proves, and what no
checker can see.
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", help=HELP)(verify_command)


def verify_command(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE.json", help="The file to check; - for stdin.")
    ],
    rerun: Annotated[
        bool,
        typer.Option(
            "--rerun",
            help="Also play the log through the ranker: same questions, same estimates.",
        ),
    ] = False,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="The public key that must have signed it.")
    ] = None,
    receipt: Annotated[
        str | None, typer.Option(metavar="CODE", help="A judge's receipt: is it in this log?")
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option(
            help="Compare with the study's own log, in this storage: a forger may re-forge a whole file."
        ),
    ] = None,
    study: Annotated[
        str | None, typer.Option(help="The study's name there; by default the one with the same beginning.")
    ] = None,
    as_json: Json = False,
) -> None:
    from juryrank.cli import EXIT_DONE, EXIT_MISUSE, EXIT_NOT_CERTIFIED, EXIT_REFUTED
    from juryrank.cli.verify.text import report_text

    document = read_certificate(_text_of(certificate))
    head = None
    if storage is not None:
        head = _own_hash(document, storage=storage, study=study)
    pinned = None if key is None else checked_key(key)
    report = verify(document, head=head, rerun=rerun, key=pinned, receipt=receipt)
    if as_json:
        # escaped, so that no name in the file reaches a terminal as it is
        sys.stdout.write(json.dumps(report.to_dict(), ensure_ascii=True, indent=2) + "\n")
    else:
        typer.echo(report_text(report), nl=False)
    if report.refuted:
        raise typer.Exit(EXIT_REFUTED)
    raise typer.Exit(EXIT_DONE if report.proven else EXIT_NOT_CERTIFIED if report.true else EXIT_MISUSE)


def _text_of(path: Path) -> str:
    try:
        if str(path) == "-":
            return sys.stdin.buffer.read(MOST_BYTES).decode("utf-8")
        if path.is_char_device():  # /dev/zero has no end
            raise BadInput(f"{path} is a device, so it is not a certificate; name a certificate file")
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8")
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}; name a certificate file") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text, so it is not a certificate; name a certificate file") from None


def _own_hash(document: Mapping[str, Any], *, storage: str, study: str | None) -> str:
    """The hash of the certificate's last event in the study's own log; empty where that log is shorter."""
    from juryrank.study import open_study

    events = document["events"]
    own = open_study(study, storage=storage) if study else _same_beginning(events[0]["hash"], storage)
    for event in own.events(after=len(events) - 1):
        return event.hash
    return ""


def _same_beginning(first: str, storage: str) -> Study:
    from juryrank.storage.values import without_password
    from juryrank.study import list_studies, open_study

    for row in list_studies(storage=storage):
        study = open_study(row.name, storage=storage)
        if next(iter(study.events())).hash == first:
            return study
    raise UnknownStudy(
        f"no study in {without_password(storage)} begins with this certificate's first event: it is from another "
        "storage, or the whole file was forged. Name the study with --study NAME to compare it all the same."
    )

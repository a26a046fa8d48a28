"""`juryrank verify`: re-check a certificate from its raw events."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from juryrank.cli.common import Json, emit_json
from juryrank.errors import BadInput
from juryrank.verify import read_certificate, verify

EPILOG = """\b
Examples:
  juryrank verify result.json
  juryrank verify result.json --storage sqlite:///juryrank.db
Exit codes: 0 true and certified; 3 true, but not (wholly) certified; 2 not true, or not a certificate."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=EPILOG)(verify_command)


def verify_command(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE.json", help="The file to check; - for stdin.")
    ],
    storage: Annotated[
        str | None,
        typer.Option(
            help="Compare with the study's own log, in this storage: a forger may re-forge a whole file."
        ),
    ] = None,
    study: Annotated[
        str | None, typer.Option(help="The study's name there; left out, the one with the same beginning.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Recompute a result from the raw events in its certificate: is everything in it true?

    Shares nothing with the ranker but the evidence formulas.
    """
    from juryrank.cli import EXIT_DONE, EXIT_MISUSE, EXIT_NOT_CERTIFIED
    from juryrank.cli.verify.text import report_text

    document = read_certificate(_text_of(certificate))
    head = None
    if storage is not None:
        from juryrank.cli.verify.study import own_hash

        head = own_hash(document, storage=storage, study=study)
    report = verify(document, head=head)
    if as_json:
        emit_json(report.to_dict())
    else:
        typer.echo(report_text(report), nl=False)
    raise typer.Exit({"certified": EXIT_DONE, "partial": EXIT_NOT_CERTIFIED}.get(report.verdict, EXIT_MISUSE))


def _text_of(path: Path) -> str:
    try:
        if str(path) == "-":
            return typer.get_text_stream("stdin").read()
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}; name a certificate file") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text, so it is no certificate; name a certificate file") from None

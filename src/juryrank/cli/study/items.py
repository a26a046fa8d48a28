"""`juryrank study items`: what is ranked, items that join, items that are withdrawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from juryrank.cli.common import Json, Storage, emit_json, quoted
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadInput, StudyClosed, shown

if TYPE_CHECKING:
    from juryrank.run.items import Catalogue
    from juryrank.study import Study

MOST_NAME = 78  # terminal columns

HELP = """Show the items, one per line, after adding and withdrawing some.

Either all new items join, or none does. A ranking that was done goes on: the
next questions place the new items. On cases a system joins with its outputs.
Nobody is asked about a withdrawn item any more.

[bold]Examples[/bold]

  juryrank study items wines
  juryrank study items wines --add 'Pinot 2021' --add 'Syrah 2019'
  juryrank study items wines --add-file more.csv
  juryrank study items wines --withdraw 'Pinot 2021'
  juryrank study items eval --add-outputs newer/
\f
Rankings about people and about the truth keep a share of δ for items that join.
The first keep what was counted; the second prove the longer list with new
answers. On cases earlier answers stay, and the claims about the larger table
are fixed anew. The paper's rankers split δ over the items of the start, and
refuse.

A ranking about people may go on without an item. What is stated is computed as
if it were still there: leaving out an item that spoils the picture proves
nothing more.
"""


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("items", help=HELP)(items)


def items(
    name: Name,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="ITEM", help="An item that joins; repeat it.")
    ] = None,
    add_file: Annotated[
        str | None,
        typer.Option("--add-file", metavar="FILE", help="Items that join, as lines, CSV or JSON; - reads stdin."),
    ] = None,
    withdraw: Annotated[
        list[str] | None,
        typer.Option("--withdraw", metavar="ITEM", help="An item that nobody is asked about any more; repeat it."),
    ] = None,
    add_outputs: Annotated[
        Path | None,
        typer.Option("--add-outputs", metavar="PATH", help="On cases: the outputs of systems that join."),
    ] = None,
    format: Annotated[str | None, typer.Option(help="lines, csv or json, where the ending does not tell.")] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    from juryrank.cli.items import read_items
    from juryrank.report.words.formats import named, shorten
    from juryrank.run.items import Catalogue

    if format is not None and add_file is None:
        raise BadInput("--format goes with --add-file FILE: the format of which file?")
    study = opened(name, storage)
    given = [item.strip() for item in add or []]  # as lines of a file are
    joining = Catalogue([*given, *(read_items(add_file, format=format) if add_file is not None else [])])
    if joining.names or add_outputs is not None:
        _join(study, joining, add_outputs)
    if withdraw:
        study.withdraw_items([item.strip() for item in withdraw])
    gone = set(study.log.withdrawn)
    if as_json:
        rows = study.settings.get("rows") or {}
        known = [{"item": item, "row": rows.get(item)} for item in study.items]
        emit_json([{**row, "withdrawn": True} if row["item"] in gone else row for row in known])
        return
    for item in study.items:
        typer.echo(shorten(named(item, gone), MOST_NAME))


def _join(study: Study, joining: Catalogue, outputs: Path | None) -> None:
    """Add all of them in one step, or none."""

    if study.closed:
        raise StudyClosed(
            f"study {shown(study.name)} is closed, and nothing was added; "
            f"to go on: juryrank study close {quoted(study.name)} --reopen"
        )
    if outputs is not None and joining.names:
        raise BadInput("--add-outputs brings its own names; leave --add and --add-file out")
    if outputs is not None:
        study.add_items(outputs)
    else:
        study.add_items(joining.names, rows=joining.rows)

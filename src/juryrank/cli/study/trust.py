"""`juryrank study head | receipt`: what others can hold an owner to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from juryrank.cli.common import Json, Storage, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_STORAGE, WIDTH
from juryrank.errors import BadInput

if TYPE_CHECKING:
    from juryrank.study.signing import PastHead

HEAD_HELP = """The hash that stands for the whole log now, with the time, signed by this installation.

If you keep it, you can show later that an earlier event was changed, dropped
or inserted. It is also recorded next to the log: --history lists all heads
and says whether the log still has each of them (exit code 3: not all).

The key is made on first use, in the file that JURYRANK_KEY names (otherwise
next to the SQLite file). --change-key makes a new one for all studies of the storage:
the old key signs it, and every study's log says so in an event.

[bold]Examples[/bold]

  juryrank study head wines
  juryrank study head wines --history
  juryrank study head --change-key --yes
"""
RECEIPT_HELP = """A judge's receipt, or whether a receipt is in the log. Nobody's answers are shown.

[bold]Examples[/bold]

  juryrank study receipt wines --judge ann
  juryrank study receipt wines --check 17-VOV2-XK5L-VOV2-XK5L

Exit codes: 0 it is in the log, 3 it is not.
"""


def add(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("head", help=HEAD_HELP)(head)
    app.command("receipt", help=RECEIPT_HELP)(receipt)


def head(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The study.", show_default=False)] = None,
    history: Annotated[bool, typer.Option("--history", help="All heads stated before, oldest first.")] = False,
    change_key: Annotated[
        bool, typer.Option("--change-key", help="Make a new signing key, for all studies.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --change-key: do it. There is no way back to the old key.")
    ] = False,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    if change_key:
        _change_key(name, storage, yes=yes, as_json=as_json)
        return
    if name is None:
        raise BadInput("say which study: juryrank study head NAME (juryrank study list shows them)")
    if history:
        _past_heads(opened(name, storage).log.past_heads(), as_json=as_json)
        return
    found = opened(name, storage).log.head(keep=True)
    if as_json:
        emit_json({"study": name, **found.to_dict(), "code": found.code})
        return
    typer.echo(f"head       {found.head}\nevents     {found.seq}\ntime       {found.time}")
    typer.echo(f"studies    {found.made} made here so far, {found.deleted} of them deleted")
    if found.signature:
        typer.echo(f"key        {found.key}\nsignature  {found.signature[:64]}\n           {found.signature[64:]}")
    else:
        typer.echo("not signed: set JURYRANK_KEY to a file for this installation's key")
    typer.echo(f"in short   {found.code}")


def _past_heads(past: list[PastHead], *, as_json: bool) -> None:
    from juryrank.cli import EXIT_NOT_CERTIFIED

    if as_json:
        emit_json([one.to_dict() for one in past])
    else:
        typer.echo("time (UTC)           events  head begins with  signed  in the log" if past else "none so far")
    for one in past if not as_json else []:
        when = one.head.time[:19].replace("T", " ")
        signed, held = "yes" if one.head.signature else "no", "yes" if one.held else "NO"
        typer.echo(f"{when}  {one.head.seq:>6}  {one.head.head[:16]}  {signed:<6}  {held}")
    if not all(one.held for one in past):
        raise typer.Exit(EXIT_NOT_CERTIFIED)


def _change_key(name: str | None, storage: str, *, yes: bool, as_json: bool) -> None:
    from juryrank.study.catalogue import change_key

    if name is not None:
        raise BadInput("--change-key is about all studies of a storage; leave the name out")
    if not yes:
        raise BadInput("everybody who knows the old key must then check the new one; say --yes to do it")
    old, new, studies = change_key(storage)
    if as_json:
        emit_json({"old_key": old, "new_key": new, "studies": studies})
        return
    typer.echo(f"old key  {old}\nnew key  {new}")
    typer.echo(f"written into the log of {studies} {'study' if studies == 1 else 'studies'}")


def receipt(
    name: Name,
    judge: Annotated[str | None, typer.Option(help="The receipt that this judge can keep.")] = None,
    check: Annotated[str | None, typer.Option(metavar="CODE", help="Is this receipt in the log?")] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    from juryrank.cli import EXIT_NOT_CERTIFIED
    from juryrank.report.words.formats import wrap

    if (judge is None) == (check is None):
        raise BadInput("say --judge ID for a receipt, or --check CODE to look one up")
    study = opened(name, storage)
    if judge is not None:
        made = study.judge(judge).receipt()
        if as_json:
            emit_json({"judge": made.judge, "answers": made.answers, "code": made.code, **made.head.to_dict()})
        else:
            typer.echo(made.text(), nl=False)
        return
    found = study.log.find_receipt(check or "")
    if as_json:
        emit_json({"held": found.held, "event": found.seq, "events": found.events})
    else:
        typer.echo("\n".join(wrap(found.words, WIDTH)))
    if not found.held:
        raise typer.Exit(EXIT_NOT_CERTIFIED)

"""`juryrank study head | receipt | history | change-key`: what others can hold an owner to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from juryrank.cli.common import Json, Storage, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_STORAGE, WIDTH
from juryrank.errors import BadInput

if TYPE_CHECKING:
    from juryrank.study.signing.past_heads import PastHead


def add(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("head")(head)
    app.command("receipt")(receipt)
    app.command("history")(history)
    app.command("change-key")(change_key)


def head(
    name: Name,
    history: Annotated[bool, typer.Option("--history", help="All heads stated before, oldest first.")] = False,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """The hash that stands for the whole log now, with the time, signed by this installation.

    Whoever keeps it can show later that an event before it was changed, dropped or slipped in. It is also recorded
    beside the log: --history lists these, and says of each whether the log still has it (exit code 3: not all).
    The key is made on first use, in the file that JURYRANK_KEY names (else beside the SQLite file).
    """
    if history:
        _past_heads(opened(name, storage).past_heads(), as_json=as_json)
        return
    found = opened(name, storage).head(keep=True)
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


def receipt(
    name: Name,
    judge: Annotated[str | None, typer.Option(help="The receipt that this judge can keep.")] = None,
    check: Annotated[str | None, typer.Option(metavar="CODE", help="Is this receipt in the log?")] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """A judge's receipt, or whether a receipt is in the log. Nobody's answers are shown.

    Exit codes: 0 it is in the log, 3 it is not.
    """
    from juryrank.cli import EXIT_NOT_CERTIFIED
    from juryrank.report.words.formats import wrap

    if (judge is None) == (check is None):
        raise BadInput("say --judge ID for a receipt, or --check CODE to look one up")
    study = opened(name, storage)
    if judge is not None:
        made = study.receipt(judge)
        if as_json:
            emit_json({"judge": made.judge, "answers": made.answers, "code": made.code, **made.head.to_dict()})
        else:
            typer.echo(made.text(), nl=False)
        return
    found = study.find_receipt(check or "")
    if as_json:
        emit_json({"held": found.held, "event": found.seq, "events": found.events})
    else:
        typer.echo("\n".join(wrap(found.words, WIDTH)))
    if not found.held:
        raise typer.Exit(EXIT_NOT_CERTIFIED)


def history(name: Name, storage: Storage = DEFAULT_STORAGE, as_json: Json = False) -> None:
    """What was done to a study besides asking and answering, from its log: it cannot be changed afterwards."""
    from dataclasses import asdict

    from juryrank.report.words.formats import clean, wrap

    acts = opened(name, storage).history()
    if as_json:
        emit_json([asdict(act) for act in acts])
        return
    for act in acts:
        words = f"event {act.seq}: {clean(act.words)}" + (" (an edit: the result is post-hoc)" if act.edit else "")
        first, *more = wrap(words, WIDTH - 18)
        typer.echo(
            "\n".join([f"{act.at[:16].replace('T', ' '):<16}  {first}", *(" " * 18 + line for line in more)])
        )


def change_key(
    storage: Storage = DEFAULT_STORAGE,
    yes: Annotated[bool, typer.Option("--yes", help="Do it: there is no way back to the old key.")] = False,
) -> None:
    """Make a new signing key. The old one signs it, and every study's log says so in an event."""
    from juryrank.study.signing.change import change_key

    if not yes:
        raise BadInput("everybody who knows the old key must then check the new one; say --yes to do it")
    old, new, studies = change_key(storage)
    typer.echo(f"old key  {old}\nnew key  {new}")
    typer.echo(f"written into the log of {studies} {'study' if studies == 1 else 'studies'}")

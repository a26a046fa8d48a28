"""`juryrank study create | list | certificate | close | delete`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import (
    About,
    Assume,
    Error,
    Forecast,
    Fresh,
    Goal,
    Json,
    Ranker,
    Set,
    StartFrom,
    Storage,
    Within,
    emit_json,
    in_flags,
    lasting,
    quoted,
)
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_ERROR, DEFAULT_LEASE, DEFAULT_STORAGE, WIDTH
from juryrank.errors import BadInput, shown
from juryrank.run.cases.catalogue import KEPT_CASES

if TYPE_CHECKING:
    from juryrank.study import Study

MOST_NAME = 58  # terminal columns

LIST_HELP = """List the studies of a storage.

[bold]Example[/bold]

  juryrank study list
"""
CERTIFICATE_HELP = """Write the result with every raw event behind it; juryrank verify re-checks it.

[bold]Example[/bold]

  juryrank study certificate wines --out wines.json
"""
CLOSE_HELP = """Ask no more questions, or go on asking. Those already asked may still be answered.

[bold]Examples[/bold]

  juryrank study close wines
  juryrank study close wines --reopen
"""
DELETE_HELP = """Delete a study with all its answers, for good.

[bold]Example[/bold]

  juryrank study delete wines
"""


def add(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("create")(create)
    app.command("list", help=LIST_HELP)(list_)
    app.command("certificate", help=CERTIFICATE_HELP)(certificate)
    app.command("close", help=CLOSE_HELP)(close)
    app.command("delete", help=DELETE_HELP)(delete)


def create(
    name: Name,
    items: Annotated[
        str,
        typer.Option("--items", help="A file of lines, CSV or JSON, - for standard input; on cases, the outputs."),
    ],
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Compare systems on these cases: lines, CSV, JSON Lines, Parquet (id, input, group, weight)."
        ),
    ] = None,
    missing: Annotated[
        str, typer.Option(help="On cases without an output: 'refuse', or 'leave out' per pair.")
    ] = "refuse",
    judge: Annotated[list[str] | None, typer.Option("--judge", help="A judge's id; repeat it.")] = None,
    person: Annotated[
        list[str] | None,
        typer.Option("--person", metavar="'Ann <ann@example.org>'", help="A person; the log gets a pseudonym."),
    ] = None,
    about: About = None,
    goal: Goal = None,
    within: Within = None,
    error: Error = DEFAULT_ERROR,
    fresh: Fresh = None,
    assume: Assume = None,
    ranker: Ranker = None,
    budget: Annotated[int | None, typer.Option(help="The largest number of questions.")] = None,
    money: Annotated[float | None, typer.Option(help="The most money to spend, at the judges' prices.")] = None,
    price: Annotated[list[str] | None, typer.Option("--price", metavar="NAME=0.002")] = None,
    lease: Annotated[float, typer.Option(help="Seconds a judge has for one question.")] = DEFAULT_LEASE,
    option: Set = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same questions.")] = None,
    commit_seed: Annotated[
        bool,
        typer.Option("--commit-seed", help="On cases: hide the seed behind its hash until the certificate."),
    ] = False,
    wording: Annotated[str | None, typer.Option(help="The question as judges read it.")] = None,
    start_from: StartFrom = None,
    forecast: Forecast = None,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="GOLD.CSV", help="Pairs whose better item is known (left, right, winner): see run."),
    ] = None,
    format: Annotated[str | None, typer.Option(help="lines, csv or json, where the ending does not tell.")] = None,
    load_if_exists: Annotated[
        bool, typer.Option("--load-if-exists", help="No error if the study exists already.")
    ] = False,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    """Create a study.

    Without --judge it is about people: anybody may join, and what is proven is
    what most people would say. A few named judges are counted instead, unless
    --about people says that more will come. --about truth is for judges who are
    right more often than not.

    With --cases, or if --items is a folder or a file of outputs, systems are
    compared on cases: judges see two outputs and the case's input, never a
    system's name.

    [bold]Examples[/bold]

      juryrank study create wines --items wines.txt
      juryrank study create panel --items wines.txt --judge ann --judge bob
    """
    from juryrank.cli.rank import number_or_word, options, prices
    from juryrank.judges.models.gold import read_gold
    from juryrank.report.words.formats import wrap
    from juryrank.run.options import shared_error
    from juryrank.statements.numbers import number_of
    from juryrank.study import create_study

    lasting(storage)
    things, settings = _things(items, on_cases=cases is not None, format=format)
    alone = {"sides": "single"} if isinstance(things, Path) and person and not judge else {}  # people remember
    if gold is not None:
        settings["gold"] = [pair.plain() for pair in read_gold(gold)]
    study = create_study(
        things,
        name=name,
        cases=cases,
        missing=missing,
        judges=[*(judge or []), *map(person_of, person or [])],
        about=about,
        goal=goal,
        within=number_or_word(within),
        error=error,
        fresh=fresh,
        assume=assume,
        ranker=ranker,
        budget=budget,
        money=money,
        prices=prices(price),
        lease=lease,
        options={**alone, **options(option)},
        seed=seed,
        commit_seed=commit_seed,
        start_from=start_from,
        forecast=forecast,
        settings={**settings, **({"wording": wording} if wording else {})},
        storage=storage,
        load_if_exists=load_if_exists,
    )
    if as_json:
        emit_json({"study": study.name, "created_at": study.created_at, **study.created})
        return
    kept = study.settings.get(KEPT_CASES)
    items_, judges_ = (
        number_of(len(study.items), "system" if kept else "item"),
        number_of(len(study.judges), "judge"),
    )
    cases_ = f"{number_of(len(kept['inputs']), 'case')}, " if kept else ""
    typer.echo(f"Study {shown(study.name)}: {items_}, {cases_}{judges_}, in {study.storage.place}.")
    ranker_, error = study.created["ranker"], study.created["error"]
    shared = shared_error(ranker_, study.created["options"], error)
    for words in filter(None, (study.created.get("reason") or _nothing_yet(study), shared)):
        typer.echo("\n".join(wrap(in_flags(words), WIDTH)))
    typer.echo(f"Ranker {ranker_}, δ = {error}. Next: juryrank study run {quoted(name)}, or juryrank serve")


def _nothing_yet(study: Study) -> str:
    """A word beforehand, where those who are named could prove nothing by the ranker that was named."""
    from juryrank.rankers.choice import too_few_named

    made = study.created
    few = too_few_named(
        made["ranker"],
        items=len(study.items),
        judges=len(study.judges),
        error=made["error"],
        options=made["options"],
    )
    return f"Nothing can be proven yet: {few}. More may join." if few else ""


def _things(source: str, *, on_cases: bool, format: str | None) -> tuple[Any, dict[str, Any]]:
    """What is compared, and what its settings keep of it: items with their rows, or the place of the outputs."""
    from juryrank.cli.items import read_things
    from juryrank.run.items import Catalogue

    things = read_things(source, on_cases=on_cases, format=format)
    if not isinstance(things, list):
        return things, {}
    catalogue = Catalogue(things)
    return catalogue.names, {"rows": catalogue.rows} if catalogue.rows else {}


def list_(storage: Storage = DEFAULT_STORAGE, as_json: Json = False) -> None:
    from juryrank.report.words.formats import clean, shorten
    from juryrank.storage.values import without_password
    from juryrank.study import list_studies

    rows = list_studies(storage=storage)
    if as_json:
        emit_json([{"name": row.name, "created_at": row.created_at} for row in rows])
        return
    for row in rows:
        typer.echo(f"{row.created_at[:19]}  {shorten(clean(row.name), MOST_NAME)}")
    if not rows:
        typer.echo(f"There is no study in {without_password(storage)} yet: juryrank study create", err=True)


def certificate(
    name: Name,
    out: Annotated[Path | None, typer.Option(help="Write it here; by default to standard output.")] = None,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    document = opened(name, storage).certificate()
    if out is None:
        emit_json(document)
        return
    try:
        out.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{out} cannot be written ({problem.strerror}); give another file") from None
    typer.echo(f"{out}: {len(document['events'])} events. Anybody can re-check it: juryrank verify {out}")


def close(
    name: Name,
    reopen: Annotated[bool, typer.Option("--reopen", help="Go on asking.")] = False,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    study = opened(name, storage)
    if reopen:
        study.close(reopen=True)
    else:
        study.close()
    typer.echo(f"Study {shown(name)} is {'open again' if reopen else 'closed'}.")


def delete(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    storage: Storage = DEFAULT_STORAGE,
) -> None:
    from juryrank.study import delete_study

    study = opened(name, storage)
    if not yes:
        if not sys.stdin.isatty():
            raise BadInput(f"study {shown(name)} would be deleted with all its answers; say --yes if you mean it")
        typer.confirm(f"Delete study {shown(name)} with {study.progress().answers} answers, for good?", abort=True)
    delete_study(name, storage=study.storage)
    typer.echo(f"Study {shown(name)} is deleted.")


def person_of(text: str) -> Any:
    """`Ann <ann@example.org>` as a person.

    >>> person_of("Ann Example <ann@example.org>").address
    'ann@example.org'
    """
    from juryrank.study import Person

    name, _, address = text.partition("<")
    return Person(name.strip() or address.strip("<> "), address.strip("<> ") or None)

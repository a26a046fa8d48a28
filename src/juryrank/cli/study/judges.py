"""`juryrank study judges`: who judges, and joining, pausing, leaving, being forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from juryrank.cli.common import Json, Storage, console, emit_json
from juryrank.cli.study.app import Name, opened
from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadInput, UnknownName, shown

if TYPE_CHECKING:
    from juryrank.study import JudgeRow, Study

MOST_ID, MOST_NAME = 40, 16  # terminal columns

HELP = """Show the judges, after any changes asked for: all of them are made, or none.

[bold]Examples[/bold]

  juryrank study judges wines
  juryrank study judges wines --add cem --pause ann
  juryrank study judges wines --add-person 'Ann <ann@example.org>'
"""


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("judges", help=HELP)(judges)


def judges(
    name: Name,
    add: Annotated[list[str] | None, typer.Option("--add", metavar="ID", help="A judge who joins.")] = None,
    add_person: Annotated[
        list[str] | None,
        typer.Option("--add-person", metavar="'Ann <ann@example.org>'", help="A person who joins, by pseudonym."),
    ] = None,
    price: Annotated[float, typer.Option(help="What one answer of those who join costs.")] = 1.0,
    pause: Annotated[
        list[str] | None, typer.Option("--pause", metavar="ID", help="Stop asking this judge for now.")
    ] = None,
    resume: Annotated[
        list[str] | None, typer.Option("--resume", metavar="ID", help="Ask this judge again.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="ID", help="Stop asking this judge for good.")
    ] = None,
    discard_answers: Annotated[
        bool, typer.Option("--discard-answers", help="With --remove: also discard their answers (post-hoc).")
    ] = False,
    erase: Annotated[
        list[str] | None, typer.Option("--erase", metavar="ID", help="Forget name and address; answers stay.")
    ] = None,
    storage: Storage = DEFAULT_STORAGE,
    as_json: Json = False,
) -> None:
    from juryrank.cli.study.manage import person_of

    if discard_answers and not remove:
        raise BadInput("--discard-answers goes with --remove ID: whose answers?")
    study = opened(name, storage)
    named = [*(pause or []), *(resume or []), *(remove or [])]
    _check_all(study, joining=add or [], named=named, erased=erase or [])
    for judge in add or []:
        study.add_judge(judge, price=price)
    for text in add_person or []:
        person = person_of(text)
        study.add_judge(person.name, address=person.address, price=price, person=True)
    for judge in pause or []:
        study.judge(judge).pause()
    for judge in resume or []:
        study.judge(judge).resume()
    for judge in remove or []:
        study.judge(judge).remove(discard_answers=discard_answers)
    for judge in erase or []:
        study.judge(judge).erase()
    if as_json:
        emit_json(_plain(study))
    else:
        console().print(judge_table(study))


def _check_all(study: Study, *, joining: list[str], named: list[str], erased: list[str]) -> None:
    """Refuse the whole command before any part of it is done."""
    here, people = study.judges, study.people()
    for judge in joining:
        if judge in here or joining.count(judge) > 1:
            raise BadInput(f"judge {shown(judge)} is already here; names must differ. Nothing was changed.")
    for judge in named:
        if judge not in (*here, *joining):
            raise UnknownName(f"judge {shown(judge)} is not in study {shown(study.name)}; nothing was changed")
    for judge in erased:
        if judge not in people:
            raise BadInput(f"it is not known who {shown(judge)} is; there is nothing to erase")


def judge_table(study: Study) -> Any:
    """One row per judge, good at 80 columns; an id is shown whole, as other commands want it."""
    from rich.table import Table

    from juryrank.rankers import ranker_class
    from juryrank.report.words.formats import clean, shorten

    table = Table(box=None, header_style="bold", pad_edge=False)
    people = study.people()
    table.add_column("judge", no_wrap=True)
    if people:
        table.add_column("name", no_wrap=True)
    right = ranker_class(study.created["ranker"]).true_order  # else judges have opinions, and no accuracy
    for title in ("answers", "accuracy" if right else "agreeing", "left"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("")
    for row in study.progress().judges:
        known = people.get(str(row.report.name))
        chosen = row.left + row.right
        name = shorten(clean(known.name), MOST_NAME) if known else ""
        table.add_row(
            shorten(clean(row.report.name), MOST_ID),
            *([name] if people else []),
            f"{chosen + row.ties + row.skips:,}",
            _accuracy(row),
            f"{row.left / chosen:.0%}" if chosen else "",
            _words(row),
        )
    return table


def _words(row: JudgeRow) -> str:
    counts = ((row.open, "open"), (row.ties, "tied"), (row.skips, "skipped"), (row.late, "late"))
    told = [f"{number:,} {what}" for number, what in counts if number]
    told += [f"cost {row.cost:.4g}"] if row.cost else []
    state = "removed" if row.removed else "paused" if row.paused else row.report.note
    return "; ".join(filter(None, [state, ", ".join(told)]))


def _accuracy(row: JudgeRow) -> str:
    report = row.report
    if report.accuracy is None:
        return ""
    if report.low is None or report.high is None:
        return f"{report.accuracy:.0%}"
    return f"{report.accuracy:.0%} ({100 * report.low:.0f}-{100 * report.high:.0f})"


def _plain(study: Study) -> list[dict[str, Any]]:
    people = study.people()
    rows: list[dict[str, Any]] = study.progress().to_dict()["judges"]
    for row in rows:
        known = people.get(row["report"]["name"])
        row["name"] = known.name if known else None
        row["address"] = known.address if known else None
    return rows

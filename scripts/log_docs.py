"""Write the tables of docs/log.md from the classes of events, terms and options: part of `make captures`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, Field, fields
from inspect import cleandoc
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "docs" / "log.md"
BEGIN, END = "<!-- events: begin -->\n", "<!-- events: end -->\n"


def log_page(text: str) -> str:
    """The page with its tables made again."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + log_tables() + END + rest.partition(END)[2]


def log_tables() -> str:
    """Who may choose something; one section per kind of event; terms and options."""
    from juryrank.log import EventKind
    from juryrank.log.fields import BODIES
    from juryrank.log.kinds import SOURCES
    from juryrank.log.terms import DRAWN_AHEAD, TERMS

    who = "| chosen by | who | when | knowing |\n|---|---|---|---|\n" + "".join(
        f"| {one.name} | {one.who} | {one.when} | {one.knowing} |\n" for one in SOURCES
    )
    events = "".join(_section(kind.value, BODIES[kind]) for kind in EventKind)
    terms = f"\n### The terms of a question\n\n{_named_rows((*TERMS, *DRAWN_AHEAD))}\n"
    return f"\n{who}{events}{terms}\n### The options of a study\n\n{_option_rows()}\n"


def _section(kind: str, body: Any) -> str:
    rows = [_row(one) for one in fields(body)]
    head = "| field | value | meaning | chosen by | held by |\n|---|---|---|---|---|\n"
    table = head + "".join(rows) if rows else "No fields.\n"
    return f"\n### `{kind}`\n\n{cleandoc(body.__doc__)}\n\n{table}\n"


def _row(one: Field[Any]) -> str:
    from juryrank.log.kinds import held_words

    known = one.metadata
    if not known["always"]:
        when = " (optional)"
    elif one.default is None:
        when = " (or null)"
    else:
        when = "" if one.default is MISSING else f" (missing: {one.default})"
    said = f"{known['value'].words}{when} | {known['words']}"
    return f"| `{one.name}` | {said} | {known['by'].name} | {held_words(known['held'])} |\n"


def _named_rows(rows: Iterable[Any]) -> str:
    from juryrank.log.kinds import held_words

    head = "| name | of | value | meaning | chosen by | held by |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| `{row.name}` | {', '.join(row.rankers)} | {row.value.words} | {row.words} | {row.source.name} | "
        f"{held_words(row.held)} |\n"
        for row in rows
    )


def _option_rows() -> str:
    """Every ranker's options, from their declarations; what is the same in several has one row."""
    from juryrank.log.kinds import OWNER, Unheld, held_words
    from juryrank.rankers import ranker_class, ranker_names

    whose: dict[str, list[str]] = {}
    for name in ranker_names():
        for one in ranker_class(name).declared.table():
            held = held_words(Unheld(one.held) if isinstance(one.held, str) else one.held)
            said = f"{one.allowed.words} | {one.allowed.help} | {OWNER.name} | {held}"
            whose.setdefault(f"`{one.name}` | OF | {said}", []).append(name)
    head = "| name | of | value | meaning | chosen by | held by |\n|---|---|---|---|---|---|\n"
    return head + "".join(f"| {row.replace('OF', ', '.join(of), 1)} |\n" for row, of in whose.items())


if __name__ == "__main__":
    TARGET.write_text(log_page(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {TARGET}")

"""Write the tables of docs/log.md from the classes of events: part of `make captures`."""

from __future__ import annotations

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
    """One section per kind of event."""
    from juryrank.log import EventKind
    from juryrank.log.fields import BODIES

    return "".join(_section(kind.value, BODIES[kind]) for kind in EventKind)


def _section(kind: str, body: Any) -> str:
    rows = [_row(one) for one in fields(body)]
    table = "| field | value | meaning |\n|---|---|---|\n" + "".join(rows) if rows else "No fields.\n"
    return f"\n### `{kind}`\n\n{cleandoc(body.__doc__)}\n\n{table}\n"


def _row(one: Field[Any]) -> str:
    known = one.metadata
    if not known["always"]:
        when = " (optional)"
    elif one.default is None:
        when = " (or null)"
    else:
        when = "" if one.default is MISSING else f" (missing: {one.default})"
    return f"| `{one.name}` | {known['value'].words}{when} | {known['words']} |\n"


if __name__ == "__main__":
    TARGET.write_text(log_page(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {TARGET}")

"""Write docs/options.md: the options of each ranker, from their declarations. Part of `make captures`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from juryrank.options import Option
from juryrank.rankers import ranker_class, ranker_names

PAGE = Path(__file__).parents[1] / "docs" / "options.md"
HEAD = """# Rankers' options

For researchers: what `options={...}` in Python and `--set OPTION=VALUE` on the command line take, from
`juryrank.options`, where each is declared once. Everybody else says `about`, `goal` and `within`
([python.md](python.md)).
"""


def options_page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_section(name) for name in ranker_names())])


def _section(name: str) -> str:
    rows = [_row(one) for one in ranker_class(name).declared.table() if not one.inside]
    return "\n".join(
        [f"## {name}\n", "| option | default | values | what it is |", "|---|---|---|---|", *rows, ""]
    )


def _row(one: Option) -> str:
    cells = (f"`{one.name}`", _default(one.default), one.allowed.words, one.allowed.help)
    return f"| {' | '.join(cell for cell in cells)} |"


def _default(value: Any) -> str:
    return "" if value is None or value == () else f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(options_page(), encoding="utf-8")
    print(f"wrote {PAGE}")

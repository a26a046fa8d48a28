"""Reading the things to rank: lines, CSV (column id or item) or JSON, from a file or standard input."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput
from juryrank.run.items import ID_KEYS

FORMATS = ("lines", "csv", "json")


def read_items(source: str, *, format: str | None = None) -> list[Any]:
    """The items in a file (`-`: standard input). The ending tells the format, unless one is named."""
    text = _text(source)
    kind = format or _guess(source, text)
    if kind not in FORMATS:
        raise BadInput(f"there is no format {kind!r}; there are: {', '.join(FORMATS)}")
    readers: dict[str, Callable[[str], list[Any]]] = {"lines": lines, "csv": rows, "json": values}
    found = readers[kind](text)
    if not found:
        raise BadInput(f"{source} holds no items; put one on each line, or use CSV or JSON")
    return found


def lines(text: str) -> list[str]:
    """One item per line; blank lines are ignored.

    >>> lines("apple\\n\\n pear \\n")
    ['apple', 'pear']
    """
    return [line.strip() for line in text.splitlines() if line.strip()]


def rows(text: str) -> list[dict[str, str]]:
    """CSV rows, named by the column `id` or `item`; judges see the whole row.

    >>> rows("id,colour\\nx,red\\ny,blue\\n")
    [{'id': 'x', 'colour': 'red'}, {'id': 'y', 'colour': 'blue'}]
    """
    reader = csv.DictReader(io.StringIO(text))
    columns = list(reader.fieldnames or [])
    key = next((column for column in ID_KEYS if column in columns), None)
    if key is None:
        raise BadInput(
            f"the CSV needs a column `id` or `item`; it has: {', '.join(columns) or 'none'}. "
            "Rename the one that names the items."
        )
    found = [{name: value or "" for name, value in row.items() if name is not None} for row in reader]
    for number, row in enumerate(found, start=2):
        if not row[key]:
            raise BadInput(f"line {number} of the CSV has nothing in the column {key!r}; every item needs a name")
    return found


def values(text: str) -> list[Any]:
    """A JSON list of texts, numbers, or objects with `id` or `item` (also under the key `items`).

    >>> values('{"items": ["a", {"id": "b"}]}')
    ['a', {'id': 'b'}]
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise BadInput(f"this is not JSON: {problem.msg} at {where}") from None
    found = found.get("items") if isinstance(found, dict) else found
    if not isinstance(found, list):
        raise BadInput('the JSON must be a list of items, or an object with the key "items"')
    for number, thing in enumerate(found, start=1):
        if thing is None or isinstance(thing, bool):
            raise BadInput(f"item {number} of the JSON is {json.dumps(thing)}; give a text, a number or an object")
    return found


def _text(source: str) -> str:
    try:
        if source == "-":
            return sys.stdin.read()
        return Path(source).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{source} is not UTF-8 text; save it as UTF-8") from None
    except OSError as problem:
        raise BadInput(f"{source} cannot be read: {problem.strerror}; give the path of a file, or -") from None


def _guess(source: str, text: str) -> str:
    ending = Path(source).suffix.lower()
    if ending in (".csv", ".json"):
        return ending[1:]
    return "json" if source == "-" and text.lstrip()[:1] in ("[", "{") else "lines"

"""Uploaded lists: a table with columns, and which column is what. Its owner sees it before it is used."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from juryrank.errors import BadInput
from juryrank.run.cases.case import Case, column_of
from juryrank.run.cases.outputs import OUTPUT_KEYS, Outputs, from_rows
from juryrank.server.studies.intake import AUTO, NewItem, checked_items, decode, new_item

ROLES = ("id", "content", "kind", "alt", "group")  # what a column can be
NAMES: Mapping[str, tuple[str, ...]] = {  # what columns are usually called, in lower case
    "id": ("id", "item", "name", "title", "key", "student", "project", "idea", "author"),
    "content": ("content", "body", "text", "url", "markdown", "image", "essay", "description", "link", "file"),
    "kind": ("kind", "type"),
    "alt": ("alt", "caption"),
    "group": ("group", "class", "category", "team", "label"),
}
LONG = 40  # characters: a column whose cells are longer on average holds texts, not names
MOST_HEAD = 60  # characters of the longest name of a column


@dataclass(frozen=True, slots=True)
class UploadedTable:
    """Rows as they were uploaded. `head`: names of the columns, made up where there are none."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> list[str]:
        at = self.head.index(name)
        return [row[at] if at < len(row) else "" for row in self.rows]

    def guess(self) -> dict[str, str]:
        """Which column is probably what.

        >>> table = UploadedTable(("Student", "Essay"), (("Ann", "Once upon a time " * 9), ("Bob", "It was " * 9)))
        >>> table.guess()
        {'id': 'Student', 'content': 'Essay'}
        >>> UploadedTable(("Team",), (("red",), ("blue",))).guess()
        {'id': 'Team'}
        """
        known = {role: self._named(role) for role in ROLES}
        found = {role: name for role, name in known.items() if name}
        free = [name for name in self.head if name not in found.values()]
        if "content" not in found:
            longest = max(free, key=self._length, default="")
            if longest and self._length(longest) > LONG:
                found["content"] = longest
                free.remove(longest)
        if "id" not in found:
            distinct = [name for name in free if len(set(self.column(name))) == len(self.rows)]
            if distinct or free:
                found["id"] = (distinct or free)[0]
        if "id" not in found and "content" not in found and "group" in found:
            found["id"] = found.pop("group")  # teams alone are what is compared
        return {role: found[role] for role in ROLES if role in found}

    def _named(self, role: str) -> str:
        lower = {name.strip().lower(): name for name in reversed(self.head)}
        return next((lower[name] for name in NAMES[role] if name in lower), "")

    def _length(self, name: str) -> float:
        return mean(len(cell) for cell in self.column(name)) if self.rows else 0.0

    def items(self, roles: Mapping[str, str], *, kind: str = AUTO, least: int = 2) -> list[NewItem]:
        """The items, with each column in its role."""
        unknown = [name for name in roles.values() if name and name not in self.head]
        if unknown:
            raise BadInput(f"there is no column {unknown[0]!r}; there are: {', '.join(self.head)}")
        if not roles.get("id") and not roles.get("content"):
            raise BadInput("say which column names the items, or which holds what judges see")
        cells = {role: self.column(name) for role, name in roles.items() if name}
        rows = range(len(self.rows))
        return checked_items(
            [
                new_item(
                    *(cells[role][k].strip() if role in cells else "" for role in ("id", "content")),
                    kind=(cells["kind"][k] if "kind" in cells else "") or kind,
                    alt=cells["alt"][k].strip() if "alt" in cells else "",
                    group=cells["group"][k].strip() if "group" in cells else "",
                )
                for k in rows
            ],
            least=least,
        )


def outputs_in(table: UploadedTable) -> tuple[Outputs, list[Case]] | None:
    """Systems' outputs and the cases they are for, where each row is one; None: the rows are items.

    >>> rows = (("new", "q1", "4", "2 + 2?"), ("old", "q1", "5", "2 + 2?"))
    >>> outputs, cases = outputs_in(UploadedTable(("system", "case", "output", "input"), rows))
    >>> outputs["old"]["q1"], cases[0].input
    ('5', '2 + 2?')
    """
    named = dict.fromkeys(table.head)
    columns = [column_of(named, name) for name in ("system", "case")]
    if not all(columns) or not any(column_of(named, key) for key in OUTPUT_KEYS):
        return None
    rows = [{name: cell or None for name, cell in zip(table.head, row, strict=False)} for row in table.rows]
    outputs = from_rows([{**named, **row} for row in rows], where="the table")
    asked = column_of(named, "input") or column_of(named, "prompt")
    cases: dict[str, Case] = {}
    for row in rows:
        name = str(row[columns[1]])
        said, group = (row.get(column) for column in (asked, column_of(named, "group")))
        if name not in cases or (cases[name].input == name and said):
            cases[name] = Case(name, said or name, group)
    return outputs, list(cases.values())


def is_table(name: str, text: str) -> bool:
    """Does an upload have columns?"""
    ending = name.rpartition(".")[2].lower()
    return ending in ("csv", "tsv", "json", "jsonl", "ndjson") or text.lstrip()[:1] in ("[", "{")


def read_table(data: bytes | str, *, name: str, header: bool | None = None) -> UploadedTable:
    """A table from CSV, TSV, JSON or JSON Lines; `header`: does the first row hold names (None: it is guessed)?"""
    text = data if isinstance(data, str) else decode(data, name=repr(name))
    ending = name.rpartition(".")[2].lower()
    if ending in ("json", "jsonl", "ndjson") or text.lstrip()[:1] in ("[", "{"):
        return _from_json(text, name)
    separator = "\t" if ending == "tsv" else _separator(text)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(map(str.strip, row))]
    except csv.Error as problem:
        raise BadInput(f"the table cannot be read: {problem}; check its quotes") from None
    if not rows:
        raise BadInput(f"{name!r} is empty; give at least two rows")
    if looks_like_head(rows) if header is None else header:
        return UploadedTable(_distinct(rows[0]), tuple(map(tuple, rows[1:])))
    width = max(map(len, rows))
    return UploadedTable(tuple(f"column {k + 1}" for k in range(width)), tuple(map(tuple, rows)))


def looks_like_head(rows: Sequence[Sequence[str]]) -> bool:
    """Does the first row hold the names of the columns?

    >>> looks_like_head([["Student", "Essay"], ["Ann", "Once upon a time there was a long story to be told"]])
    True
    >>> looks_like_head([["tea"], ["coffee"]])
    False
    """
    first = [cell.strip() for cell in rows[0]]
    usual = {name for names in NAMES.values() for name in names} | {"system"}
    if {cell.lower() for cell in first} & usual:
        return True
    if len(rows) < 2 or len(first) < 2 or not all(0 < len(cell) <= MOST_HEAD for cell in first):
        return False
    longer = [mean(len(row[k]) for row in rows[1:] if k < len(row)) > LONG for k in range(len(first))]
    return any(longer) and len(set(first)) == len(first)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    found: list[str] = []
    for k, name in enumerate(names, start=1):
        name = name.strip()[:MOST_HEAD] or f"column {k}"
        found.append(name if name not in found else f"{name} ({k})")
    return tuple(found)


def _separator(text: str) -> str:
    first = text.lstrip().splitlines()[0] if text.strip() else ""
    return max(",;\t", key=first.count)


def _from_json(text: str, name: str) -> UploadedTable:
    rows = [row if isinstance(row, dict) else {"id": row} for row in _json_rows(text, name)]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    try:
        return UploadedTable(_distinct(keys), tuple(tuple(_cell(row.get(key)) for key in keys) for row in rows))
    except UnicodeEncodeError:
        raise BadInput(f"{name!r} holds half a character (a lone surrogate, \\ud800 to \\udfff)") from None


def _json_rows(text: str, name: str) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as problem:
            raise BadInput(f"{name!r} is neither JSON nor JSON Lines: {problem}") from None
    if isinstance(value, dict):
        value = value.get("items")
    if not isinstance(value, list):
        raise BadInput(f"{name!r} must hold a list of items, or an object with a list `items`")
    return value


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text.encode()  # a page cannot show half a character
    return text.replace("\0", "")

"""Lists that people paste or upload: items and judges, understood or refused with a reason."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.errors import BadInput
from juryrank.server.web.render import Content, guess_kind

MARKS = (b"\xff\xfe", b"\xfe\xff")  # how UTF-16 begins; everything else is read as UTF-8, with or without its mark
MOST_ITEMS = 2_000
MOST_JUDGES = 5_000
MOST_ID = 300  # characters of an item's id
ID_COLUMNS = ("id", "item", "name", "title", "key")
BODY_COLUMNS = ("content", "body", "text", "url", "markdown", "image")
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item as it is added: its id in the log, and what judges see."""

    id: str
    content: Content | None = None  # None: the id itself is shown


@dataclass(frozen=True, slots=True)
class NewJudge:
    """A person as pasted: `Ann Lee <ann@example.org>`."""

    name: str
    address: str | None = None


# ---------------------------------------------------------------------------- files
def decode(data: bytes, *, name: str = "the file") -> str:
    """The text of an upload.

    >>> decode("Käse".encode())
    'Käse'
    """
    wide = data[:2] in MARKS
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as problem:
        tried = "UTF-16, as its first bytes say so," if wide else "UTF-8"
        raise BadInput(
            f"{name} cannot be read: {tried} was tried, and byte {problem.start + 1:,} does not fit. Save it as "
            "text in UTF-8 (in a spreadsheet: CSV UTF-8) and upload it again"
        ) from None
    if "\x00" in text:
        raise BadInput(f"{name} is binary, not a list: it holds zero bytes. Upload CSV, JSON or plain text")
    return text


def items_from_file(data: bytes, *, name: str, kind: str = AUTO) -> list[NewItem]:
    """Items from CSV, TSV, JSON, JSON Lines, or a plain list."""
    text = decode(data, name=repr(name))
    ending = name.rpartition(".")[2].lower()
    if ending in ("json", "jsonl", "ndjson") or text.lstrip()[:1] in ("[", "{"):
        rows = _json_rows(text, name)
    elif ending in ("csv", "tsv"):
        rows = _table_rows(text, "\t" if ending == "tsv" else _separator(text))
    else:
        return items_from_text(text, kind=kind)
    return checked_items([_item(row, kind=kind) for row in rows])


def items_from_text(text: str, *, kind: str = AUTO, least: int = 2) -> list[NewItem]:
    """Items from lines.

    >>> [item.id for item in items_from_text("tea\\n\\n coffee ")]
    ['tea', 'coffee']
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return checked_items([_item({"id": line}, kind=kind) for line in lines], least=least)


def checked_items(items: Sequence[NewItem], *, least: int = 2) -> list[NewItem]:
    """The items, if they can be ranked."""
    if len(items) < least:
        raise BadInput(
            f"there {'is one item' if len(items) == 1 else 'are no items'}; "
            + ("a ranking needs at least two" if least == 2 else "give at least one")
        )
    if len(items) > MOST_ITEMS:
        raise BadInput(f"there are {len(items):,} items; the pages take at most {MOST_ITEMS:,}")
    seen: dict[str, int] = {}
    for place, item in enumerate(items, start=1):
        if not item.id.strip():
            raise BadInput(f"item {place} has no id; give every item a name")
        if len(item.id) > MOST_ID:
            raise BadInput(
                f"item {place} is {len(item.id):,} characters long; give it a short id (at most {MOST_ID}) and "
                "put the long text in a CSV column `content`"
            )
        if item.id in seen:
            raise BadInput(f"{item.id!r} is there twice, as items {seen[item.id]} and {place}; ids must differ")
        seen[item.id] = place
    return list(items)


def _separator(text: str) -> str:
    first = text.lstrip().splitlines()[0] if text.strip() else ""
    return max(",;\t", key=first.count)


def _table_rows(text: str, separator: str) -> list[dict[str, Any]]:
    try:
        table = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(map(str.strip, row))]
    except csv.Error as problem:
        raise BadInput(f"the table cannot be read: {problem}; check its quotes") from None
    head = [cell.strip().lower() for cell in table[0]] if table else []
    if not set(head) & {*ID_COLUMNS, *BODY_COLUMNS}:
        return [{"id": row[0]} for row in table]  # no header: the first column is the list
    return [dict(zip(head, row, strict=False)) for row in table[1:]]


def _json_rows(text: str, name: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (json.JSONDecodeError, RecursionError) as problem:
            raise BadInput(f"{name!r} is neither JSON nor JSON Lines: {problem}") from None
    if isinstance(value, dict):
        value = value.get("items")
    if not isinstance(value, list):
        raise BadInput(f"{name!r} must hold a list of items, or an object with a list `items`")
    return [row if isinstance(row, dict) else {"id": row} for row in value]


def _item(row: dict[str, Any], *, kind: str) -> NewItem:
    body = _cell(row, BODY_COLUMNS)
    name = _cell(row, ID_COLUMNS) or body
    wanted = str(row.get("kind") or kind).strip().lower()
    if wanted == AUTO:
        shown = guess_kind(body or name)
        if not body and shown == "text":
            return NewItem(name)
        return NewItem(name, Content(body or name, shown, str(row.get("alt") or "")))
    return NewItem(name, Content.checked(body or name, kind=wanted, alt=str(row.get("alt") or "")))


def _cell(row: dict[str, Any], columns: Iterable[str]) -> str:
    for column in columns:
        value = row.get(column)
        if value is not None and str(value).strip():
            return str(value).strip()
    return ""


# ---------------------------------------------------------------------------- judges
def judges_from_text(text: str) -> list[NewJudge]:
    """People from lines, or from an e-mail client's list.

    >>> [judge.name for judge in judges_from_text("Ann Lee <ann@a.org>\\nbob@b.org, Cy")]
    ['Ann Lee', 'bob', 'Cy']
    """
    found = [_judge(part.strip()) for part in re.split(r"[\n;,]+", text) if part.strip()]
    if len(found) > MOST_JUDGES:
        raise BadInput(f"there are {len(found):,} judges; add at most {MOST_JUDGES:,} at once")
    seen: set[NewJudge] = set()
    for judge in found:
        if judge in seen:
            raise BadInput(f"{judge.address or judge.name!r} is there twice; give every judge once")
        seen.add(judge)
    return found


def _judge(text: str) -> NewJudge:
    with_name = re.fullmatch(r'"?([^"<>]*?)"?\s*<([^<>\s]+@[^<>\s]+)>', text)
    if with_name:
        name, address = with_name.groups()
        return NewJudge(name.strip() or address.partition("@")[0], address)
    if re.fullmatch(r"[^<>\s@]+@[^<>\s@]+", text):
        return NewJudge(text.partition("@")[0], text)
    if len(text) > MOST_ID:
        raise BadInput(f"a judge's name has {len(text):,} characters; at most {MOST_ID} are kept")
    return NewJudge(text)

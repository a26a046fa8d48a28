"""Lists that people paste or upload: items and judges, understood or refused with a reason."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from juryrank.defaults import MOST_ITEMS, MOST_JUDGES
from juryrank.errors import BadInput
from juryrank.quoting import BLANKS
from juryrank.run.cases.case import Case, column_of
from juryrank.run.cases.outputs import OUTPUT_KEYS, Outputs, from_rows
from juryrank.run.items import MOST_NAME, MOST_SHORT_NAME, named_texts
from juryrank.server.web.render import Content, guess_kind

MARKS = (b"\xff\xfe", b"\xfe\xff")  # how UTF-16 begins; everything else is read as UTF-8, with or without its mark
MOST_ID = MOST_NAME  # characters of an item's id
AUTO = "auto"
LOOK_ALIKE = str.maketrans("аеорсухіјѕһԁԛԝαορνικτ01", "aeopcyxijshdqwaopviktol")  # Cyrillic, Greek, digits


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item as it is added: its id in the log, and what judges see."""

    id: str
    content: Content | None = None  # None: the id itself is shown
    group: str = ""


@dataclass(frozen=True, slots=True)
class NewJudge:
    """A person from a pasted list: `Ann Lee <ann@example.org>`."""

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


def items_from_text(text: str, *, kind: str = AUTO, least: int = 2) -> list[NewItem]:
    """Items from lines, one per line; or from blocks separated by lines of three dashes.

    >>> [item.id for item in items_from_text("tea\\n\\n coffee ")]
    ['tea', 'coffee']

    A line too long for a name is named by its beginning, as a block is.

    >>> [len(item.id) for item in items_from_text("word " * 200 + "\\ntea")]
    [79, 3]
    """
    items = [new_item(name, text if text != name else "", kind=kind) for name, text in named_texts(text)]
    return checked_items(items, least=least)


def new_item(name: str, body: str = "", *, kind: str = AUTO, alt: str = "", group: str = "") -> NewItem:
    """An item by its name and what is shown of it; `auto`: pictures, sound and films are known by their ending."""
    name, wanted = name.strip() or body.strip()[:MOST_SHORT_NAME], kind.strip().lower() or AUTO
    if wanted == AUTO:
        shown = guess_kind(body or name)
        if not body and shown == "text":
            return NewItem(name, None, group)
        return NewItem(name, Content.checked(body or name, kind=shown, alt=alt), group)
    return NewItem(name, Content.checked(body or name, kind=wanted, alt=alt), group)


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
        name = composed(item.id)
        if name in seen:
            raise BadInput(
                f"{item.id!r} is listed twice, in places {seen[name]} and {place}: take one out, or make them "
                "different"
            )
        seen[name] = place
    return [replace(item, id=composed(item.id)) for item in items]


def composed(text: str) -> str:
    """The text in composed form (Unicode NFC), so that what looks equal is equal.

    >>> composed("Cafe" + chr(0x301)) == "Café"
    True
    """
    return unicodedata.normalize("NFC", text)


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names that differ in their letters but hardly in their looks: p\u0430y with a Cyrillic a beside pay.

    >>> look_alikes(["pay", "p\u0430y", "Pay", "day"])
    [('pay', 'pаy'), ('pay', 'Pay')]
    """
    first: dict[str, str] = {}
    found = []
    for name in names:
        before = first.setdefault(_looks(name), name)
        if before != name:
            found.append((before, name))
    return found


def _looks(name: str) -> str:
    """How a name looks, roughly: no case, no width, no invisible characters, Latin for its usual doubles."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(LOOK_ALIKE)
    return " ".join(
        "".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Mn") and c not in BLANKS).split()
    )


# ---------------------------------------------------------------------------- judges
def judges_from_text(text: str) -> list[NewJudge]:
    """People from lines, or from an e-mail client's list.

    A comma separates two people only where each side has an address: "Lee, Ann" is one person.

    >>> [judge.name for judge in judges_from_text("Ann Lee <ann@a.org>\\nbob@b.org, cy@c.org; Lee, Dee")]
    ['Ann Lee', 'bob', 'cy', 'Lee, Dee']
    """
    lines = text.replace(";", "\n").splitlines()
    found = [_judge(part) for line in lines for part in _people(line) if part]
    if len(found) > MOST_JUDGES:
        raise BadInput(f"there are {len(found):,} judges; add at most {MOST_JUDGES:,} at once")
    seen: set[NewJudge] = set()
    for judge in found:
        if judge in seen:
            raise BadInput(f"{judge.address or judge.name!r} is listed twice; give every judge once")
        seen.add(judge)
    return found


def _people(line: str) -> list[str]:
    """The people of one line: parts between commas belong together until an address ends them."""
    parts, open_part = [], ""
    for piece in line.split(","):
        open_part = f"{open_part},{piece}" if open_part else piece
        if "@" in piece:
            parts.append(open_part.strip())
            open_part = ""
    if open_part.strip():
        parts.append(open_part.strip())
    return parts


def _judge(text: str) -> NewJudge:
    """One person; every step reads the text once, however long it is."""
    if len(text) > MOST_ID:
        raise BadInput(f"a judge's name has {len(text):,} characters; at most {MOST_ID} are kept")
    name, angle, rest = text.partition("<")
    if angle and rest.endswith(">") and _is_address(rest[:-1]):
        return NewJudge(composed(name.strip().strip('"').strip()) or rest.partition("@")[0], rest[:-1])
    if _is_address(text):
        return NewJudge(text.partition("@")[0], text)
    return NewJudge(composed(text))


def _is_address(text: str) -> bool:
    name, at, host = text.partition("@")
    return bool(at and name and host) and "@" not in host and not set(text) & set(' \t<>"')


# ----------------------------------------------------------------------------
# Uploaded lists: a table with columns, and which column is what. Its owner sees it before it is used
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

"""Lists that people paste or upload: items and judges, understood or refused with a reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from juryrank.defaults import MOST_ITEMS
from juryrank.errors import BadInput
from juryrank.quoting import BLANKS
from juryrank.run.items import MOST_NAME, MOST_SHORT_NAME, named_texts
from juryrank.server.web.render import Content, guess_kind

MARKS = (b"\xff\xfe", b"\xfe\xff")  # how UTF-16 begins; everything else is read as UTF-8, with or without its mark
MOST_JUDGES = 5_000
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

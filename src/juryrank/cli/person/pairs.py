"""What a person is shown of a pair: two texts, the input on cases, and files that a key opens."""

from __future__ import annotations

import json
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from juryrank.report.words.formats import wrap
from juryrank.run.items import ID_KEYS, Catalogue
from juryrank.types import Question

WEB = ("http://", "https://")
SHOWN_OUTSIDE = ("image", "audio", "video")


@dataclass(frozen=True, slots=True)
class Pair:
    """Both texts, the input that they answer (None: there are no cases), and what can be opened outside."""

    left: str
    right: str
    case: str | None = None
    opens: tuple[str, ...] = ()


def pair_of(catalogue: Catalogue, question: Question, folder: Path | None = None) -> Pair:
    """A question as it is shown; files are looked for in the folder of the list, too."""
    if question.case is not None:
        left, right, case = catalogue.shown_for(question)
        return Pair(text_of(left), text_of(right), text_of(case))
    things = [catalogue.shown(name) for name in (question.left, question.right)]
    opens = [place for thing in things for place in _outside(thing, folder or Path())]
    return Pair(text_of(things[0]), text_of(things[1]), opens=tuple(opens))


def text_of(thing: Any) -> str:
    """An item as a text: a row begins with its name, and has a line for each column.

    >>> text_of({"id": "pie", "note": "", "price": 3})
    'pie\\nprice: 3'
    >>> text_of({"id": "Once", "text": "Once upon a time"})
    'Once upon a time'
    """
    if not isinstance(thing, dict):
        return thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False, default=str)
    name = next((str(thing[key]) for key in ID_KEYS if key in thing), "")
    if (text := str(thing.get("text") or "")).startswith(name) and len(thing) == 2:
        return text
    fields = {key: value for key, value in thing.items() if key not in ID_KEYS and value not in ("", None)}
    lines = [f"\n{value}" if key == "text" else f"{key}: {value}" for key, value in fields.items()]
    return "\n".join([name, *lines])


def lines_of(text: str, width: int) -> list[str]:
    """A text in lines of at most this width; its own line breaks stay.

    >>> lines_of("one two\\n\\nthree", 4)
    ['one', 'two', '', 'thre', 'e']
    """
    shown = "".join(c if c.isprintable() or c == "\n" else " " for c in text.expandtabs(4).replace("\r\n", "\n"))
    return [line for part in shown.splitlines() or ["(empty)"] for line in wrap(part, width) or [""]]


def _outside(thing: Any, folder: Path) -> list[str]:
    """Addresses and files in an item that a terminal cannot show."""
    values = thing.values() if isinstance(thing, dict) else [thing]
    found = (_place(value.strip(), folder) for value in values if isinstance(value, str))
    return [place for place in found if place][:1]


def _place(value: str, folder: Path) -> str:
    if value.startswith(WEB) and not value.split()[1:]:
        return value
    kind = (mimetypes.guess_type(value)[0] or "").partition("/")[0] if len(value) < 1000 else ""
    if kind not in SHOWN_OUTSIDE:
        return ""
    return next((str(path) for path in (Path(value), folder / value) if path.is_file()), "")


def open_outside(pair: Pair) -> str:
    """Open the files or addresses of a pair in what the system opens them with; what came of it, in words."""
    import typer

    if not pair.opens:
        return "There is nothing to open here: both are texts."
    failed = [place for place in pair.opens if typer.launch(place)]
    if failed:
        return f"This could not be opened from here: {', '.join(failed)}"
    return f"Opened: {', '.join(pair.opens)}"

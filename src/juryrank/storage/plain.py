"""Small things that storages and studies share: times, JSON and texts that any database can hold."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from juryrank.errors import BadInput, shown
from juryrank.quoting import SELECTORS, is_unseen


def utc(seconds: float) -> str:
    """A moment as text in UTC, to the microsecond.

    >>> utc(0.25)
    '1970-01-01T00:00:00.250000+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def seconds_of(moment: str) -> float:
    """The opposite of `utc`.

    >>> seconds_of(utc(1e9))
    1000000000.0
    """
    return datetime.fromisoformat(moment).timestamp()


def without_password(url: str) -> str:
    """A URL that may be shown.

    >>> without_password("postgresql://me:secret@host/name")
    'postgresql://me:***@host/name'
    """
    return re.sub(r"(://[^:/@]*):.*@", r"\1:***@", url)


def dump(value: Any, *, sort: bool = False) -> str:
    """JSON that any database can hold: ASCII, no NUL, no NaN; `sort`: keys in alphabetical order."""
    try:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=sort)
    except (TypeError, ValueError) as problem:
        raise BadInput(f"only JSON values can be stored, and {problem}") from None


def _is_drawn(letter: str) -> bool:
    return not (letter.isspace() or is_unseen(letter) or letter in SELECTORS)


def usable_text(text: object, *, what: str) -> str:
    """`text` if it is non-empty text that can be written as UTF-8.

    >>> usable_text("Ωmega 'quoted'", what="a name")
    "Ωmega 'quoted'"
    """
    if not isinstance(text, str):
        raise BadInput(f"{what} is {text!r}; studies keep {what}s as text: use str(...) or an id")
    if not text.strip() or not any(map(_is_drawn, text)):
        raise BadInput(f"{what} is empty; give it at least one visible character")
    if "\0" in text or (not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)):
        why = "a NUL or half a character (a lone surrogate)"
        raise BadInput(f"{what} {shown(text)} holds {why}: no database keeps it")
    return text

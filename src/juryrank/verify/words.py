"""Words and numbers of statements."""

from __future__ import annotations

from collections.abc import Iterable

from juryrank.quoting import skeleton


def several(number: int, one: str) -> str:
    """A number with its noun.

    >>> several(1, "judge"), several(0, "question")
    ('1 judge', '0 questions')
    """
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def look_alikes(names: Iterable[str], what: str) -> list[str]:
    """A note for the first names that differ and can hardly be told apart by eye.

    >>> [len(look_alikes(["x", "y", name], "items")) for name in ("x\u200b", "\u0445", "z")]
    [1, 1, 0]
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault("".join(skeleton(name).split()).casefold(), name)
        if other != name:
            return [f"These {what} look alike, and are not the same: {other!a} and {name!a}."]
    return []

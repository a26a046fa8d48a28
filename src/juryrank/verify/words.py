"""Words and numbers of statements."""

from __future__ import annotations

from collections.abc import Iterable

from juryrank.skeletons import skeleton


def sure_of(error: float) -> str:
    """1 - δ as a percentage; where that would round to certainty, as a difference.

    >>> sure_of(0.1), sure_of(0.001), sure_of(1e-13)
    ('90 %', '99.9 %', '1 - 1e-13')
    """
    text = f"{100 * (1 - error):.10g}"
    return f"{text} %" if float(text) < 100 else f"1 - {error:g}"


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

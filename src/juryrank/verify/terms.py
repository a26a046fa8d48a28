"""Values that a ranker wrote into a question's terms or a study's options: is it what it should be?

Terms are opaque to the log, so nothing about their kind is known when they are read here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, TypeGuard


def is_number(value: object) -> TypeGuard[int | float]:
    """A finite number; true and false are none.

    >>> is_number(0.5), is_number(True), is_number(float("nan")), is_number("1")
    (True, False, False, False)
    """
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def is_whole(value: object, *, least: int = 0) -> TypeGuard[int]:
    """A whole number from `least` on.

    >>> is_whole(3), is_whole(3.0), is_whole(True), is_whole(0, least=1)
    (True, False, False, False)
    """
    return type(value) is int and value >= least


def names(value: Any) -> list[str] | None:
    """A list of texts; None: it is none."""
    return value if isinstance(value, list) and all(isinstance(one, str) for one in value) else None


def unknown(given: Mapping[str, Any], known: Collection[str]) -> str:
    """What is wrong with options that a checker does not know: they might change what is promised; or nothing.

    >>> unknown({"assume": "steady", "magic": 1}, ("assume",))
    "the study was made with the option 'magic', which this checker does not know"
    """
    strange = sorted(given.keys() - set(known))
    return (
        f"the study was made with the option {strange[0]!r}, which this checker does not know" if strange else ""
    )


def whole_numbers(value: Any) -> list[int] | None:
    """A list of whole numbers from 0 on; None: it is none."""
    return value if isinstance(value, list) and all(is_whole(one) for one in value) else None

"""Two JSON values compared as a whole: where is the first difference?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from juryrank.errors import shown

ROUNDING = 1e-9  # relative: the same sum in another order, or on another processor


def difference(claimed: Any, expected: Any, *, at: str = "result", rounding: float = 0.0) -> str:
    """The first place at which two values differ, in words; empty: they are the same.

    Promises and counts are whole numbers, fractions and words, which come out the same everywhere, so they must be
    the same to the last digit; `rounding` is for estimates.

    >>> difference({"order": ["a", "b"]}, {"order": ["a", "c"]})
    "result.order[1] is 'b'; the events give 'c'"
    >>> difference({"n": 1}, {"n": True}), difference(0.1 + 0.2, 0.3, rounding=ROUNDING)
    ('result.n is 1; the events give True', '')
    """
    if isinstance(expected, Mapping) and isinstance(claimed, Mapping):
        return _of_objects(claimed, expected, at, rounding)
    if isinstance(expected, list) and isinstance(claimed, list):
        return _of_lists(claimed, expected, at, rounding)
    if type(claimed) is type(expected) and (claimed == expected or _close(claimed, expected, rounding)):
        return ""
    return f"{at} is {shown(claimed)}; the events give {shown(expected)}"


def _close(claimed: Any, expected: Any, rounding: float) -> bool:
    return isinstance(expected, float) and math.isclose(claimed, expected, rel_tol=rounding)


def _of_objects(claimed: Mapping[str, Any], expected: Mapping[str, Any], at: str, rounding: float) -> str:
    for name in expected:
        if name not in claimed:
            return f"{at} has no {name!r}; the events give {shown(expected[name])}"
        found = difference(claimed[name], expected[name], at=f"{at}.{name}", rounding=rounding)
        if found:
            return found
    extra = [name for name in claimed if name not in expected]
    return f"{at} has {shown(extra[0])}, which does not belong there" if extra else ""


def _of_lists(claimed: list[Any], expected: list[Any], at: str, rounding: float) -> str:
    for place, (one, other) in enumerate(zip(claimed, expected, strict=False)):
        found = difference(one, other, at=f"{at}[{place}]", rounding=rounding)
        if found:
            return found
    if len(claimed) == len(expected):
        return ""
    return f"{at} holds {len(claimed)} entries; the events give {len(expected)}"

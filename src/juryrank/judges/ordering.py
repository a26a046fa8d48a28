"""An order of several outputs, as programs and models give it: letters, best first; inner lists are ties.

>>> read_order('["B", ["A", "C"]]', "ABC").tiers
(('B',), ('A', 'C'))
>>> read_order('["B", "A"]', "ABC")
Traceback (most recent call last):
juryrank.errors.BadAnswer: the order leaves out 'C'; it must hold each one shown once
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from juryrank.errors import BadAnswer
from juryrank.types import Order


class Lettered(dict[str, Any]):
    """Outputs shown together, each under its letter, in the order shown."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Tiers of letters, best first."""

    tiers: tuple[tuple[str, ...], ...]


def read_order(text: str, letters: Collection[str]) -> Ordered:
    """The order in a text, if it is one of exactly these letters; raises BadAnswer."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    return as_order(said, letters)


def as_order(said: Any, letters: Collection[str]) -> Ordered:
    """The same from JSON that is read: a list of letters, or the place of each, 1 for the best."""
    if isinstance(said, dict) and all(type(place) in (int, float) for place in said.values()):
        said = [[letter for letter in said if said[letter] == place] for place in sorted({*said.values()})]
    rows = said if isinstance(said, list) else [None]
    tiers: list[list[Any]] = [tier if isinstance(tier, list) else [tier] for tier in rows]
    if not all(isinstance(letter, str) for tier in tiers for letter in tier):
        example = json.dumps(sorted(letters))
        raise BadAnswer(f"it must be a list of letters, best first, inner lists are ties: {example}")
    found = Ordered(tuple(tuple(letter.strip().upper() for letter in tier) for tier in tiers if tier))
    Order(found.tiers).check(sorted(letters))
    return found

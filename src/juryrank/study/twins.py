"""Names that cannot be told apart: the same letters encoded in two ways are refused, lookalikes give a warning.

"é" can be one character or an "e" with an accent after it. Two items that differ in nothing else are one item to
everybody who reads them, and an answer about one of them would be recorded for the other.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterable, Sequence

from juryrank.errors import BadInput, shown
from juryrank.skeletons import skeleton


class LookalikeNames(UserWarning):
    """Two names that look the same to most readers."""


def check_names(new: Sequence[str], *, known: Iterable[str] = (), what: str) -> None:
    """Raise BadInput if two names are the same letters encoded in two ways; warn if two look alike.

    >>> check_names(["caf\\u00e9", "cafe\\u0301"], what="item")
    Traceback (most recent call last):
    juryrank.errors.BadInput: item 'café' is listed twice, encoded in two ways that nobody can tell apart; keep one
    """
    known = list(known)
    if all(map(str.isascii, (*known, *new))):
        return
    coded = {unicodedata.normalize("NFC", name): name for name in known}
    drawn = {skeleton(name): name for name in known}
    for name in new:
        same = coded.setdefault(unicodedata.normalize("NFC", name), name)
        if same != name:
            raise BadInput(
                f"{what} {shown(same)} is listed twice, encoded in two ways that nobody can tell apart; keep one"
            )
        alike = drawn.setdefault(skeleton(name), name)
        if alike != name:
            codes = f"{_codes(alike, name)} and {_codes(name, alike)}"
            warnings.warn(
                f"{what}s {shown(alike)} and {shown(name)} look alike (they differ in {codes})",
                LookalikeNames,
                stacklevel=4,
            )


def _codes(name: str, other: str) -> str:
    own = [letter for letter in dict.fromkeys(name) if letter not in other]
    return " ".join(f"U+{ord(letter):04X}" for letter in own[:3]) or "nothing more"

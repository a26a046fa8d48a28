"""The visual skeleton of a name: letters that look alike become one letter, invisible characters are dropped."""

from __future__ import annotations

import unicodedata

from juryrank.unseen import BLANKS, SELECTORS

# Letters of other scripts that are drawn like Latin ones, in capitals and small: enough to catch what is typed on
# another keyboard, not the whole table of Unicode.
_CYRILLIC = dict(zip("АВЕКМНОРСТХаеорсухіјѕ", "ABEKMHOPCTXaeopcyxijs", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_DRAWN_ALIKE = str.maketrans({**_CYRILLIC, **_GREEK})
_BLANK = BLANKS | SELECTORS
_INVISIBLE = ("Cf", "Cc")  # format and control characters


def skeleton(name: str) -> str:
    """A text that is the same for all names that look alike.

    >>> skeleton("\\u0440\\u0430\\u0443") == skeleton("pay") == skeleton("p\\u200bay")
    True
    """
    seen = "".join(letter for letter in unicodedata.normalize("NFKC", name) if _is_drawn(letter))
    return " ".join(seen.translate(_DRAWN_ALIKE).split())


def _is_drawn(letter: str) -> bool:
    return letter.isspace() or not (letter in _BLANK or unicodedata.category(letter) in _INVISIBLE)

"""Characters that nobody sees: what they are, and how a text shows them."""

from __future__ import annotations

import unicodedata

INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # categories of Unicode
# Letters, marks and signs by category, which are drawn as nothing: fillers of Hangul, inherent vowels of Khmer,
# the joiner of graphemes, the empty cell of Braille, the empty head of a note.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
# Selectors choose a variant of a sign ("❤️") or an ideograph, and are drawn as nothing after anything else.
SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
HAS_VARIANTS = ("So", "Sm", "Po", "Nd", "Lo")


def is_unseen(character: str) -> bool:
    """Is it drawn as nothing, or can it change how others are drawn? Plain spaces are seen.

    >>> [is_unseen(c) for c in ("a", " ", "\\u1160", "\\u2800", "\\x1b", "\\u202e")]
    [False, False, True, True, True, True]
    """
    return character in BLANKS or unicodedata.category(character) in INVISIBLE


def visible(text: str) -> str:
    """A text with every character that cannot be seen shown as its number.

    >>> visible("a\\u2800b"), visible("a\\x1b[31m"), visible("tea\\ufe0f"), visible("❤️") == "❤️"
    ('a<2800>b', 'a<1B>[31m', 'tea<FE0F>', True)
    """
    if text.isascii() and text.isprintable():
        return text
    pairs = zip(f" {text}", text, strict=False)
    return "".join(f"<{ord(c):02X}>" if is_unseen(c) or _idle(c, before) else c for before, c in pairs)


def _idle(character: str, before: str) -> bool:
    return character in SELECTORS and unicodedata.category(before) not in HAS_VARIANTS


# ----------------------------------------------------------------------------
# The visual skeleton of a name: letters that look alike become one letter, invisible characters are dropped.
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

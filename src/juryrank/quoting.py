"""Names inside sentences: whoever names an item must not be able to write a promise with it, nor hide a letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 40  # letters of a name in a sentence
MOST_WORDS = 4
JOINTS = "-_./"  # may stand inside a word, one at a time
# What sentences about results are made of: a name with one of these could be read as a part of its sentence.
_WORDS = """
an the this that these those it its is are was were be been being has have had will would can could may might
must not no nor none nothing never and or but if so than then as of in on at by for from to with without all any
both each every other others only also least most more less very proven prove proves proved proof unproven
certified certain certainly certificate counted settled confirmed verified valid true false right wrong sure
surely likely guaranteed promise promised promises probability confidence percent chance evidence statement
above below over under before after against beats beat wins win won loses lose lost prefers preferred best
better worse worst good top first last winner winners ranks rank ranked ranking order tie ties tied ignore
ignored
"""
SENTENCE_WORDS = frozenset(_WORDS.split())
QUOTES = '"\\'


def in_sentence(name: object) -> str:
    r"""A name as a sentence shows it: as it is where it cannot be read as words of the sentence, else quoted.

    Quoted names are cut where they are long. In them a quotation mark has a backslash before it, and what cannot
    be seen is shown as its number: so a quotation ends where it seems to end.

    >>> in_sentence("tea"), in_sentence("gpt-4.1 mini"), in_sentence(7)
    ('tea', 'gpt-4.1 mini', '7')
    >>> print(in_sentence('A" is the best. "B'), in_sentence("x\ny"), in_sentence("y" * 99))
    "A\" is the best. \"B" "x<0A>y" "yyyyyyyyyyyyyyyyyyyyyyyyyy…yyyyyyyyyyyyy"
    """
    text = str(name)
    if _is_plain(text):
        return text
    if len(text) > LONGEST:
        first = LONGEST * 2 // 3
        return f'"{_escaped(text[:first])}…{_escaped(text[first + 1 - LONGEST :])}"'
    return f'"{_escaped(text)}"'


def in_sentences(names: Iterable[object], between: str = ", ") -> str:
    """Several names, one after the other.

    >>> in_sentences(["tea", "x, y"])
    'tea, "x, y"'
    """
    return between.join(map(in_sentence, names))


def _is_plain(text: str) -> bool:
    words = text.split(" ")
    return (
        len(text) <= LONGEST
        and visible(text) == text
        and len(words) <= MOST_WORDS
        and all(_is_word(word) or _is_initial(word) for word in words[:-1])
        and _is_word(words[-1])
        and not SENTENCE_WORDS.intersection([*_parts(text), *_parts(skeleton(text))])
    )


def _parts(text: str) -> list[str]:
    return re.split(r"[\W\d_]+", text.casefold())


def _is_word(text: str) -> bool:
    """Letters and digits, with single joints between them."""
    parts = re.split(f"[{re.escape(JOINTS)}]", text)
    return all(part and all(map(_is_letter, part)) for part in parts)


def _is_initial(text: str) -> bool:
    """The F. of F. Roosevelt: a full stop that ends no sentence."""
    return len(text) == 2 and text[0].isupper() and text[1] == "."


def _is_letter(character: str) -> bool:
    letter = character.isalnum() or unicodedata.category(character).startswith("M")
    return letter and not is_unseen(character)


def _escaped(text: str) -> str:
    return "".join(_escape(before, letter) for before, letter in zip(f" {text}", text, strict=False))


def _escape(before: str, letter: str) -> str:
    """A letter inside quotation marks. Signs beyond ASCII are letters, pictures and currencies, or are escaped."""
    if letter in QUOTES or (before == letter == "'"):  # two of these look like one quotation mark
        return f"\\{letter}"
    if letter.isascii():
        return visible(letter)
    drawn = _is_letter(letter) or unicodedata.category(letter) in ("So", "Sc")
    return letter if drawn and visible(before + letter).endswith(letter) else f"<{ord(letter):02X}>"


# ----------------------------------------------------------------------------
# Characters that nobody sees: what they are, and how a text shows them.
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # categories of Unicode
# Letters, marks and signs by category, which are drawn as nothing: fillers of Hangul, inherent vowels of Khmer,
# the joiner of graphemes, the empty cell of Braille, the empty head of a note.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
# Selectors choose a variant of a sign ("❤️") or an ideograph, and are drawn as nothing after anything else.
SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # turn the direction of what follows
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

"""Names and numbers as people read them, and how wide they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable

from juryrank.quoting import BLANKS, visible

ELLIPSIS = "…"
WITHDRAWN = " (withdrawn)"  # after the name of an item that was
# Widths in em, by classes of letters: no class is narrower than its widest letter in DejaVu Sans, a wide font.
# A label that is estimated too short loses its beginning at the edge of a chart.
_NARROW, _SLIM = set("ijlI|.,:;'"), set("frt()[]/\\- !")
_BROAD, _WIDE, _FULL = set("#&+<=>^~×÷±≥≤¬ŵωώψюыфмд"), set("mwMWŴ@%—…―©®¼½¾ĦæÆΩжшщљњ"), set("œŒЖШЩЮЫФМДЉЊ")
NARROW_EM, SLIM_EM, NORMAL_EM, UPPER_EM, BROAD_EM, WIDE_EM, FULL_EM = 0.34, 0.42, 0.64, 0.79, 0.88, 1.0, 1.1
OTHER_EM = 0.72  # of small letters beyond Latin
LATIN = "\u024f"  # the last letter of it


def clean(value: object) -> str:
    """A name on one line, without characters that cannot be shown; letters that are drawn as nothing as numbers.

    >>> clean(" two\\nlines\\x00 "), clean("tea\\u2800")
    ('two lines', 'tea<2800>')
    """
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in str(value))
    return " ".join("".join(visible(c) if c in BLANKS else c for c in text).split())


def named(item: object, withdrawn: Container[object]) -> str:
    """An item's name in a result; one that was withdrawn says so.

    >>> named("tea", ["tea"])
    'tea (withdrawn)'
    """
    return f"{clean(item)}{WITHDRAWN}" if item in withdrawn else clean(item)


def isolated(name: str) -> str:
    """A name for use inside a sentence: if written from right to left, it does not reorder the words beside it.

    >>> isolated("tea"), isolated("\u0634\u0627\u064a") == "\u2068\u0634\u0627\u064a\u2069"
    ('tea', True)
    """
    turned = any(unicodedata.bidirectional(c) in ("R", "AL") for c in name)
    return f"\u2068{name}\u2069" if turned else name


def columns(text: str) -> int:
    """How many terminal columns a text takes.

    >>> columns("ab"), columns("日本"), columns("é")
    (2, 4, 1)
    """
    return sum(_cells(c) for c in text)


def _cells(c: str) -> int:
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def shorten(text: str, width: int) -> str:
    """A text that fits `width` terminal columns.

    >>> shorten("a rather long name", 9)
    'a rather…'
    """
    if columns(text) <= width:
        return text
    kept, used = "", 0
    for c in text:
        used += _cells(c)
        if used > width - 1:
            break
        kept += c
    return kept.rstrip() + ELLIPSIS


def pad(text: str, width: int) -> str:
    """A text shortened or filled to exactly `width` terminal columns."""
    text = shorten(text, width) if width > 0 else ""
    return text + " " * (width - columns(text))


def wrap(text: str, width: int, *, indent: str = "") -> list[str]:
    """Lines of at most `width` terminal columns (a single longer word is cut into pieces).

    >>> wrap("one two three", 8)
    ['one two', 'three']
    """
    lines, line = [], ""
    for word in _pieces(text.split(), width - columns(indent)):
        candidate = f"{line} {word}" if line else word
        if columns(indent + candidate) > width and line:
            lines.append(indent + line)
            candidate = word
        line = candidate
    return [*lines, indent + line] if line else lines


def _pieces(words: Iterable[str], width: int) -> Iterable[str]:
    for word in words:
        while columns(word) > width:
            head = word[: max(1, width)]
            while len(head) > 1 and columns(head) > width:
                head = head[:-1]
            yield head
            word = word[len(head) :]
        yield word


def em_width(text: str) -> float:
    """The width of a text in em, estimated from the classes of its letters."""
    return sum(_em(c) for c in text)


def _em(c: str) -> float:
    cells = _cells(c)
    if cells != 1:
        return FULL_EM * (cells // 2)
    if c in _NARROW:
        return NARROW_EM
    if c in _SLIM:
        return SLIM_EM
    if c in _WIDE:
        return WIDE_EM
    if c in _BROAD:
        return BROAD_EM
    if c in _FULL:
        return FULL_EM
    if c <= LATIN:
        return UPPER_EM if c.isupper() else NORMAL_EM
    return OTHER_EM if c.islower() else BROAD_EM


def fit(text: str, width: float, size: float) -> str:
    """A text that fits `width` pixels at font size `size`."""
    if em_width(text) * size <= width:
        return text
    room, kept = width / size - WIDE_EM, ""
    for c in text:
        room -= _em(c)
        if room < 0:
            break
        kept += c
    return kept.rstrip() + ELLIPSIS


def wrap_pixels(text: str, width: float, size: float) -> list[str]:
    """Lines that fit `width` pixels at font size `size`; a name that is broken stays isolated on both.

    >>> [line.encode("unicode_escape").decode() for line in wrap_pixels("\u2068a b\u2069 leads", 20, 20)[:2]]
    ['\\\\u2068a\\\\u2069', '\\\\u2068b\\\\u2069']
    """
    lines, line = [], ""
    for word in text.split():
        candidate = f"{line} {word}" if line else word
        if line and em_width(candidate) * size > width:
            lines.append(line)
            candidate = word
        line = candidate
    shown, begun = [], 0  # isolates that a line leaves open
    for part in [*lines, line] if line else lines:
        whole = "\u2068" * begun + fit(part, width, size)
        begun = max(0, whole.count("\u2068") - whole.count("\u2069"))
        shown.append(whole + "\u2069" * begun)
    return shown


def percent(share: float) -> str:
    """A share as people write it.

    >>> percent(0.9), percent(0.975), percent(0.333)
    ('90 %', '97.5 %', '33.3 %')
    """
    return f"{round(100 * share, 1):g} %"


def rank_words(best: int, worst: int) -> str:
    """A range of ranks.

    >>> rank_words(1, 1), rank_words(2, 4)
    ('1', '2 to 4')
    """
    return str(best) if best == worst else f"{best} to {worst}"

"""What is shown of a pair, and of the order, so far and at the end."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from juryrank.report.words.formats import clean, columns, pad, rank_words, shorten, wrap
from juryrank.run.items import ID_KEYS, Catalogue
from juryrank.statements.numbers import number_of
from juryrank.types import Question, Ranking

WEB = ("http://", "https://")
SHOWN_OUTSIDE = ("image", "audio", "video")


@dataclass(frozen=True, slots=True)
class Pair:
    """Both texts, the input that they answer (None: there are no cases), and what can be opened outside."""

    left: str
    right: str
    case: str | None = None
    opens: tuple[str, ...] = ()


def pair_of(catalogue: Catalogue, question: Question, folder: Path | None = None) -> Pair:
    """A question as it is shown; files are looked for in the folder of the list, too."""
    if question.case is not None:
        left, right, case = catalogue.shown_for(question)
        return Pair(text_of(left), text_of(right), text_of(case))
    things = [catalogue.shown(name) for name in (question.left, question.right)]
    opens = [place for thing in things for place in _outside(thing, folder or Path())]
    return Pair(text_of(things[0]), text_of(things[1]), opens=tuple(opens))


def text_of(thing: Any) -> str:
    """An item as a text: a row begins with its name, and has a line for each column.

    >>> text_of({"id": "pie", "note": "", "price": 3})
    'pie\\nprice: 3'
    >>> text_of({"id": "Once", "text": "Once upon a time"})
    'Once upon a time'
    """
    if not isinstance(thing, dict):
        return thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False, default=str)
    name = next((str(thing[key]) for key in ID_KEYS if key in thing), "")
    if (text := str(thing.get("text") or "")).startswith(name) and len(thing) == 2:
        return text
    fields = {key: value for key, value in thing.items() if key not in ID_KEYS and value not in ("", None)}
    lines = [f"\n{value}" if key == "text" else f"{key}: {value}" for key, value in fields.items()]
    return "\n".join([name, *lines])


def lines_of(text: str, width: int) -> list[str]:
    """A text in lines of at most this width; its own line breaks stay.

    >>> lines_of("one two\\n\\nthree", 4)
    ['one', 'two', '', 'thre', 'e']
    """
    shown = "".join(c if c.isprintable() or c == "\n" else " " for c in text.expandtabs(4).replace("\r\n", "\n"))
    return [line for part in shown.splitlines() or ["(empty)"] for line in wrap(part, width) or [""]]


def _outside(thing: Any, folder: Path) -> list[str]:
    """Addresses and files in an item that a terminal cannot show."""
    values = thing.values() if isinstance(thing, dict) else [thing]
    found = (_place(value.strip(), folder) for value in values if isinstance(value, str))
    return [place for place in found if place][:1]


def _place(value: str, folder: Path) -> str:
    if value.startswith(WEB) and not value.split()[1:]:
        return value
    kind = (mimetypes.guess_type(value)[0] or "").partition("/")[0] if len(value) < 1000 else ""
    if kind not in SHOWN_OUTSIDE:
        return ""
    return next((str(path) for path in (Path(value), folder / value) if path.is_file()), "")


def open_outside(pair: Pair) -> str:
    """Open the files or addresses of a pair in what the system opens them with; what came of it, in words."""
    import typer

    if not pair.opens:
        return "There is nothing to open here: both are texts."
    failed = [place for place in pair.opens if typer.launch(place)]
    if failed:
        return f"This could not be opened from here: {', '.join(failed)}"
    return f"Opened: {', '.join(pair.opens)}"


# ----------------------------------------------------------------------------
# The order of one person: so far, and at the end with what is certain and the next command
DONE = (
    "This is your order; pairs that you were not asked about follow from the others, if your preferences do not "
    "go in a circle."
)
COMPARED = "This is your order; you compared every pair."
NO_ORDER = (
    "This is the order that your answers suggest, but not all of it is settled: some of your preferences go in a "
    "circle, or you answered with ties or skips."
)
STOPPED = (
    'This is the order that your answers suggest so far. "Can be" names the places that an item can still take, '
    "if your preferences do not go in a circle."
)
NOTHING = "You have answered nothing yet, so there is no order."
MOST_LINES = 40  # of an order on a terminal; files and pipes get all of it


def rounded(to_go: float) -> int:
    """A number of questions to go, with no more digits than are known; at least one.

    >>> rounded(0.2), rounded(37.4), rounded(13_239)
    (1, 37, 13000)
    """
    whole = max(round(to_go), 1)
    return whole if whole < 100 else int(float(f"{whole:.2g}"))


def order_lines(ranking: Ranking, width: int, *, most: int | None = None) -> list[str]:
    """The order, a line for each item, with the places that are still open; at the end those nobody knows about.

    >>> ranking = Ranking(tuple("abcd"), False, 0.05, 3, "panel", ranges=((1, 1), (2, 3), (2, 3), (1, 4)))
    >>> print("\\n".join(order_lines(ranking, 40)))
    1  a
    2  b  can be 2 to 3
    3  c  can be 2 to 3
    Nothing is known yet about: d
    """
    places = ranking.ranges or [None] * len(ranking.order)
    everywhere = (1, len(ranking.order)) if len(ranking.order) > 1 else None
    known = [(item, place) for item, place in zip(ranking.order, places, strict=True) if place != everywhere]
    unknown = [clean(item) for item, place in zip(ranking.order, places, strict=True) if place == everywhere]
    if not known:
        return wrap(NOTHING if ranking.questions <= 1 else "Your answers leave every place open.", width)
    number = len(str(len(ranking.order)))
    words = ["" if p is None or p[0] == p[1] else f"can be {rank_words(*p)}" for _, p in known]
    room = width - number - 2 - (2 + max(map(columns, words)) if any(words) else 0)
    name = min(max(columns(clean(item)) for item, _ in known), max(room, 8))
    shown = known if most is None or len(known) <= most + 1 else known[:most]
    lines = [
        f"{k:>{number}}  {pad(clean(item), name)}  {word}".rstrip()
        for k, ((item, _), word) in enumerate(zip(shown, words, strict=False), 1)
    ]
    if len(shown) < len(known):
        lines.append(f"and {len(known) - len(shown):,} more (all of them: --json, or | less)")
    return lines + _unknown(unknown, width)


def _unknown(names: Sequence[str], width: int) -> list[str]:
    if not names:
        return []
    shown, more = names[:8], len(names) - 8
    text = ", ".join(shorten(name, 40) for name in shown) + (f" and {more:,} more" if more > 0 else "")
    return wrap(f"Nothing is known yet about: {text}", width)


def end_text(
    ranking: Ranking, *, title: str, width: int, to_go: int = 0, then: Sequence[tuple[str, str]], most: int | None
) -> str:
    """What is printed at the end: the order, one sentence, and what to type next (what for, the command)."""
    answers = sum(judge.answered for judge in ranking.judges)
    left = f", about {to_go:,} to go" if to_go else ""
    head = f"{'Your order so far' if to_go else 'Your order'}: {title} ({number_of(answers, 'answer')}{left})"
    said = [] if not answers else ["", *wrap(ranking.statement, width)]
    body = [f"  {line}" for line in order_lines(ranking, width - 2, most=most)]
    commands = [f"{what}:\n  {command}" for what, command in then]
    return "\n".join([*wrap(head, width), "", *body, *said, "", *commands]) + "\n"

"""The order of one person: so far, and at the end with what is certain and the next command."""

from __future__ import annotations

from collections.abc import Sequence

from juryrank.report.words.formats import clean, columns, counted, pad, rank_words, shorten, wrap
from juryrank.types import Ranking

DONE = (
    "This is your order; pairs that you were not asked about follow from the others, if your preferences do not "
    "go in a circle."
)
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
    head = f"{'Your order so far' if to_go else 'Your order'}: {title} ({counted(answers, 'answer')}{left})"
    said = [] if not answers else ["", *wrap(ranking.statement, width)]
    body = [f"  {line}" for line in order_lines(ranking, width - 2, most=most)]
    commands = [f"{what}:\n  {command}" for what, command in then]
    return "\n".join([*wrap(head, width), "", *body, *said, "", *commands]) + "\n"

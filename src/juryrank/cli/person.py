"""The person at the terminal as the judge: one pair at a time, with undo, until the ranking is done or stopped.

1, ←  the first        2, →  the second        t, =  neither is better (a tie)
s     skip             u     take the last answer back            q  stop and keep

Items that fit a line are shown in one; longer ones as texts. On cases the input is shown above both outputs, and
no system is named. Long texts are cut, and the key a shows all of them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from juryrank.errors import BadInput
from juryrank.report.words.formats import columns, wrap
from juryrank.run.items import Catalogue
from juryrank.run.loop import next_question
from juryrank.run.session import Session
from juryrank.types import SKIP, TIE, Answer, Question

NAME = "you"
DONE = (
    "This is your order. Pairs you were not asked follow from the others, taking it that your preferences do not "
    "run in a circle. To be asked every pair: --option objective=ranges."
)
NO_ORDER = (
    "This is the order that your answers suggest, but not all of it is settled: some of your preferences go in a "
    "circle, or were ties or skips. The ranks show where each item can end."
)
STOPPED = (
    "This is what you have said so far, and the order it suggests; the ranks show where each item can still end, "
    "taking it that your preferences do not run in a circle."
)
KEYS = "1/← first   2/→ second   t tie   s skip   u undo   q stop and keep"
LONG_KEYS = "1/← first   2/→ second   t tie   s skip   u undo   a all of it   q stop"
ARROWS = {"[D": "left", "[C": "right", "OD": "left", "OC": "right"}
CTRL_D, ESCAPE = "\x04", "\x1b"
LEFT, RIGHT, TIED, SKIPPED, UNDO, STOP, ALL = "left", "right", "tie", "skip", "undo", "stop", "all"
MEANING = {
    "1": LEFT, "left": LEFT, "2": RIGHT, "right": RIGHT, "t": TIED, "=": TIED,
    "s": SKIPPED, "u": UNDO, "q": STOP, "": STOP, "a": ALL,
}  # fmt: skip
WIDTH = 76
MOST_LINES = 12  # of each text, so that a question fits a terminal


def read_key() -> str:
    """A key's name (`left` and `right` for the arrows); from a pipe, one word per line; empty at its end."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.strip().lower() if line.strip() or not line else read_key()
    try:
        import termios
        import tty
    except ImportError:  # no such terminals here: a word and Enter
        return input("> ").strip().lower()
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        return _named(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _named(terminal: int) -> str:
    import os
    import select

    pressed = os.read(terminal, 1).decode(errors="replace")
    if pressed == CTRL_D or not pressed:
        return ""
    if pressed != ESCAPE:
        return pressed.lower()
    rest = ""
    while len(rest) < 2 and select.select([terminal], [], [], 0.05)[0]:
        rest += os.read(terminal, 1).decode(errors="replace")
    return ARROWS.get(rest, "escape")


def ask_person(
    session: Session,
    catalogue: Catalogue,
    *,
    key: Callable[[], str] = read_key,
    write: Callable[[str], Any] = sys.stderr.write,
) -> bool:
    """Let the person answer until the ranker is done; False: they stopped before that."""
    waiting = session.open_questions[::-1]  # those that an undo, or the last sitting, left open come first
    long = session.ranker.knows_cases or any(_is_long(catalogue.shown(name)) for name in catalogue.names)
    keys = LONG_KEYS if long else KEYS
    first = f"Which is better?\n{keys}\n"
    while (question := waiting.pop() if waiting else next_question(session, catalogue)) is not None:
        write(first + question_text(session, catalogue, question))
        first = ""
        while (meaning := _meaning(key, write, keys)) == ALL:
            write(question_text(session, catalogue, question, whole=True))
        if meaning == STOP:
            return False
        if meaning == UNDO:
            waiting += [question, *_undone(session, write)]
            continue
        session.tell(question, _answer(question, meaning))
    return True


def question_text(session: Session, catalogue: Catalogue, question: Question, *, whole: bool = False) -> str:
    """The pair as it is shown, at 80 columns; on cases the input and both outputs (`whole`: all of them)."""
    now = session.ranker.progress
    to_go = f" of about {now.expected:,.0f}" if now.expected else ""
    head = f"\nQuestion {now.questions:,}{to_go}, settled {now.settled} of {now.links}\n"
    things = [catalogue.shown(name) for name in (question.left, question.right)]
    if question.case is None and not any(map(_is_long, things)):
        return head + "".join(f"  {place}  {shown(thing)}\n" for place, thing in enumerate(things, start=1))
    parts = [("1", _rows(things[0])), ("2", _rows(things[1]))]
    if question.case is not None:
        left, right, case = catalogue.shown_for(question)
        parts = [("Asked of both", case), ("1", left), ("2", right)]
    return head + "".join(f"{_block(title, thing, None if whole else MOST_LINES)}\n" for title, thing in parts)


def _is_long(thing: Any) -> bool:
    return columns(shown(thing)) > WIDTH


def _rows(thing: Any) -> Any:
    """An item as a text: a row of a table with one line for each column, and the name alone on the first."""
    if not isinstance(thing, dict):
        return thing
    named = {k: v for k, v in thing.items() if v not in ("", None)}
    return "\n".join(f"{v}" if k in ("id", "item") else f"{k}: {v}" for k, v in named.items())


def _block(title: str, thing: Any, most: int | None) -> str:
    """A text under its title, wrapped; cut after `most` lines, with how many more there are."""
    text = thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False, default=str)
    lines = [line for part in text.splitlines() or ["(empty)"] for line in wrap(part, WIDTH) or [""]]
    more = 0 if most is None else len(lines) - most
    kept = [*lines[:most], f"… {more:,} more lines: press a"] if more > 1 else lines
    return "\n".join([f"── {title} ──", *(f"  {line}".rstrip() for line in kept)])


def shown(thing: Any) -> str:
    """An item in one line; a row with its columns.

    >>> shown({"id": "x", "colour": "red"})
    'x (colour: red)'
    """
    if isinstance(thing, dict):
        name = str(thing.get("id", thing.get("item", "")))
        more = ", ".join(f"{k}: {v}" for k, v in thing.items() if k not in ("id", "item") and v not in ("", None))
        thing = f"{name} ({more})" if more else name
    return " ".join(str(thing).split())


def _meaning(key: Callable[[], str], write: Callable[[str], Any], keys: str) -> str:
    while (pressed := key()) not in MEANING or (MEANING[pressed] == ALL and keys == KEYS):
        write(f"  {pressed!r} means nothing here.\n{keys}\n")
    return MEANING[pressed]


def _undone(session: Session, write: Callable[[str], Any]) -> list[Question]:
    try:
        question = session.undo()
    except BadInput as problem:
        write(f"  {problem}\n")
        return []
    write("  Taken back: answer it again.\n")
    return [question]


def _answer(question: Question, meaning: str) -> Answer:
    answers: dict[str, Answer] = {LEFT: question.left, RIGHT: question.right, TIED: TIE, SKIPPED: SKIP}
    return answers[meaning]

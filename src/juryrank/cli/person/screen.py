"""One screen, redrawn: a pair in two boxes, the progress above them, the keys below.

At 72 columns and more the boxes stand side by side, else above each other. Long texts scroll together, and a frame
says which lines are in sight; from then on up and down scroll, so that nobody answers by reading on. The help, the
order so far and a long input take the whole screen for a while.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from juryrank.cli.common import console
from juryrank.cli.person import keys
from juryrank.cli.person.pairs import Pair, lines_of, open_outside, rounded
from juryrank.defaults import SIDE_BY_SIDE
from juryrank.report.words.formats import columns, pad, shorten, wrap
from juryrank.types import Progress

LEAST_WIDTH, LEAST_HEIGHT = 60, 14  # below: plain questions
WIDEST, WIDEST_SHORT = 160, 100  # columns that long and short texts spread over: longer lines read badly
AIRY = 6  # lines: shorter texts get a free line above and below
MARKED = 0.15  # seconds that a choice is shown
FRAME, CHOSEN = tuple("╭─╮│╰╯"), tuple("┏━┓┃┗┛")
ACTIONS = (keys.LEFT, keys.RIGHT, keys.TIED, keys.SKIPPED, keys.UNDO, keys.STOP)
NOTED = {keys.TIED: "A tie.", keys.SKIPPED: "Skipped."}
HELP = """1, ← or ↑      the first is better
2, → or ↓      the second is better
space, t, =    neither is better (a tie)
s              skip this pair
u              take the last answer back and give it again
o              the order so far
j, k           scroll down, up; page keys, Home and End too
↑, ↓           scroll instead where long texts are side by side
v              open pictures, sound, films and addresses
i              all of the input that both answer
q, Ctrl-D      stop; the same command goes on later
Ctrl-C         the same

Every answer is kept before the next question, unless the first line says that nothing is kept.
To be asked line by line instead: NO_COLOR=1 or TERM=dumb."""
Line = tuple[str, str]  # text, style


def fits_here() -> bool:
    """Can this terminal have a screen? Not a pipe, Windows' console, a dumb, narrow, low or colourless one."""
    if os.name == "nt" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return False
    width, height = _size()
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


def _size() -> tuple[int, int]:
    """As the terminal is now (COLUMNS would be as it was)."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns or 80, size.lines or 24


@dataclass(slots=True)
class ScreenPart:
    """What is on the screen now: a pair, or a page over it."""

    pair: Pair
    now: Progress
    offset: int = 0  # lines that are scrolled away
    chosen: str = ""
    page: tuple[str, Callable[[int], Sequence[str]]] | None = None  # title and lines of a width
    furthest: int = 0  # the largest offset that makes sense
    in_sight: int = 1  # lines of a text


class Screen:
    """See the module. `kept` is where answers are."""

    def __init__(self, title: str, *, kept: str = "") -> None:
        self._title, self._kept = title, kept
        self._keys = keys.Keys(sys.stdin.fileno())
        self._console = console(stderr=True)
        self._area: Any = None
        self._drawn: ScreenPart | None = None
        self._message = ""
        self._drawing = self._resized = False
        self._long = False  # a text did not fit, in this sitting

    @contextmanager
    def opened(self) -> Iterator[None]:
        before = signal.signal(signal.SIGWINCH, self._on_resize)
        try:
            with self._keys.opened(), self._console.screen(hide_cursor=True) as self._area:
                yield
        finally:
            signal.signal(signal.SIGWINCH, before)

    def say(self, words: str) -> None:
        self._message = words

    def answer(self, pair: Pair, now: Progress, order: Callable[[int], Sequence[str]]) -> str:
        """What the person wants, once it is more than another look."""
        drawn = self._drawn = ScreenPart(pair, now)
        while True:
            self._draw()
            pressed = self._keys.read()
            self._message = ""
            meaning = self._meaning(drawn, pressed)
            if drawn.page and pressed:  # q leaves the page, as in other pagers
                if not self._scrolled(drawn, meaning):
                    drawn.page, drawn.offset = None, 0
                continue
            if meaning in ACTIONS:
                self._mark(drawn, meaning)
                return meaning
            self._look(drawn, meaning, pressed, order)

    def _meaning(self, drawn: ScreenPart, pressed: str) -> str:
        self._long = self._long or drawn.furthest > 0
        scrolls = drawn.page is not None or (self._long and _size()[0] >= SIDE_BY_SIDE)
        return (keys.SCROLLING if scrolls else {}).get(pressed) or keys.MEANING.get(pressed, "")

    def _look(self, drawn: ScreenPart, meaning: str, pressed: str, order: Callable[[int], Sequence[str]]) -> None:
        """Everything that is no answer: another page, another part of a text."""
        if self._scrolled(drawn, meaning):
            return
        if meaning == keys.HELP:
            drawn.page, drawn.offset = ("Keys", lambda width: _wrapped(HELP, width)), 0
        elif meaning == keys.SO_FAR:
            self._message = "Working out the order …"
            self._draw()
            self._message, drawn.offset = "", 0
            width = self._width()
            shown = list(order(width))
            drawn.page = ("The order so far", lambda width: shown)
        elif meaning == keys.INPUT and drawn.pair.case is not None:
            drawn.page, drawn.offset = ("Asked of both", lambda width: lines_of(drawn.pair.case or "", width)), 0
        elif meaning == keys.OPEN_OUTSIDE:
            self._message = open_outside(drawn.pair)
        else:
            name = pressed if pressed.isprintable() else "That key"
            self._message = f"{name} means nothing here: ? shows what the keys do."

    def _scrolled(self, drawn: ScreenPart, meaning: str) -> bool:
        page = max(drawn.in_sight - 1, 1)
        steps = {keys.LINE_DOWN: 1, keys.LINE_UP: -1, keys.PAGE_DOWN: page, keys.PAGE_UP: -page}
        far = {keys.TOP: -drawn.offset, keys.BOTTOM: drawn.furthest}
        if meaning not in steps and meaning not in far:
            return False
        step = {**steps, **far}[meaning]
        drawn.offset = max(0, min(drawn.offset + step, drawn.furthest))
        return True

    def _mark(self, drawn: ScreenPart, meaning: str) -> None:
        """Show for a moment what was chosen; somebody who types ahead is not held up."""
        drawn.chosen, self._message = meaning, NOTED.get(meaning, "")
        self._draw()
        if meaning not in (keys.UNDO, keys.STOP) and not self._keys.ahead:
            time.sleep(MARKED)
        self._message = ""

    # ------------------------------------------------------------------ drawing
    def _on_resize(self, number: int, frame: object) -> None:
        self._resized = True
        if not self._drawing:
            self._draw()

    def _draw(self) -> None:
        """All of it; where the terminal was resized meanwhile, once more."""
        from rich.console import Group
        from rich.control import Control
        from rich.text import Text

        if self._drawn is None or self._area is None:
            return
        self._drawing = self._resized = True
        while self._resized:
            self._resized = False
            width, height = _size()
            self._console.size = (width, height)
            lines = self._lines(self._drawn, width, height)[:height]
            texts = [Text.assemble(*parts, no_wrap=True, overflow="crop", end="\n") for parts in lines]
            with self._console:  # one write for all of it
                self._console.control(Control.home())
                self._area.update(Group(*texts))
        self._drawing = False

    def _width(self) -> int:
        return min(_size()[0], WIDEST) - 2

    def _lines(self, drawn: ScreenPart, width: int, height: int) -> list[list[Line]]:
        head = self._head(drawn.now, width)
        if drawn.page:
            return [*head, *self._page(drawn, width, height - len(head))]
        foot = self._foot(drawn, width)
        room = height - len(head) - len(foot)
        body = self._boxes(drawn, width, room)
        return [*head, *body, *[[]] * (room - len(body)), *foot]

    def _head(self, now: Progress, width: int) -> list[list[Line]]:
        """What, how many to go, where it is kept; then a bar."""
        answered = max(now.questions - now.open, 0)
        left = rounded(now.expected - answered) if now.expected else 0
        to_go = f"about {left:,} to go" if left else f"{now.settled:,} of {now.links:,} settled"
        kept = f"kept in {self._kept}" if self._kept else "nothing is kept"
        said = f" · {answered:,} answered, {to_go} · {kept}"
        name = shorten(self._title, max(width - columns(said) - 1, 8))
        share = answered / (answered + left) if left else now.settled / max(now.links, 1)
        room = max(width - 2, 1)
        full = min(round(share * room), room)
        return [
            [(" ", ""), (name, "bold"), (shorten(said, width - 1 - columns(name)), "")],
            [(" ", ""), ("━" * full, "green"), ("─" * (room - full), "dim")],
            [],
        ]

    def _foot(self, drawn: ScreenPart, width: int) -> list[list[Line]]:
        side = width >= SIDE_BY_SIDE
        parts = ["←/→ choose" if side else "↑/↓ choose", "space tie", "s skip", "u undo", "o order"]
        parts += ["v open"] * bool(drawn.pair.opens)
        parts += ["i input"] * (drawn.pair.case is not None) + [
            "? help",
            "q stop and keep" if self._kept else "q stop",
        ]
        lines, line = [], ""
        for part in parts:
            if line and columns(f"{line}   {part}") > width - 2:
                lines.append(line)
                line = ""
            line = f"{line}   {part}" if line else part
        message = shorten(self._message, width - 2)
        return [[(f" {message}", "bold yellow")], *([(f" {line}", "dim")] for line in [*lines, line])]

    def _page(self, drawn: ScreenPart, width: int, height: int) -> list[list[Line]]:
        assert drawn.page is not None
        title, make = drawn.page
        lines, drawn.in_sight = list(make(min(width, WIDEST) - 2)), max(height - 4, 1)
        drawn.furthest = max(len(lines) - drawn.in_sight, 0)
        drawn.offset = min(drawn.offset, drawn.furthest)
        seen = lines[drawn.offset : drawn.offset + drawn.in_sight]
        more = f"↑/↓ scroll (lines {drawn.offset + 1} to {drawn.offset + len(seen)} of {len(lines)}); "
        foot = (more if drawn.furthest else "") + "any other key goes back"
        shown = [*seen, *[""] * (drawn.in_sight - len(seen))]
        return [[(f" {title}", "bold")], [], *([(f" {line}", "")] for line in shown), [], [(f" {foot}", "dim")]]

    def _boxes(self, drawn: ScreenPart, width: int, height: int) -> list[list[Line]]:
        pair = drawn.pair
        asked = "Which output is better?" if pair.case is not None else "Which is better?"
        shown: list[list[Line]] = [[(f" {asked}", "bold")]]
        room = height - 1
        if pair.case is not None:
            lines, most = lines_of(pair.case, width - 6), max(room // 3, 3)
            cut = len(lines) > most - 2
            inner = lines[: most - 2]
            shown += [
                [(f" {line}", "")]
                for line in _box(inner, "Asked of both", width - 2, len(inner), cut * "i: all of it")
            ]
            room -= len(inner) + 2
        side = width >= SIDE_BY_SIDE
        texts = (pair.left, pair.right)
        long = any(columns(line) > WIDEST_SHORT // 2 for text in texts for line in text.splitlines())
        over = min(width - 2, WIDEST if long else WIDEST_SHORT)
        each = (over - 1) // 2 if side else over
        most = room - 2 if side else (room - 4) // 2
        split = [lines_of(text, each - 4) for text in texts]
        if max(map(len, split)) + 2 <= min(most, AIRY):
            split = [["", *lines, ""] for lines in split]
        tallest = max(map(len, split))
        drawn.in_sight = max(min(tallest, most), 1)
        drawn.furthest = max(tallest - drawn.in_sight, 0)
        drawn.offset = min(drawn.offset, drawn.furthest)
        boxes = [self._side(drawn, k, lines, each, side=side) for k, lines in enumerate(split)]
        styles = [_style(drawn.chosen, own) for own in (keys.LEFT, keys.RIGHT)]
        if side:
            rows = zip(*boxes, strict=True)
            shown += [[(" ", ""), (left, styles[0]), (" ", ""), (right, styles[1])] for left, right in rows]
        else:
            shown += [[(f" {line}", style)] for box, style in zip(boxes, styles, strict=True) for line in box]
        return shown

    def _side(self, drawn: ScreenPart, k: int, lines: list[str], width: int, *, side: bool) -> list[str]:
        own = (keys.LEFT, keys.RIGHT)[k]
        chosen = drawn.chosen in (own, keys.TIED)
        title = f"{k + 1} {('←→' if side else '↑↓')[k]}" + (" chosen" if drawn.chosen == own else "")
        seen = lines[drawn.offset : drawn.offset + drawn.in_sight]
        last = min(drawn.offset + drawn.in_sight, len(lines))
        cut = len(lines) > drawn.in_sight
        scroll = "↑/↓" if side else "j/k"
        note = f"lines {drawn.offset + 1} to {last} of {len(lines)}, {scroll} scroll" if cut and seen else ""
        return _box(seen, title, width, drawn.in_sight, note, CHOSEN if chosen else FRAME)


def _style(chosen: str, own: str) -> str:
    if not chosen or chosen in (keys.UNDO, keys.STOP):
        return ""
    return "bold green" if chosen in (own, keys.TIED) else "dim"


def _box(
    lines: Sequence[str], title: str, width: int, height: int, note: str = "", frame: tuple[str, ...] = FRAME
) -> list[str]:
    """Lines in a frame of this width, `height` of them.

    >>> print("\\n".join(_box(["tea"], "1", 9, 1)))
    ╭─ 1 ───╮
    │ tea   │
    ╰───────╯
    """
    top_left, across, top_right, down, low_left, low_right = frame
    title, note = f" {title} ", f" {note} " if note else ""
    top = top_left + across + title + across * (width - 3 - columns(title)) + top_right
    low = low_left + across * (width - 3 - columns(note)) + note + across + low_right
    padded = [*lines, *[""] * (height - len(lines))]
    return [top, *(f"{down} {pad(line, width - 4)} {down}" for line in padded), low]


def _wrapped(text: str, width: int) -> list[str]:
    """Lines as they are if they fit, else wrapped."""
    return [
        part for line in text.splitlines() for part in ([line] if columns(line) <= width else wrap(line, width))
    ]

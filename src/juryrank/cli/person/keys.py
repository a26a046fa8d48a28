"""Which key was pressed, and what keys mean.

Terminals send an arrow as several letters, and a slow line brings them one by one. So letters after an escape are
never taken for keys of their own: the sequence is waited for, however long it takes. (Reading key by key with the
terminal set anew each time loses what was typed in between, so it is set once.)
"""

from __future__ import annotations

import codecs
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

LEFT, RIGHT, TIED, SKIPPED, UNDO, STOP = "left", "right", "tie", "skip", "undo", "stop"
ALL, SO_FAR, OPEN_OUTSIDE, HELP, INPUT = "all", "order", "open", "help", "input"
LINE_DOWN, LINE_UP, PAGE_DOWN, PAGE_UP, TOP, BOTTOM = (
    "line down",
    "line up",
    "page down",
    "page up",
    "top",
    "bottom",
)
MEANING = {
    "1": LEFT, "left": LEFT, "up": LEFT, "2": RIGHT, "right": RIGHT, "down": RIGHT,
    " ": TIED, "t": TIED, "=": TIED, "s": SKIPPED, "u": UNDO, "q": STOP, "": STOP,
    "a": ALL, "o": SO_FAR, "v": OPEN_OUTSIDE, "?": HELP, "i": INPUT,
    "j": LINE_DOWN, "k": LINE_UP, "page down": PAGE_DOWN, "page up": PAGE_UP, "home": TOP, "end": BOTTOM,
}  # fmt: skip
SCROLLING = {"up": LINE_UP, "down": LINE_DOWN}  # where texts are long and the boxes stand side by side
ENDINGS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "7~": "home", "4~": "end", "8~": "end", "5~": "page up", "6~": "page down",
}  # fmt: skip
ESCAPE, CTRL_C, CTRL_D = "\x1b", "\x03", "\x04"


class Decoder:
    """Letters from a terminal to names of keys; a sequence that has begun is waited for.

    >>> decoder = Decoder()
    >>> decoder.feed("1" + ESCAPE), decoder.feed("["), decoder.feed("Dq"), decoder.feed(ESCAPE + "[6~")
    (['1'], [], ['left', 'q'], ['page down'])
    """

    def __init__(self) -> None:
        self._begun = ""

    def feed(self, letters: str) -> list[str]:
        found = [self._next(letter) for letter in letters]
        return [name for name in found if name is not None]

    def _next(self, letter: str) -> str | None:
        if letter == ESCAPE:
            self._begun = ESCAPE
        elif self._begun == ESCAPE and letter in "[O":
            self._begun += letter
        elif len(self._begun) > 1:
            self._begun += letter
            if "@" <= letter <= "~":  # what ends every sequence
                name, self._begun = ENDINGS.get(self._begun[2:], "an unknown key"), ""
                return name
        else:
            self._begun = ""
            return letter.lower()
        return None


class Keys:
    """The keys of a terminal, without Enter and without an echo."""

    def __init__(self, terminal: int) -> None:
        self._terminal, self._decoder = terminal, Decoder()
        self._letters = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._waiting: deque[str] = deque()

    @contextmanager
    def opened(self) -> Iterator[None]:
        import termios
        import tty

        before = termios.tcgetattr(self._terminal)
        tty.setcbreak(self._terminal, termios.TCSADRAIN)  # Ctrl-C stays a signal
        try:
            yield
        finally:
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, before)

    @property
    def ahead(self) -> bool:
        """Has more been typed already?"""
        return bool(self._waiting)

    def read(self) -> str:
        """The next key's name; empty at the end of the input, also by Ctrl-D."""
        while not self._waiting:
            data = os.read(self._terminal, 1024)
            if not data:
                return ""
            self._waiting.extend(self._decoder.feed(self._letters.decode(data)))
        name = self._waiting.popleft()
        if name == CTRL_C:
            raise KeyboardInterrupt
        return "" if name == CTRL_D else name

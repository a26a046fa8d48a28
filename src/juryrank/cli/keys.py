"""One key from the keyboard; from a pipe, one word per line."""

from __future__ import annotations

import sys

ARROWS = {"[D": "left", "[C": "right", "OD": "left", "OC": "right"}
CTRL_D, ESCAPE = "\x04", "\x1b"


def read_key() -> str:
    """A key's name (`left` and `right` for the arrows); empty at the end of input."""
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

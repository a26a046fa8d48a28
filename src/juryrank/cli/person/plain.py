"""Questions line by line, answered by a word and Enter: for pipes, narrow and simple terminals."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from juryrank.cli.person import keys
from juryrank.cli.person.pairs import Pair, lines_of, open_outside
from juryrank.report.words.formats import wrap
from juryrank.types import Progress

KEYS = "1 first, 2 second, t tie, s skip, u undo, o order so far, q stop and keep"
MOST_WIDTH = 80
MOST_LINES = 12  # of each text, so that a question fits a terminal


def read_word() -> str:
    """The next line that says something, in small letters; empty at the end."""
    if sys.stdin.isatty():
        sys.stderr.write("> ")
        sys.stderr.flush()
    while line := sys.stdin.readline():
        if line.strip():
            return line.strip().lower()
    return ""


class Plain:
    """See the module. `read` gives the next word, `write` shows a text."""

    def __init__(
        self,
        read: Callable[[], str] = read_word,
        write: Callable[[str], Any] = sys.stderr.write,
        width: int | None = None,
    ) -> None:
        self._read, self._write = read, write
        self._width = min(width or shutil.get_terminal_size((MOST_WIDTH, 24)).columns, MOST_WIDTH)
        self._begun = False

    def opened(self) -> AbstractContextManager[None]:
        return nullcontext()

    def say(self, words: str) -> None:
        self._lines(wrap(words, self._width - 4), indent="  ")

    def answer(self, pair: Pair, now: Progress, order: Callable[[int], Sequence[str]]) -> str:
        if not self._begun:
            self._begun = True
            self._lines(["Which is better?", *wrap(self._keys(pair), self._width)])
        self._show(pair, now)
        while True:
            meaning = self._meaning(pair)
            if meaning == keys.ALL:
                self._show(pair, now, whole=True)
            elif meaning == keys.SO_FAR:
                self._lines(order(self._width - 2), indent="  ")
            elif meaning == keys.HELP:
                self._lines(wrap(self._keys(pair), self._width))
            elif meaning == keys.OPEN_OUTSIDE:
                self.say(open_outside(pair))
            else:
                return meaning

    def _meaning(self, pair: Pair) -> str:
        known = (keys.LEFT, keys.RIGHT, keys.TIED, keys.SKIPPED, keys.UNDO, keys.STOP)
        asked = (keys.ALL, keys.SO_FAR, keys.HELP, keys.OPEN_OUTSIDE)
        while (meaning := keys.MEANING.get(word := self._read())) not in (*known, *asked):
            self._lines(wrap(f"{word!r} means nothing here. {self._keys(pair)}", self._width))
        assert meaning is not None
        return meaning

    def _keys(self, pair: Pair) -> str:
        return (
            KEYS
            + (", v open the files" if pair.opens else "")
            + (", a all of a long text" if self._cut(pair) else "")
        )

    def _cut(self, pair: Pair) -> bool:
        texts = (pair.left, pair.right, pair.case or "")
        return any(len(lines_of(text, self._width - 4)) > MOST_LINES + 1 for text in texts)

    def _show(self, pair: Pair, now: Progress, *, whole: bool = False) -> None:
        to_go = f" of about {now.expected:,.0f}" if now.expected else ""
        self._lines(["", f"Question {now.questions:,}{to_go}"])
        sides = [lines_of(text, self._width - 6) for text in (pair.left, pair.right)]
        if pair.case is None and all(len(lines) <= 2 for lines in sides):
            for number, (first, *rest) in enumerate(sides, 1):
                self._lines([f"  {number}  {first}", *(f"     {line}" for line in rest)])
            return
        titled = [("1", pair.left), ("2", pair.right)]
        for title, text in [*([("Asked of both", pair.case)] if pair.case is not None else []), *titled]:
            lines = lines_of(text, self._width - 4)
            more = 0 if whole else len(lines) - MOST_LINES
            kept = [*lines[:MOST_LINES], f"… {more:,} more lines: a"] if more > 1 else lines
            self._lines([f"── {title} ──", *(f"  {line}".rstrip() for line in kept)])

    def _lines(self, lines: Sequence[str], *, indent: str = "") -> None:
        self._write("".join(f"{indent}{line}\n" for line in lines))
        if self._write == sys.stderr.write:
            sys.stderr.flush()

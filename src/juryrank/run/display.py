"""The progress of a ranking while it runs: one display for the library and the command line.

On a terminal or in a notebook rich draws bars; elsewhere (a log, a pipe) a plain line is written now and then, and
always the last one. All of it goes to standard error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeAlias

from juryrank.defaults import PROGRESS_SECONDS
from juryrank.run.session import Session
from juryrank.types import Progress

BAR_WIDTH = 34

Show: TypeAlias = Callable[[Progress], None]


@contextmanager
def showing(progress: bool | Show | None) -> Iterator[Show | None]:
    """The function to call with a `Progress`: our own display for True; None where no progress is wanted."""
    if progress is True:
        with ProgressDisplay() as display:
            yield display
    else:
        yield progress or None


class ProgressDisplay:
    """`with ProgressDisplay() as show: show(ranker.progress)`. `transient`: it disappears when it is over."""

    def __init__(self, console: Any = None, *, quiet: bool = False, transient: bool = False) -> None:
        if console is None and not quiet:
            from rich.console import Console

            console = Console(stderr=True, highlight=False)
        self._console = console
        self._quiet, self._transient = quiet, transient
        self._live: Any = None
        self._due = time.monotonic() + PROGRESS_SECONDS
        self._now: Progress | None = None
        self._said: Progress | None = None  # what the last plain line showed

    def __enter__(self) -> ProgressDisplay:
        if self._quiet:
            return self
        if self._console.is_terminal or self._console.is_jupyter:
            from rich.live import Live

            self._live = Live(console=self._console, refresh_per_second=12, transient=self._transient)
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: Any, trace: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()
        elif self._now is not None and self._now != self._said:
            self._say(self._now)

    def __call__(self, now: Progress) -> None:
        if self._quiet:
            return
        if self._live is not None:
            self._live.update(_display(now))
        else:
            self._now = now
            if time.monotonic() >= self._due:
                self._say(now)

    def _say(self, now: Progress) -> None:
        self._said, self._due = now, time.monotonic() + PROGRESS_SECONDS
        self._console.print(plain_line(now), soft_wrap=True)


def plain_line(now: Progress) -> str:
    """One line for a log.

    >>> plain_line(Progress(40, 12, 3, 39, 9, 8, 210, 1, expected=900))
    'placed 12/40, settled 3/39, judges asked 8/9, questions 210 of about 900'
    >>> now = Progress(4, 4, 1, 3, 2, 2, 210, 1, expected=250, left="2 of 3 claims left", money=0.5, per_minute=90)
    >>> plain_line(now)
    '210 of about 250 calls, 90 per minute, cost 0.5; 2 of 3 claims left'
    >>> plain_line(replace(now, active_judges=0))
    'nobody is left to ask; 2 of 3 claims left'
    """
    if now.left and now.judges and not now.active_judges:  # whatever was sent to them, nobody answered it
        return f"nobody is left to ask; {now.left}"
    if now.left:
        return f"{questions_words(now)} calls{_pace(now)}; {now.left}"
    return (
        f"placed {now.placed}/{now.items}, settled {now.settled}/{now.links}, "
        f"judges asked {now.active_judges}/{now.judges}, questions {questions_words(now)}{_pace(now)}"
    )


def _pace(now: Progress) -> str:
    """How fast it goes and what it has cost, as far as known."""
    rate = "" if now.per_minute is None else f", {now.per_minute:,.0f} per minute"
    return rate + ("" if now.money is None else f", cost {now.money:.4g}")


def questions_words(now: Progress) -> str:
    """Questions so far, and how many are expected in all.

    >>> now = Progress(40, 12, 3, 39, 9, 8, 1210, 1, expected=1900, expected_low=1700, expected_high=2200)
    >>> questions_words(now)
    '1,210 of about 1,900 (1,700 to 2,200)'
    """
    if now.expected is None:
        return f"{now.questions:,}"
    span = ""
    if now.expected_low is not None and now.expected_high is not None and now.expected_low < now.expected_high:
        span = f" ({now.expected_low:,.0f} to {now.expected_high:,.0f})"
    return f"{now.questions:,} of about {now.expected:,.0f}{span}"


def _display(now: Progress) -> Any:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    bars = [("placed", now.placed, now.items), ("settled", now.settled, now.links)]
    for name, done, total in bars[1:] if now.left else bars:  # systems on cases have no place before the end
        bar = ProgressBar(total=max(total, 1), completed=done, width=BAR_WIDTH)
        table.add_row(name, bar, f"{done} of {total}")
    table.add_row("judges", f"{now.active_judges} of {now.judges} still asked", "")
    table.add_row("questions", questions_words(now) + _pace(now), now.left or now.phase)
    return table


# ----------------------------------------------------------------------------
# Reporting the progress of a ranking now and then
TICK = 0.1  # seconds between two reports
PACE_AFTER = 2.0  # seconds after which calls per minute say something


def ticker(session: Session, show: Show | None, spent: Callable[[], float | None]) -> Callable[[], None]:
    """A function to call after every answer; it reports at most every `TICK` seconds."""
    if show is None:
        return lambda: None
    due, began, before = [0.0], time.monotonic(), session.ranker.questions

    def tick() -> None:
        now = time.monotonic()
        if now >= due[0]:
            due[0] = now + TICK
            show(progress_now(session, spent, asked=session.ranker.questions - before, seconds=now - began))

    return tick


def progress_now(
    session: Session, spent: Callable[[], float | None], *, asked: int = 0, seconds: float = 0.0
) -> Progress:
    """The ranker's progress with money, and the pace of this run once there is one."""
    pace = 60 * asked / seconds if seconds >= PACE_AFTER else None
    return replace(session.ranker.progress, money=spent(), per_minute=pace)

"""How far a ranking is, while it runs: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

from juryrank.types import Progress

PLAIN_EVERY = 2.0  # seconds between two plain lines
BAR_WIDTH = 34


class LiveProgress:
    """`with LiveProgress(console) as show: rank(..., progress=show)`."""

    def __init__(self, console: Any, *, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._live: Any = None
        self._due = time.monotonic() + PLAIN_EVERY

    def __enter__(self) -> LiveProgress:
        if self._console.is_terminal and not self._quiet:
            from rich.live import Live

            self._live = Live(console=self._console, refresh_per_second=12, transient=True)
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: Any, trace: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, now: Progress) -> None:
        if self._live is not None:
            self._live.update(_display(now))
        elif not self._quiet and time.monotonic() >= self._due:
            self._due = time.monotonic() + PLAIN_EVERY
            self._console.print(plain_line(now))


def plain_line(now: Progress) -> str:
    """One line for a log.

    >>> plain_line(Progress(40, 12, 3, 39, 9, 8, 210, 1, expected=900))
    'placed 12/40, settled 3/39, judges asked 8/9, questions 210 of about 900'
    """
    return (
        f"placed {now.placed}/{now.items}, settled {now.settled}/{now.links}, "
        f"judges asked {now.active_judges}/{now.judges}, questions {questions_words(now)}"
    )


def questions_words(now: Progress) -> str:
    """Questions so far, and how many are expected in all.

    >>> now = Progress(40, 12, 3, 39, 9, 8, 1210, 1, expected=1900, expected_low=1700, expected_high=2200)
    >>> questions_words(now)
    '1,210 of about 1,900 (1,700 to 2,200)'
    """
    if now.expected is None:
        return f"{now.questions:,}"
    span = ""
    if now.expected_low is not None and now.expected_high is not None:
        span = f" ({now.expected_low:,.0f} to {now.expected_high:,.0f})"
    return f"{now.questions:,} of about {now.expected:,.0f}{span}"


def _display(now: Progress) -> Any:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for name, done, total in (("placed", now.placed, now.items), ("settled", now.settled, now.links)):
        bar = ProgressBar(total=max(total, 1), completed=done, width=BAR_WIDTH)
        table.add_row(name, bar, f"{done} of {total}")
    table.add_row("judges", f"{now.active_judges} of {now.judges} still asked", "")
    table.add_row("questions", questions_words(now), now.phase)
    return table

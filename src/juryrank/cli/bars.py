"""A progress bar on standard error, with the time left; silent where there is no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from juryrank.cli.common import console


class Bar:
    """Call it with how much has been done since the last call."""

    def __init__(self, progress: Any, task: Any) -> None:
        self._progress, self._task = progress, task

    def __call__(self, steps: int) -> None:
        self._progress.advance(self._task, steps)

    def begin(self, total: int, done: int) -> Callable[[int], None]:
        """How much there is to do, and how much of it is done already."""
        self._progress.reset(self._task, total=total, completed=done)
        return self


@contextmanager
def bar(title: str, *, total: int, quiet: bool = False) -> Iterator[Bar]:
    """A bar that goes away when the work is done."""
    from rich import progress as parts

    screen = console(stderr=True)
    columns = (
        parts.TextColumn("{task.description}"),
        parts.BarColumn(),
        parts.MofNCompleteColumn(),
        parts.TimeElapsedColumn(),
        parts.TextColumn("left"),
        parts.TimeRemainingColumn(),
    )
    hidden = quiet or not screen.is_terminal
    with parts.Progress(*columns, console=screen, transient=True, disable=hidden) as shown:
        yield Bar(shown, shown.add_task(title, total=total))

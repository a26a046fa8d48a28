"""Reporting the progress of a ranking now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

from juryrank.run.display import Show
from juryrank.run.session import Session

TICK = 0.1  # seconds between two reports


def ticker(session: Session, show: Show | None) -> Callable[[], None]:
    """A function to call after every answer; it reports at most every `TICK` seconds."""
    if show is None:
        return lambda: None
    due = [0.0]

    def tick() -> None:
        now = time.monotonic()
        if now >= due[0]:
            due[0] = now + TICK
            show(session.ranker.progress)

    return tick

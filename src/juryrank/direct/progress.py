"""Saying how far a ranking is, now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from juryrank.direct.session import Session
from juryrank.types import Progress

TICK = 0.1  # seconds between two reports


def shower(progress: bool | Callable[[Progress], None] | None) -> Callable[[Progress], None] | None:
    """What to call with a `Progress`; None: nobody wants to know."""
    if progress is None or progress is False:
        return None
    return _line if progress is True else progress


def ticker(session: Session, show: Callable[[Progress], None] | None) -> Callable[[], None]:
    """A function to call after every answer; it reports every `TICK` seconds at the most."""
    if show is None:
        return lambda: None
    due = [0.0]

    def tick() -> None:
        now = time.monotonic()
        if now >= due[0]:
            due[0] = now + TICK
            show(session.ranker.progress)

    return tick


def _line(now: Progress) -> None:
    """One line on standard error, rewritten."""
    of = f" of about {now.expected:,.0f}" if now.expected else ""
    text = (
        f"placed {now.placed}/{now.items}, settled {now.settled}/{now.links}, "
        f"judges {now.active_judges}/{now.judges}, questions {now.questions:,}{of}"
    )
    sys.stderr.write(f"\r{text[:78]:<78}")
    sys.stderr.flush()

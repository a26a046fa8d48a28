"""Times and deadlines as a log writes them: UTC, in ISO 8601."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

STEP = 60.0  # seconds that a clock may be set back without a word
SLACK = 1.0  # seconds: clocks of several server processes differ a little


def moment(text: str | None) -> datetime | None:
    """A time in a log; raises ValueError where it is none, or does not say its zone.

    >>> moment("2026-01-01T10:00:00+00:00").hour
    10
    """
    if text is None:
        return None
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(f"the time {text!r} does not say its zone")
    return found


def too_early(at: str | None, deadline: str | None) -> str:
    """What is wrong with ending something at `at` that had until `deadline`; nothing: it is empty.

    >>> too_early("2026-01-01T10:00:00+00:00", "2026-01-01T10:05:00+00:00")
    '300 s before its deadline'
    >>> too_early(None, "2026-01-01T10:05:00+00:00")
    'at no known time, although it had a deadline'
    """
    if deadline is None:
        return ""
    until, ended = moment(deadline), moment(at)
    if until is None or ended is None:
        return "at no known time, although it had a deadline"
    early = (until - ended).total_seconds()
    return f"{early:.0f} s before its deadline" if early > SLACK else ""


def earlier(deadline: str | None, idle: float | None, active: str | None) -> str | None:
    """A deadline, or the moment after `idle` seconds without an answer since `active`, if that comes first.

    >>> earlier("2026-01-01T11:00:00+00:00", 900, "2026-01-01T10:05:00+00:00")
    '2026-01-01T10:20:00+00:00'
    """
    since, until = moment(active), moment(deadline)
    if idle is None or since is None:
        return deadline
    ends = since + timedelta(seconds=idle)
    return ends.isoformat() if until is None or ends < until else deadline


def set_back(times: Iterable[tuple[int, str | None]]) -> tuple[int, float] | None:
    """The first event, of (seq, time), over a minute earlier than one before it, and by how many seconds.

    >>> set_back([(1, "2026-01-01T10:00:00+00:00"), (2, None), (3, "2026-01-01T09:00:00+00:00")])
    (3, 3600.0)
    """
    latest: datetime | None = None
    for seq, text in times:
        now = moment(text)
        if now is not None and latest is not None and (latest - now).total_seconds() > STEP:
            return seq, (latest - now).total_seconds()
        latest = now if latest is None else max(latest, now or latest)
    return None


def too_late(at: str | None, deadline: str | None) -> bool:
    """Did it happen after the deadline?"""
    until, now = moment(deadline), moment(at)
    return until is not None and now is not None and (now - until).total_seconds() > SLACK

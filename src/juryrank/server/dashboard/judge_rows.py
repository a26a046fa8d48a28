"""A judge as a row of the dashboard: how many answers, how good, how fast, when last, and what they do now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.storage import Person
from juryrank.storage.values import seconds_of
from juryrank.study import JudgeRow
from juryrank.study.people.participants import checks, flags

DONE = " answered"  # what the panel's note on somebody who has finished ends with
UNITS = (("d", 86_400), ("h", 3_600), ("min", 60))  # seconds


def judge_row(
    row: JudgeRow,
    *,
    person: Person | None,
    median_time: float | None,
    note: Mapping[str, Any],
    now: float,
    place: int,
    by_lot: bool,
) -> dict[str, Any]:
    """Everything the table shows, in words."""
    judge, chosen = str(row.report.name), row.left + row.right
    state, badge = _state(row)
    return {
        "id": judge,
        "name": person.name if person else judge,
        "address": (person.address or "") if person else "",
        "answered": chosen + row.ties + row.skips,
        "seconds": "" if median_time is None else median_time,
        "median_time": f"{median_time:.1f} s" if median_time is not None else "",
        "left_share": f"{100 * row.left / chosen:.0f} %" if chosen else "",
        "checks": checks_words(note),
        "last_seen": ago(row.last_at, now=now),
        "last_at": moment(row.last_at) if row.last_at else "",
        "state": state,
        "badge": badge,
        "note": row.report.note,
        "flags": flags(row, place=place, median_time=median_time, note=note, by_lot=by_lot),
        "paused": row.paused,
        "removed": row.removed,
        **_accuracy(row),
    }


def _state(row: JudgeRow) -> tuple[str, str]:
    if row.removed:
        return "removed", ""
    if row.paused:
        return "paused", "warn"
    if not row.report.active:
        return "dropped", "bad"
    if row.open:
        return "answering", "live"
    if not row.left + row.right + row.ties + row.skips:
        return "invited", ""
    return ("finished", "good") if row.report.note.endswith(DONE) else ("active", "good")


def _accuracy(row: JudgeRow) -> dict[str, Any]:
    report = row.report
    if report.accuracy is None or row.left + row.right == 0:
        return {"accuracy": None, "accuracy_words": ""}
    low = report.accuracy if report.low is None else report.low
    high = report.accuracy if report.high is None else report.high
    words = f"{100 * report.accuracy:.0f} %" + (f" ({100 * low:.0f} to {100 * high:.0f})" if high > low else "")
    return {
        "accuracy": report.accuracy,
        "accuracy_words": words,
    }


def checks_words(note: Mapping[str, Any]) -> str:
    """How the attention checks went.

    >>> checks_words({"checks": {"check-1": {"answer": "left", "right": True}}})
    '1 of 1'
    """
    passed, given = checks(note)
    return f"{passed} of {given}" if given else ""


def ago(at: str | None, *, now: float) -> str:
    """How long ago, as one would say it.

    >>> ago("2026-01-02T03:04:05+00:00", now=seconds_of("2026-01-02T05:09:05+00:00"))
    '2 h ago'
    """
    if at is None:
        return "never"
    seconds = now - seconds_of(at)
    said = (f"{int(seconds // length)} {unit} ago" for unit, length in UNITS if seconds >= length)
    return next(said, "just now")


def moment(at: str | None) -> str:
    """A moment as the dashboard writes it.

    >>> moment("2026-01-02T03:04:05.678+00:00")
    '2026-01-02 03:04 UTC'
    """
    return f"{at[:10]} {at[11:16]} UTC" if at else "never"

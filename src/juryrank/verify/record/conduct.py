"""Undos, skips and expiries, judge by judge: printed, and part of the statement where they are more than a few.

An answer that is left out or replaced could be one that somebody did not like. A log shows how many there are,
never why: so whoever reads a certificate is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.statements.numbers import number_of
from juryrank.verify.record.record import Record

FEW = 0.05  # of a judge's questions; from here on it is part of the statement
LEAST = 3  # of one judge: fewer say nothing about anybody
ASSUMED = "This assumes that leaving a question open did not depend on the answer."
COUNTED = "How they count is part of the promise, whatever the reason."
REFUSALS_COUNT = {"jury"}  # rankers whose promise is about refusals too
COLUMNS = ("asked", "chosen", "ties", "skips", "expired", "late", "undone", "taken_back")

Row = dict[str, Any]


def judge_rows(record: Record) -> list[Row]:
    """What became of each judge's questions, in the order in which judges joined."""
    blank = dict.fromkeys(COLUMNS, 0)
    rows: dict[str, Row] = {judge: {"judge": judge, **blank} for judge in record.judges}
    for q in record.questions.values():
        row = rows[q.judge]  # the questions have been checked: it is a judge's
        row["asked"] += 1
        row["chosen"] += q.winner is not None
        row["ties"] += q.in_time and not q.taken_back and q.answer == "tie"
        passed = q.in_time and not q.taken_back and q.answer == "skip" and not q.without_judge
        row["skips"] += passed and not q.failed
        row["taken_back"] += q.taken_back
        row["expired"] += q.expired is not None or (passed and q.failed)
        row["late"] += q.told is not None and not q.in_time
    for judge, times in record.undone.items():
        rows[judge]["undone"] = times
    return list(rows.values())


def counts(record: Record, rows: list[Row]) -> dict[str, int]:
    """The same for all judges together, with the size of the log."""
    return {
        "events": len(record.events), "items": len(record.items), "judges": len(record.judges), **totals(rows),
    }  # fmt: skip


def totals(rows: list[Row]) -> dict[str, int]:
    """Every column added up."""
    return {name: sum(row[name] for row in rows) for name in COLUMNS}


def sentences(rows: list[Row], total: Mapping[str, int], ranker: str, *, named: bool = True) -> list[str]:
    """What the promise assumes besides: where judges changed, skipped or left to expire more than a few.

    `named`: with the judge who did most.
    """
    changed = _share(rows, total, "undone", "answer", named=named) if _often(rows, total, "undone") else ""
    words = [f"Judges changed {changed}; what they said last counts."] if changed else []
    return [*words, *_silent(rows, total, ranker, named=named)]


def _silent(rows: list[Row], total: Mapping[str, int], ranker: str, *, named: bool = True) -> list[str]:
    found = [
        words for words in (_left_out(rows, total, name, named=named) for name in ("skips", "expired")) if words
    ]
    if not found:
        return []
    return [f"{' '.join(found)} {COUNTED if ranker in REFUSALS_COUNT else ASSUMED}"]


def _often(rows: list[Row], total: Mapping[str, int], name: str) -> bool:
    return total[name] > FEW * total["asked"] or any(_stands_out(row, name) for row in rows)


def _stands_out(row: Row, name: str) -> bool:
    return bool(row[name] >= LEAST and row[name] > FEW * row["asked"])


def _left_out(rows: list[Row], total: Mapping[str, int], name: str, *, named: bool) -> str:
    if not _often(rows, total, name):
        return ""
    was = "was" if total[name] == 1 else "were"
    verb = {"skips": f"{was} skipped", "expired": "got no answer in time"}[name]
    return f"{_share(rows, total, name, 'question', named=named)} {verb}."


def _share(rows: list[Row], total: Mapping[str, int], name: str, noun: str, *, named: bool) -> str:
    """ "14 questions (7 % of 200; most by ann: 12 of 40)"."""
    worst = max(rows, key=lambda row: row[name] / max(row["asked"], 1))
    share = 100 * total[name] / max(total["asked"], 1)
    who = in_sentence(worst["judge"]) if named else "one judge"
    most = f"most by {who}: {worst[name]} of {worst['asked']}"
    return f"{number_of(total[name], noun)} ({share:.0f} % of {total['asked']}; {most})"


# ----------------------------------------------------------------------------
# Times and deadlines as a log writes them: UTC, in ISO 8601
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


# ----------------------------------------------------------------------------
# People who answered faster than one can read: what the log's own times say about stuffed ballots
PAGE = "page"  # the source of answers that came from a judge's page
FAST = 1.0  # seconds from the question to the answer: nobody reads two items in less
FEWEST_ANSWERS = 3  # of one judge
FEWEST_JUDGES, LEAST_SHARE = 5, 0.1  # fewer decide nothing


def haste(events: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """A note where many judges on pages took less than a second for most of their answers."""
    asked: dict[int, tuple[str, datetime | None]] = {}
    seconds: dict[str, list[float]] = {}
    for event in events:
        kind, data, at = event["kind"], event["data"], moment(event["at"])
        if kind == "asked":
            asked[data["q"]] = (data["judge"], at)
        elif kind == "told" and data.get("source") == PAGE and data["q"] in asked:
            judge, since = asked[data["q"]]
            if since is not None and at is not None:
                seconds.setdefault(judge, []).append((at - since).total_seconds())
    people = [times for times in seconds.values() if len(times) >= FEWEST_ANSWERS]
    fast = sum(2 * sum(time < FAST for time in times) > len(times) for times in people)
    if fast < FEWEST_JUDGES or fast < LEAST_SHARE * len(people):
        return ()
    return (
        f"{fast} of {len(people)} judges on pages took less than a second for most of their answers, by the log's "
        "own times: that is faster than reading.",
    )

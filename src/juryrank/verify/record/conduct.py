"""Undos, skips and expiries, judge by judge: printed, and part of the statement where they are more than a few.

An answer that is left out or replaced could be one that somebody did not like. A log shows how many there are,
never why: so whoever reads a certificate is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.quoting import in_sentence
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
    return f"{_many(total[name], noun)} ({share:.0f} % of {total['asked']}; {most})"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")

"""Judges as rows of the dashboard, charts of their answers, and the items they disagree about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

from juryrank.report.material import Material
from juryrank.report.picture.charts import BarRow, counted_up, part_bars, time_curve
from juryrank.report.picture.paint import paint_chart
from juryrank.report.picture.scene import NARROW, read_time
from juryrank.report.words.formats import clean
from juryrank.statements.numbers import number_of
from juryrank.storage import Person
from juryrank.storage.values import seconds_of
from juryrank.study import JudgeRow
from juryrank.study.people import checks, flags

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


# ----------------------------------------------------------------------------
# The charts of a dashboard: answers over time and by judge
CHART_JUDGES = 25  # those with most answers
WIDTHS = (600.0, NARROW)  # pixels: beside the open pairs, and on a phone
PARTS = (("left", "dot"), ("right", "bar"), ("tie or skip", "muted"))  # of a judge's answers, and their colours


@dataclass(frozen=True, slots=True)
class DashboardCharts:
    """Drawings for a page, as SVG."""

    time: str
    judges: str


def charts_of(
    moments: Sequence[str], judges: Sequence[JudgeRow], people: Mapping[str, Person]
) -> DashboardCharts | None:
    """Answers over time and by judge; None before the first answer. `moments` are the times of all answers."""
    at = [one for one in map(read_time, moments) if one is not None]
    if not at:
        return None
    rows = sorted(judges, key=lambda row: -_answers(row))[:CHART_JUDGES]
    return DashboardCharts(_over_time(at), _by_judge([_bar(row, people) for row in rows if _answers(row)]))


def _over_time(at: Sequence[float]) -> str:
    curve = [("answers", "dot", counted_up(at))]
    says = f"Line chart: answers over time, {len(at):,} so far"
    return paint_chart(*(time_curve(curve, width=width, says=says, counts="answers so far") for width in WIDTHS))


def _by_judge(rows: Sequence[BarRow]) -> str:
    says = f"Bar chart: answers by judge, from {number_of(len(rows), 'judge')}"
    legend = [(colour, words) for words, colour in PARTS]
    return paint_chart(
        *(part_bars(rows, width=width, title="answers", says=says, legend=legend) for width in WIDTHS)
    )


def _bar(row: JudgeRow, people: Mapping[str, Person]) -> BarRow:
    judge = str(row.report.name)
    name = clean(people[judge].name if judge in people else judge)
    sizes = zip((row.left, row.right, row.ties + row.skips), PARTS, strict=True)
    parts = tuple((float(size), colour, f"{name}: {size:,} {words}") for size, (words, colour) in sizes)
    return BarRow(name, parts, f"{_answers(row):,}")


def _answers(row: JudgeRow) -> int:
    return row.left + row.right + row.ties + row.skips


# ----------------------------------------------------------------------------
# Items about which judges disagree more than chance explains: scripts to read again
FEWEST = 8  # answers about an item; fewer say nothing
UNLIKELY = 3.0  # standard deviations: fewer than 1 in 700 items where all is well


def contested_items(material: Material) -> tuple[str, ...]:
    """Items whose answers go against the scores more often than the scores themselves expect, the worst first."""
    found = material.ranking.estimates
    score = {str(one.item): one.score for one in found.items} if found else {}
    sums: dict[str, list[float]] = {item: [0.0, 0.0, 0.0] for item in score}  # surprise, its variance, answers
    for vote in material.decided:
        left, right = str(vote.left), str(vote.right)
        if left not in score or right not in score:
            continue
        chance = 1 / (1 + exp(score[right] - score[left]))
        surprise = (float(str(vote.winner) == left) - chance) ** 2 - chance * (1 - chance)
        variance = chance * (1 - chance) * (1 - 2 * chance) ** 2
        for item in (left, right):
            sums[item][0] += surprise
            sums[item][1] += variance
            sums[item][2] += 1
    odd = {
        item: surprise / sqrt(variance)
        for item, (surprise, variance, answers) in sums.items()
        if answers >= FEWEST and variance > 0 and surprise > UNLIKELY * sqrt(variance)
    }
    return tuple(sorted(odd, key=lambda item: -odd[item]))

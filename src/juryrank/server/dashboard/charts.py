"""The charts of a dashboard: answers over time and by judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from juryrank.report.picture.axes import NARROW, seconds_of
from juryrank.report.picture.charts import BarRow, counted_up, part_bars, time_curve
from juryrank.report.picture.paint import paint_chart
from juryrank.report.words.formats import clean, counted
from juryrank.storage import Person
from juryrank.study import JudgeRow

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
    at = [moment for moment in map(seconds_of, moments) if moment is not None]
    if not at:
        return None
    rows = sorted(judges, key=lambda row: -_answers(row))[:CHART_JUDGES]
    return DashboardCharts(_over_time(at), _by_judge([_bar(row, people) for row in rows if _answers(row)]))


def _over_time(at: Sequence[float]) -> str:
    curve = [("answers", "dot", counted_up(at))]
    says = f"Line chart: answers over time, {len(at):,} so far"
    return paint_chart(*(time_curve(curve, width=width, says=says, counts="answers so far") for width in WIDTHS))


def _by_judge(rows: Sequence[BarRow]) -> str:
    says = f"Bar chart: answers by judge, from {counted(len(rows), 'judge')}"
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

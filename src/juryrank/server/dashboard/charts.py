"""The charts of a dashboard: answers over time and by judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from juryrank.log import Event, bodies
from juryrank.storage import Person
from juryrank.study import JudgeRow
from juryrank.study.people.times import AnswerTimes

CHART_POINTS = 400
CHART_JUDGES = 25  # those with most answers
FEW_ANSWERS = 8  # with fewer, the axis counts one by one


@dataclass(slots=True)
class AnswerReader(AnswerTimes):
    """What the log says about answers, read once and continued from the last event seen."""

    seq: int = 0
    at: list[str] = field(default_factory=list)

    def passed(self, event: Event) -> None:
        self.seq = event.seq

    def on_told(self, event: Event, told: bodies.Told) -> None:
        AnswerTimes.on_told(self, event, told)
        self.at.append(event.at or "")


def charts_of(moments: Sequence[str], judges: Sequence[JudgeRow], people: Mapping[str, Person]) -> dict[str, Any]:
    """What the page's script draws: `moments` are the times of all answers."""
    step = max(1, len(moments) // CHART_POINTS)
    points = [*range(step - 1, len(moments), step)]
    rows = sorted(judges, key=lambda row: -_answers(row))[:CHART_JUDGES]
    ids = [str(row.report.name) for row in rows]
    return {
        "time": {"x": [moments[k] for k in points], "y": [k + 1 for k in points]},
        "judges": {
            "names": [people[judge].name if judge in people else judge for judge in ids],
            "step": 1 if rows and _answers(rows[0]) < FEW_ANSWERS else None,
            "left": [row.left for row in rows],
            "right": [row.right for row in rows],
            "other": [row.ties + row.skips for row in rows],
        },
    }


def _answers(row: JudgeRow) -> int:
    return row.left + row.right + row.ties + row.skips

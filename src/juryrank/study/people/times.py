"""When each judge began and how fast they answered, as the log tells; and whose answers were discarded."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from juryrank.log import Event, LogReader, bodies


@dataclass(slots=True)
class AnswerTimes(LogReader):
    """Read once from a log; `walk` goes on from the last event seen."""

    started: dict[str, str] = field(default_factory=dict)  # when the first question went out
    times: dict[str, list[float]] = field(default_factory=dict)  # seconds per answer, as the pages measured them
    excluded: set[str] = field(default_factory=set)  # whose answers the owner discarded
    _judge: dict[int, str] = field(default_factory=dict)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self._judge[asked.q] = asked.judge
        self.started.setdefault(asked.judge, event.at or "")

    def on_told(self, event: Event, told: bodies.Told) -> None:
        judge = self._judge.pop(told.q, None)
        if told.response_time is not None and judge is not None:
            self.times.setdefault(judge, []).append(float(told.response_time))

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if removed.discard:
            self.excluded.add(removed.judge)

    def median_time(self, judge: str) -> float | None:
        times = self.times.get(judge)
        return median(times) if times else None

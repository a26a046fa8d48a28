"""A study's log for its dashboard: read once and then followed, so that an answer costs what is new in it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from juryrank.log import Event, bodies
from juryrank.report.material import LogRead
from juryrank.study import Study
from juryrank.study.people import AnswerTimes


@dataclass(slots=True)
class AnswerMoments(AnswerTimes):
    """When answers came, and how fast."""

    at: list[str] = field(default_factory=list)

    def on_told(self, event: Event, told: bodies.Told) -> None:
        AnswerTimes.on_told(self, event, told)
        self.at.append(event.at or "")


class LogSoFar:
    """What was read of one study so far; threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers, self._log = AnswerMoments(), LogRead()

    def follow(self, study: Study) -> tuple[AnswerMoments, LogRead]:
        """Everything up to now."""
        with self._lock:
            events = list(study.events(after=max(0, self._log.seq - 1)))  # the last one again: is it still there?
            if self._log.seq and events and events[0].hash == self._log.last_hash:
                del events[0]
            elif self._log.seq:  # the database was restored from another copy
                self._answers, self._log, events = AnswerMoments(), LogRead(), list(study.events())
            return self._answers.walk(events), self._log.walk(events)

"""Which draw of a question a call is: the number that keeps two answers of a model apart in its cache.

The log knows how often a judge was asked the same pair before; so a run that is started again, or another process,
neither pays twice for one draw nor takes one draw for two.
"""

from __future__ import annotations

from collections import Counter

from juryrank.log.bodies import Asked
from juryrank.log.chain import Event
from juryrank.log.reader import LogReader
from juryrank.study.study import Study
from juryrank.types import Question


class Draws(LogReader):
    """The draw number of every question of a study."""

    def __init__(self, study: Study) -> None:
        self._study, self._seen = study, 0
        self._times: Counter[tuple[str, str, str, str | None]] = Counter()
        self._number: dict[int, int] = {}

    def number(self, question: Question) -> int:
        """How often this judge had been asked the same pair before, shown in the same order."""
        if question.id not in self._number:
            self.walk(self._study.events(after=self._seen))
        return self._number[question.id]

    def on_asked(self, event: Event, asked: Asked) -> None:
        shown = (asked.judge, asked.left, asked.right, asked.case)
        self._number[asked.q] = self._times[shown]
        self._times[shown] += 1

    def passed(self, event: Event) -> None:
        self._seen = event.seq

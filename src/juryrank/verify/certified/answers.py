"""All answers of a log, judge by judge and pair by pair, in the order in which they counted.

What the monitor and the cross-examination look at: did a judge, asked a pair again, ever answer differently?
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from juryrank.verify.certified.attempts import Attempt
from juryrank.verify.certified.recount import delivered
from juryrank.verify.record import Asked, Record

Pair = frozenset[str]


@dataclass(slots=True)
class Answers:
    """Every vote that counted."""

    said: dict[tuple[str, Pair], list[str]] = field(default_factory=dict)  # judge and pair -> winners, in order
    sides: dict[str, list[int]] = field(default_factory=dict)  # judge -> chosen [left, right]

    def add(self, vote: Asked) -> None:
        """One more vote; ties, skips and silence are none."""
        if vote.winner is not None:
            self.said.setdefault((vote.judge, vote.pair), []).append(vote.winner)
            self.sides.setdefault(vote.judge, [0, 0])[vote.winner == vote.right] += 1

    @property
    def judges(self) -> list[str]:
        return list(self.sides)

    def agreement(self, place: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """Each judge's answers with and against an order."""
        total = dict.fromkeys(self.judges, (0, 0))
        for (judge, pair), winners in self.said.items():
            better = upper(pair, place)
            good = winners.count(better)
            with_it, against = total[judge]
            total[judge] = (with_it + good, against + len(winners) - good)
        return total

    def never_changing(self) -> dict[str, int]:
        """Judges who were asked a pair again and never gave another answer, and how often they were."""
        again: dict[str, int] = {}
        changed: set[str] = set()
        for (judge, _), winners in self.said.items():
            if len(winners) > 1:
                again[judge] = again.get(judge, 0) + len(winners) - 1
            if len(set(winners)) > 1:
                changed.add(judge)
        return {judge: times for judge, times in again.items() if judge not in changed}

    def by_judge(self) -> dict[str, dict[Pair, list[str]]]:
        """The same winners, judge by judge."""
        found: dict[str, dict[Pair, list[str]]] = {}
        for (judge, pair), winners in self.said.items():
            found.setdefault(judge, {})[pair] = winners
        return found


def upper(pair: Pair, place: Mapping[str, int]) -> str:
    """The item of a pair that stands higher."""
    return min(pair, key=place.__getitem__)


def answers_of(record: Record, attempts: Sequence[Attempt]) -> Answers:
    """Questions of a proof count in the order of their queue; others when they are answered."""
    proving = {question.id for attempt in attempts for question in attempt.questions}
    moments: list[tuple[int, Asked]] = [entry for attempt in attempts for entry in delivered(attempt)]
    moments += [(q.told, q) for q in record.questions.values() if q.told is not None and q.id not in proving]
    answers = Answers()
    for vote in _in_order(moments):
        answers.add(vote)
    return answers


def _in_order(moments: Iterable[tuple[int, Asked]]) -> list[Asked]:
    return [vote for _, vote in sorted(moments, key=lambda entry: (entry[0], entry[1].id))]

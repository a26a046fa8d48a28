"""Sittings as the raw events tell them: number, person, plan, answers, and when each was closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from juryrank.verify.record import Asked, Record


@dataclass(slots=True)
class SittingRead:
    """One sitting read from a log."""

    number: int
    judge: str
    plan: list[frozenset[str]]
    begun: int  # seq of its first question
    terms: dict[str, Any]
    lapsed: int | None = None
    questions: dict[int, Asked] = field(default_factory=dict)  # by place

    def closed_at(self) -> int | None:
        """The event that closed it: the last answer or expiry, or the deadline of the whole; None: still open."""
        ends = [_end(q) for q in self.questions.values()]
        done = None
        if len(self.questions) == len(self.plan) and all(end is not None for end in ends):
            done = max((end for end in ends if end is not None), default=self.begun)
        if self.lapsed is None:
            return done
        return self.lapsed if done is None else min(done, self.lapsed)

    def preferences(self) -> list[tuple[str, str]]:
        """(better, worse) of every choice made in time."""
        found = []
        for q in self.questions.values():
            in_time = self.lapsed is None or (q.told is not None and q.told < self.lapsed)
            if q.winner is not None and in_time:
                found.append((q.winner, q.right if q.winner == q.left else q.left))
        return found


def _end(q: Asked) -> int | None:
    ends = [seq for seq in (q.told, q.expired) if seq is not None]
    return min(ends) if ends else None


def read_sittings(record: Record) -> tuple[list[SittingRead], list[str], int]:
    """All sittings in order of arrival, what is wrong with them, and how many questions belong to none."""
    sittings: list[SittingRead] = []
    faults: list[str] = []
    people: set[str] = set()
    foreign = 0
    for q in record.asked:
        number, place = q.terms.get("sitting"), q.terms.get("place")
        if not isinstance(number, int) or not isinstance(place, int):
            foreign += 1
            continue
        if place == 0 and number == len(sittings) + 1:
            if q.judge in people:
                faults.append(f"question {q.id} opens a second sitting for {q.judge!r}")
            people.add(q.judge)
            sittings.append(_open(q, number, record, faults))
        problem = _misfit(q, number, place, sittings)
        if problem:
            faults.append(problem)
        else:
            sittings[number - 1].questions[place] = q
    return sittings, faults, foreign


def _open(q: Asked, number: int, record: Record, faults: list[str]) -> SittingRead:
    plan = [frozenset(map(str, pair)) for pair in q.terms.get("plan") or ()]
    if not plan:
        faults.append(f"sitting {number} has no plan on record before its first answer")
    if len(set(plan)) < len(plan):
        faults.append(f"the plan of sitting {number} asks a pair twice")
    return SittingRead(number, q.judge, plan, q.seq, dict(q.terms), record.lapsed.get(number))


def _misfit(q: Asked, number: int, place: int, sittings: list[SittingRead]) -> str:
    if not 1 <= number <= len(sittings):
        return f"question {q.id} belongs to sitting {number}, which has not begun"
    sitting = sittings[number - 1]
    if sitting.judge != q.judge:
        return f"question {q.id} of sitting {number} was asked of {q.judge!r} instead of {sitting.judge!r}"
    if place in sitting.questions:
        return f"question {q.id} asks place {place + 1} of sitting {number} a second time"
    if place >= len(sitting.plan) or sitting.plan[place] != q.pair:
        return f"question {q.id} is not what the plan of sitting {number} says at place {place + 1}"
    return ""

"""From a study's log to votes: one row per question, in the order asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from juryrank.log import Event, LogReader, bodies
from juryrank.votes.vote import Outcome, Vote

IMPORTED = "import"  # the source of questions that another program asked: their times are not this log's
DECIDED = {"left": Outcome.LEFT, "right": Outcome.RIGHT, "tie": Outcome.TIE, "skip": Outcome.SKIP}


def votes_of(events: Iterable[Event], *, study: str = "") -> list[Vote]:
    """Every question of a log with what became of it.

    >>> from juryrank.log import Event
    >>> log = [Event(1, "created", {"schema": "juryrank-log/1", "items": ["a", "b"], "judges": ["ann"],
    ...                            "ranker": "iir", "error": 0.1}),
    ...        Event(2, "asked", {"q": 1, "judge": "ann", "left": "b", "right": "a"}),
    ...        Event(3, "told", {"q": 1, "answer": "right", "response_time": 2.5})]
    >>> [(vote.winner, str(vote.outcome), vote.response_time) for vote in votes_of(log)]
    [('a', 'right', 2.5)]
    """
    return list(VoteTable(study).walk(events).votes.values())


class VoteTable(LogReader):
    """The votes so far, by question."""

    def __init__(self, study: str = "") -> None:
        self.study = study
        self.votes: dict[int, Vote] = {}
        self.prices: dict[str, float] = {}

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.prices.update(created.prices or {})
        self.study = self.study or created.name or ""

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self.prices[added.judge] = float(added.price)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        imported = asked.source == IMPORTED
        price = None if imported else self.prices.get(asked.judge, 1.0)
        self.votes[asked.q] = Vote(
            vote_id=asked.q,
            study=self.study,
            seq=event.seq,
            judge=asked.judge,
            left=asked.left,
            right=asked.right,
            case=asked.case or "",
            asked_at=asked.asked_at or ("" if imported else event.at) or "",
            cost=price if asked.cost is None else float(asked.cost),
            source=asked.source or "",
        )

    def on_told(self, event: Event, told: bodies.Told) -> None:
        vote = self.votes[told.q]
        late = vote.outcome is Outcome.EXPIRED
        imported = vote.source == IMPORTED
        answered_at = told.answered_at or ("" if imported else event.at) or ""
        taken = told.response_time
        self.votes[told.q] = replace(
            vote,
            seq=event.seq,
            winner={"left": vote.left, "right": vote.right}.get(told.answer, ""),
            outcome=Outcome.LATE if late else DECIDED[told.answer],
            answered_at=answered_at,
            response_time=seconds_between(vote.asked_at, answered_at) if taken is None else float(taken),
            source=told.source or vote.source,
            comment=told.comment or "",
            cost=_cost(told, otherwise=vote.cost),
        )

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        self._becomes(expired.q, Outcome.EXPIRED, event.seq)
        self.votes[expired.q] = replace(self.votes[expired.q], winner="")  # taken back, then not answered again

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        self._becomes(retracted.q, Outcome.RETRACTED, event.seq)

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if not removed.discard:
            return
        for q, vote in self.votes.items():
            if vote.judge == removed.judge and (vote.counts or vote.outcome is Outcome.SKIP):
                self._becomes(q, Outcome.RETRACTED, event.seq)

    def _becomes(self, q: int, outcome: Outcome, seq: int) -> None:
        self.votes[q] = replace(self.votes[q], outcome=outcome, seq=seq)


def seconds_between(start: str, end: str) -> float | None:
    """Seconds from one ISO time to another; None where either is unknown.

    >>> seconds_between("2024-05-01T10:00:00Z", "2024-05-01T10:00:02.5Z"), seconds_between("", "x")
    (2.5, None)
    """
    try:
        return round((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds(), 3)
    except (ValueError, TypeError):
        return None


def _cost(told: bodies.Told, *, otherwise: float | None) -> float | None:
    """What an answer cost: nobody was asked where the two outputs are the same."""
    if told.source == bodies.IDENTICAL:
        return 0.0
    return otherwise if told.cost is None else float(told.cost)

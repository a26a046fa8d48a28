"""From a study's log to votes: one row a question, in the order asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from juryrank.log import Event
from juryrank.votes.vote import Outcome, Vote

IMPORTED = "import"  # the source of questions that another program asked: their times are not this log's
DECIDED = {"left": Outcome.LEFT, "right": Outcome.RIGHT, "tie": Outcome.TIE, "skip": Outcome.SKIP}


def votes_of(events: Iterable[Event], *, study: str = "") -> list[Vote]:
    """Every question of a log with what became of it.

    >>> from juryrank.log import Event
    >>> log = [Event(1, "created", {"items": ["a", "b"], "judges": ["ann"]}),
    ...        Event(2, "asked", {"q": 1, "judge": "ann", "left": "b", "right": "a"}),
    ...        Event(3, "told", {"q": 1, "answer": "right", "response_time": 2.5})]
    >>> [(vote.winner, str(vote.outcome), vote.response_time) for vote in votes_of(log)]
    [('a', 'right', 2.5)]
    """
    table = _Table(study)
    for event in events:
        table.apply(event)
    return list(table.votes.values())


class _Table:
    """The votes so far, by question."""

    def __init__(self, study: str) -> None:
        self.study = study
        self.votes: dict[int, Vote] = {}
        self.prices: dict[str, float] = {}

    def apply(self, event: Event) -> None:
        step = getattr(self, f"_{event.kind}", None)
        if step is not None:
            step(event, event.data)

    def _created(self, event: Event, data: Mapping[str, Any]) -> None:
        self.prices.update(data.get("prices") or {})
        self.study = self.study or str(data.get("name") or "")

    def _judge_added(self, event: Event, data: Mapping[str, Any]) -> None:
        self.prices[data["judge"]] = float(data.get("price", 1.0))

    def _asked(self, event: Event, data: Mapping[str, Any]) -> None:
        cost, imported = data.get("cost"), data.get("source") == IMPORTED
        price = None if imported else self.prices.get(data["judge"], 1.0)
        self.votes[data["q"]] = Vote(
            vote_id=data["q"],
            study=self.study,
            seq=event.seq,
            judge=str(data["judge"]),
            left=str(data["left"]),
            right=str(data["right"]),
            asked_at=str(data.get("asked_at") or ("" if imported else event.at) or ""),
            cost=price if cost is None else float(cost),
            source=str(data.get("source") or ""),
        )

    def _told(self, event: Event, data: Mapping[str, Any]) -> None:
        vote = self.votes[data["q"]]
        side = data["answer"]
        late = bool(data.get("late")) or vote.outcome is Outcome.EXPIRED
        imported = vote.source == IMPORTED
        answered_at = str(data.get("answered_at") or ("" if imported else event.at) or "")
        taken = data.get("response_time")
        self.votes[data["q"]] = replace(
            vote,
            seq=event.seq,
            winner={"left": vote.left, "right": vote.right}.get(side, ""),
            outcome=Outcome.LATE if late else DECIDED[side],
            answered_at=answered_at,
            response_time=seconds_between(vote.asked_at, answered_at) if taken is None else float(taken),
            source=str(data.get("source") or vote.source),
            comment=str(data.get("comment") or ""),
        )

    def _expired(self, event: Event, data: Mapping[str, Any]) -> None:
        self._becomes(data["q"], Outcome.EXPIRED, event.seq)
        self.votes[data["q"]] = replace(self.votes[data["q"]], winner="")  # taken back, then not answered again

    def _retracted(self, event: Event, data: Mapping[str, Any]) -> None:
        self._becomes(data["q"], Outcome.RETRACTED, event.seq)

    def _judge_removed(self, event: Event, data: Mapping[str, Any]) -> None:
        if not data.get("discard"):
            return
        for q, vote in self.votes.items():
            if vote.judge == data["judge"] and (vote.counts or vote.outcome is Outcome.SKIP):
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

"""From votes to the events of a log: what a study would have written, had it asked them itself.

Each vote becomes `asked` and what followed. To a panel every judge is one sitting, in order of appearance,
whose plan is the pairs they answered; a pair that a judge answers again is kept, and does not count twice.
Nobody knows whether those pairs were chosen blindly, so a result from imported votes is post-hoc.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from juryrank.log import Author
from juryrank.log.bodies import Asked, Expired, Retracted, Told
from juryrank.log.fields import Body
from juryrank.rankers.contract.limits import RecordedTerms
from juryrank.votes.from_log import IMPORTED
from juryrank.votes.vote import Outcome, Vote

SIDES = {Outcome.LEFT: "left", Outcome.RIGHT: "right", Outcome.TIE: "tie", Outcome.SKIP: "skip"}


def events_from_votes(
    votes: Sequence[Vote], *, terms: RecordedTerms = RecordedTerms.NONE, after: int = 1
) -> Iterator[Body]:
    """What each event says, in order; the first gets the number after `after`.

    `terms` says what a question carries, so that the study's ranker can count its answer.

    >>> vote = Vote(7, judge="ann", left="a", right="b", winner="b", outcome=Outcome.RIGHT)
    >>> [str(body.kind) for body in events_from_votes([vote])]
    ['asked', 'told']
    """
    seats = _Seats(votes) if terms is RecordedTerms.SITTINGS else None
    seq = after
    for number, vote in enumerate(votes, start=1):
        carried = seats.terms(vote) if seats else {"vote": True} if terms is RecordedTerms.VOTES else {}
        for body in _story(number, vote, carried, seq):
            seq += 1
            yield body


def _story(number: int, vote: Vote, terms: Mapping[str, Any], seq: int) -> Iterator[Body]:
    yield Asked(
        q=number,
        judge=vote.judge,
        left=vote.left,
        right=vote.right,
        terms=terms,
        asked_at=vote.asked_at or None,
        cost=vote.cost,
        source=IMPORTED,
        case=vote.case or None,
    )
    if vote.outcome in (Outcome.OPEN, Outcome.EXPIRED, Outcome.LATE):
        yield Expired(q=number)
    side = _side(vote)
    if side is None:
        return
    yield Told(
        q=number,
        answer=side,
        source=vote.source or IMPORTED,
        answered_at=vote.answered_at or None,
        response_time=vote.response_time,
        comment=vote.comment or None,
    )
    if vote.outcome is Outcome.RETRACTED:
        # seq is that of the event before `asked`, so the answer is two further on
        by = Author.OWNER.value  # whoever it was, it cannot be known to have been the judge
        yield Retracted(q=number, told=seq + 2, judge=vote.judge, answer=side, post_hoc=True, by=by)


def _side(vote: Vote) -> str | None:
    """The answer as a log writes it; None where there was none, or none that is known."""
    if vote.outcome in SIDES:
        return SIDES[vote.outcome]
    if vote.outcome in (Outcome.LATE, Outcome.RETRACTED):
        return {vote.left: "left", vote.right: "right"}.get(vote.winner, "tie")
    return None


class _Seats:
    """Each judge's sitting: number, plan, and how far it is."""

    def __init__(self, votes: Sequence[Vote]) -> None:
        plans: dict[str, dict[frozenset[str], list[str]]] = {}
        for vote in votes:
            plans.setdefault(vote.judge, {}).setdefault(
                frozenset((vote.left, vote.right)), [vote.left, vote.right]
            )
        self.plans = {judge: list(pairs.values()) for judge, pairs in plans.items()}
        self.number: dict[str, int] = {}
        self.seen: set[tuple[str, frozenset[str]]] = set()
        self.asked: dict[str, int] = {}

    def terms(self, vote: Vote) -> dict[str, Any]:
        """What the question carries; nothing for a pair this judge was asked before."""
        place = (vote.judge, frozenset((vote.left, vote.right)))
        if place in self.seen:
            return {}
        self.seen.add(place)
        number = self.number.setdefault(vote.judge, len(self.number) + 1)
        at = self.asked.get(vote.judge, 0)
        self.asked[vote.judge] = at + 1
        plan = {"plan": self.plans[vote.judge]} if at == 0 else {}
        return {"sitting": number, "place": at, **plan}

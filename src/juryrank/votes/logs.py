"""Votes and a ranking's log: the votes of a log, a log made of votes, and a raw log in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Any

from juryrank.errors import BadVotes, LogAltered
from juryrank.log import Author, Event, EventKind, LogReader, bodies, checked
from juryrank.log.bodies import Asked, Created, Expired, Retracted, Told
from juryrank.log.fields import Body
from juryrank.rankers.contract.limits import RecordedTerms
from juryrank.votes.tables import FileContent, FileTable, plain_table
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
    table = VoteTable(study).walk(events)
    return [each for vote in table.votes.values() for each in table.pairs_of(vote)]


class VoteTable(LogReader):
    """The votes so far, by question."""

    def __init__(self, study: str = "") -> None:
        self.study = study
        self.votes: dict[int, Vote] = {}
        self.prices: dict[str, float] = {}
        self._together: dict[int | str, tuple[str, ...]] = {}  # what a question showed, if more than two
        self._places: dict[int | str, dict[str, int]] = {}  # and the place of each in the answer

    def pairs_of(self, vote: Vote) -> Iterator[Vote]:
        """The vote itself; of several shown together, one vote for each pair, with its share of the cost."""
        pairs = list(combinations(self._together.get(vote.vote_id, ()), 2))
        if not pairs:
            yield vote
        place = self._places.get(vote.vote_id, {})
        for number, (left, right) in enumerate(pairs, 1):
            lead = place.get(right, 0) - place.get(left, 0)
            found = replace(
                vote, vote_id=f"{vote.vote_id}.{number}", left=left, right=right,
                cost=None if vote.cost is None else vote.cost / len(pairs),
            )  # fmt: skip
            if vote.counts:
                outcome = Outcome.LEFT if lead > 0 else Outcome.RIGHT if lead < 0 else Outcome.TIE
                found = replace(found, outcome=outcome, winner=left if lead > 0 else right if lead < 0 else "")
            yield found

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.prices.update(created.prices or {})
        self.study = self.study or created.name or ""

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self.prices[added.judge] = float(added.price)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        imported = asked.source == IMPORTED
        price = None if imported else self.prices.get(asked.judge, 1.0)
        if asked.shown:
            self._together[asked.q] = tuple(asked.shown)
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
        self._places[told.q] = {item: at for at, tier in enumerate(told.order or ()) for item in tier}
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


# ----------------------------------------------------------------------------
# A raw log from its file: the very events of a study, each checked against the hash of the one before
NOT_A_LOG = (
    "this is not a raw log of juryrank: each line must be an event, as `juryrank study export NAME --format "
    "jsonl` writes them"
)


@dataclass(frozen=True, slots=True)
class RawLog:
    """A log as a file holds it. `lines[k]` is where `events[k]` stands."""

    events: tuple[Event, ...]
    lines: tuple[int, ...]

    @property
    def head(self) -> str:
        """The hash of the last event: it stands for the whole log."""
        return self.events[-1].hash

    def checked(self) -> RawLog:
        """The same log; raises BadVotes where an event was changed, dropped, added or moved."""
        if self.events[0].kind != EventKind.CREATED:
            raise BadVotes(f"line {self.lines[0]}: a log starts with `created`; this one is cut off at its start")
        try:
            list(checked(self.events))
        except LogAltered as problem:
            raise BadVotes(f"this log was changed or is damaged: {problem}. Nothing was restored.") from None
        return self

    def summary(self) -> str:
        """One line: how many of what."""
        kinds = Counter(event.kind for event in self.events)
        created = self.events[0].data
        return (
            f"{len(self.events):,} events: {len(created['items']):,} items at first, {kinds[EventKind.ASKED]:,} "
            f"questions, {kinds[EventKind.TOLD]:,} answers, ranker {created['ranker']}, δ = {created['error']:g}"
        )


def read_log(source: str | Path | bytes, *, encoding: str | None = None) -> RawLog:
    """The raw log in a file (or in its bytes), with every hash checked.

    >>> read_log(b"judge,left,right,winner")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    juryrank.errors.BadVotes: this is not a raw log of juryrank: ...
    """
    return log_in(plain_table(FileContent(source, encoding=encoding))).checked()


def log_in(table: FileTable) -> RawLog:
    """The events of a table that holds a raw log."""
    if not table.raw:
        raise BadVotes(NOT_A_LOG)
    events = [_event(line, row) for line, row in zip(table.raw_lines, table.raw, strict=True)]
    return RawLog(tuple(events), table.raw_lines)


def _event(line: int, row: Mapping[str, Any]) -> Event:
    kinds = {"seq": int, "kind": str, "data": dict, "at": str, "hash": str}
    wrong = next((name for name, kind in kinds.items() if not isinstance(row.get(name), kind)), None)
    if wrong is not None:
        raise BadVotes(f"line {line}: this event of the log has no usable {wrong!r}; {NOT_A_LOG}")
    return Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"])


def event_words(event: Event) -> str:
    """What an event says, for a dry run.

    >>> event_words(Event(3, "told", {"q": 1, "answer": "left"}))
    'event 3, told: question 1, left'
    """
    body = event.body
    if isinstance(body, Created):
        said = f"{len(body.items)} items, {len(body.judges)} judges, ranker {body.ranker}"
    elif isinstance(body, Asked):
        said = f"question {body.q}, {body.judge!r} is shown {body.left!r} (left) and {body.right!r} (right)"
    else:
        said = ", ".join(_part(name, value) for name, value in body.data().items())
    return f"event {event.seq}, {event.kind}" + (f": {said}" if said else "")


def _part(name: str, value: object) -> str:
    if name == "q":
        return f"question {value}"
    if name in ("answer", "judge"):
        return str(value)
    return f"{name} {', '.join(map(repr, value)) if isinstance(value, list) else value}"


# ----------------------------------------------------------------------------
# From votes to the events of a log: what a study would have written, had it asked them itself.
#
# Each vote becomes `asked` and what followed. To a panel every judge is one sitting, in order of appearance,
# whose plan is the pairs they answered; a pair that a judge answers again is kept, and does not count twice.
# Nobody knows whether those pairs were chosen blindly, so a result from imported votes is post-hoc.
SIDES = {Outcome.LEFT: "left", Outcome.RIGHT: "right", Outcome.TIE: "tie", Outcome.SKIP: "skip"}


def events_from_votes(votes: Sequence[Vote], *, terms: RecordedTerms = RecordedTerms.NONE) -> Iterator[Body]:
    """What each event says, in order; the first gets number 2.

    `terms` says what a question carries, so that the study's ranker can count its answer.

    >>> vote = Vote(7, judge="ann", left="a", right="b", winner="b", outcome=Outcome.RIGHT)
    >>> [str(body.kind) for body in events_from_votes([vote])]
    ['asked', 'told']
    """
    seats = _Seats(votes) if terms is RecordedTerms.SITTINGS else None
    seq = 1
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

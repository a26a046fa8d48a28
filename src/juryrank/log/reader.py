"""The one way to walk a log: a method per kind of event, called with the event and what it says.

    class Answers(LogReader):
        def on_told(self, event, told): ...

A kind that a reader does not care about needs no method; an event of unknown kind, or one that does not fit the
table of its kind, is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from juryrank.log import bodies
from juryrank.log.bodies import IDENTICAL, MODEL, RECALLED, REFUSED, Aside, Asked, Expired, Probed, Told
from juryrank.log.chain import Event
from juryrank.log.fields import Body
from juryrank.log.kinds import Author, EventKind
from juryrank.quoting import in_sentence


class LogReader:
    """Base of everything that is computed from a log, event by event.

    >>> class Count(LogReader):
    ...     told = 0
    ...     def on_told(self, event, told):
    ...         self.told += 1
    >>> Count().walk([Event(3, "told", {"q": 1, "answer": "left"})]).told
    1
    """

    __slots__ = ()

    def walk(self, events: Iterable[Event]) -> Self:
        """Apply all events, in order."""
        for event in events:
            body = event.body  # checked here: what it says, and that its kind is known
            getattr(self, _METHODS[event.kind])(event, body)
            self.passed(event)
        return self

    def apply(self, event: Event) -> None:
        """Apply one event."""
        self.walk((event,))

    def passed(self, event: Event) -> None:
        """After each event, of whatever kind."""

    def on_created(self, event: Event, created: bodies.Created) -> None: ...

    def on_asked(self, event: Event, asked: bodies.Asked) -> None: ...

    def on_told(self, event: Event, told: bodies.Told) -> None: ...

    def on_expired(self, event: Event, expired: bodies.Expired) -> None: ...

    def on_lapsed(self, event: Event, lapsed: bodies.Lapsed) -> None: ...

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None: ...

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None: ...

    def on_judge_paused(self, event: Event, paused: bodies.JudgePaused) -> None: ...

    def on_judge_resumed(self, event: Event, resumed: bodies.JudgeResumed) -> None: ...

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None: ...

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None: ...

    def on_closed(self, event: Event, closed: bodies.Closed) -> None: ...

    def on_reopened(self, event: Event, reopened: bodies.Reopened) -> None: ...

    def on_edited(self, event: Event, edited: bodies.Edited) -> None: ...

    def on_restored(self, event: Event, restored: bodies.Restored) -> None: ...

    def on_key_changed(self, event: Event, changed: bodies.KeyChanged) -> None: ...

    def on_aside(self, event: Event, aside: bodies.Aside) -> None: ...

    def on_items_withdrawn(self, event: Event, withdrawn: bodies.ItemsWithdrawn) -> None: ...

    def on_probed(self, event: Event, probed: bodies.Probed) -> None: ...

    def on_seed_opened(self, event: Event, opened: bodies.SeedOpened) -> None: ...


_METHODS: dict[str, str] = {kind: f"on_{kind}" for kind in EventKind}


# ----------------------------------------------------------------------------
# Answers that are taken back or discarded, and which of them make a result post-hoc.
NOTHING: Mapping[int, bool] = {}


def answers_taken_back(log: Iterable[Event], *, fresh: bool = False) -> tuple[dict[int, bool], list[str]]:
    """Which `told` events (by seq) to leave out, and the edits that make the result post-hoc.

    The value is True where the answer is out for good, False where its question is open again for its judge.
    `fresh`: the judges are programs that answer anew each time (where the `created` event is not in `log`).
    """
    found = _TakenBack(fresh=fresh).walk(log)
    return found.out, found.edits


def is_own_undo(retracted: bodies.Retracted, *, fresh: bool) -> bool:
    """Did the judge themselves take the answer back, so that their final answer counts and nothing was edited?

    Anybody else chooses after the fact. A program that answers anew each time has no undo: it would be drawing
    again, so its first recorded answer counts.
    """
    return retracted.by == Author.JUDGE and not retracted.post_hoc and not fresh


@dataclass(slots=True)
class _TakenBack(LogReader):
    fresh: bool
    told: dict[int, int] = field(default_factory=dict)
    judge_of: dict[int, str] = field(default_factory=dict)
    out: dict[int, bool] = field(default_factory=dict)
    edits: list[str] = field(default_factory=list)

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.fresh = bool(created.fresh)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self.judge_of[asked.q] = asked.judge

    def on_told(self, event: Event, told: bodies.Told) -> None:
        self.told[told.q] = event.seq

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        seq = self.told.pop(retracted.q, None)  # None: discarded with its judge's answers before
        if seq is not None:
            self.out[seq] = retracted.post_hoc
        if not is_own_undo(retracted, fresh=self.fresh):
            self.edits.append(f"answer to question {retracted.q} taken back at event {event.seq}")

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if not removed.discard:
            return
        gone = [q for q in self.told if self.judge_of.get(q) == removed.judge]
        self.out.update({self.told.pop(q): True for q in gone})
        self.edits.append(
            f"{len(gone)} answers of judge {in_sentence(removed.judge)} discarded at event {event.seq}"
        )


def reaches_behind(event: Event, seq: int) -> bool:
    """Does this event take back an answer that stands before `seq` in the log?"""
    if event.kind == EventKind.RETRACTED:
        return bool(event.data["told"] < seq)
    return event.kind == EventKind.JUDGE_REMOVED and bool(event.data.get("discard"))


# ----------------------------------------------------------------------------
# What the calls of a run cost: one rule for the run that writes a log and for whoever reads it again.
NO_FEE = {IDENTICAL, MODEL, RECALLED, REFUSED}  # sources of answers without a call, or of a model without a price


class Paid:
    """Money: what a model's event says, and for each call of another judge its price, where prices are given.

    >>> paid = Paid({"program": 2.0})
    >>> paid.note(Aside(judge="program", left="a", right="b", answer="left", purpose="gold", n=1))
    >>> paid.total is None
    True
    >>> paid.note(Probed(judge="model", found={}, cost=0.5))
    >>> paid.total
    2.5
    """

    def __init__(self, prices: Mapping[str, float] | None) -> None:
        self._prices = prices or {}
        self._said: dict[str, float] = {}  # by judge
        self._calls: Counter[str] = Counter()  # of judges whose events say no cost
        self._judge: dict[int, str] = {}

    def note(self, body: Body) -> None:
        """Take in one event."""
        if isinstance(body, Asked):
            self._judge[body.q] = body.judge
        if not isinstance(body, Told | Expired | Aside | Probed):
            return
        judge = self._judge[body.q] if isinstance(body, Told | Expired) else body.judge
        if body.cost is not None:
            self._said[judge] = self._said.get(judge, 0.0) + body.cost
        elif not isinstance(body, Probed) and not (isinstance(body, Told) and body.source in NO_FEE):
            self._calls[judge] += 1

    @property
    def total(self) -> float | None:
        """All of it; None: no model's price is known."""
        if not self._said:
            return None
        fees = (self._prices.get(judge, 0.0) * calls for judge, calls in self._calls.items())
        return sum(self._said.values()) + sum(fees)

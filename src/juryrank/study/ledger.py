"""What a study must know besides its ranker: open leases and their deadlines, who answered what last, settings.

A fold of the same log, kept apart from the ranker so that an answer can be taken without thinking about ranks.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from juryrank.log import Event
from juryrank.storage.plain import seconds_of
from juryrank.study.leases import LastAnswer, Lease, LeaseTally

QUESTION, SITTING = 0, 1  # of things due at the same moment, questions come first


@dataclass(slots=True)
class Ledger:
    """`apply` each event once, in order."""

    created: dict[str, Any] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    closed: bool = False
    open: dict[int, Lease] = field(default_factory=dict)
    expired: dict[int, Lease] = field(default_factory=dict)  # an answer that still comes is late
    sittings: dict[int, float | None] = field(default_factory=dict)  # -> deadline; None: lapsed
    last: dict[str, LastAnswer] = field(default_factory=dict)
    tallies: dict[str, LeaseTally] = field(default_factory=dict)
    _due: list[tuple[float, int, int]] = field(default_factory=list)

    def apply(self, event: Event) -> None:
        """One more event of the log."""
        _ACTIONS.get(event.kind, _nothing)(self, event)

    def due(self, now: float) -> list[tuple[str, dict[str, int]]]:
        """The events that the clock demands: (kind, data), in the order of their deadlines."""
        found: list[tuple[str, dict[str, int]]] = []
        while self._due and self._due[0][0] <= now:
            _, kind, number = heapq.heappop(self._due)
            if kind == QUESTION and number in self.open:
                found.append(("expired", {"q": number}))
            elif kind == SITTING and self.sittings.get(number) is not None:
                found.append(("lapsed", {"sitting": number}))
        return found

    def is_due(self, now: float) -> bool:
        """Would `due` have to look?"""
        return bool(self._due) and self._due[0][0] <= now

    # ------------------------------------------------------------------ one method a kind of event (see _ACTIONS)
    def _created(self, event: Event) -> None:
        self.created = dict(event.data)
        self.items = list(event.data.get("items") or [])
        self.judges = list(event.data.get("judges") or [])
        self.settings = dict(event.data.get("settings") or {})

    def _asked(self, event: Event) -> None:
        data = event.data
        sitting = (data.get("terms") or {}).get("sitting")
        deadline = data.get("deadline")
        lease = Lease(
            data["q"],
            data["judge"],
            data["left"],
            data["right"],
            None if deadline is None else seconds_of(deadline),
            sitting,
        )
        self.put_out(lease)
        limit = data.get("sitting_deadline")
        if sitting is not None and limit is not None and sitting not in self.sittings:
            self.sit_down(sitting, seconds_of(limit))

    def _told(self, event: Event) -> None:
        number, answer = event.data["q"], event.data["answer"]
        lease = self.open.pop(number, None)
        late = lease is None
        lease = lease or self.expired.pop(number)
        tally = self._tally(lease.judge)
        tally.last_at = event.at
        if late:
            tally.late += 1
            self.last.pop(lease.judge, None)
            return
        setattr(tally, answer, getattr(tally, answer) + 1)
        self.last[lease.judge] = LastAnswer(lease, event.seq, answer)

    def _expired(self, event: Event) -> None:
        lease = self.open.pop(event.data["q"], None)
        if lease is not None:
            self.expired[lease.q] = lease

    def _lapsed(self, event: Event) -> None:
        self.sittings[event.data["sitting"]] = None

    def _retracted(self, event: Event) -> None:
        data = event.data
        tally = self._tally(data["judge"])
        setattr(tally, data["answer"], getattr(tally, data["answer"]) - 1)
        last = self.last.get(data["judge"])
        if last is not None and last.lease.q == data["q"]:
            del self.last[data["judge"]]
            if not data.get("post_hoc"):
                self.put_out(last.lease)

    def _judge_added(self, event: Event) -> None:
        self.judges.append(event.data["judge"])

    def _judge_paused(self, event: Event) -> None:
        self.paused.add(event.data["judge"])

    def _judge_resumed(self, event: Event) -> None:
        self.paused.discard(event.data["judge"])
        self.removed.discard(event.data["judge"])

    def _judge_removed(self, event: Event) -> None:
        self.removed.add(event.data["judge"])
        if event.data.get("discard"):
            self.tallies.pop(event.data["judge"], None)
            self.last.pop(event.data["judge"], None)

    def _items_added(self, event: Event) -> None:
        self.items.extend(event.data["items"])

    def _closed(self, event: Event) -> None:
        self.closed = True

    def _reopened(self, event: Event) -> None:
        self.closed = False

    def _edited(self, event: Event) -> None:
        self.settings.update(event.data.get("settings") or {})

    # ------------------------------------------------------------------ shared parts
    def put_out(self, lease: Lease) -> None:
        """A question is out, from now on or again."""
        self.open[lease.q] = lease
        if lease.deadline is not None:
            heapq.heappush(self._due, (lease.deadline, QUESTION, lease.q))

    def sit_down(self, sitting: int, deadline: float | None) -> None:
        """A sitting has its deadline; None: it has lapsed."""
        self.sittings[sitting] = deadline
        if deadline is not None:
            heapq.heappush(self._due, (deadline, SITTING, sitting))

    def _tally(self, judge: str) -> LeaseTally:
        if judge not in self.tallies:
            self.tallies[judge] = LeaseTally()
        return self.tallies[judge]


def _nothing(ledger: Ledger, event: Event) -> None:
    """Kinds that only the ranker cares about."""


_ACTIONS: dict[str, Callable[[Ledger, Event], None]] = {
    "created": Ledger._created,
    "asked": Ledger._asked,
    "told": Ledger._told,
    "expired": Ledger._expired,
    "lapsed": Ledger._lapsed,
    "retracted": Ledger._retracted,
    "judge_added": Ledger._judge_added,
    "judge_paused": Ledger._judge_paused,
    "judge_resumed": Ledger._judge_resumed,
    "judge_removed": Ledger._judge_removed,
    "items_added": Ledger._items_added,
    "closed": Ledger._closed,
    "reopened": Ledger._reopened,
    "edited": Ledger._edited,
}

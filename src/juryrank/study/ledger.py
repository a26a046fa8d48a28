"""What a study must know besides its ranker: open leases and their deadlines, who answered what last, settings.

A fold of the same log, kept apart from the ranker so that an answer can be taken without computing ranks.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.errors import BadInput
from juryrank.log import Event, LogReader, bodies
from juryrank.log.bodies import Expired, Lapsed
from juryrank.log.chain import passes_own_work
from juryrank.rankers.contract.roster import in_order
from juryrank.storage.values import seconds_of


# ----------------------------------------------------------------------------
# What the log holds about one question: its lease, its answer, and how it ended.
@dataclass(slots=True)
class QuestionHistory(LogReader):
    """The events of one question, read in order."""

    lease: Lease | None = None  # None: it was never asked
    answer: LastAnswer | None = None  # the one that was not taken back
    late: bool = False  # did an answer come after the deadline?
    gone_for_good: bool = False  # was the answer taken back after the fact?
    _expired: bool = False

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self.lease = lease_of(asked)

    def on_told(self, event: Event, told: bodies.Told) -> None:
        if self.lease is not None:
            self.answer = LastAnswer(self.lease, event.seq, told.answer, told.grade, told.order)
        self.late = self.late or self._expired

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        self._expired = True

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        self.answer = None
        self.gone_for_good = self.gone_for_good or bool(retracted.post_hoc)


def lease_of(asked: bodies.Asked) -> Lease:
    """The lease that an `asked` event gives out."""
    deadline = None if asked.deadline is None else seconds_of(asked.deadline)
    terms = asked.terms or {}
    sitting = None if terms.get("beyond") else terms.get("sitting")  # beyond: no part of what has a deadline
    return Lease(asked.q, asked.judge, asked.left, asked.right, deadline, sitting, tuple(asked.shown or ()))


def history_of(events: Iterable[Event]) -> QuestionHistory:
    """What these events of one question amount to."""
    return QuestionHistory().walk(events)


# ----------------------------------------------------------------------------
# An open question: whose it is and for how long; and a judge's earlier ones.
THE_STUDYS_OWN: Any = object()  # "use the study's setting", where None means "no limit"


@dataclass(frozen=True, slots=True)
class Lease:
    """An open question. `deadline`: seconds since 1970 by the storage's clock; None: no limit."""

    q: int
    judge: str
    left: str
    right: str
    deadline: float | None = None
    sitting: int | None = None
    shown: tuple[str, ...] = ()  # all, where several are shown together


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """A judge's latest answer, as long as it can be taken back freely; `seq` is its place in the log."""

    lease: Lease
    seq: int
    answer: str
    grade: float | None = None  # of a graded answer, where its question's history is read
    order: Any = None  # of several shown together, in the same way


@dataclass(slots=True)
class LeaseTally:
    """What became of a judge's questions so far."""

    left: int = 0
    right: int = 0
    tie: int = 0
    skip: int = 0
    late: int = 0
    expired: int = 0
    undone: int = 0
    own: int = 0  # own work that was passed over unseen: no answer of theirs
    last_at: str | None = None
    cost: float = 0.0  # of a model whose price is known

    @property
    def answered(self) -> int:
        return self.left + self.right + self.tie + self.skip


def check_lease(lease: float | None) -> None:
    """Raise unless it is a number of seconds, or None for no limit."""
    if lease is THE_STUDYS_OWN or lease is None:
        return
    if isinstance(lease, bool) or not isinstance(lease, int | float) or not 0 < lease < 1e9:
        raise BadInput(f"the lease is {lease!r}; it is a number of seconds above 0, or None for no limit")


# ----------------------------------------------------------------------------
# What a study must know besides its ranker: open leases and their deadlines, who answered what last, settings.
QUESTION, SITTING = 0, 1  # of things due at the same moment, questions come first


@dataclass(slots=True)
class Ledger(LogReader):
    """`apply` each event once, in order."""

    created: dict[str, Any] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    closed: bool = False
    seed_open: bool = False  # the committed seed was shown: nothing can be asked any more
    open: dict[int, Lease] = field(default_factory=dict)
    expired: dict[int, Lease] = field(default_factory=dict)  # an answer that still comes is late
    sittings: dict[int, float | None] = field(default_factory=dict)  # -> deadline; None: lapsed
    idle: dict[int, tuple[float, float]] = field(default_factory=dict)  # sitting -> hard limit, idle seconds
    last: dict[str, LastAnswer] = field(default_factory=dict)
    own_work: dict[str, LastAnswer] = field(default_factory=dict, compare=False)  # passed over, unseen
    tallies: dict[str, LeaseTally] = field(default_factory=dict)
    _due: list[tuple[float, int, int]] = field(default_factory=list)

    @property
    def some_missing(self) -> bool:
        """Was anything skipped, or did it expire?"""
        silent = any(tally.skip or tally.own or tally.expired for tally in self.tallies.values())
        return silent or None in self.sittings.values()

    def due(self, now: float) -> list[Expired | Lapsed]:
        """The events that the clock demands, in the order of their deadlines: a sitting after its questions."""
        found: list[Expired | Lapsed] = []
        over: set[tuple[int, int]] = set()  # an undo queues its question again
        while self.is_due(now):
            _, kind, number = heapq.heappop(self._due)
            if (kind, number) not in over:
                over.add((kind, number))
                found.append(Expired(q=number) if kind == QUESTION else Lapsed(sitting=number))
        return found

    def is_due(self, now: float) -> bool:
        """Is anything past its deadline? What was answered, or moved by an answer, leaves the queue here."""
        while self._due and self._due[0][0] <= now:
            deadline, kind, number = self._due[0]
            if number in self.open if kind == QUESTION else self.sittings.get(number) == deadline:
                return True
            heapq.heappop(self._due)
        return False

    # ------------------------------------------------------------------ one method per kind of event
    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.created = dict(event.data)
        self.items = list(created.items)
        self.judges = list(created.judges)
        self.settings = dict(created.settings or {})

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        lease, limit = lease_of(asked), asked.sitting_deadline
        self.put_out(lease)
        if lease.sitting is not None and limit is not None and lease.sitting not in self.sittings:
            hard = seconds_of(limit)
            if asked.sitting_idle is not None:
                self.idle[lease.sitting] = (hard, asked.sitting_idle)
            self.sit_down(lease.sitting, self._until(lease.sitting, hard, event.at))

    def _until(self, sitting: int, hard: float, at: str | None) -> float:
        """When a sitting ends whose person was last active at `at`; both limits were fixed at its start."""
        if sitting not in self.idle or at is None:
            return hard
        hard, seconds = self.idle[sitting]
        return min(hard, seconds_of(at) + seconds)

    def on_told(self, event: Event, told: bodies.Told) -> None:
        lease = self.open.pop(told.q, None)
        late = lease is None
        lease = lease or self.expired.pop(told.q)
        if told.source == bodies.IDENTICAL:
            return  # nobody was asked, so it is nobody's answer
        if told.source == bodies.WITHDRAWN:
            self._went_on(lease, event)
            return
        tally = self._tally(lease.judge)
        tally.last_at = event.at
        tally.cost += told.cost or 0.0
        if late:
            tally.late += 1
            self.last.pop(lease.judge, None)
            return
        self._went_on(lease, event)
        what = "own" if passes_own_work(told) else told.answer
        setattr(tally, what, getattr(tally, what) + 1)
        # Own work was passed over unseen: what the judge can take back is what they said before it.
        kept = self.own_work if passes_own_work(told) else self.last
        kept[lease.judge] = LastAnswer(lease, event.seq, told.answer)

    def _went_on(self, lease: Lease, event: Event) -> None:
        """The person is active: a sitting that ends on idleness gets a new deadline."""
        if lease.sitting in self.idle and self.sittings.get(lease.sitting) is not None:
            self.sit_down(lease.sitting, self._until(lease.sitting, 0.0, event.at))

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        lease = self.open.pop(expired.q, None)
        if lease is not None:
            self.expired[lease.q] = lease
            tally = self._tally(lease.judge)
            tally.expired += 1
            tally.cost += expired.cost or 0.0

    def on_lapsed(self, event: Event, lapsed: bodies.Lapsed) -> None:
        self.sittings[lapsed.sitting] = None

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        judge, answer = retracted.judge, retracted.answer
        passed = self.own_work.get(judge)
        answer = "own" if passed is not None and passed.lease.q == retracted.q else answer
        tally = self._tally(judge)
        if getattr(tally, answer) > 0:  # 0: it was discarded with its judge's answers before
            setattr(tally, answer, getattr(tally, answer) - 1)
        for kept in (self.last, self.own_work):
            last = kept.get(judge)
            if last is not None and last.lease.q == retracted.q:
                del kept[judge]
                if not retracted.post_hoc:
                    tally.undone += 1
                    self.put_out(last.lease)

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self.judges.append(added.judge)

    def on_judge_paused(self, event: Event, paused: bodies.JudgePaused) -> None:
        self.paused.add(paused.judge)

    def on_judge_resumed(self, event: Event, resumed: bodies.JudgeResumed) -> None:
        self.paused.discard(resumed.judge)
        self.removed.discard(resumed.judge)

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        self.removed.add(removed.judge)
        if removed.discard:
            self.tallies.pop(removed.judge, None)
            self.last.pop(removed.judge, None)

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None:
        self.items.extend(added.items)

    def on_items_withdrawn(self, event: Event, withdrawn: bodies.ItemsWithdrawn) -> None:
        self.withdrawn.extend(withdrawn.items)

    def on_closed(self, event: Event, closed: bodies.Closed) -> None:
        self.closed = True

    def on_reopened(self, event: Event, reopened: bodies.Reopened) -> None:
        self.closed = False

    def on_seed_opened(self, event: Event, opened: bodies.SeedOpened) -> None:
        self.seed_open = True

    def on_edited(self, event: Event, edited: bodies.Edited) -> None:
        self.settings.update(edited.settings or {})

    # ------------------------------------------------------------------ shared parts
    def put_out(self, lease: Lease) -> None:
        """A question is open from now on, or again."""
        self.open[lease.q] = lease
        if lease.deadline is not None:
            heapq.heappush(self._due, (lease.deadline, QUESTION, lease.q))

    def sit_down(self, sitting: int, deadline: float | None) -> None:
        """Set the deadline of a sitting; None: it has lapsed."""
        self.sittings[sitting] = deadline
        if deadline is not None:
            heapq.heappush(self._due, (deadline, SITTING, sitting))

    def _tally(self, judge: str) -> LeaseTally:
        if judge not in self.tallies:
            self.tallies[judge] = LeaseTally()
        return self.tallies[judge]


# ----------------------------------------------------------------------------
# A ledger as JSON values, for snapshots: the same log gives the same text.
def ledger_dict(ledger: Ledger) -> dict[str, Any]:
    """JSON values; `ledger_from` is the opposite."""
    return {
        "created": in_order(ledger.created),
        "items": ledger.items,
        "judges": ledger.judges,
        "settings": in_order(ledger.settings),
        "paused": sorted(ledger.paused),
        "removed": sorted(ledger.removed),
        "closed": ledger.closed,
        "seed_open": ledger.seed_open,
        "open": [_plain(lease) for _, lease in sorted(ledger.open.items())],
        "expired": [_plain(lease) for _, lease in sorted(ledger.expired.items())],
        "sittings": sorted(ledger.sittings.items()),
        "idle": sorted([number, *limits] for number, limits in ledger.idle.items()),
        "last": [[_plain(one.lease), one.seq, one.answer] for _, one in sorted(ledger.last.items())],
        **({"withdrawn": ledger.withdrawn} if ledger.withdrawn else {}),
        "tallies": {judge: _plain(tally) for judge, tally in sorted(ledger.tallies.items())},
    }


def ledger_from(data: Mapping[str, Any]) -> Ledger:
    """The ledger that `ledger_dict` wrote down."""
    ledger = Ledger(
        created=data["created"],
        items=data["items"],
        judges=data["judges"],
        settings=data["settings"],
        paused=set(data["paused"]),
        removed=set(data["removed"]),
        closed=data["closed"],
        seed_open=data.get("seed_open", False),
        withdrawn=data.get("withdrawn", []),
        expired=_by_number(data["expired"]),
        tallies={judge: LeaseTally(**tally) for judge, tally in data["tallies"].items()},
    )
    for lease, seq, answer in data["last"]:
        ledger.last[lease["judge"]] = LastAnswer(Lease(**lease), seq, answer)
    for lease in _by_number(data["open"]).values():
        ledger.put_out(lease)
    ledger.idle = {number: (hard, seconds) for number, hard, seconds in data.get("idle", ())}
    for number, deadline in data["sittings"]:
        ledger.sit_down(number, deadline)
    return ledger


def _plain(one: Lease | LeaseTally) -> dict[str, Any]:
    """A row as JSON values; `asdict` would copy deeply, and answers would wait for it."""
    return {name: getattr(one, name) for name in one.__slots__ if name != "shown" or getattr(one, name)}


def _by_number(leases: Iterable[Mapping[str, Any]]) -> dict[int, Lease]:
    return {lease["q"]: Lease(**lease) for lease in leases}

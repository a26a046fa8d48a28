"""Events in one total order, each carrying the hash of the one before; and the one way to walk them.

    class Answers(LogReader):
        def on_told(self, event, told): ...

A kind that a reader does not care about needs no method; an event of unknown kind, or one that does not fit the
table of its kind, is refused.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from juryrank.core.chance import fresh_seed
from juryrank.errors import BadInput, LogAltered, shown
from juryrank.log import bodies
from juryrank.log.fields import BODIES, MOMENT, Body
from juryrank.log.kinds import Author, EventKind
from juryrank.quoting import in_sentence

GENESIS = "0" * 64
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log ends, as far as somebody has read it."""

    seq: int = 0
    hash: str = GENESIS


BEGINNING = Head()


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a log. `at` is UTC, for people: nothing is decided by it.

    >>> Event(3, "told", {"q": 1, "answer": "left"}).body.answer
    'left'
    """

    seq: int
    kind: str
    data: Mapping[str, Any]
    at: str | None = None
    hash: str = ""
    _body: Body | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def body(self) -> Body:
        """What the event says, read and checked once; raises BadInput with the event named."""
        if self._body is not None:
            return self._body
        body = self._read()
        object.__setattr__(self, "_body", body)
        return body

    def check(self) -> None:
        """Raise BadInput unless it says what events of its kind say, at a time that is one."""
        _ = self.body
        if self.at is not None and not MOMENT.fits(self.at):
            raise self._refused(f"its time is {shown(self.at)}; it must be {MOMENT.words}")

    def _read(self) -> Body:
        made = BODIES.get(self.kind)
        if made is None:
            raise BadInput(
                f"event {self.seq} is of unknown kind {shown(self.kind)}: the log is from a newer version"
            )
        try:
            return made.read(self.data)
        except BadInput as problem:
            raise self._refused(problem) from None

    def _refused(self, why: object) -> BadInput:
        return BadInput(f"event {self.seq} ({self.kind}) cannot be read: {why}")


def chained(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str | None = None) -> Event:
    """The event that follows the one whose hash is `previous`.

    >>> first = chained(GENESIS, 1, "created", {"items": ["a", "b"]})
    >>> len(first.hash)
    64
    """
    return Event(seq, kind, data, at, event_hash(previous, seq, kind, data, at))


def event_hash(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str | None) -> str:
    """SHA-256 over the hash before and the event's own canonical JSON."""
    try:
        return hashlib.sha256(_CANONICAL.encode([previous, seq, kind, data, at]).encode()).hexdigest()
    except UnicodeEncodeError:
        why = "half a character (a lone surrogate)"
    except ValueError:
        why = "NaN or infinity instead of a number"
    raise BadInput(f"event {seq} ({kind}) holds {why}, which no file keeps; leave it out")


def row_hash(previous: str, seq: int, kind: str, text: str, at: str | None) -> str:
    """The hash of an event whose data is already canonical JSON text, without decoding it; "" if it is not.

    Text with a `\\u` in it was made ASCII for a database, and was hashed as the letters themselves.

    >>> row_hash(GENESIS, 1, "closed", "{}", None) == event_hash(GENESIS, 1, "closed", {}, None)
    True
    """
    if "\\u" in text or kind not in BODIES or (at is not None and '"' in at):
        return ""
    moment = "null" if at is None else f'"{at}"'
    return hashlib.sha256(f'["{previous}",{seq},"{kind}",{text},{moment}]'.encode()).hexdigest()


def checked(events: Iterable[Event], *, after: Head = BEGINNING) -> Iterator[Event]:
    """The same events, each checked against its hash, its place and the table of its kind as it comes.

    Raises LogAltered at the first that does not follow from the one before, and BadInput at the first that
    juryrank cannot have written. `after`: where these events begin.

    >>> list(checked([chained(GENESIS, 1, "closed", {})]))
    Traceback (most recent call last):
    juryrank.errors.BadInput: event 1 is closed: a log begins with `created`, and has it only there
    """
    seq, before = after.seq, after.hash
    for event in events:
        seq += 1
        if event.seq != seq:
            raise LogAltered(f"event {seq} is missing, or is in another place: after {seq - 1} comes {event.seq}")
        if event.hash != event_hash(before, seq, event.kind, event.data, event.at):
            raise LogAltered(
                f"event {seq} ({event.kind}) does not match its hash: it, or one before it, was changed"
            )
        before = event.hash
        if (seq == 1) != (event.kind == EventKind.CREATED):
            raise BadInput(f"event {seq} is {event.kind}: a log begins with `created`, and has it only there")
        event.check()
        yield event


# ----------------------------------------------------------------------------
# A seed committed before the first question and opened at the end: until then the log reveals no draws
#
# created options.seed_commitment = SHA-256 of the text `juryrank seed 1`, the seed and a salt, a line each
# seed_opened the seed and the salt; no question may follow
#
# The installation keeps both beside the log (a note of the study), never in it.
COMMITMENT = "seed_commitment"  # the ranker's option that holds the hash
SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class SecretSeed:
    """A seed and the salt that hides it in its hash.

    >>> SecretSeed(7, "00").commitment[:8]
    '78883d9b'
    """

    seed: int
    salt: str

    @classmethod
    def fresh(cls) -> SecretSeed:
        return cls(fresh_seed(), secrets.token_hex(SALT_BYTES))

    @property
    def commitment(self) -> str:
        return hashlib.sha256(f"juryrank seed 1\n{self.seed}\n{self.salt}".encode()).hexdigest()


def opened_in(events: Iterable[Event]) -> SecretSeed | None:
    """The seed that a log opens; None: it does not, or not yet."""
    opened = next((event.data for event in events if event.kind == EventKind.SEED_OPENED), None)
    return None if opened is None else SecretSeed(opened["seed"], opened["salt"])


# ----------------------------------------------------------------------------
# A method per kind of event, called with the event and what it says.
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


def answer_anew(created: Mapping[str, Any]) -> bool:
    """Do a study's judges answer anew each time, as its first event says it or its ranker's options do?"""
    return bool(created.get("fresh") or (created.get("options") or {}).get("fresh"))


def is_own_undo(retracted: bodies.Retracted, *, fresh: bool) -> bool:
    """Did the judge themselves take the answer back, so that their final answer counts and nothing was edited?

    Anybody else chooses after the fact. A program that answers anew each time has no undo: it would be drawing
    again, so its first recorded answer counts.
    """
    return retracted.by == Author.JUDGE and not retracted.post_hoc and not fresh


def passes_own_work(told: bodies.Told) -> bool:
    """Was the pair passed over unseen, as an item of it is the judge's own?"""
    return told.source == bodies.OWN_WORK and told.answer == "skip"


@dataclass(slots=True)
class _TakenBack(LogReader):
    fresh: bool
    told: dict[int, int] = field(default_factory=dict)
    judge_of: dict[int, str] = field(default_factory=dict)
    out: dict[int, bool] = field(default_factory=dict)
    edits: list[str] = field(default_factory=list)

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.fresh = answer_anew(event.data)

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

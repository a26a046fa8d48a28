"""Events in one total order, each carrying the hash of the one before."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.core.chance import fresh_seed
from juryrank.errors import BadInput, LogAltered, shown
from juryrank.log.fields import BODIES, MOMENT, Body
from juryrank.log.kinds import EventKind

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


def commitment_in(created: Mapping[str, Any]) -> str | None:
    """The hash that a study's seed is committed by; None: its seed is not hidden."""
    found: str | None = (created.get("options") or {}).get(COMMITMENT)
    return found


def opened_in(events: Iterable[Event]) -> SecretSeed | None:
    """The seed that a log opens; None: it does not, or not yet."""
    opened = next((event.data for event in events if event.kind == EventKind.SEED_OPENED), None)
    return None if opened is None else SecretSeed(opened["seed"], opened["salt"])


def seed_for(created: Mapping[str, Any], known: SecretSeed | None) -> int:
    """The seed of a log's draws; raises where it is committed and neither known here nor opened."""
    commitment = commitment_in(created)
    if commitment is None:
        return int(created["seed"])
    if known is None:
        raise BadInput(
            "the seed of this study is committed and not opened yet, so its log cannot be followed elsewhere: "
            "make its certificate where the study was made, which opens the seed once it is done or closed"
        )
    if known.commitment != commitment:
        raise BadInput("the seed that was opened is not the one that was committed: the log was altered")
    return known.seed

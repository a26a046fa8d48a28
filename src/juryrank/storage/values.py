"""What storages accept and return, and the errors they raise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

from juryrank.errors import BadInput, StorageError, StudyExists, UnknownStudy, shown
from juryrank.log import GENESIS, Event, Head, chained
from juryrank.quoting import SELECTORS, is_unseen

Step: TypeAlias = tuple[str, Mapping[str, Any]]  # kind and data of an event that has no place in a log yet
Row: TypeAlias = tuple[int, str, str, str | None, str]  # seq, kind, data as JSON text, at, hash
WHOLE_STORAGE = 0  # the `study` of credentials and notes that belong to no single study


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study as the storage lists it."""

    id: int
    name: str
    created_at: str


@dataclass(frozen=True, slots=True)
class StudyCount:
    """How many studies a storage has ever had, and how many of them were deleted."""

    made: int
    deleted: int


@dataclass(frozen=True, slots=True)
class Person:
    """Who is behind a judge's id. Never part of a log."""

    name: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret's hash and what it opens. `study` 0: the whole storage.

    It works until it is revoked, until `expires_at`, and no longer than its `parent`.
    """

    id: int
    kind: str
    hash: str
    study: int = WHOLE_STORAGE
    judge: str | None = None
    scope: str = ""
    created_at: str = ""
    revoked_at: str | None = None
    expires_at: str | None = None
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a study, named by the SHA-256 of its content."""

    hash: str
    type: str  # its media type
    size: int


@dataclass(slots=True)
class Turn:
    """One exclusive visit to a log; `append` buffers, the storage writes when the visit ends."""

    now: float  # seconds since 1970 by the storage's clock
    new: list[Event]
    head: Head
    find: Callable[[int], list[Event]]  # the history of one question
    named: Callable[[str], bool]  # is somebody in the study called so? Those of other turns count, not of this one
    written: list[Event] = field(default_factory=list)
    people: dict[str, Person] = field(default_factory=dict)  # who is behind an id, written with the events

    def append(self, kind: str, data: Mapping[str, Any]) -> Event:
        """The next event of the log."""
        event = chained(self.head.hash, self.head.seq + 1, kind, data, utc(self.now))
        self.head = Head(event.seq, event.hash)
        self.written.append(event)
        return event


class StorageLost(StorageError):
    """The connection to the database broke; what was being done may or may not be on disk."""


class StorageBusy(StorageError):
    """Somebody else keeps the database locked; nothing was written."""


class LogChanged(StorageError):
    """The log on disk is not the one that was read: restored from a back-up, or edited."""


def first_events(created: Mapping[str, Any], then: Iterable[Step], at: str) -> list[Event]:
    """The log of a new study.

    >>> [event.seq for event in first_events({"items": []}, [("closed", {})], "now")]
    [1, 2]
    """
    log = [chained(GENESIS, 1, "created", created, at)]
    for kind, data in then:
        log.append(chained(log[-1].hash, len(log) + 1, kind, data, at))
    return log


def same_log(head: Head, first: Event | None) -> None:
    """Raise unless the log still holds the event that `head` stands for."""
    if head.seq and (first is None or first.hash != head.hash):
        raise LogChanged(
            f"the log no longer holds event {head.seq} as it was read before: the database "
            "was restored from an older copy, or edited by hand; open the study again"
        )


def already_there(name: str) -> StudyExists:
    """The error for a second study of one name."""
    return StudyExists(f"there is a study {shown(name)} already; open it, or choose another name")


def not_there(name: str) -> UnknownStudy:
    """The error for a name that no study has."""
    return UnknownStudy(f"there is no study {shown(name)} here; `juryrank study list` names those there are")


# ----------------------------------------------------------------------------
# Small things that storages and studies share: times, JSON and texts that any database can hold.
def utc(seconds: float) -> str:
    """A moment as text in UTC, to the microsecond.

    >>> utc(0.25)
    '1970-01-01T00:00:00.250000+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def seconds_of(moment: str) -> float:
    """The opposite of `utc`.

    >>> seconds_of(utc(1e9))
    1000000000.0
    """
    return datetime.fromisoformat(moment).timestamp()


def without_password(url: str) -> str:
    """A URL that may be shown.

    >>> without_password("postgresql://me:secret@host/name")
    'postgresql://me:***@host/name'
    """
    return re.sub(r"(://[^:/@]*):.*@", r"\1:***@", url)


def dump(value: Any, *, sort: bool = False) -> str:
    """JSON that any database can hold: ASCII, no NUL, no NaN; `sort`: keys in alphabetical order."""
    try:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=sort)
    except (TypeError, ValueError) as problem:
        raise BadInput(f"only JSON values can be stored, and {problem}") from None


def _is_drawn(letter: str) -> bool:
    return not (letter.isspace() or is_unseen(letter) or letter in SELECTORS)


def usable_text(text: object, *, what: str) -> str:
    """`text` if it is non-empty text that can be written as UTF-8.

    >>> usable_text("Ωmega 'quoted'", what="a name")
    "Ωmega 'quoted'"
    """
    if not isinstance(text, str):
        raise BadInput(f"{what} is {text!r}; studies keep {what}s as text: use str(...) or an id")
    if not text.strip() or not any(map(_is_drawn, text)):
        raise BadInput(f"{what} is empty; give it at least one visible character")
    if "\0" in text or (not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)):
        why = "a NUL or half a character (a lone surrogate)"
        raise BadInput(f"{what} {shown(text)} holds {why}: no database keeps it")
    return text

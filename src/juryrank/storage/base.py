"""The storages' contract: an append-only log a study, in one total order that the storage decides.

    storage.turn(study, after=head)    the only way to write a log: exclusive, all or nothing. Inside it one
                                       sees the storage's clock (`now`), what others wrote since `head`
                                       (`new`), the history of one question, and may `append`. Leaving it
                                       normally puts the events on disk; leaving it by an exception writes nothing.
    storage.events(study, after=seq)   the log, read without stopping anybody
    snapshots                          a cache: may be deleted at any moment
    people                             who is behind a judge's id: apart from the log, and erasable
    credentials, notes                 for programs that serve studies: hashed secrets, and small JSON values

Every storage passes `juryrank.storage.examination.StorageExamination`.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

from juryrank.errors import BadInput, StorageError, StudyExists, UnknownStudy, shown
from juryrank.log import GENESIS, Event, chained

Step: TypeAlias = tuple[str, Mapping[str, Any]]  # kind and data of an event that has no place in a log yet
WHOLE_STORAGE = 0  # the `study` of credentials and notes that belong to no single study


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log ends, as far as somebody has read it."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study as the storage lists it."""

    id: int
    name: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Person:
    """Who is behind a judge's id. Never part of a log."""

    name: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret's hash and what it opens. `study` 0: the whole storage."""

    id: int
    kind: str
    hash: str
    study: int = WHOLE_STORAGE
    judge: str | None = None
    scope: str = ""
    created_at: str = ""
    revoked_at: str | None = None


@dataclass(slots=True)
class Turn:
    """One exclusive visit to a log; `append` buffers, the storage writes when the visit ends."""

    now: float  # seconds since 1970 by the storage's clock
    new: list[Event]
    head: Head
    find: Callable[[int], list[Event]]  # the history of one question
    written: list[Event] = field(default_factory=list)

    def append(self, kind: str, data: Mapping[str, Any]) -> Event:
        """The next event of the log."""
        event = chained(self.head.hash, self.head.seq + 1, kind, data, utc(self.now))
        self.head = Head(event.seq, event.hash)
        self.written.append(event)
        return event


class Storage(ABC):
    """Base of all storages; see the module's text for the contract."""

    url: str

    @property
    def place(self) -> str:
        """The URL as people may see it: without its password."""
        return without_password(self.url)

    # ------------------------------------------------------------------ studies
    def create(
        self,
        name: str,
        created: Mapping[str, Any],
        *,
        people: Mapping[str, Person] | None = None,
        then: Iterable[Step] = (),
    ) -> StudyRow:
        """A new study whose log begins with `created` and goes on with `then`, or nothing; raises StudyExists."""
        return self.adopt(name, first_events(created, then, utc(self.now())), people=people)

    @abstractmethod
    def adopt(
        self, name: str, log: Sequence[Event], *, people: Mapping[str, Person] | None = None
    ) -> StudyRow:
        """A new study with this very log, every event as it is, or nothing; raises StudyExists.

        The caller has checked the chain: a storage keeps what it is given.
        """

    @abstractmethod
    def find(self, name: str) -> StudyRow:
        """The study of this name; raises UnknownStudy."""

    @abstractmethod
    def studies(self) -> list[StudyRow]:
        """All studies, oldest first."""

    @abstractmethod
    def delete(self, study: int) -> None:
        """A study and everything that belongs to it."""

    # ------------------------------------------------------------------ the log
    @abstractmethod
    def turn(self, study: int, *, after: Head) -> AbstractContextManager[Turn]:
        """Exclusive access to one log, all or nothing."""

    def append_alone(self, study: int, event: Event, *, after: Head, deadline: float | None) -> bool:
        """Write one event without a turn, if that is quicker here, the log still ends at `after` and the deadline
        has not passed by the storage's clock; False: nothing was written, take a turn."""
        return False

    @abstractmethod
    def events(self, study: int, *, after: int = 0) -> Iterator[Event]:
        """The log from the event that follows `after`."""

    @abstractmethod
    def now(self) -> float:
        """Seconds since 1970 by the storage's clock."""

    # ------------------------------------------------------------------ snapshots
    @abstractmethod
    def save_snapshot(self, study: int, seq: int, body: str) -> None: ...

    @abstractmethod
    def snapshots(self, study: int) -> list[int]:
        """The seqs of the snapshots there are, newest first."""

    @abstractmethod
    def snapshot(self, study: int, seq: int) -> str | None: ...

    @abstractmethod
    def drop_snapshots(self, study: int, seqs: Iterable[int]) -> None: ...

    # ------------------------------------------------------------------ people
    @abstractmethod
    def set_person(self, study: int, judge: str, person: Person) -> None: ...

    @abstractmethod
    def people(self, study: int) -> dict[str, Person]: ...

    @abstractmethod
    def erase_person(self, study: int, judge: str) -> bool:
        """Forget who is behind a judge's id; False: nothing was known."""

    # ------------------------------------------------------------------ credentials and notes
    @abstractmethod
    def add_credential(
        self, kind: str, hash: str, *, study: int = WHOLE_STORAGE, judge: str | None = None, scope: str = ""
    ) -> Credential: ...

    @abstractmethod
    def credentials(
        self, kind: str | None = None, *, hash: str | None = None, study: int | None = None
    ) -> list[Credential]:
        """Those that match, revoked ones included, oldest first."""

    @abstractmethod
    def revoke(self, credential: int) -> bool:
        """Revoked for good; False: there is none, or it was revoked before."""

    @abstractmethod
    def set_note(self, key: str, value: Any, *, study: int = WHOLE_STORAGE) -> None:
        """A JSON value under a key; None removes it."""

    @abstractmethod
    def note(self, key: str, *, study: int = WHOLE_STORAGE) -> Any:
        """The value of a key, or None."""

    @abstractmethod
    def notes(self, prefix: str = "", *, study: int = WHOLE_STORAGE) -> dict[str, Any]:
        """All keys that start with `prefix`, with their values."""

    @abstractmethod
    def close(self) -> None:
        """Give connections back. Nothing is lost without it."""


def first_events(created: Mapping[str, Any], then: Iterable[Step], at: str) -> list[Event]:
    """The log of a new study.

    >>> [event.seq for event in first_events({"items": []}, [("closed", {})], "now")]
    [1, 2]
    """
    log = [chained(GENESIS, 1, "created", created, at)]
    for kind, data in then:
        log.append(chained(log[-1].hash, len(log) + 1, kind, data, at))
    return log


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


def dump(value: Any) -> str:
    """JSON that any database can hold: ASCII, no NUL, no NaN."""
    try:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as problem:
        raise BadInput(f"only JSON values can be stored, and {problem}") from None


def usable_text(text: object, *, what: str) -> str:
    """`text` if it is non-empty text that can be written as UTF-8.

    >>> usable_text("Ωmega 'quoted'", what="a name")
    "Ωmega 'quoted'"
    """
    if not isinstance(text, str):
        raise BadInput(f"{what} is {text!r}; studies keep {what}s as text: use str(...) or an id")
    if not text.strip():
        raise BadInput(f"{what} is empty; give it at least one visible character")
    if "\0" in text or (not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)):
        why = "a NUL or half a character (a lone surrogate)"
        raise BadInput(f"{what} {shown(text)} holds {why}: no database keeps it")
    return text


def already_there(name: str) -> StudyExists:
    """The error for a second study of one name."""
    return StudyExists(f"there is a study {shown(name)} already; open it, or choose another name")


def not_there(name: str) -> UnknownStudy:
    """The error for a name that no study has."""
    return UnknownStudy(f"there is no study {shown(name)} here; `juryrank study list` names those there are")


class StorageLost(StorageError):
    """The connection to the database broke; what was being done may or may not be on disk."""


class LogChanged(StorageError):
    """The log on disk is not the one that was read: restored from a back-up, or edited."""


def same_log(head: Head, first: Event | None) -> None:
    """Raise unless the log still holds the event that `head` stands for."""
    if head.seq and (first is None or first.hash != head.hash):
        raise LogChanged(
            f"the log no longer holds event {head.seq} as it was read before: the database "
            "was restored from an older copy, or edited by hand; open the study again"
        )

"""The storages' contract: an append-only log per study, in one total order that the storage decides.

    storage.turn(study, after=head)    the only way to write a log: exclusive, all or nothing. Inside it one
                                       sees the storage's clock (`now`), what others wrote since `head`
                                       (`new`), the history of one question, and may `append`. Leaving it
                                       normally puts the events on disk; leaving it by an exception writes nothing.
    storage.events(study, after=seq)   the log, read without blocking anybody
    snapshots                          a cache: may be deleted at any moment
    people                             who is behind a judge's id: apart from the log, and erasable
    credentials, notes                 for programs that serve studies: hashed secrets, and small JSON values
    files                              pictures, sound, film and text of items, by the hash of their content

Every storage passes the same examination (`tests/storage/examination.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from juryrank.log import Event, Head
from juryrank.storage.values import (
    WHOLE_STORAGE,
    Credential,
    Person,
    Row,
    Step,
    StoredFile,
    StudyCount,
    StudyRow,
    Turn,
    first_events,
    utc,
    without_password,
)


class Storage(ABC):
    """Base of all storages; see the module's text for the contract."""

    url: str

    @property
    def place(self) -> str:
        """The URL as people may see it: without its password."""
        return without_password(self.url)

    def check_writable(self, *, patience: float) -> None:
        """Raise StorageError unless it can be written within so many seconds, as far as that can be seen."""

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
    def adopt(self, name: str, log: Sequence[Event], *, people: Mapping[str, Person] | None = None) -> StudyRow:
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
    def rename(self, study: int, name: str) -> None:
        """Call a study otherwise; raises StudyExists where another one has the name."""

    @abstractmethod
    def delete(self, study: int) -> None:
        """Delete a study and everything that belongs to it; that there was one is still counted."""

    @abstractmethod
    def count(self) -> StudyCount:
        """How many studies were ever made here, and how many deleted."""

    # ------------------------------------------------------------------ the log
    @abstractmethod
    def turn(self, study: int, *, after: Head, brisk: bool = False) -> AbstractContextManager[Turn]:
        """Exclusive access to one log, all or nothing.

        `brisk`: wait for others' locks for a moment only, where that is possible, and raise StorageBusy.
        """

    def append_alone(self, study: int, event: Event, *, after: Head, deadline: float | None) -> bool:
        """Write one event without a turn, if that is quicker here, the log still ends at `after` and the deadline
        has not passed by the storage's clock; False: nothing was written, take a turn."""
        return False

    @abstractmethod
    def events(self, study: int, *, after: int = 0) -> Iterator[Event]:
        """The log from the event that follows `after`."""

    @abstractmethod
    def rows(self, study: int, *, after: int = 0, most: int | None = None) -> Iterator[Row]:
        """The log's rows as they are stored: data as JSON text, keys sorted, ASCII; at most `most` of them."""

    @abstractmethod
    def now(self) -> float:
        """Seconds since 1970 by the storage's clock."""

    # ------------------------------------------------------------------ snapshots
    @abstractmethod
    def save_snapshot(self, study: int, seq: int, body: str) -> None: ...

    @abstractmethod
    def snapshots(self, study: int) -> list[int]:
        """The sequence numbers of the snapshots that exist, newest first."""

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
        self,
        kind: str,
        hash: str,
        *,
        study: int = WHOLE_STORAGE,
        judge: str | None = None,
        scope: str = "",
        expires_at: str | None = None,
        parent: int | None = None,
    ) -> Credential: ...

    @abstractmethod
    def credentials(
        self, kind: str | None = None, *, hash: str | None = None, study: int | None = None
    ) -> list[Credential]:
        """The credentials that match, revoked ones included, oldest first."""

    @abstractmethod
    def revoke(self, credential: int) -> bool:
        """Revoke a credential, and all whose parent it is; False: there is none, or it was revoked before."""

    @abstractmethod
    def set_note(self, key: str, value: Any, *, study: int = WHOLE_STORAGE) -> None:
        """Keep a JSON value under a key; None removes it."""

    @abstractmethod
    def note(self, key: str, *, study: int = WHOLE_STORAGE) -> Any:
        """The value of a key, or None."""

    @abstractmethod
    def notes(self, prefix: str = "", *, study: int = WHOLE_STORAGE) -> dict[str, Any]:
        """All keys that start with `prefix`, with their values."""

    # ------------------------------------------------------------------ files
    @abstractmethod
    def put_file(self, study: int, body: bytes, *, type: str) -> StoredFile:
        """Keep a file; the same content twice is kept once. Of `WHOLE_STORAGE`: it waits for its study."""

    @abstractmethod
    def file(self, study: int, hash: str) -> tuple[StoredFile, bytes] | None: ...

    @abstractmethod
    def files(self, study: int) -> list[StoredFile]:
        """All files of a study, by hash."""

    @abstractmethod
    def delete_file(self, study: int, hash: str) -> bool:
        """Delete a file; False: there was none."""

    @abstractmethod
    def close(self) -> None:
        """Release the connections. Nothing is lost without it."""

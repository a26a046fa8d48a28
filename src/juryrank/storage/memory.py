"""Studies in this process's memory: for tests and trials. Gone when the process ends."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from juryrank.errors import UnknownStudy
from juryrank.log import Event, Head
from juryrank.storage.base import Storage
from juryrank.storage.values import (
    WHOLE_STORAGE,
    Credential,
    Person,
    Row,
    StoredFile,
    StudyCount,
    StudyRow,
    Turn,
    already_there,
    dump,
    not_there,
    same_log,
    utc,
)


@dataclass(slots=True)
class _Kept:
    row: StudyRow
    log: list[Event]
    people: dict[str, Person]
    history: dict[int, list[Event]] = field(default_factory=dict)
    snapshots: dict[int, str] = field(default_factory=dict)
    files: dict[str, tuple[StoredFile, bytes]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def remember(self, event: Event) -> None:
        """The histories of questions, for `Turn.find`."""
        if "q" in event.data:
            self.history.setdefault(event.data["q"], []).append(event)


class MemoryStorage(Storage):
    """The contract on plain lists.

    >>> storage = MemoryStorage()
    >>> storage.create("wines", {"items": ["a", "b"]}).name
    'wines'
    """

    def __init__(self, url: str = "memory://") -> None:
        self.url = url
        self._lock = threading.RLock()
        self._ids = count(1)
        self._deleted = 0
        self._kept: dict[int, _Kept] = {}
        self._credentials: list[Credential] = []
        self._notes: dict[tuple[int, str], str] = {}
        self._waiting: dict[str, tuple[StoredFile, bytes]] = {}  # files of no study yet

    def now(self) -> float:
        return time.time()

    # ------------------------------------------------------------------ studies
    def adopt(self, name: str, log: Sequence[Event], *, people: Mapping[str, Person] | None = None) -> StudyRow:
        own = [replace(event, data=_copied(event.data)) for event in log]
        with self._lock:
            if any(kept.row.name == name for kept in self._kept.values()):
                raise already_there(name)
            row = StudyRow(next(self._ids), name, own[0].at or "")
            kept = _Kept(row, own, dict(people or {}))
            for event in own:
                kept.remember(event)
            self._kept[row.id] = kept
        return row

    def find(self, name: str) -> StudyRow:
        for row in self.studies():
            if row.name == name:
                return row
        raise not_there(name)

    def studies(self) -> list[StudyRow]:
        with self._lock:
            return [kept.row for kept in self._kept.values()]

    def rename(self, study: int, name: str) -> None:
        with self._lock:
            kept = self._study(study)
            if any(other.row.name == name for other in self._kept.values() if other is not kept):
                raise already_there(name)
            kept.row = replace(kept.row, name=name)

    def delete(self, study: int) -> None:
        with self._study(study).lock, self._lock:
            del self._kept[study]
            self._deleted += 1
            self._credentials = [c for c in self._credentials if c.study != study]
            self._notes = {key: value for key, value in self._notes.items() if key[0] != study}

    def count(self) -> StudyCount:
        with self._lock:
            return StudyCount(len(self._kept) + self._deleted, self._deleted)

    # ------------------------------------------------------------------ the log
    @contextmanager
    def turn(self, study: int, *, after: Head, brisk: bool = False) -> Iterator[Turn]:
        kept = self._study(study)
        with kept.lock:
            self._study(study)  # deleted while we waited?
            last = kept.log[-1]
            same_log(after, kept.log[after.seq - 1] if 0 < after.seq <= len(kept.log) else None)
            turn = Turn(
                self.now(),
                kept.log[after.seq :],
                Head(last.seq, last.hash),
                find=lambda q: kept.history.get(q, [])[:],
                named=lambda name: any(person.name == name for person in kept.people.values()),
            )
            yield turn
            kept.people.update(turn.people)
            for event in turn.written:
                stored = replace(event, data=_copied(event.data))
                kept.log.append(stored)
                kept.remember(stored)

    def events(self, study: int, *, after: int = 0) -> Iterator[Event]:
        yield from self._study(study).log[after:]

    def rows(self, study: int, *, after: int = 0, most: int | None = None) -> Iterator[Row]:
        for event in self._study(study).log[after : None if most is None else after + most]:
            yield event.seq, event.kind, dump(event.data, sort=True), event.at, event.hash

    # ------------------------------------------------------------------ snapshots
    def save_snapshot(self, study: int, seq: int, body: str) -> None:
        self._study(study).snapshots[seq] = body

    def snapshots(self, study: int) -> list[int]:
        return sorted(self._study(study).snapshots, reverse=True)

    def snapshot(self, study: int, seq: int) -> str | None:
        return self._study(study).snapshots.get(seq)

    def drop_snapshots(self, study: int, seqs: Iterable[int]) -> None:
        for seq in seqs:
            self._study(study).snapshots.pop(seq, None)

    # ------------------------------------------------------------------ people
    def set_person(self, study: int, judge: str, person: Person) -> None:
        self._study(study).people[judge] = person

    def people(self, study: int) -> dict[str, Person]:
        return dict(self._study(study).people)

    def erase_person(self, study: int, judge: str) -> bool:
        return self._study(study).people.pop(judge, None) is not None

    # ------------------------------------------------------------------ credentials and notes
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
    ) -> Credential:
        with self._lock:
            made = Credential(
                next(self._ids), kind, hash, study, judge, scope, utc(self.now()), None, expires_at, parent
            )
            self._credentials.append(made)
        return made

    def credentials(
        self, kind: str | None = None, *, hash: str | None = None, study: int | None = None
    ) -> list[Credential]:
        wanted = (("kind", kind), ("hash", hash), ("study", study))
        return [
            one
            for one in self._credentials
            if all(value is None or getattr(one, name) == value for name, value in wanted)
        ]

    def revoke(self, credential: int) -> bool:
        with self._lock:
            moment, found = utc(self.now()), False
            for k, one in enumerate(self._credentials):
                if one.revoked_at is None and credential in (one.id, one.parent):
                    self._credentials[k] = replace(one, revoked_at=moment)
                    found |= one.id == credential
            return found

    def set_note(self, key: str, value: Any, *, study: int = WHOLE_STORAGE) -> None:
        with self._lock:
            if value is None:
                self._notes.pop((study, key), None)
            else:
                self._notes[study, key] = dump(value)

    def note(self, key: str, *, study: int = WHOLE_STORAGE) -> Any:
        text = self._notes.get((study, key))
        return None if text is None else json.loads(text)

    def notes(self, prefix: str = "", *, study: int = WHOLE_STORAGE) -> dict[str, Any]:
        with self._lock:
            found = sorted(self._notes.items())
        return {key: json.loads(text) for (of, key), text in found if of == study and key.startswith(prefix)}

    # ------------------------------------------------------------------ files
    def put_file(self, study: int, body: bytes, *, type: str) -> StoredFile:
        made = StoredFile(hashlib.sha256(body).hexdigest(), type, len(body))
        return self._files(study).setdefault(made.hash, (made, body))[0]

    def file(self, study: int, hash: str) -> tuple[StoredFile, bytes] | None:
        return self._files(study).get(hash)

    def files(self, study: int) -> list[StoredFile]:
        return [found for _, (found, _) in sorted(self._files(study).items())]

    def delete_file(self, study: int, hash: str) -> bool:
        return self._files(study).pop(hash, None) is not None

    def _files(self, study: int) -> dict[str, tuple[StoredFile, bytes]]:
        return self._waiting if study == WHOLE_STORAGE else self._study(study).files

    def close(self) -> None:
        """Nothing to give back."""

    def _study(self, study: int) -> _Kept:
        try:
            return self._kept[study]
        except KeyError:
            raise UnknownStudy("this study was deleted; `list_studies` names those there are") from None


def _copied(data: Mapping[str, Any]) -> dict[str, Any]:
    """A copy such as a database would give back: it shares nothing with the original."""
    copy: dict[str, Any] = json.loads(dump(data, sort=True))
    return copy

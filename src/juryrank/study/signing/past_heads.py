"""Heads that were stated before, each with its time and signature: kept beside the log and never changed.

One is kept with every certificate, whenever somebody asks for it (`study.head(keep=True)`), and every ten minutes
while a process works on the study and the log grows. Anybody can fetch them and keep a copy: then no other past
can be shown later without it being noticed.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass

from juryrank.errors import JuryrankError
from juryrank.log import Head
from juryrank.storage.base import Storage
from juryrank.study.signing.heads import SignedHead, signed_head

EVERY = 600.0  # seconds between two heads kept while a study is in use
NOTE = "head/"  # the notes of a study under which they stand


@dataclass(frozen=True, slots=True)
class PastHead:
    """A head that was stated before; `held`: the log still has it."""

    head: SignedHead
    held: bool

    def to_dict(self) -> dict[str, int | str | bool]:
        return {**self.head.to_dict(), "in_log": self.held}


def keep_head(storage: Storage, study: int, head: SignedHead) -> None:
    """Keep a head with the time when it was first stated. Heads of one place with other hashes are kept too."""
    key = f"{NOTE}{head.seq:012d}/{head.head[:32]}"
    if storage.note(key, study=study) is None:
        storage.set_note(key, head.to_dict(), study=study)


def past_heads(storage: Storage, study: int, *, latest: int | None = None) -> list[PastHead]:
    """Heads stated before, oldest first (only the `latest` newest), each compared with the log as it is now."""
    found = sorted((SignedHead(**note) for note in storage.notes(NOTE, study=study).values()), key=_when)
    return [PastHead(head, _is_held(storage, study, head)) for head in found[-(latest or len(found)) :]]


def _when(head: SignedHead) -> tuple[str, int]:
    return head.time, head.seq


def _is_held(storage: Storage, study: int, head: SignedHead) -> bool:
    row = next(iter(storage.rows(study, after=head.seq - 1, most=1)), None)
    return row is not None and (row[0], row[4]) == (head.seq, head.head)


class HeadClock:
    """Keeps the head of a growing log now and then. A failure stops nobody: the next head covers the same log."""

    def __init__(self, storage: Storage, study: int) -> None:
        self._storage, self._study = storage, study
        self._since, self._seq = time.monotonic(), 0

    def tick(self, head: Head) -> None:
        """Call it after every write."""
        if time.monotonic() - self._since < EVERY or head.seq == self._seq:
            return
        self._since, self._seq = time.monotonic(), head.seq
        with contextlib.suppress(JuryrankError, OSError):
            keep_head(self._storage, self._study, signed_head(self._storage, head))

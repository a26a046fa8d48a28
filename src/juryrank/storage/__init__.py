"""Where studies live: memory, SQLite, PostgreSQL, behind one small contract (`base.Storage`)."""

from __future__ import annotations

from functools import cache

from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadInput
from juryrank.log import Head
from juryrank.storage.base import Storage
from juryrank.storage.memory import MemoryStorage
from juryrank.storage.values import Credential, LogChanged, Person, StorageLost, StoredFile, StudyRow, Turn

__all__ = [
    "Credential",
    "Head",
    "LogChanged",
    "MemoryStorage",
    "Person",
    "Storage",
    "StorageLost",
    "StoredFile",
    "StudyRow",
    "Turn",
    "open_storage",
]


def open_storage(storage: str | Storage = DEFAULT_STORAGE, *, create: bool = True) -> Storage:
    """Open the storage at a URL: `sqlite:///FILE`, `postgresql://USER@HOST/NAME` or `memory://`.

    `create=False`: an SQLite file that is not there is an error, and none is made.

    >>> open_storage("memory://").url
    'memory://'
    """
    if isinstance(storage, Storage):
        return storage
    if not isinstance(storage, str) or "://" not in storage:
        raise BadInput(f"{storage!r} is not a storage; use sqlite:///FILE, postgresql://USER@HOST/NAME, memory://")
    return _shared_memory(storage) if storage.startswith("memory://") else _open_sql(storage, create=create)


def _open_sql(url: str, *, create: bool) -> Storage:
    from juryrank.storage.sql import SqlStorage

    return SqlStorage(url, create=create)


@cache
def _shared_memory(url: str) -> MemoryStorage:
    """One storage per name and process, so that a study can be opened again by its URL."""
    return MemoryStorage(url)

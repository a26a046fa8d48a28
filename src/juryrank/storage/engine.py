"""Opening a database, and its errors in plain words."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from juryrank.defaults import BUSY_SECONDS, LOCK_SECONDS
from juryrank.errors import BadInput, StorageError, need_extra
from juryrank.storage.values import StorageBusy, StorageLost, without_password

BRISK_SECONDS = 0.25  # SQLite: how long it waits at a time where readers of this process wait behind it
IDLE_SECONDS = (
    60  # PostgreSQL: a transaction in which nothing happens for so long is ended, and gives its lock back
)
FOR_THE_OWNER = 0o600  # of a new database: it holds people's names and what their answers were
POOL_SIZE, POOL_OVERFLOW = 5, 60


def connect(url: str, *, create: bool = True) -> Engine:
    """An engine for `sqlite:///FILE` or `postgresql://...`; raises BadInput for anything else."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadInput(_bad_url(url)) from None
    backend = parsed.get_backend_name()
    if backend == "sqlite" and parsed.database:
        return _sqlite(parsed, create=create)
    if backend in ("postgresql", "postgres"):
        need_extra("psycopg", extra="study", what="a study on PostgreSQL")
        return _postgresql(parsed)
    raise BadInput(_bad_url(url))


def _bad_url(url: str) -> str:
    return (
        f"{without_password(url)!r} is not a storage: use sqlite:///FILE, postgresql://USER@HOST/NAME, or "
        "memory:// (which is gone when the program ends)"
    )


def _sqlite(url: URL, *, create: bool) -> Engine:
    file = Path((url.database or "").removeprefix("file:"))
    if not file.parent.is_dir():
        raise StorageError(f"the folder {str(file.parent)!r} does not exist; make it first, or give another file")
    if not create and not file.exists():
        raise StorageError(
            f"there is no file {str(file)!r}; `juryrank study create` makes one, --storage names another"
        )
    _make_private(file)
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "isolation_level": None},
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
    )

    @event.listens_for(engine, "connect")
    def prepare(dbapi: Any, _record: Any) -> None:
        cursor = dbapi.cursor()
        cursor.execute("PRAGMA synchronous=FULL")  # an acknowledged answer survives a power cut
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # IMMEDIATE: a writer that reads first would otherwise find that somebody else wrote in between
        options = connection.get_execution_options()
        begin = "BEGIN IMMEDIATE" if options.get("juryrank_write") else "BEGIN"
        driver: Any = connection.connection.driver_connection
        with briskly(driver) if options.get("juryrank_brisk") else contextlib.nullcontext():
            connection.exec_driver_sql(begin)

    return engine


@contextmanager
def briskly(driver: Any) -> Iterator[None]:
    """Wait for others' locks for a moment only, in this block."""
    driver.execute(f"PRAGMA busy_timeout={round(1000 * BRISK_SECONDS)}")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA busy_timeout={1000 * BUSY_SECONDS}")


def _make_private(file: Path) -> None:
    """A database that is not there yet is made for its owner alone; SQLite's own files beside it follow it."""
    with contextlib.suppress(OSError):  # it exists, and keeps its mode; or it cannot be made: SQLite says why
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FOR_THE_OWNER))


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        isolation_level="READ COMMITTED",  # each statement after the lock sees what was committed before it
        connect_args={"connect_timeout": 10},
    )

    @event.listens_for(engine, "connect")
    def prepare(dbapi: Any, _record: Any) -> None:
        dbapi.execute("SET synchronous_commit = on")  # acknowledged = on disk, whatever the server's default
        dbapi.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        dbapi.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
        dbapi.commit()

    return engine


@contextmanager
def plain_errors(url: str) -> Iterator[None]:
    """Database errors as StorageError: what, why, what to do."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as problem:
        raise _translated(problem, without_password(url)) from problem
    except SQLAlchemyError as problem:
        raise StorageError(f"the database {without_password(url)} cannot be used: {problem}") from problem


_WORDS = (
    ("disk is full", "the disk is full: nothing was written; make room and try again"),
    ("no space left", "the disk is full: nothing was written; make room and try again"),
    ("readonly", "it is read-only: nothing was written; check the file's and the folder's permissions"),
    ("read-only transaction", "it is read-only: nothing was written; check the server or use its primary"),
    ("permission denied", "permission was denied; check the file's owner or the user's rights"),
    ("lock timeout", f"somebody else has kept this study locked for over {LOCK_SECONDS} s; try again"),
    ("is locked", "another program keeps it locked; close that one, or try again"),
    ("not a database", "this file is not a SQLite database; give another file"),
    ("malformed", "the file is damaged; restore it from a back-up"),
    ("unable to open", "the file cannot be opened; check that the path exists and may be written"),
    ("does not exist", "there is no such database, user or table; create it, or check the URL"),
    ("authentication failed", "user or password is wrong; check the URL"),
)


def _translated(problem: DBAPIError | PoolTimeout, url: str) -> StorageError:
    cause = str(getattr(problem, "orig", None) or problem).strip()
    for sign, words in _WORDS:
        if sign in cause.lower():
            kind = StorageBusy if "is locked" in cause.lower() else StorageError
            return kind(f"the database {url} cannot be used: {words} ({_first_line(cause)})")
    if isinstance(problem, DBAPIError) and (problem.connection_invalidated or _unreachable(cause)):
        return StorageLost(f"the database {url} cannot be reached; is it running? ({_first_line(cause)})")
    return StorageError(f"the database {url} cannot be used: {_first_line(cause)}")


def _unreachable(cause: str) -> bool:
    signs = ("connection", "server closed", "terminating", "starting up", "shutting down", "timeout expired")
    return any(sign in cause.lower() for sign in signs)


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else "no reason given"

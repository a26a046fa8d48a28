"""Studies in SQLite or PostgreSQL (SQLAlchemy Core). One class for both; they differ in lock and clock.

SQLite: WAL, full sync, BEGIN IMMEDIATE; the clock is this machine's, as the file is on it.
PostgreSQL: an advisory lock per study, held for one transaction; the clock is the server's.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, literal_column, select, text, update
from sqlalchemy.exc import IntegrityError

from juryrank.errors import UnknownStudy
from juryrank.log import Event, Head
from juryrank.storage import schema
from juryrank.storage.engine import HotStatement, briskly, connect, driver_of, plain_errors
from juryrank.storage.schema import prepare
from juryrank.storage.side_tables import NOTE, SECRET, SideTables, person_row
from juryrank.storage.values import (
    WHOLE_STORAGE,
    Person,
    Row,
    StorageBusy,
    StudyCount,
    StudyRow,
    Turn,
    already_there,
    dump,
    not_there,
    same_log,
    utc,
)

# ----------------------------------------------------------------------------
# Studies in SQLite or PostgreSQL (SQLAlchemy Core). One class for both; they differ in lock and clock
LOCK_SPACE = 0x6A72  # the first half of our advisory locks' keys ("jr"); the second is the study's id
PAGE = 5_000  # events read at a time

_E = schema.events.c
_COLUMNS = (_E.seq, _E.kind, _E.data, _E.at, _E.hash)
_SERVER_CLOCK: Any = literal_column("extract(epoch from clock_timestamp())::float8").label("clock")
_LOG = select(*_COLUMNS).where(_E.study == bindparam("s"), _E.seq >= bindparam("n")).order_by(_E.seq)
_LOG_AND_CLOCK = _LOG.add_columns(_SERVER_CLOCK)
_LOG_PAGE = _LOG.limit(PAGE)
_ROWS = text(
    "SELECT seq, kind, data, at, hash FROM juryrank_events WHERE study = :s AND seq >= :n ORDER BY seq LIMIT :page"
)
_HISTORY = select(*_COLUMNS).where(_E.study == bindparam("s"), _E.q == bindparam("q")).order_by(_E.seq)
_NAMED = select(schema.people.c.judge).where(
    schema.people.c.study == bindparam("s"), schema.people.c.name == bindparam("name")
)
# One more, in one statement: two who delete at once are both counted. A note's value is JSON, and so is a number.
_DELETED = "studies/deleted"
_COUNT_DELETED = text(
    f"INSERT INTO juryrank_notes (study, key, value) VALUES ({WHOLE_STORAGE}, '{_DELETED}', '1') "
    "ON CONFLICT (study, key) DO UPDATE SET value = CAST(CAST(juryrank_notes.value AS INTEGER) + 1 AS TEXT)"
)
_COUNTED = text(
    "SELECT (SELECT count(*) FROM juryrank_studies), "
    f"(SELECT value FROM juryrank_notes WHERE study = {WHOLE_STORAGE} AND key = '{_DELETED}')"
)
_LOCK = text(f"SELECT pg_advisory_xact_lock({LOCK_SPACE}, :s)")
_APPEND = insert(schema.events)
# One statement, one trip: writes only if the log still ends where the caller thinks and, on a server, nobody holds
# the lock and its clock says that the deadline has not passed. The primary key refuses what slips in between.
_ALONE = """INSERT INTO juryrank_events (study, seq, kind, q, data, at, hash)
    SELECT :study, :seq, :kind, :q, :data, :at, :hash
    WHERE EXISTS (SELECT 1 FROM juryrank_events WHERE study = :study AND seq = :before AND hash = :before_hash)
      AND NOT EXISTS (SELECT 1 FROM juryrank_events WHERE study = :study AND seq > :before)"""
_ALONE_ON_SERVER = f"""{_ALONE}
      AND pg_try_advisory_xact_lock({LOCK_SPACE}, CAST(:study AS integer))
      AND (CAST(:deadline AS float8) IS NULL OR clock_timestamp() < to_timestamp(CAST(:deadline AS float8)))"""


class SqlStorage(SideTables):
    """The contract on a database; `open_storage(url)` makes one."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        self.url = url
        self._engine = connect(url, create=create)
        self._server = self._engine.dialect.name == "postgresql"
        self._writing = self._engine.execution_options(juryrank_write=True)
        self._brisk = self._writing.execution_options(juryrank_brisk=not self._server)
        dialect = self._engine.dialect
        self._hot_lock = HotStatement(_LOCK, dialect)
        self._hot_log = HotStatement(_LOG_AND_CLOCK if self._server else _LOG, dialect)
        self._hot_rows = HotStatement(_ROWS, dialect)
        self._hot_append = HotStatement(_APPEND, dialect)
        self._hot_alone = HotStatement(text(_ALONE_ON_SERVER if self._server else _ALONE), dialect)
        self._hot_secret = HotStatement(SECRET, dialect)
        self._hot_note = HotStatement(NOTE, dialect)
        by_itself = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._single = by_itself if self._server else self._engine  # SQLite's driver does it anyway
        with plain_errors(url):
            prepare(self._engine)

    def now(self) -> float:
        if not self._server:
            return time.time()
        with self._read() as connection:
            return float(connection.execute(select(_SERVER_CLOCK)).scalar_one())

    # ------------------------------------------------------------------ studies
    def adopt(self, name: str, log: Sequence[Event], *, people: Mapping[str, Person] | None = None) -> StudyRow:
        moment = log[0].at or utc(self.now())
        with self._write() as connection:
            row = {"name": name, "name_key": schema.key_of(name), "created_at": moment}
            try:
                key = connection.execute(insert(schema.studies).values(row)).inserted_primary_key
            except IntegrityError:
                raise already_there(name) from None
            study = int(key[0]) if key else 0
            connection.execute(_APPEND, [_packed(study, event) for event in log])
            for judge, person in (people or {}).items():
                connection.execute(insert(schema.people).values(person_row(study, judge, person)))
        return StudyRow(study, name, moment)

    def find(self, name: str) -> StudyRow:
        wanted = schema.studies.c.name_key == schema.key_of(name)
        with self._read() as connection:
            found = connection.execute(_studies().where(wanted)).first()
        if found is None:
            raise not_there(name)
        return StudyRow(*found)

    def studies(self) -> list[StudyRow]:
        with self._read() as connection:
            return [StudyRow(*row) for row in connection.execute(_studies().order_by(schema.studies.c.id))]

    def rename(self, study: int, name: str) -> None:
        with self._write() as connection:
            self._must_exist(connection, study)
            called = {"name": name, "name_key": schema.key_of(name)}
            try:
                connection.execute(update(schema.studies).where(schema.studies.c.id == study).values(called))
            except IntegrityError:
                raise already_there(name) from None

    def delete(self, study: int) -> None:
        with self._write() as connection:
            self._lock(connection, study)
            self._must_exist(connection, study)
            for table in schema.OF_ONE_STUDY:
                connection.execute(delete(table).where(table.c.study == study))
            connection.execute(delete(schema.studies).where(schema.studies.c.id == study))
            connection.execute(_COUNT_DELETED)

    def count(self) -> StudyCount:
        with self._read() as connection:
            there, deleted = connection.execute(_COUNTED).one()
        return StudyCount(there + int(deleted or 0), int(deleted or 0))

    # ------------------------------------------------------------------ the log
    def check_writable(self, *, patience: float) -> None:
        end = time.monotonic() + patience
        while True:
            try:
                with self._write(brisk=True):
                    return
            except StorageBusy:
                if time.monotonic() >= end:
                    raise

    @contextmanager
    def turn(self, study: int, *, after: Head, brisk: bool = False) -> Iterator[Turn]:
        with self._write(brisk=brisk) as connection:
            rows = self._locked_log(connection, study, after)
            if not rows:
                self._must_exist(connection, study)
            log = [_event(row) for row in rows]
            same_log(after, log[0] if log else None)
            turn = Turn(
                now=float(rows[0][5]) if self._server and rows else time.time(),
                new=log[1:] if after.seq else log,
                head=Head(log[-1].seq, log[-1].hash) if log else after,
                find=lambda q: [_event(row) for row in connection.execute(_HISTORY, {"s": study, "q": q})],
                named=lambda name: connection.execute(_NAMED, {"s": study, "name": name}).first() is not None,
            )
            yield turn
            for judge, person in turn.people.items():
                self._keep_person(connection, study, judge, person)
            if turn.written:
                self._append(connection, [_packed(study, event) for event in turn.written])

    def _locked_log(self, connection: Connection, study: int, after: Head) -> list[Any]:
        with driver_of(connection) as driver:
            if self._server:
                self._hot_lock.run(driver, {"s": study})
            rows: list[Any] = self._hot_log.run(driver, {"s": study, "n": after.seq}).fetchall()
            return rows

    def _append(self, connection: Connection, rows: list[dict[str, Any]]) -> None:
        with driver_of(connection) as driver:
            self._hot_append.run_many(driver, rows)
            driver.commit()

    def append_alone(self, study: int, event: Event, *, after: Head, deadline: float | None) -> bool:
        if not self._server and deadline is not None and time.time() >= deadline:
            return False
        row = {**_packed(study, event), "before": after.seq, "before_hash": after.hash, "deadline": deadline}
        with plain_errors(self.url), self._single.connect() as connection:
            try:
                with driver_of(connection) as driver, nullcontext() if self._server else briskly(driver):
                    return bool(self._hot_alone.run(driver, row).rowcount == 1)
            except IntegrityError:
                return False  # somebody was quicker by a hair

    def events(self, study: int, *, after: int = 0) -> Iterator[Event]:
        while True:
            with self._read() as connection:
                rows = connection.execute(_LOG_PAGE, {"s": study, "n": after + 1}).all()
                if not rows and not after:
                    self._must_exist(connection, study)
            yield from map(_event, rows)
            if len(rows) < PAGE:
                return
            after = int(rows[-1][0])

    def rows(self, study: int, *, after: int = 0, most: int | None = None) -> Iterator[Row]:
        while most is None or most > 0:
            page = PAGE if most is None else min(PAGE, most)
            with self._read() as connection, driver_of(connection) as driver:
                rows: list[Row] = self._hot_rows.run(driver, {"s": study, "n": after + 1, "page": page}).fetchall()
            yield from rows
            if len(rows) < page:
                return
            after, most = rows[-1][0], None if most is None else most - page

    def close(self) -> None:
        self._engine.dispose()

    # ------------------------------------------------------------------ shared parts
    def _lock(self, connection: Connection, study: int) -> None:
        if self._server:
            connection.execute(_LOCK, {"s": study})

    def _must_exist(self, connection: Connection, study: int) -> None:
        if connection.execute(_studies().where(schema.studies.c.id == study)).first() is None:
            raise UnknownStudy("this study was deleted; `juryrank study list` names those there are")


def _studies() -> Any:
    c = schema.studies.c
    return select(c.id, c.name, c.created_at)


def _event(row: Any) -> Event:
    return Event(row[0], row[1], json.loads(row[2]), row[3], row[4])


def _packed(study: int, event: Event) -> dict[str, Any]:
    return {
        "study": study,
        "seq": event.seq,
        "kind": event.kind,
        "q": event.data.get("q"),
        "data": dump(event.data, sort=True),  # as it is hashed: `study.integrity` need not decode it
        "at": event.at,
        "hash": event.hash,
    }

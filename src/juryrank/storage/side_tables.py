"""What a database keeps beside the logs: snapshots, people, credentials, notes, files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Engine, Table, bindparam, delete, func, insert, select, update

from juryrank.storage import schema
from juryrank.storage.base import Storage
from juryrank.storage.engine import HotStatement, driver_of, plain_errors
from juryrank.storage.values import WHOLE_STORAGE, Credential, Person, StoredFile, dump, utc

_C, _N = schema.credentials.c, schema.notes.c
SECRET = (
    select(schema.credentials).where(_C.kind == bindparam("kind"), _C.hash == bindparam("hash")).order_by(_C.id)
)
NOTE = select(_N.value).where(_N.study == bindparam("s"), _N.key == bindparam("key"))


class SideTables(Storage):
    """The part of a database storage that has nothing to do with the order of events."""

    url: str
    _engine: Engine
    _writing: Engine
    _brisk: Engine  # for writing, if it can be done at once
    _single: Engine  # for one statement at a time
    _server: bool  # PostgreSQL; otherwise SQLite
    _hot_secret: HotStatement
    _hot_note: HotStatement

    # ------------------------------------------------------------------ snapshots
    def save_snapshot(self, study: int, seq: int, body: str) -> None:
        with self._write() as connection:
            self._replace(connection, schema.snapshots, {"study": study, "seq": seq}, {"body": body})

    def snapshots(self, study: int) -> list[int]:
        c = schema.snapshots.c
        with self._read() as connection:
            return list(connection.execute(select(c.seq).where(c.study == study).order_by(c.seq.desc())).scalars())

    def snapshot(self, study: int, seq: int) -> str | None:
        c = schema.snapshots.c
        with self._read() as connection:
            return connection.execute(select(c.body).where(c.study == study, c.seq == seq)).scalar()

    def drop_snapshots(self, study: int, seqs: Iterable[int]) -> None:
        c = schema.snapshots.c
        with self._write() as connection:
            connection.execute(delete(schema.snapshots).where(c.study == study, c.seq.in_(list(seqs))))

    # ------------------------------------------------------------------ people
    def set_person(self, study: int, judge: str, person: Person) -> None:
        with self._write() as connection:
            self._keep_person(connection, study, judge, person)

    def _keep_person(self, connection: Connection, study: int, judge: str, person: Person) -> None:
        row = person_row(study, judge, person)
        keys = {"study": row.pop("study"), "judge_key": row.pop("judge_key")}
        self._replace(connection, schema.people, keys, row)

    def people(self, study: int) -> dict[str, Person]:
        c = schema.people.c
        with self._read() as connection:
            rows = connection.execute(select(c.judge, c.name, c.address).where(c.study == study))
            return {judge: Person(name, address) for judge, name, address in rows}

    def erase_person(self, study: int, judge: str) -> bool:
        c = schema.people.c
        who = (c.study == study, c.judge_key == schema.key_of(judge))
        with self._write() as connection:
            return connection.execute(delete(schema.people).where(*who)).rowcount > 0

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
        made = Credential(0, kind, hash, study, judge, scope, utc(self.now()), None, expires_at, parent)
        row = {key: value for key, value in asdict(made).items() if key != "id"}
        with self._write() as connection:
            key = connection.execute(insert(schema.credentials).values(row)).inserted_primary_key
        return Credential(int(key[0]) if key else 0, **row)

    def credentials(
        self, kind: str | None = None, *, hash: str | None = None, study: int | None = None
    ) -> list[Credential]:
        if kind is not None and hash is not None and study is None:  # every request asks this
            return [Credential(*row) for row in self._quickly(self._hot_secret, {"kind": kind, "hash": hash})]
        c = schema.credentials.c
        asked = select(schema.credentials).order_by(c.id)
        for column, value in ((c.kind, kind), (c.hash, hash), (c.study, study)):
            asked = asked if value is None else asked.where(column == value)
        with self._read() as connection:
            return [Credential(**row._mapping) for row in connection.execute(asked)]

    def revoke(self, credential: int) -> bool:
        c, moment = schema.credentials.c, utc(self.now())
        working = update(schema.credentials).where(c.revoked_at.is_(None)).values(revoked_at=moment)
        with self._write() as connection:
            connection.execute(working.where(c.parent == credential))
            return connection.execute(working.where(c.id == credential)).rowcount > 0

    def set_note(self, key: str, value: Any, *, study: int = WHOLE_STORAGE) -> None:
        keys = {"study": study, "key": key}
        with self._write() as connection:
            if value is None:
                c = schema.notes.c
                connection.execute(delete(schema.notes).where(c.study == study, c.key == key))
            else:
                self._replace(connection, schema.notes, keys, {"value": dump(value)})

    def note(self, key: str, *, study: int = WHOLE_STORAGE) -> Any:
        found = self._quickly(self._hot_note, {"s": study, "key": key})
        return json.loads(found[0][0]) if found else None

    def notes(self, prefix: str = "", *, study: int = WHOLE_STORAGE) -> dict[str, Any]:
        c = schema.notes.c
        asked = select(c.key, c.value).where(c.study == study, func.substr(c.key, 1, len(prefix)) == prefix)
        with self._read() as connection:
            return {key: json.loads(value) for key, value in connection.execute(asked.order_by(c.key))}

    # ------------------------------------------------------------------ files
    def put_file(self, study: int, body: bytes, *, type: str) -> StoredFile:
        made = StoredFile(hashlib.sha256(body).hexdigest(), type, len(body))
        c = schema.files.c
        with self._write() as connection:
            there = connection.execute(select(c.type).where(c.study == study, c.hash == made.hash)).scalar()
            if there is not None:
                return replace(made, type=there)
            row = {**asdict(made), "study": study, "body": body}
            connection.execute(insert(schema.files).values(row))
        return made

    def file(self, study: int, hash: str) -> tuple[StoredFile, bytes] | None:
        c = schema.files.c
        asked = select(c.hash, c.type, c.size, c.body).where(c.study == study, c.hash == hash)
        with self._read() as connection:
            row = connection.execute(asked).first()
        return None if row is None else (StoredFile(*row[:3]), bytes(row[3]))

    def files(self, study: int) -> list[StoredFile]:
        c = schema.files.c
        asked = select(c.hash, c.type, c.size).where(c.study == study).order_by(c.hash)
        with self._read() as connection:
            return [StoredFile(*row) for row in connection.execute(asked)]

    def delete_file(self, study: int, hash: str) -> bool:
        c = schema.files.c
        with self._write() as connection:
            gone = connection.execute(delete(schema.files).where(c.study == study, c.hash == hash))
            return gone.rowcount > 0

    # ------------------------------------------------------------------ shared parts
    @contextmanager
    def _write(self, *, brisk: bool = False) -> Iterator[Connection]:
        with plain_errors(self.url), (self._brisk if brisk else self._writing).begin() as connection:
            yield connection

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        """Each statement by itself: on a server, a transaction would be two more trips."""
        with plain_errors(self.url), self._single.connect() as connection:
            yield connection

    def _quickly(self, statement: HotStatement, parameters: Mapping[str, Any]) -> list[Any]:
        with self._read() as connection, driver_of(connection) as driver:
            found: list[Any] = statement.run(driver, parameters).fetchall()
            return found

    def _replace(self, connection: Connection, table: Table, keys: dict[str, Any], values: dict[str, Any]) -> None:
        """Insert or overwrite, in one statement on both databases."""
        from sqlalchemy.dialects import postgresql, sqlite

        make: Any = postgresql.insert if self._server else sqlite.insert
        row = make(table).values(keys | values)
        connection.execute(row.on_conflict_do_update(index_elements=list(keys), set_=values))


def person_row(study: int, judge: str, person: Person) -> dict[str, Any]:
    """A person as the table of people takes them."""
    key = {"study": study, "judge_key": schema.key_of(judge)}
    return {**key, "judge": judge, "name": person.name, "address": person.address}

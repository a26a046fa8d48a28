"""Databases that are old, new, somebody else's, unreachable, full or read-only."""

from __future__ import annotations

import os
import sqlite3
import threading
import time

import pytest
from sqlalchemy import inspect

from juryrank.errors import BadInput, StorageError
from juryrank.log import Head
from juryrank.storage import StorageLost, engine, open_storage, schema
from juryrank.storage.engine import connect
from tests.storage.examination import CREATED, write


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres])])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/studies.db"
    return request.getfixturevalue("postgres_url")


@pytest.mark.xdist_group("postgres")
def test_a_new_database_has_exactly_the_tables_of_the_schema(url):
    open_storage(url).close()
    engine = connect(url)
    found = inspect(engine)
    assert set(found.get_table_names()) == set(schema.metadata.tables)
    for name, table in schema.metadata.tables.items():
        made = {column["name"]: column["nullable"] for column in found.get_columns(name)}
        assert made == {column.name: column.nullable for column in table.columns}, name
        assert {index["name"] for index in found.get_indexes(name) if "key" not in index["name"]} == {
            index.name for index in table.indexes
        }
    engine.dispose()


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize(("version", "word"), [("0004", "before 1.0"), ("v9_0001", "newer juryrank")])
def test_a_database_of_another_generation_is_left_alone(url, version, word):
    open_storage(url).close()
    engine = connect(url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {schema.VERSION_TABLE} SET version_num = '{version}'")
    engine.dispose()
    with pytest.raises(StorageError, match=word):
        open_storage(url)


@pytest.mark.xdist_group("postgres")
def test_somebody_elses_database_is_left_alone(url):
    engine = connect(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE invoices (id INTEGER)")
    with pytest.raises(StorageError, match="another program"):
        open_storage(url)
    assert inspect(engine).get_table_names() == ["invoices"]
    engine.dispose()


@pytest.mark.parametrize("url", ["", "juryrank.db", "mysql://x/y", "sqlite://", "nonsense://", "://", 7])
def test_what_is_no_storage_is_refused(url):
    with pytest.raises(BadInput, match="is not a storage"):
        open_storage(url)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(StorageError, match="does not exist"):
        open_storage(f"sqlite:///{tmp_path}/no/where.db")


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "letter.db").write_text("Dear all,\n" * 100)
    with pytest.raises(StorageError, match="not a SQLite database"):
        open_storage(f"sqlite:///{tmp_path}/letter.db")
    assert (tmp_path / "letter.db").read_text().startswith("Dear")


def test_a_server_that_is_not_there(tmp_path):
    with pytest.raises(StorageLost, match="cannot be reached"):
        open_storage(f"postgresql://nobody@/none?host={tmp_path}")


def test_a_password_is_never_shown(tmp_path):
    with pytest.raises(StorageLost) as caught:
        open_storage(f"postgresql://nobody:secret123@/none?host={tmp_path}")
    assert "secret123" not in str(caught.value)


def test_a_full_disk_writes_nothing_and_says_so(tmp_path):
    storage = open_storage(f"sqlite:///{tmp_path}/small.db")
    row = storage.create("wines", CREATED)
    pages = storage._engine.connect().exec_driver_sql("PRAGMA page_count").scalar()

    from sqlalchemy import event

    @event.listens_for(storage._engine, "begin")
    def shrink(connection):
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")

    written: list[int] = []

    def fill():
        while len(written) < 100:
            write(storage, row, ("edited", {"text": "x" * 3000}))
            written.append(1)

    with pytest.raises(StorageError, match="disk is full"):
        fill()
    assert len(list(storage.events(row.id))) == 1 + len(written)
    storage.close()
    assert sqlite3.connect(tmp_path / "small.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_read_only_database_is_read_and_not_written(tmp_path):
    path = tmp_path / "fixed.db"
    storage = open_storage(f"sqlite:///{path}")
    row = storage.create("wines", CREATED)
    storage.close()
    engine_url = f"sqlite:///file:{path}?mode=ro&uri=true"
    reader = open_storage(engine_url)
    assert reader.find("wines") == row
    with pytest.raises(StorageError, match="read-only"):
        write(reader, row, ("edited", {}))
    assert len(list(reader.events(row.id))) == 1
    reader.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "mine.db"
    open_storage(f"sqlite:///{path}").close()
    path.chmod(0o400)
    storage = open_storage(f"sqlite:///{path}")
    with pytest.raises(StorageError, match="read-only"):
        storage.create("wines", CREATED)


def test_sqlite_is_durable(tmp_path):
    storage = open_storage(f"sqlite:///{tmp_path}/d.db")
    with storage._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() >= 10_000
    storage.close()


def test_a_new_sqlite_file_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "mine.db"
    before = os.umask(0)
    try:
        storage = open_storage(f"sqlite:///{path}")
        storage.create("wines", CREATED)
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
        storage.close()
        path.chmod(0o640)  # somebody shares it on purpose
        open_storage(f"sqlite:///{path}").close()
        assert path.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)


@pytest.mark.postgres
def test_one_stuck_transaction_stops_no_other_study_and_not_for_ever(postgres_url, monkeypatch):
    monkeypatch.setattr(engine, "LOCK_SECONDS", 1)
    monkeypatch.setattr(engine, "IDLE_SECONDS", 2)
    storage, other = open_storage(postgres_url), open_storage(postgres_url)
    stuck, free = storage.create("stuck", CREATED), storage.create("free", CREATED)
    began, over = threading.Event(), threading.Event()
    lost: list[Exception] = []

    def hold():
        try:
            with storage.turn(stuck.id, after=Head()) as turn:
                turn.append("closed", {})
                began.set()
                over.wait(30)
        except StorageError as problem:
            lost.append(problem)

    holding = threading.Thread(target=hold)
    holding.start()
    assert began.wait(10)
    write(other, free, ("closed", {}))
    with pytest.raises(StorageError, match="kept this study locked"):
        write(other, stuck, ("closed", {}))
    deadline = time.monotonic() + 20
    while True:  # the server ends the idle transaction
        try:
            write(other, stuck, ("reopened", {}))
            break
        except StorageError:
            assert time.monotonic() < deadline
    over.set()
    holding.join()
    assert isinstance(lost[0], StorageLost)
    assert [event.kind for event in other.events(stuck.id)] == ["created", "reopened"]  # nothing of it was written
    storage.close()
    other.close()

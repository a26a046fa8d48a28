"""The tables of a storage, and which version of them a database has."""

from __future__ import annotations

import hashlib

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    text,
)

from juryrank.errors import StorageError, before_first_release

SCHEMA_VERSION = "v1_0001"
VERSION_TABLE = "juryrank_version"

metadata = MetaData()

version = Table(VERSION_TABLE, metadata, Column("version_num", String(32), primary_key=True))

studies = Table(
    "juryrank_studies",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False),
    Column("name_key", String(64), nullable=False, unique=True),
    Column("created_at", String(40), nullable=False),
    sqlite_autoincrement=True,  # the id of a deleted study is never given to another
)

events = Table(
    "juryrank_events",
    metadata,
    Column("study", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(32), nullable=False),
    Column("q", BigInteger),  # the question concerned, for its history
    Column("data", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Column("hash", String(64), nullable=False),
    sqlite_with_rowid=False,
)
Index("juryrank_events_q", events.c.study, events.c.q, sqlite_where=events.c.q.isnot(None))

snapshots = Table(
    "juryrank_snapshots",
    metadata,
    Column("study", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)

people = Table(
    "juryrank_people",
    metadata,
    Column("study", Integer, primary_key=True, autoincrement=False),
    Column("judge_key", String(64), primary_key=True),
    Column("judge", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("address", Text),
)

credentials = Table(
    "juryrank_credentials",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("kind", String(32), nullable=False),
    Column("hash", Text, nullable=False),
    Column("study", Integer, nullable=False),
    Column("judge", Text),
    Column("scope", Text, nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("revoked_at", String(40)),
    Column("expires_at", String(40)),
    Column("parent", Integer),  # the credential with which this one ends: a session's token
    sqlite_autoincrement=True,
)
Index("juryrank_credentials_hash", credentials.c.hash)
Index("juryrank_credentials_study", credentials.c.study)

notes = Table(
    "juryrank_notes",
    metadata,
    Column("study", Integer, primary_key=True, autoincrement=False),
    Column("key", String(200), primary_key=True),
    Column("value", Text, nullable=False),
)

files = Table(
    "juryrank_files",
    metadata,
    Column("study", Integer, primary_key=True, autoincrement=False),
    Column("hash", String(64), primary_key=True),  # SHA-256 of the body
    Column("type", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

OF_ONE_STUDY = (events, snapshots, people, credentials, notes, files)


def key_of(name: str) -> str:
    """How a name is looked up.

    >>> len(key_of("x" * 10_000))
    64
    """
    return hashlib.sha256(name.encode()).hexdigest()


# ----------------------------------------------------------------------------
# A database's schema: is it ours, and which version is it? An empty database gets its tables
MAKING_LOCK = 0x6A757279  # one process at a time makes the tables on PostgreSQL ("jury")


def prepare(engine: Engine) -> None:
    """Make the tables where there are none; refuses a database that is not ours, or of another generation."""
    with engine.connect() as connection:
        found = version_of(connection)
    if found == SCHEMA_VERSION:
        return
    if found is None:
        make(engine)
    elif found.isdigit():
        raise StorageError(
            before_first_release(
                "database",
                f"name one other than {engine.url.database} with --storage, or bring its studies over as votes, "
                "by `study export` with the juryrank that made it and `study import` with this one",
            )
        )
    else:
        raise StorageError(
            f"this database has schema {found}, which a newer juryrank made (this one knows {SCHEMA_VERSION}); "
            "upgrade juryrank"
        )


def version_of(connection: Connection) -> str | None:
    """The schema's version; None: an empty database."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
        if found is not None:
            return str(found)
    elif tables:
        raise StorageError(
            f"this database belongs to another program (it has a table {tables[0]!r} and none of ours); "
            "give a database or file of its own"
        )
    return None


def make(engine: Engine) -> None:
    """Make the tables of an empty database, in one transaction."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:  # kept in the file from now on; cannot change inside a transaction
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            connection.exec_driver_sql("BEGIN")
    with engine.connect().execution_options(juryrank_write=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MAKING_LOCK})
        metadata.create_all(connection)
        if version_of(connection) is None:  # nobody else made them meanwhile
            connection.execute(insert(version).values(version_num=SCHEMA_VERSION))

"""A database's schema: is it ours, and which version is it? An empty database gets its tables."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, insert, inspect, text

from juryrank.errors import StorageError, before_first_release
from juryrank.storage.schema import SCHEMA_VERSION, VERSION_TABLE, metadata, version

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

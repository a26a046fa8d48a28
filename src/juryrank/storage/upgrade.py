"""A database's schema: is it ours, how old is it, and bringing it up to date."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from juryrank.errors import StorageError, before_first_release, need_extra
from juryrank.storage.schema import SCHEMA_VERSION, VERSION_TABLE

UPGRADE_LOCK = 0x6A757279  # one upgrade at a time on PostgreSQL ("jury")


def prepare(engine: Engine) -> None:
    """Make the tables, or upgrade them; refuses a database that is not ours, or of another generation."""
    with engine.connect() as connection:
        version = version_of(connection)
    if version == SCHEMA_VERSION:
        return
    if version is not None and version.isdigit():
        raise StorageError(
            before_first_release(
                "database",
                f"name one other than {engine.url.database} with --storage, or bring its studies over as votes, "
                "by `study export` with the juryrank that made it and `study import` with this one",
            )
        )
    if version is not None and version not in known_versions():
        raise StorageError(
            f"this database has schema {version}, which a newer juryrank made (this one knows up to "
            f"{SCHEMA_VERSION}); upgrade juryrank"
        )
    upgrade(engine, SCHEMA_VERSION)


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


def known_versions() -> list[str]:
    """The versions this program can upgrade from."""
    folder = Path(__file__).parent / "migrations" / "versions"
    return sorted(path.name[: len(SCHEMA_VERSION)] for path in folder.glob("v*.py"))


def upgrade(engine: Engine, version: str) -> None:
    """Run the migrations up to `version` in one transaction."""
    need_extra("alembic", extra="study", what="making or upgrading a study database")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:  # kept in the file from now on; cannot change inside a transaction
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            connection.exec_driver_sql("BEGIN")
    with engine.connect().execution_options(juryrank_write=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, version)

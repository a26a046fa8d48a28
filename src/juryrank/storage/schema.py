"""The tables. A change here needs a new `SCHEMA_VERSION`, and once there is a release, a way from the old one.

Names of any length are looked up by their SHA-256: PostgreSQL's indexes refuse more than 2,700 bytes.
JSON is kept as text, so that every byte that was hashed comes back.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

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

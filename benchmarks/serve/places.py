"""Servers and storages that live as long as a measurement."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator

import httpx

from benchmarks.serve.bare import TABLE


@contextlib.contextmanager
def server(command: list[str], environment: dict[str, str], health: str) -> Iterator[int]:
    """A server of our own, and its process; it is up when `health` answers."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    try:
        _wait(health, process)
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit("the server ended at once")
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(address).status_code < 500:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


@contextlib.contextmanager
def storage(workers: int, *, on_server: bool = False) -> Iterator[tuple[str, str]]:
    """(our storage's URL, the bare endpoint's): SQLite files, or a PostgreSQL server of our own."""
    if workers == 1 and not on_server:
        with tempfile.TemporaryDirectory() as folder:
            sqlite3.connect(f"{folder}/bare.db").execute(TABLE.format(key="integer primary key"))
            yield f"sqlite:///{folder}/jury.db", f"{folder}/bare.db"
        return
    import psycopg
    from tests.postgres import running_server  # the tests know how to start one

    with running_server() as postgres:
        ours, bare = postgres.url(), postgres.url().replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(bare, autocommit=True) as connection:
            connection.execute(TABLE.format(key="bigserial primary key"))
        yield ours, bare

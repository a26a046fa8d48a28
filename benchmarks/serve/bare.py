"""The yardstick: a FastAPI endpoint that does one fsynced insert, started the way the real server is."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from juryrank.defaults import KEEP_ALIVE
from juryrank.server.running import bind

STORAGE = "BARE_STORAGE"  # the environment variable: a SQLite file, or postgresql://...
TABLE = "create table bare (id {key}, body text)"
app = FastAPI()
_local = threading.local()


def on_server() -> bool:
    return os.environ[STORAGE].startswith("postgresql")


def connection() -> Any:
    """This thread's connection; what it commits is on disk."""
    if not hasattr(_local, "connection"):
        if on_server():
            import psycopg

            _local.connection = psycopg.connect(os.environ[STORAGE], autocommit=True)
        else:
            _local.connection = sqlite3.connect(os.environ[STORAGE], isolation_level=None, timeout=30)
            _local.connection.execute("pragma journal_mode=wal")
            _local.connection.execute("pragma synchronous=full")
    return _local.connection


@app.post("/insert")
def insert(body: dict[str, Any]) -> dict[str, bool]:
    mark = "%s" if on_server() else "?"
    connection().execute(f"insert into bare (body) values ({mark})", (str(body),))
    return {"ok": True}


@app.get("/healthz")
def health() -> dict[str, bool]:
    return {"ok": True}


def main(port: int, workers: int) -> None:
    listening = bind("127.0.0.1", port)
    config = uvicorn.Config(
        "benchmarks.serve.bare:app", workers=workers, log_level="warning", timeout_keep_alive=KEEP_ALIVE
    )
    if workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

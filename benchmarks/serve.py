"""Answer-to-next-question under load, beside a bare endpoint that does one fsynced insert under the same arrivals.

    python -m benchmarks.serve                              SQLite, one process
    python -m benchmarks.serve --workers 2                  PostgreSQL, two processes (a server is started here)
    python -m benchmarks.serve --listeners 100              with listeners on the events stream

Loopback only. 200 simulated judges think for 2 to 5 seconds and answer for --seconds; the log is then checked
against what the clients were told: nothing lost, nothing doubled, no 5xx.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from juryrank.server.office import Office
from juryrank.server.settings import ServerSettings
from juryrank.server.vault import Scope
from juryrank.study import Study, create_study

THINKING = (2.0, 5.0)  # seconds, uniform
SITTING = 25  # questions a judge: nobody is done before the clock is
ARRIVING = 5.0  # judges arrive within so many seconds
BARE = """
import os, sqlite3, threading
from fastapi import FastAPI, Request
app, local, lock = FastAPI(), threading.local(), threading.Lock()
URL = os.environ["BARE_STORAGE"]
def database():
    if not hasattr(local, "db"):
        if URL.startswith("postgresql"):
            import psycopg
            local.db = psycopg.connect(URL, autocommit=True)
        else:
            local.db = sqlite3.connect(URL, isolation_level=None, timeout=30)
            local.db.execute("pragma journal_mode=wal"); local.db.execute("pragma synchronous=full")
    return local.db
@app.post("/insert")
def insert(body: dict):
    mark = "%s" if URL.startswith("postgresql") else "?"
    database().execute(f"insert into bare (body) values ({mark})", (str(body),))
    return {"ok": True}
"""


@dataclass
class Measured:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)  # question: answer acknowledged
    failures: list[str] = field(default_factory=list)
    waits: int = 0

    def at(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


# ---------------------------------------------------------------------------- servers
@contextlib.contextmanager
def server(command: list[str], environment: dict[str, str], health: str) -> Iterator[None]:
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        _wait(health, process)
        yield
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
def storage(workers: int) -> Iterator[tuple[str, str]]:
    """(our storage's URL, the bare endpoint's): SQLite files, or a PostgreSQL server of our own."""
    with tempfile.TemporaryDirectory() as folder:
        if workers == 1:
            bare = f"{folder}/bare.db"
            import sqlite3

            sqlite3.connect(bare).execute("create table bare (id integer primary key, body text)")
            yield f"sqlite:///{folder}/jury.db", bare
            return
    import psycopg
    from tests.postgres import running_server  # the tests know how to start one

    with running_server() as postgres:
        ours, bare = postgres.url(), postgres.url().replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(bare, autocommit=True) as connection:
            connection.execute("create table bare (id bigserial primary key, body text)")
        yield ours, bare


# ---------------------------------------------------------------------------- judges
async def judge(client: httpx.AsyncClient, link: str, rng: random.Random, until: float, seen: Measured) -> None:
    """Arrive, open the page, think, answer, and so on."""
    await asyncio.sleep(rng.uniform(0, ARRIVING))
    card = (await client.get(f"{link}/next")).json()
    while time.monotonic() < until:
        await asyncio.sleep(rng.uniform(*THINKING))
        if not card.get("question"):
            seen.waits += 1
            card = (await client.get(f"{link}/next")).json()
            continue
        question, answer = card["question"]["id"], rng.choice(["left", "right"])
        sent = {"question": question, "answer": answer, "response_time": 3.0}
        began = time.perf_counter()
        reply = await client.post(f"{link}/answer", json=sent, headers={"Accept": "application/json"})
        seen.seconds.append(time.perf_counter() - began)
        if reply.status_code != 200:
            seen.failures.append(f"{reply.status_code} {reply.text[:100]}")
            continue
        seen.told[question] = answer
        card = reply.json()


async def inserter(
    client: httpx.AsyncClient, address: str, rng: random.Random, until: float, seen: Measured
) -> None:
    await asyncio.sleep(rng.uniform(0, ARRIVING))
    while time.monotonic() < until:
        await asyncio.sleep(rng.uniform(*THINKING))
        began = time.perf_counter()
        reply = await client.post(address, json={"question": "1", "answer": "left"})
        seen.seconds.append(time.perf_counter() - began)
        if reply.status_code != 200:
            seen.failures.append(str(reply.status_code))


async def listener(client: httpx.AsyncClient, address: str, token: str, until: float) -> int:
    heard = 0
    async with client.stream("GET", address, headers={"Authorization": f"Bearer {token}"}) as stream:
        async for line in stream.aiter_lines():
            heard += line.startswith("event: change")
            if time.monotonic() > until:
                return heard
    return heard


async def crowd(
    links: list[str], seconds: float, *, events: str = "", token: str = "", listeners: int = 0
) -> Measured:
    seen, until = Measured(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:
        listening = [asyncio.create_task(listener(client, events, token, until)) for _ in range(listeners)]
        await asyncio.gather(*(judge(client, link, random.Random(k), until, seen) for k, link in enumerate(links)))
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    return seen


async def bare_crowd(address: str, judges: int, seconds: float) -> Measured:
    seen, until = Measured(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:
        await asyncio.gather(*(inserter(client, address, random.Random(k), until, seen) for k in range(judges)))
    return seen


# ---------------------------------------------------------------------------- checking
def checked(study: Study, seen: Measured) -> tuple[int, int]:
    """(lost, doubled): the log against what the clients were told."""
    logged: dict[str, list[str]] = {}
    for event in study.events():
        if event.kind == "told":
            logged.setdefault(str(event.data["q"]), []).append(event.data["answer"])
    lost = sum(logged.get(question, [None])[0] != answer for question, answer in seen.told.items())
    doubled = sum(len(given) > 1 for given in logged.values())
    return lost, doubled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--listeners", type=int, default=0)
    wish = parser.parse_args()
    with storage(wish.workers) as (ours, bare), tempfile.TemporaryDirectory() as folder:
        office = Office.open(ServerSettings(storage=ours))
        study = create_study(
            [f"item {k}" for k in range(wish.items)],
            name="load",
            judges=[f"judge {k}" for k in range(wish.judges)],
            ranker="panel",
            error=0.1,
            storage=office.storage,
            seed=1,
            options={"objective": "ranges", "sitting": SITTING},
        )
        secrets = office.vault.issue_links(study.id, study.judges)
        token = office.vault.issue_token(Scope.READ)[1]
        port, bare_port = 18765, 18766
        address = f"http://127.0.0.1:{port}"
        links = [f"{address}/j/{secret}" for secret in secrets.values()]
        command = [sys.executable, "-m", "juryrank", "serve", "--storage", ours, "--port", str(port)]
        command += ["--workers", str(wish.workers)]
        with server(command, {"JURYRANK_PASSWORD": "a long password"}, f"{address}/healthz"):
            events = f"{address}/api/v1/studies/{study.id}/events"
            seen = asyncio.run(crowd(links, wish.seconds, events=events, token=token, listeners=wish.listeners))
        lost, doubled = checked(study, seen)
        Path(folder, "bare_app.py").write_text(BARE)
        command = [sys.executable, "-m", "uvicorn", "bare_app:app", "--port", str(bare_port)]
        command += ["--log-level", "warning", "--timeout-keep-alive", "75", "--app-dir", folder]
        command += ["--workers", str(wish.workers)]
        environment = {"BARE_STORAGE": bare, "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"}
        with server(command, environment, f"http://127.0.0.1:{bare_port}/docs"):
            plain = asyncio.run(bare_crowd(f"http://127.0.0.1:{bare_port}/insert", wish.judges, wish.seconds))
    print(
        json.dumps(
            {
                "judges": wish.judges,
                "seconds": wish.seconds,
                "workers": wish.workers,
                "storage": ours.partition(":")[0],
                "listeners": wish.listeners,
                "answers": len(seen.seconds),
                "polls without a question": seen.waits,
                "failures": len(seen.failures),
                "first failures": seen.failures[:3],
                "lost": lost,
                "doubled": doubled,
                "answer to next question, ms": {f"p{p}": round(seen.at(p / 100), 1) for p in (50, 95, 99)},
                "bare insert, ms": {f"p{p}": round(plain.at(p / 100), 1) for p in (50, 95, 99)},
                "p99 over bare p50": round(seen.at(0.99) / plain.at(0.5), 1),
                "limit": 10,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()

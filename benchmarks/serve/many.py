"""Many judges of many studies on one PostgreSQL, served by one process or more: `python -m benchmarks.serve.many`.

    --studies 20 --judges 2000 --every 5 --seconds 120 --workers 2     everybody answers every five seconds
    --studies 1 --judges 200 --every 5                                 all of one study
    --studies 20 --judges 600 --hands 16 --seconds 15 --workers 1,2,4  as many answers as it takes: no thinking

Loopback only. Answers of the first --arriving seconds are checked like all others, and not timed. The log is then
held against what the clients were told. Processor time per answer is read from /proc, for the server, the
database and the load generator; how long an answer waits for what, from samples of `pg_stat_activity`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.serve.bare import STORAGE
from benchmarks.serve.crowd import Measured, answered, checked, inserter, judge, started
from benchmarks.serve.places import server, storage
from benchmarks.serve.wire import wire
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.study import Study, create_study

PORT, BARE_PORT = 18765, 18766
UNEVEN = 0.4  # of the time between two answers, up and down
SITTING = 40  # questions per judge: nobody is done within two minutes
SAMPLE_SECONDS = 0.05
TICKS = os.sysconf("SC_CLK_TCK")
SAMPLED = (
    "select case when wait_event = 'advisory' then 'waiting for the lock of the study' "
    "when state = 'idle in transaction' then 'holding it while Python works' "
    "when wait_event in ('WalSync', 'WALSync', 'WALWrite', 'WalWrite') then 'writing to disk' "
    "when wait_event_type = 'LWLock' then 'waiting for the database itself' "
    "else 'running a statement' end, count(*) from pg_stat_activity "
    "where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid() group by 1"
)


class Samples(threading.Thread):
    """What the database's connections are doing, every now and then."""

    def __init__(self, url: str, begins: float) -> None:
        super().__init__(daemon=True)
        self.url, self.begins, self.looks, self.found, self.running = url, begins, 0, Counter[str](), True

    def run(self) -> None:
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            while self.running:
                time.sleep(SAMPLE_SECONDS)
                if time.monotonic() >= self.begins:
                    self.looks += 1
                    for what, count in connection.execute(SAMPLED):
                        self.found[what] += count

    def per_answer(self, rate: float) -> dict[str, float]:
        """Milliseconds per answer: by Little's law, how many were at it at a time, over answers per second."""
        return {what: round(1000 * count / self.looks / rate, 2) for what, count in self.found.most_common()}


def processor_seconds(root: int) -> float:
    """Of a process and all below it, those that have ended included; of this one, its own."""
    if root == os.getpid():
        return time.process_time()
    below = Path(f"/proc/{root}/task")
    try:
        fields = Path(f"/proc/{root}/stat").read_text().rpartition(")")[2].split()
        children = [int(pid) for task in below.iterdir() for pid in (task / "children").read_text().split()]
    except OSError:
        return 0.0
    return sum(int(value) for value in fields[11:15]) / TICKS + sum(map(processor_seconds, children))


def studies_on(url: str, studies: int, judges: int, items: int) -> tuple[list[Study], list[list[str]]]:
    """The studies, and the secrets of each one's judges."""
    office = Context.open(ServerSettings(storage=url))
    made, secrets = [], []
    for k in range(studies):
        names = [f"judge {u}" for u in range(judges // studies)]
        study = create_study(
            [f"item {i}" for i in range(items)], name=f"load {k}", judges=names, ranker="panel", error=0.1,
            storage=office.storage, seed=k, options={"objective": "ranges", "sitting": SITTING},
        )  # fmt: skip
        made.append(study)
        secrets.append(list(office.vault.issue_links(study.id, study.judges).values()))
    return made, secrets


async def thinkers(links: list[list[str]], every: float, arriving: float, seconds: float) -> list[Measured]:
    """Every judge answers about every so many seconds."""
    until, seen = time.monotonic() + arriving + seconds, [Measured() for _ in links]
    how: dict[str, Any] = {"thinking": ((1 - UNEVEN) * every, (1 + UNEVEN) * every), "arriving": arriving}
    await asyncio.gather(
        *(
            judge(link, random.Random(f"{at} {k}"), until, seen[at], **how)
            for at, mine in enumerate(links)
            for k, link in enumerate(mine)
        )
    )
    return seen


async def hands(links: list[list[str]], number: int, arriving: float, seconds: float) -> list[Measured]:
    """So many at a time, without thinking: each plays its share of the judges, one answer of each in turn."""
    until, seen = time.monotonic() + arriving + seconds, [Measured() for _ in links]
    everybody = [(link, at) for mine in zip(*links, strict=True) for at, link in enumerate(mine)]

    async def one(mine: list[tuple[str, int]]) -> None:
        async with AsyncExitStack() as stack:
            rngs = [random.Random(link) for link, _ in mine]
            clients = [await stack.enter_async_context(wire(rng)) for rng in rngs]
            cards = [await started(client, link) for client, (link, _) in zip(clients, mine, strict=True)]
            for k in cycle(range(len(mine))):
                if time.monotonic() >= until:
                    return
                link, at = mine[k]
                cards[k] = await answered(clients[k], link, cards[k], rngs[k], seen[at])

    await asyncio.gather(*(one(everybody[k::number]) for k in range(number)))
    return seen


async def bare(address: str, every: float, judges: int, seconds: float) -> Measured:
    """The bare endpoint under the same arrivals."""
    seen, until = Measured(), time.monotonic() + 2 * every + seconds
    thinking = ((1 - UNEVEN) * every, (1 + UNEVEN) * every)
    await asyncio.gather(
        *(
            inserter(address, random.Random(k), until, seen, thinking=thinking, arriving=every)
            for k in range(judges)
        )
    )
    return seen


def one_run(wish: argparse.Namespace, workers: int) -> dict[str, Any]:
    """Some minutes of answers, then some of the bare endpoint, on a new database."""
    with storage(workers, on_server=True) as (ours, plain):
        studies, secrets = studies_on(ours, wish.studies, wish.judges, wish.items)
        address, other = f"http://127.0.0.1:{PORT}", f"http://127.0.0.1:{BARE_PORT}"
        links = [[f"{address}/j/{secret}" for secret in mine] for mine in secrets]
        command = [sys.executable, "-m", "juryrank", "serve", "--storage", ours, "--port", str(PORT)]
        command += ["--workers", str(workers)]
        with server(command, {"JURYRANK_PASSWORD": "a long password"}, f"{address}/healthz") as pid:
            begun, places = (
                time.perf_counter(),
                {"server": pid, "database": database_of(plain), "clients": os.getpid()},
            )
            samples = Samples(plain, time.monotonic() + wish.arriving)
            samples.start()
            used = {name: processor_seconds(place) for name, place in places.items()}
            if wish.hands:
                seen = asyncio.run(hands(links, wish.hands, wish.arriving, wish.seconds))
            else:
                seen = asyncio.run(thinkers(links, wish.every, wish.arriving, wish.seconds))
            used = {name: processor_seconds(place) - used[name] for name, place in places.items()}
            samples.running = False
            samples.join()
        lost, doubled = map(sum, zip(*(checked(*pair) for pair in zip(studies, seen, strict=True)), strict=True))
        found: dict[str, Any] = {"studies": wish.studies, "processes": workers}
        everything = merged(seen)
        timed = everything.only(lambda at: begun + wish.arriving <= at < begun + wish.arriving + wish.seconds)
        rate = len(timed.seconds) / wish.seconds
        found |= {"answers per second": round(rate, 1), "answer to next question, ms": timed.summary()}
        found |= {"lost": lost, "doubled": doubled, "failures": len(everything.failures)}
        found |= {"first failures": everything.failures[:3]} if everything.failures else {}
        answers = len(everything.seconds)
        if any(one.waits for one in seen):
            found["polls without a question"] = sum(one.waits for one in seen)
        found["processor, ms per answer"] = {name: round(1000 * one / answers, 2) for name, one in used.items()}
        found["in the database, ms per answer"] = samples.per_answer(rate)
        if wish.bare:
            command = [sys.executable, "-m", "benchmarks.serve.bare", str(BARE_PORT), str(workers)]
            with server(command, {STORAGE: plain}, f"{other}/healthz"):
                plainly = asyncio.run(bare(f"{other}/insert", wish.every, wish.judges, wish.bare))
            found["bare insert, ms"] = plainly.summary()
            found["p99 over bare p50"] = round(timed.quantile(0.99) / plainly.quantile(0.5), 1)
    return found


def merged(seen: list[Measured]) -> Measured:
    """What all of them saw."""
    all_of = Measured()
    for one in seen:
        all_of.seconds += one.seconds
        all_of.at += one.at
        all_of.failures += one.failures
    return all_of


def database_of(url: str) -> int:
    """The process above all of the database's."""
    import psycopg

    with psycopg.connect(url) as connection:
        found = connection.execute("select current_setting('data_directory')").fetchone()
    assert found is not None
    return int(Path(found[0], "postmaster.pid").read_text().split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=20)
    parser.add_argument("--judges", type=int, default=2000, help="of all studies together")
    parser.add_argument("--every", type=float, default=5, help="seconds from a judge's answer to the next")
    parser.add_argument("--hands", type=int, default=0, help="instead: so many who do not think")
    parser.add_argument("--seconds", type=float, default=30, help="how long answers are timed")
    parser.add_argument("--arriving", type=float, default=10, help="seconds within which judges arrive, not timed")
    parser.add_argument("--bare", type=float, default=0, help="seconds of the bare endpoint afterwards")
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--workers", default="1", help="server processes; several runs: 1,2,4")
    wish = parser.parse_args()
    gc.collect()
    gc.freeze()  # the clients' own pauses are not the server's
    for workers in map(int, wish.workers.split(",")):
        print(json.dumps(one_run(wish, workers)), flush=True)


if __name__ == "__main__":
    main()

"""How fast a study is: acknowledged tells against bare fsynced inserts, refolding, opening.

    python -m benchmarks.storage [--answers 600] [--replay 100000] [--only sqlite|postgresql]

Ratios, not speeds, are what to compare: both sides write to the same disk in the same run, in turns.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from juryrank.log import GENESIS, Event, Head, chained, settings
from juryrank.rankers.contract.roster import side_of
from juryrank.rankers.registry import make_ranker
from juryrank.storage import open_storage
from juryrank.storage.base import Storage
from juryrank.storage.values import utc
from juryrank.study import Study, create_study
from juryrank.study import state as states

BLOCK = 50  # tells and bare inserts take turns in blocks of so many
BARE_ROW = "x" * 200  # about what an answer's row holds
REPLAYED = {"ada-iir": 100, "certified": 4000}  # ranker -> items, so many that 100,000 answers do not end it
JUDGES = [f"judge {k}" for k in range(9)]


# ---------------------------------------------------------------------- tells
@contextmanager
def bare_sqlite(folder: Path) -> Iterator[Callable[[], None]]:
    """One fsynced single-row insert, as bare as SQLite allows."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, body TEXT)")
    yield lambda: connection.execute("INSERT INTO bare (body) VALUES (?)", (BARE_ROW,)) and None
    connection.close()


@contextmanager
def bare_postgresql(url: str) -> Iterator[Callable[[], None]]:
    """The same on PostgreSQL: one statement, committed by itself."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE bare (id SERIAL PRIMARY KEY, body TEXT)")
        yield lambda: connection.execute("INSERT INTO bare (body) VALUES (%s)", (BARE_ROW,)) and None


def tells_and_inserts(study: Study, insert: Callable[[], None], *, answers: int) -> tuple[float, float]:
    """Seconds for all tells (the tells alone: asking is not timed), and for as many bare inserts."""
    telling = inserting = 0.0
    for k in range(answers):
        question = study.ask()
        assert question is not None
        began = time.perf_counter()
        study.tell(question, question.left)
        telling += time.perf_counter() - began
        if k % BLOCK == BLOCK - 1:
            began = time.perf_counter()
            for _ in range(BLOCK):
                insert()
            inserting += time.perf_counter() - began
    return telling, inserting


def throughput(name: str, url: str, insert: Callable[[], None], *, answers: int) -> None:
    """Print one line for each ranker."""
    storage = open_storage(url)
    for ranker in ("ada-iir", "certified"):
        items = [f"item {k}" for k in range(100)]
        study = create_study(items, name=ranker, judges=JUDGES, ranker=ranker, storage=storage, seed=1)
        telling, inserting = tells_and_inserts(study, insert, answers=answers)
        print(
            f"{name:11} {ranker:10} {answers / telling:8.0f} tells/s  {answers / inserting:8.0f} bare inserts/s  "
            f"ratio {inserting / telling:.2f}",
            flush=True,
        )
    storage.close()


# ---------------------------------------------------------------------- refolding
def long_log(ranker_name: str, *, answers: int, items: int) -> list[Event]:
    """A log of so many answers, eight questions open at once (made without a storage: quicker)."""
    names = [f"item {k:05}" for k in range(items)]
    created = settings(names, judges=JUDGES, ranker=ranker_name, error=0.1, seed=1)
    ranker, rng = make_ranker(ranker_name, names, judges=JUDGES, error=0.1, seed=1), random.Random(1)
    log = [chained(GENESIS, 1, "created", created, utc(0))]
    out, told, at = [], 0, utc(1)

    def add(kind: str, data: dict[str, object]) -> None:
        log.append(chained(log[-1].hash, len(log) + 1, kind, data, at))

    while told < answers:
        question = ranker.ask() if len(out) < 8 else None
        if question is not None:
            out.append(question)
            pair = {"judge": question.judge, "left": question.left, "right": question.right}
            add("asked", {"q": question.id, **pair, "terms": dict(question.terms), "deadline": None})
            continue
        if not out:
            break
        question = out.pop(rng.randrange(len(out)))
        better = min(question.left, question.right)
        answer = better if rng.random() < 0.9 else max(question.left, question.right)
        ranker.tell(question, answer)
        add("told", {"q": question.id, "answer": side_of(question, answer)})
        told += 1
    return log


def replay(ranker: str, *, answers: int, items: int) -> None:
    """Write a long log to SQLite; time the refold, and opening with a snapshot."""
    log = long_log(ranker, answers=answers, items=items)
    with tempfile.TemporaryDirectory() as folder:
        storage = open_storage(f"sqlite:///{folder}/long.db")
        study = _stored(storage, log)
        began, began_cpu = time.perf_counter(), time.process_time()
        state = states.load(storage, study)
        state.settle()
        refold, refold_cpu = time.perf_counter() - began, time.process_time() - began_cpu
        expected = state.settle().ranker.ask()
        fresh = states.load(storage, study)
        states.save(storage, study, fresh)
        began, began_cpu = time.perf_counter(), time.process_time()
        opened = states.load(storage, study)
        question = opened.settle().ranker.ask()
        opening, opening_cpu = time.perf_counter() - began, time.process_time() - began_cpu
        assert question == expected, "a refold must ask the very next question"
        told = sum(event.kind == "told" for event in log)
        print(
            f"{ranker:10} {items:5} items, {told} answers: refold {refold:.1f} s (CPU {refold_cpu:.1f}), "
            f"open with a snapshot {opening:.2f} s (CPU {opening_cpu:.2f})",
            flush=True,
        )
        storage.close()


def _stored(storage: Storage, log: list[Event]) -> int:
    row = storage.create("long", log[0].data)
    with storage.turn(row.id, after=Head()) as turn:
        for event in log[1:]:
            turn.append(event.kind, event.data)
    return row.id


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=600, help="tells per ranker and storage")
    parser.add_argument("--replay", type=int, default=100_000, help="answers to refold; 0: none")
    parser.add_argument("--only", choices=("sqlite", "postgresql", "replay"))
    parser.add_argument("--ranker", choices=tuple(REPLAYED), help="refold only this one's log")
    parser.add_argument("--items", type=int, help="how many items that log is about")
    asked = parser.parse_args()
    if asked.only in (None, "sqlite"):
        with tempfile.TemporaryDirectory() as folder, bare_sqlite(Path(folder)) as insert:
            throughput("sqlite", f"sqlite:///{folder}/studies.db", insert, answers=asked.answers)
    if asked.only in (None, "postgresql"):
        from tests.postgres import running_server

        with running_server() as server, bare_postgresql(server.url()) as insert:
            throughput("postgresql", server.url(), insert, answers=asked.answers)
    if asked.only in (None, "replay") and asked.replay:
        for ranker, items in REPLAYED.items():
            if asked.ranker in (None, ranker):
                replay(ranker, answers=asked.replay, items=asked.items or items)


if __name__ == "__main__":
    main()

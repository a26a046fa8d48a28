"""Answers that were paid for before: the same study run again costs nothing.

The key holds the judge's name and settings, the whole prompt, the study and the number of the draw: two draws of
one question are two answers, also of two judges with the same settings, and no study sees another's. No secret is
in it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from juryrank.errors import JudgeUnreachable, JudgeUnusable, StorageError
from juryrank.judges.models.settings import ModelSettings

logger = logging.getLogger("juryrank")


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Which answer of a model: for which study (or probe), and which of its answers to the same question."""

    scope: str
    number: int = 0
    turned: bool = False  # asked on the other side too: this is that one


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the cache keeps it."""

    outcome: str  # a verdict word, "refused" or "failed"
    input_tokens: int
    output_tokens: int
    text: str = ""
    why: str = ""  # of a failure


@dataclass(frozen=True, slots=True)
class Outage:
    """Why a draw has no answer: the endpoint could not be asked."""

    why: str
    unusable: bool = False  # it could not be asked at all

    @property
    def problem(self) -> JudgeUnreachable:
        """The same as the error that it was."""
        return (JudgeUnusable if self.unusable else JudgeUnreachable)(self.why)


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A call that was put into a batch, and what came of it, once that is known."""

    batch: str
    result: str


@dataclass(frozen=True, slots=True)
class SentBatch:
    """A batch by its endpoint's name ("": it may not have arrived), and when it was made."""

    remote: str
    made: float


def cache_path() -> Path:
    """Where answers are kept, for all studies of this user."""
    base = os.environ.get("JURYRANK_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "juryrank" / "models.db"


def key_of(settings: ModelSettings, text: str, draw: AnswerKey) -> str:
    """The cache's key of one answer."""
    which = [settings.name, settings.identity(), text, draw.scope, draw.number, draw.turned]
    whole = json.dumps(which, sort_keys=True, default=str)
    return hashlib.sha256(whole.encode(errors="replace")).hexdigest()


class Cache:
    """A small SQLite file, readable by its owner alone; shared by processes and threads."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_path()
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None

    def get(self, key: str) -> Kept | None:
        """The answer under this key."""
        row = self._run("SELECT answer FROM answers WHERE key = ?", key).fetchone()
        try:
            return None if row is None else Kept(**json.loads(row[0]))
        except (TypeError, ValueError):  # of another version: asked again, and kept as this one writes it
            self._run("DELETE FROM answers WHERE key = ?", key)
            return None

    def put(self, key: str, judge: str, kept: Kept) -> None:
        """Keep an answer; the first one under a key stays."""
        answer = json.dumps(asdict(kept), ensure_ascii=False)
        self._run("INSERT OR IGNORE INTO answers (key, judge, answer) VALUES (?, ?, ?)", key, judge, answer)

    def seed(self, scope: str, drawn: int) -> int:
        """The seed of a ranking: the first one drawn for it, so that the same questions come again."""
        self._run("INSERT OR IGNORE INTO seeds (scope, seed) VALUES (?, ?)", scope, str(drawn))
        return int(self._run("SELECT seed FROM seeds WHERE scope = ?", scope).fetchone()[0])

    def outages(self, run: str, judge: str) -> dict[str, Outage]:
        """The draws that this run was proven without."""
        rows = self._run("SELECT key, why, unusable FROM outages WHERE run = ? AND judge = ?", run, judge)
        return {key: Outage(why, unusable=unusable == "yes") for key, why, unusable in rows.fetchall()}

    def keep_outages(self, run: str, judge: str, outages: Mapping[str, Outage]) -> None:
        """Keep the draws that this run was proven without; empty: all are to be asked again."""
        self._run("DELETE FROM outages WHERE run = ? AND judge = ?", run, judge)
        for key, each in outages.items():
            how = (run, judge, key, each.why, "yes" if each.unusable else "")
            self._run("INSERT INTO outages (run, judge, key, why, unusable) VALUES (?, ?, ?, ?, ?)", *how)

    # ------------------------------------------------------------------ batches
    def line(self, line: str) -> BatchLine | None:
        """The batch that a line is in; None: it is in none."""
        row = self._run("SELECT batch, result FROM lines WHERE line = ? AND batch != ''", line).fetchone()
        return None if row is None else BatchLine(*row)

    def tries(self, line: str) -> int:
        """How many batches have brought no answer to this line."""
        row = self._run("SELECT tries FROM lines WHERE line = ?", line).fetchone()
        return 0 if row is None else int(row[0])

    def begin_batch(self, name: str, *, judge: str, address: str, lines: Iterable[str]) -> list[str]:
        """Put a batch on record before it is sent; returns its lines: those that are in no other one."""
        wanted, taken = list(lines), []
        with self._together() as database:
            for line in wanted:
                database.execute("INSERT OR IGNORE INTO lines (line, judge) VALUES (?, ?)", (line, judge))
                found = database.execute("UPDATE lines SET batch = ? WHERE line = ? AND batch = ''", (name, line))
                taken += [line] * found.rowcount
            if taken:
                database.execute(
                    "INSERT INTO batches (name, judge, address, made) VALUES (?, ?, ?, ?)",
                    (name, judge, address, time.time()),
                )
        return taken

    def sent_batch(self, name: str, remote: str) -> None:
        """The endpoint has taken a batch, under a name of its own."""
        self._run("UPDATE batches SET remote = ? WHERE name = ?", remote, name)

    def sent(self, name: str) -> SentBatch:
        """What is known of a batch."""
        row = self._run("SELECT remote, made FROM batches WHERE name = ?", name).fetchone()
        return SentBatch("", 0.0) if row is None else SentBatch(*row)

    def remotes(self, address: str) -> set[str]:
        """The batches that are on record, by their endpoint's names."""
        return {row[0] for row in self._run("SELECT remote FROM batches WHERE address = ?", address).fetchall()}

    def lines_of(self, name: str) -> list[str]:
        """The lines of a batch."""
        return [row[0] for row in self._run("SELECT line FROM lines WHERE batch = ?", name).fetchall()]

    def end_batch(self, name: str, results: Mapping[str, str], *, digest: str) -> None:
        """Keep all that came of a batch; the first result of a line stays."""
        with self._together() as database:
            for line, result in results.items():
                database.execute(
                    "UPDATE lines SET result = ? WHERE line = ? AND batch = ? AND result = ''",
                    (result, line, name),
                )
            database.execute("UPDATE batches SET digest = ? WHERE name = ?", (digest, name))

    def release_line(self, line: str, *, tried: bool) -> None:
        """A line is in no batch any more, so the next one may take it; `tried`: the last one brought no answer."""
        self._run(
            "UPDATE lines SET batch = '', result = '', tries = tries + ? WHERE line = ?", str(int(tried)), line
        )

    def drop_batch(self, name: str) -> None:
        """A batch is not there, and never was or will be."""
        with self._together() as database:
            database.execute("UPDATE lines SET batch = '' WHERE batch = ? AND result = ''", (name,))
            database.execute("DELETE FROM batches WHERE name = ?", (name,))

    def summary(self) -> dict[str, Any]:
        """How many answers by judge, and how large the file is."""
        if not self.path.exists():
            return {"path": str(self.path), "bytes": 0, "judges": {}}
        rows = self._run("SELECT judge, count(*) FROM answers GROUP BY judge ORDER BY judge").fetchall()
        parts = [self.path, *self.path.parent.glob(f"{self.path.name}-*")]
        return {"path": str(self.path), "bytes": sum(each.stat().st_size for each in parts), "judges": dict(rows)}

    def clear(self, judge: str | None = None) -> int:
        """Forget the answers of a judge, or all; returns how many."""
        if not self.path.exists():
            return 0
        if judge is None:
            gone = self._run("DELETE FROM answers").rowcount
            self._run("DELETE FROM seeds")
            for table in ("outages", "batches", "lines"):
                self._run(f"DELETE FROM {table}")
        else:
            gone = self._run("DELETE FROM answers WHERE judge = ?", judge).rowcount
            for table in ("outages", "batches", "lines"):
                self._run(f"DELETE FROM {table} WHERE judge = ?", judge)
        self._run("VACUUM")
        return gone

    # ------------------------------------------------------------------ the file
    def _run(self, statement: str, *values: str) -> sqlite3.Cursor:
        """Run one statement; a file that is no longer a database is moved aside, and a new one is begun."""
        with self._lock:
            try:
                return self._open().execute(statement, values)
            except sqlite3.OperationalError as problem:
                raise self._unusable(problem) from problem
            except sqlite3.DatabaseError as problem:
                self._put_aside(problem)
                return self._open().execute(statement, values)

    @contextmanager
    def _together(self) -> Iterator[sqlite3.Connection]:
        """Several statements, all of them or none."""
        with self._lock:
            try:
                database = self._open()
                database.execute("BEGIN IMMEDIATE")
                with database:
                    yield database
            except sqlite3.DatabaseError as problem:
                raise self._unusable(problem) from problem

    def _unusable(self, problem: Exception) -> StorageError:
        return StorageError(
            f"the cache of models' answers, {self.path}, cannot be used ({problem}); name another folder with "
            "JURYRANK_CACHE, or leave the cache out"
        )

    def _put_aside(self, problem: Exception) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
        aside = self.path.with_name(f"{self.path.name}.damaged")
        self.path.replace(aside)
        for part in self.path.parent.glob(f"{self.path.name}-*"):  # SQLite's own, of the damaged file
            part.unlink()
        logger.warning("the cache of models' answers was damaged (%s): a new one is begun, see %s", problem, aside)

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
            self._database = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, judge TEXT, answer TEXT)"
            )
            self._database.execute("CREATE TABLE IF NOT EXISTS seeds (scope TEXT PRIMARY KEY, seed TEXT)")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS outages (run TEXT, judge TEXT, key TEXT, why TEXT, unusable TEXT)"
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS batches (name TEXT PRIMARY KEY, judge TEXT, address TEXT, "
                "remote TEXT DEFAULT '', made REAL, digest TEXT DEFAULT '')"
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS lines (line TEXT PRIMARY KEY, judge TEXT, batch TEXT DEFAULT '', "
                "result TEXT DEFAULT '', tries INTEGER DEFAULT 0)"
            )
        return self._database

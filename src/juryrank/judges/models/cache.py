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
from collections.abc import Mapping
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
            self._run("DELETE FROM outages")
        else:
            gone = self._run("DELETE FROM answers WHERE judge = ?", judge).rowcount
            self._run("DELETE FROM outages WHERE judge = ?", judge)
        self._run("VACUUM")
        return gone

    # ------------------------------------------------------------------ the file
    def _run(self, statement: str, *values: str) -> sqlite3.Cursor:
        """Run one statement; a file that is no longer a database is moved aside, and a new one is begun."""
        with self._lock:
            try:
                return self._open().execute(statement, values)
            except sqlite3.OperationalError as problem:
                raise StorageError(
                    f"the cache of models' answers, {self.path}, cannot be used ({problem}); name another folder "
                    "with JURYRANK_CACHE, or leave the cache out"
                ) from problem
            except sqlite3.DatabaseError as problem:
                self._put_aside(problem)
                return self._open().execute(statement, values)

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
        return self._database

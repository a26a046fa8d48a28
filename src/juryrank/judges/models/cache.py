"""Answers that were paid for before: the same study run again costs nothing.

The key holds the judge's name and settings, the whole prompt, the study and the number of the draw: two draws of
one question are two answers, also of two judges with the same settings, and no study sees another's. No secret is
in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from juryrank.judges.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Which answer of a model: of which study (or probe), and which of its answers to the same question."""

    scope: str
    number: int = 0
    turned: bool = False  # asked on the other side too: this is that one


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the cache keeps it."""

    outcome: str  # a verdict word, or "refused"
    input_tokens: int
    output_tokens: int
    text: str = ""


def cache_path() -> Path:
    """Where answers are kept, for all studies of this user."""
    base = os.environ.get("JURYRANK_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "juryrank" / "models.db"


def key_of(settings: ModelSettings, text: str, draw: AnswerKey) -> str:
    """The name of one answer."""
    which = [settings.name, settings.identity(), text, draw.scope, draw.number, draw.turned]
    whole = json.dumps(which, sort_keys=True, default=str)
    return hashlib.sha256(whole.encode(errors="replace")).hexdigest()


class Cache:
    """A small SQLite file, readable by its owner alone; shared by processes and threads."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_path()
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None

    def get(self, key: str) -> tuple[Kept, int] | None:
        """The answer of this key, and its place: answers are kept in the order in which they came."""
        with self._lock:
            row = self._open().execute("SELECT answer, rowid FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else (Kept(**json.loads(row[0])), row[1])

    def put(self, key: str, judge: str, kept: Kept) -> int:
        """Keep an answer; the first one of a key stays. Gives back its place."""
        with self._lock:
            done = self._open().execute(
                "INSERT OR IGNORE INTO answers (key, judge, answer) VALUES (?, ?, ?)",
                (key, judge, json.dumps(asdict(kept), ensure_ascii=False)),
            )
            return done.lastrowid or 0

    def seed(self, scope: str, drawn: int) -> int:
        """The seed of what is ranked: the first one drawn for it, so that the same questions come again."""
        with self._lock:
            self._open().execute("INSERT OR IGNORE INTO seeds (scope, seed) VALUES (?, ?)", (scope, str(drawn)))
            row = self._open().execute("SELECT seed FROM seeds WHERE scope = ?", (scope,)).fetchone()
        return int(row[0])

    def summary(self) -> dict[str, Any]:
        """How many answers by judge, and how large the file is."""
        if not self.path.exists():
            return {"path": str(self.path), "bytes": 0, "judges": {}}
        with self._lock:
            rows = (
                self._open()
                .execute("SELECT judge, count(*) FROM answers GROUP BY judge ORDER BY judge")
                .fetchall()
            )
        parts = [self.path, *self.path.parent.glob(f"{self.path.name}-*")]
        return {"path": str(self.path), "bytes": sum(each.stat().st_size for each in parts), "judges": dict(rows)}

    def clear(self, judge: str | None = None) -> int:
        """Forget the answers of a judge, or all; how many."""
        if not self.path.exists():
            return 0
        with self._lock:
            condition = ("", ()) if judge is None else (" WHERE judge = ?", (judge,))
            gone = self._open().execute(f"DELETE FROM answers{condition[0]}", condition[1]).rowcount
            if judge is None:
                self._open().execute("DELETE FROM seeds")
            self._open().execute("VACUUM")
        return gone

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
        return self._database

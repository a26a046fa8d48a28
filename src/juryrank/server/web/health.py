"""Is the server well? A cheap read, and a trial write that is made at most every few seconds."""

from __future__ import annotations

import threading
import time

from juryrank.errors import JuryrankError
from juryrank.storage.base import Storage

WRITE_SECONDS = 5.0  # between two trial writes: monitors may ask as often as they like
TRIAL_NOTE = "server/health"


class Health:
    """What monitors ask for."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._tried: float | None = None
        self._wrote = False

    def answers(self) -> bool:
        """Does the database answer?"""
        try:
            self._storage.note(TRIAL_NOTE)
        except JuryrankError:
            return False
        return True

    def writes(self) -> bool:
        """Does it take a write? A full or read-only disk is found here and not by the first judge."""
        with self._lock:
            if self._tried is None or time.monotonic() - self._tried >= WRITE_SECONDS:
                self._wrote = self._try()
                self._tried = time.monotonic()
            return self._wrote

    def _try(self) -> bool:
        written = time.time()
        try:
            self._storage.set_note(TRIAL_NOTE, written)
            return bool(self._storage.note(TRIAL_NOTE) >= written)
        except JuryrankError:
            return False

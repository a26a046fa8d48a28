"""The day on which a study forgets its people: names, addresses, what they said; their choices stay."""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime

from juryrank.defaults import RETENTION_SECONDS
from juryrank.errors import JuryrankError
from juryrank.server.access.vault import Vault
from juryrank.server.studies.open_studies import OpenStudies

log = logging.getLogger("juryrank.server")
CLOSING_SECONDS = 5.0  # that a look under way may take before the storage is closed


class Retention:
    """Looks every hour which studies have reached their day."""

    def __init__(self, open_studies: OpenStudies, vault: Vault) -> None:
        self._desk, self._vault = open_studies, vault
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def forget_due(self, *, today: str = "") -> int:
        """Erase the people of studies whose day has come; how many people were erased."""
        today = today or datetime.fromtimestamp(time.time(), UTC).date().isoformat()
        numbers = [row.id for row in self._desk.rows()]
        return sum(self._forget(number) for number in numbers if _is_due(self._desk, number, today))

    def _forget(self, number: int) -> int:
        study = self._desk.study(number)
        for judge in study.judges:
            self._vault.revoke_judge(number, judge)  # who comes back would be known again
        return sum(bool(study.judge(judge).erase()) for judge in study.judges)

    def watch(self) -> None:
        """Look now, and again every hour, until `close`."""
        self._thread = threading.Thread(target=self._watching, name="retention", daemon=True)
        self._thread.start()

    def _watching(self) -> None:
        while True:
            try:
                self.forget_due()
            except JuryrankError as problem:  # the database is busy or away: in an hour, then
                log.warning("People whose day has come were not deleted yet: %s", type(problem).__name__)
            if self._stop.wait(RETENTION_SECONDS):
                return

    def close(self) -> None:
        """Look no more; a look under way comes to its end first, as it uses the storage."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)


def _is_due(open_studies: OpenStudies, number: int, today: str) -> bool:
    day = open_studies.setup(number).keep_until
    return bool(day) and day <= today

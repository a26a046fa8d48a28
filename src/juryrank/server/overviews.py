"""Overviews kept for a moment: however many look, a study is not read more often than it can bear."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from juryrank.server.desk import Desk
from juryrank.server.overview import Answers, Overview
from juryrank.server.vault import Vault

LEAST_AGE = 1.0  # seconds
REST = 8  # after a look that took t seconds, live parts wait 8 t: at most a ninth of a core


@dataclass(slots=True)
class _Kept:
    lock: threading.Lock = field(default_factory=threading.Lock)
    answers: Answers = field(default_factory=Answers)
    overview: Overview | None = None
    at: float = 0.0
    took: float = 0.0


class Overviews:
    """Overviews by study number."""

    def __init__(self, desk: Desk, vault: Vault) -> None:
        self._desk = desk
        self._vault = vault
        self._kept: dict[int, _Kept] = {}

    def get(self, number: int, *, fresh: bool = False) -> Overview:
        """The study now; for live parts (not `fresh`) perhaps a moment old."""
        study = self._desk.study(number)
        kept = self._kept.setdefault(number, _Kept())
        with kept.lock:
            age = time.monotonic() - kept.at
            if not fresh and kept.overview is not None and age < max(LEAST_AGE, REST * kept.took):
                return kept.overview
            if kept.overview is not None and kept.overview.study is not study:
                kept.answers = Answers()
            began = time.monotonic()
            kept.overview = Overview.of(study, kept.answers, self._vault.judge_notes(number))
            kept.at = time.monotonic()
            kept.took = kept.at - began
            return kept.overview

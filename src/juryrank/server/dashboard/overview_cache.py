"""Overviews kept for a moment: however many people look, a study is read only every so often."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from juryrank.defaults import DASHBOARD_REST, DASHBOARD_SECONDS
from juryrank.errors import JuryrankError
from juryrank.server.access.vault import Vault
from juryrank.server.dashboard.overview import Overview
from juryrank.server.dashboard.reading import LogSoFar
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.studies.setup import hidden_labels
from juryrank.votes.vote import Vote

AT_ONCE = 1_000  # events; a longer study, or one of more than so many items, is read behind the page, which shows
FEW_ITEMS = 12  # the estimates that it has: those of 60 items take a quarter of a second after any answer


@dataclass(slots=True)
class _Kept:
    lock: threading.Lock = field(default_factory=threading.Lock)
    reading: LogSoFar = field(default_factory=LogSoFar)
    overview: Overview | None = None
    at: float = 0.0
    took: float = 0.0
    busy: bool = False  # reading behind a page
    rested_at: float = 0.0
    drawn: dict[str, str] = field(default_factory=dict)  # live parts of this overview, by name


class Overviews:
    """Overviews by study number."""

    def __init__(self, open_studies: OpenStudies, vault: Vault) -> None:
        self._desk = open_studies
        self._vault = vault
        self._kept: dict[int, _Kept] = {}
        self._for_others: dict[int, _Kept] = {}

    def for_others(self, number: int) -> Overview:
        """The study as the public may see it: without names of items that are for the owner alone."""
        labels = hidden_labels(self._desk.study(number), self._desk.setup(number))
        if not labels:
            return self.get(number)
        kept = self._for_others.setdefault(number, _Kept())
        with kept.lock:
            return self._looked(number, kept, labels=labels)

    def get(self, number: int, *, fresh: bool = False) -> Overview:
        """The study as it is now; for live parts (not `fresh`) it may be a moment old."""
        kept = self._kept.setdefault(number, _Kept())
        with kept.lock:
            return self._looked(number, kept, fresh=fresh)

    def now(self, number: int) -> Overview:
        """The study with every answer in its result, however long that takes: files do not say as of when."""
        overview = self.get(number, fresh=True)
        if not overview.as_of:
            return overview
        kept = self._kept[number]
        read = Overview.of(overview.study, kept.reading, overview.notes)
        with kept.lock:
            kept.overview = read
            kept.drawn.clear()
        return read

    def votes(self, number: int) -> Mapping[int, Vote]:
        """Every question with what became of it, up to now; a log that was read before is only followed."""
        kept = self._kept.setdefault(number, _Kept())
        return kept.reading.follow(self._desk.study(number))[1].votes.votes

    def drawn(self, number: int, part: str, draw: Callable[[Overview], str]) -> str:
        """A live part, drawn once for everybody who looks at the same moment."""
        kept = self._kept.setdefault(number, _Kept())
        with kept.lock:
            overview = self._looked(number, kept)
            if part not in kept.drawn:
                kept.drawn[part] = draw(overview)
            return kept.drawn[part]

    def _looked(
        self, number: int, kept: _Kept, *, fresh: bool = False, labels: Mapping[str, str] | None = None
    ) -> Overview:
        study, began = self._desk.study(number), time.monotonic()
        if kept.overview is not None and (kept.overview.study, kept.overview.labels) != (study, labels or {}):
            kept.reading, kept.overview = LogSoFar(), None
        rest = max(DASHBOARD_SECONDS, DASHBOARD_REST * kept.took)
        if kept.overview is not None and not fresh and began - kept.at < rest:
            return kept.overview
        study.log.follow_clock()
        notes = self._vault.judge_notes(number)
        overview = kept.overview
        if overview is not None and not overview.still_true(notes):
            at_once = study.log.seq <= AT_ONCE and overview.progress.progress.items <= FEW_ITEMS
            overview = None if at_once else overview.meanwhile(notes)
        if overview is None:
            overview, kept.took = _timed(lambda: Overview.of(study, kept.reading, notes, labels))
        if overview is not kept.overview:
            kept.overview = overview
            kept.drawn.clear()
        if overview.seq != overview.progress.seq:
            self._read_behind(number, kept, labels)
        kept.at = time.monotonic()
        return overview

    def _read_behind(self, number: int, kept: _Kept, labels: Mapping[str, str] | None) -> None:
        """Estimate anew without letting anybody wait; one reading at a time, and after it a rest."""
        if kept.busy or time.monotonic() < kept.rested_at:
            return
        kept.busy = True
        threading.Thread(target=self._read, args=(number, kept, labels), daemon=True).start()

    def _read(self, number: int, kept: _Kept, labels: Mapping[str, str] | None) -> None:
        try:
            study, notes = self._desk.study(number), self._vault.judge_notes(number)
            overview, took = _timed(lambda: Overview.of(study, kept.reading, notes, labels))
            overview.draw()
            with kept.lock:
                known = kept.overview  # an owner's act may have been read at once since
                if known is not None and known.study is study and known.seq <= overview.seq:
                    kept.overview, kept.took = overview, took
                    kept.drawn.clear()
                kept.rested_at = time.monotonic() + DASHBOARD_REST * took
        except JuryrankError:  # deleted, or out of reach for a moment: whoever looks next is told
            pass
        finally:
            kept.busy = False


def _timed(read: Callable[[], Overview]) -> tuple[Overview, float]:
    """What was read, and the processor time that it took: waiting needs no rest."""
    began = time.thread_time()
    overview = read()
    return overview, time.thread_time() - began

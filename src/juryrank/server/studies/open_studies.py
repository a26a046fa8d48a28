"""The studies that a server has open, each opened once per process and found by its number."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.defaults import SETUP_SECONDS
from juryrank.errors import UnknownStudy
from juryrank.run.cases.catalogue import KEPT_CASES, NOTHING_KEPT, shown_of
from juryrank.server.studies.setup import SETUP, Setup, setup_in
from juryrank.storage import Storage, StudyRow
from juryrank.study import Study
from juryrank.study.study import SettingsChange
from juryrank.types import Question


@dataclass(frozen=True, slots=True)
class _Read:
    setup: Setup
    at: float


class OpenStudies:
    """Studies by number; threads may share it."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._lock = threading.Lock()
        self._studies: dict[int, Study] = {}
        self._setups: dict[int, _Read] = {}
        self._options: dict[int, dict[str, Any]] = {}
        self._cases: dict[int, Mapping[str, Any] | None] = {}

    def rows(self) -> list[StudyRow]:
        """All studies, newest first."""
        return self.storage.studies()[::-1]

    def study(self, number: int) -> Study:
        """The study of this number."""
        with self._lock:
            known = self._studies.get(number)
        if known is not None:
            return known
        for row in self.storage.studies():
            if row.id == number:
                with self._lock:
                    return self._studies.setdefault(number, Study(self.storage, row))
        raise UnknownStudy(f"there is no study number {number} here: it was deleted, or never made")

    def setup(self, number: int) -> Setup:
        """How the study is shown."""
        read = self._setups.get(number)
        now = time.monotonic()
        if read is None or now - read.at > SETUP_SECONDS:
            before, study = read.setup if read else None, self.study(number)
            setup = setup_in(study.settings)
            study.name = next((row.name for row in self.storage.studies() if row.id == number), study.name)
            read = _Read(before if before is not None and before == setup else setup, now)
            self._setups[number] = read
        return read.setup

    def options(self, number: int) -> dict[str, Any]:
        """The ranker's options, fixed when the study was made."""
        if number not in self._options:
            self._options[number] = dict(self.study(number).created.get("options") or {})
        return self._options[number]

    def cases(self, number: int) -> Mapping[str, Any] | None:
        """The inputs and outputs of a study on cases, fixed when it was made; None: it has no cases."""
        if number not in self._cases:
            on_cases = self.options(number).get(KEPT_CASES) is not None
            self._cases[number] = self.study(number).settings.get(KEPT_CASES, NOTHING_KEPT) if on_cases else None
        return self._cases[number]

    def shown_case(self, number: int, question: Question) -> tuple[Any, Any, Any]:
        """Both outputs and the input of a question on a case; a system may have joined since they were read."""
        kept = self.cases(number)
        assert kept is not None
        try:
            return shown_of(kept, question)
        except KeyError:
            self._cases.pop(number, None)
            return shown_of(self.cases(number) or kept, question)

    def change_setup(self, number: int, change: Callable[[Setup], Setup]) -> bool:
        """Change how the study is shown: two people who change different things at once both get theirs.

        False: it is shown like that already, and nothing is written.
        """
        changed = self.study(number).edit(self._revision(number, change))
        self._setups.pop(number, None)
        return changed

    def add_items(self, number: int, items: Sequence[str], change: Callable[[Setup], Setup]) -> None:
        """Items that join together with how they are shown: no judge sees one without the other."""
        self.study(number).add_items(items, change=self._revision(number, change))
        self._setups.pop(number, None)

    def _revision(self, number: int, change: Callable[[Setup], Setup]) -> SettingsChange:
        cases = self.cases(number)

        def revised(settings: Mapping[str, Any]) -> dict[str, Any]:
            before = setup_in(settings)
            setup = change(before)
            if cases is not None:
                setup.check_cases()
            return {SETUP: setup.to_dict()} if setup != before else {}

        return revised

    def forget(self, number: int) -> None:
        """The study was deleted."""
        with self._lock:
            self._studies.pop(number, None)
            self._setups.pop(number, None)
            self._cases.pop(number, None)

    def delete(self, number: int) -> None:
        """Delete a study with its log, its people, its links and notes."""
        self.study(number)
        self.storage.delete(number)
        self.forget(number)

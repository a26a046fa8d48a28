"""The hash that a certificate's last event has in the study's own log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.errors import UnknownStudy
from juryrank.storage.plain import without_password
from juryrank.study import Study, list_studies, open_study


def own_hash(document: Mapping[str, Any], *, storage: str, study: str | None) -> str:
    """Empty where the study's log is shorter than the certificate."""
    events = document["events"]
    own = open_study(study, storage=storage) if study else _same_beginning(events[0]["hash"], storage)
    for event in own.events(after=len(events) - 1):
        return event.hash
    return ""


def _same_beginning(first: str, storage: str) -> Study:
    for row in list_studies(storage=storage):
        study = open_study(row.name, storage=storage)
        if next(iter(study.events())).hash == first:
            return study
    raise UnknownStudy(
        f"no study in {without_password(storage)} begins with this certificate's first event: it is from another "
        "storage, or the whole file was forged. Name the study with --study NAME to compare it all the same."
    )

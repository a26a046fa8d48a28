"""What the promise of a study's ranker assumes, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.rankers import ranker_class, ranker_names


def assumed(created: Mapping[str, Any]) -> tuple[str, ...]:
    """The assumptions behind a study's promise, each as the end of a sentence; () if the ranker is not known.

    >>> assumed({"ranker": "panel", "options": {"about": "panel"}})[0][:33]
    'each judge has one opinion on a p'
    """
    ranker = created.get("ranker")
    return ranker_class(ranker).assumptions(created.get("options") or {}) if ranker in ranker_names() else ()

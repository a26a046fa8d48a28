"""What judges were shown besides names: was it changed once answers had been given?

Wording and contents are no part of the promise, which is about the answers. But whoever turns "Which is better?"
into "Which is worse?", or swaps two texts, makes the same answers say something else: so a reader is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

QUESTION, SETUP = "question", "setup"
OF_ITEMS = ("contents", "rows")  # by item: those of items that join are new, and change nothing


def reworded(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What judges had been shown and are not any more: the names of such settings.

    >>> reworded({"question": "Better?"}, {"question": "Worse?", "lease": 60})
    ['question']
    >>> reworded({"rows": {"a": 1}}, {"rows": {"a": 1, "b": 2}})
    []
    """
    found = [QUESTION] if QUESTION in after and after[QUESTION] != before.get(QUESTION) else []
    for name in OF_ITEMS:
        old, new = before.get(name), after.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += [name] if any(new.get(item) != shown for item, shown in old.items()) else []
    outer, inner = before.get(SETUP) or {}, after.get(SETUP)
    if not isinstance(outer, Mapping):
        raise ValueError(f"{SETUP!r} held no settings before it")
    return found + reworded(outer, inner) if isinstance(inner, Mapping) else found

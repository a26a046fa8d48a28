"""`juryrank.rank` for tests that sweep over rankers: their own options may stand among the keywords."""

from __future__ import annotations

import inspect
from typing import Any

from juryrank import Ranking, rank

KNOWN = frozenset(inspect.signature(rank).parameters)
SAID = {"objective": "goal", "resolution": "within", "require": "goal"}


def rank_with(items: Any, judges: Any, **given: Any) -> Ranking:
    """`objective` is the goal; what the door does not know goes to the ranker."""
    words = {SAID.get(name, name): value for name, value in given.items()}
    own = {name for name in words if name not in KNOWN or (name == "about" and "ranker" in words)}
    options = {**(words.pop("options", None) or {}), **{name: words.pop(name) for name in own}}
    return rank(items, judges, **words, options=options)

"""One line a ranker: the checker that recomputes its result from the raw events.

A checker is `check(record, result) -> Finding`: `record` is the log read plainly, `result` what the
certificate claims. It must use nothing of the ranker but its evidence formulas. Rankers without a line here
are run again over the log, which shows that the file is whole, not that the program is right.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from juryrank.verify.record import Record
from juryrank.verify.report import Finding

Checker: TypeAlias = Callable[[Record, Mapping[str, Any]], Finding]

CHECKERS: dict[str, str] = {
    "certified": "juryrank.verify.certified.check:check",
    "panel": "juryrank.verify.panel.check:check",
}
FALLBACK = "juryrank.verify.rerun:check"


def checker_for(ranker: str) -> Checker:
    """The checker of a ranker by its registry name.

    >>> checker_for("ada-iir").__module__
    'juryrank.verify.rerun'
    """
    module, _, name = CHECKERS.get(ranker, FALLBACK).partition(":")
    found: Checker = getattr(importlib.import_module(module), name)
    return found

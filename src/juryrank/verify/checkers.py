"""One line per ranker: the checker that recomputes what its events prove.

A checker is `check(record, shown) -> Finding`: `record` is the log read plainly, `shown` the order that the result
shows while not all of it is proven. It uses nothing of any ranker: an import contract says so.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TypeAlias

from juryrank.errors import BadSnapshot
from juryrank.verify.record import Record
from juryrank.verify.report import Finding

Checker: TypeAlias = Callable[[Record, Sequence[str]], Finding]

CHECKERS: dict[str, str] = {
    "certified": "juryrank.verify.certified.check:check",
    "panel": "juryrank.verify.panel.check:check",
    **dict.fromkeys(
        ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage"), "juryrank.verify.paper.check:check"
    ),
}


def checker_for(ranker: str) -> Checker:
    """The checker of a ranker by its registry name.

    >>> checker_for("ada-iir").__module__
    'juryrank.verify.paper.check'
    """
    if ranker not in CHECKERS:
        known = ", ".join(CHECKERS)
        raise BadSnapshot(f"there is no checker for the ranker {ranker!r}; there is one for: {known}")
    module, _, name = CHECKERS[ranker].partition(":")
    found: Checker = getattr(importlib.import_module(module), name)
    return found

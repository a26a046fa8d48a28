"""One line per ranker: the checker that recomputes what its events prove.

A checker is `check(record, shown) -> Finding`: `record` is the log read plainly, `shown` the order that the result
shows while not all of it is proven. It uses nothing of any ranker: an import contract says so.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TypeAlias

from juryrank.statements.promises import GuessPromise
from juryrank.verify.record import Record
from juryrank.verify.report import Finding

Checker: TypeAlias = Callable[[Record, Sequence[str]], Finding]

CHECKERS: dict[str, str] = {
    "certified": "juryrank.verify.certified.check:check",
    "panel": "juryrank.verify.panel.check:check",
    "jury": "juryrank.verify.jury.check:check",
    **dict.fromkeys(
        ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage"), "juryrank.verify.paper.check:check"
    ),
}


SEARCHED = frozenset({"jury"})  # whose lists must be those of their search: whoever knew the answers could choose
GOES_ON_WITHOUT_ITEMS = frozenset({"panel"})  # whose statement is known to hold after items were withdrawn


NO_CHECKER = "Nothing is promised: there is no checker for the ranker {ranker}."


def _no_promise(record: Record, shown: Sequence[str]) -> Finding:
    """A ranker without a checker can promise nothing that anybody could check."""
    note = NO_CHECKER.format(ranker=record.settings["ranker"])
    return Finding((), promise=GuessPromise(error=record.error), notes=(note,), partial=False)


def checker_for(ranker: str) -> Checker:
    """The checker of a ranker by its registry name.

    >>> checker_for("ada-iir").__module__
    'juryrank.verify.paper.check'
    """
    if ranker not in CHECKERS:
        return _no_promise
    module, _, name = CHECKERS[ranker].partition(":")
    found: Checker = getattr(importlib.import_module(module), name)
    return found

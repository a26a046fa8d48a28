"""Is a proof within reach of a budget? Where even flawless judges could not give one, a best guess is worth more.

The ranker is played against itself: judges who always agree with one order. Real judges do no better, so that a
budget that is too small for them leaves no chance of a certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.rankers.registry import make_ranker, ranker_class
from juryrank.types import Ranking

PLENTY = 60  # questions per item: flawless judges prove any order with fewer
MOST_ITEMS = 300  # with more, nobody waits for the answer
GUESS_REASON = (
    "Ranker 'guess', without any promise: {budget:,} questions prove nothing about {items} items, even if no "
    "judge ever errs, so each goes where it tells most. To prove something: a larger budget, or ranker='{name}'."
)


def out_of_reach(
    name: str, options: Mapping[str, Any], *, items: int, judges: Sequence[str], error: float, budget: int | None
) -> str:
    """Why 'guess' is the better choice, in words; nothing where a proof may be had.

    >>> out_of_reach("certified", {}, items=10, judges=["ann"], error=0.1, budget=1000)
    ''
    >>> out_of_reach("certified", {}, items=10, judges=["ann"], error=0.1, budget=20)[:41]
    "Ranker 'guess', without any promise: 20 q"
    """
    if budget is None or not 2 < items <= MOST_ITEMS or not 0 < budget < PLENTY * items or not judges:
        return ""
    found = _flawless(name, options, items=items, judges=judges, error=error, budget=budget)
    if found.proven or (not ranker_class(name).true_order and any(link.settled for link in found.links)):
        return ""
    return GUESS_REASON.format(budget=budget, items=items, name=name)


def _flawless(name: str, options: Mapping[str, Any], *, items: int, judges: Sequence[str], error: float,
              budget: int) -> Ranking:  # fmt: skip
    ranker = make_ranker(name, range(items), judges=judges, error=error, budget=budget, **options)
    while (question := ranker.ask()) is not None:
        ranker.tell(question, min((question.left, question.right), key=ranker.items.index))
    return ranker.ranking

"""IIR on the single best judge, who must be known beforehand: a yardstick for simulations. Paper: Oracle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.errors import BadInput
from juryrank.options import OracleChoices
from juryrank.rankers.paper.insertion import InsertionRanker


class Oracle(InsertionRanker):
    """Iterative insertion that asks only `best`.

    >>> ranker = Oracle("abc", judges=["ann", "bob"], best="bob", error=0.1)
    >>> ranker.ask().judge
    'bob'
    """

    name = "oracle"
    title = "A yardstick: inserts items one by one, asking only the best judge, whom it must be told"

    declared = OracleChoices
    chosen: OracleChoices

    def __init__(self, items: Any, *, judges: Any, **given: Any) -> None:
        names, best = list(judges), given.get("best")
        if best is None and len(names) == 1:
            best = names[0]
        if best is None:
            raise BadInput(
                "the oracle ranker must be told who the best judge is: give best=NAME. "
                "In real life nobody knows: use 'certified' or 'ada-iir'"
            )
        super().__init__(items, judges=names, **{**given, "best": best})
        chosen = self.roster.judge(best)
        self._active = [chosen]
        self._drop_note = dict.fromkeys(
            (u for u in range(len(names)) if u != chosen), "not asked: the oracle asks only the best judge"
        )

    @classmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        return (*super().assumptions(options), "the judge named as the best is the best")

    def _load(self, state: Any) -> None:
        note = self._drop_note
        super()._load(state)
        self._drop_note = note

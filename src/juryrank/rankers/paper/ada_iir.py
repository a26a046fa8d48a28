"""The paper's own ranker: insertion, and after each item the judges who are surely worse are dropped.

Paper: IIR with EliminateUser (Ada-IIR).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.insertion import InsertionRanker

WORSE = "dropped: surely less often right than another judge"


class AdaIIR(InsertionRanker):
    """Iterative insertion with judge elimination.

    >>> ranker = AdaIIR(range(4), judges=["ann", "bob"], error=0.1)
    >>> while (question := ranker.ask()) is not None:
    ...     ranker.tell(question, min(question.left, question.right))
    >>> ranker.ranking.order
    (0, 1, 2, 3)
    """

    name = "ada-iir"
    title = "The paper's: inserts items one by one and drops judges who are surely worse than another"

    def __init__(self, items: Any, *, judges: Any, **rest: Any) -> None:
        super().__init__(items, judges=judges, **rest)
        splits = max(len(self.items) - 1, 1) if self.constants.split_elimination else 1
        self._rule = elimination.rule(
            max(len(self.items), 1), len(self.judge_names), self.error / splits, self.constants
        )

    def _item_placed(self) -> None:
        pool = elimination.pool(len(self.judge_names), self._active)
        pool = pool._replace(answered=np.array(self._credited), right=np.array(self._right))
        if elimination.eliminate(pool, self._rule, sum(self._credited)):
            kept = set(pool.active[: pool.n_active[0]].tolist())
            self._drop([u for u in self._active if u not in kept], WORSE)

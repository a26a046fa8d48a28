"""The non-adaptive ranker: insert items one by one, asking judges at random. Paper: IIR (Ren et al. 2019)."""

from __future__ import annotations

from juryrank.rankers.paper.insertion import InsertionRanker


class IIR(InsertionRanker):
    """Iterative-Insertion-Ranking over all judges alike.

    >>> ranker = IIR("abc", judges=["ann"], error=0.1)
    >>> while (question := ranker.ask()) is not None:
    ...     ranker.tell(question, min(question.left, question.right))
    >>> ranker.ranking.order, ranker.ranking.certified
    (('a', 'b', 'c'), True)
    """

    name = "iir"
    title = "Non-adaptive: inserts items one by one and asks every judge alike"

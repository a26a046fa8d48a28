"""All answers about one pair, of the search and of every attempt, by judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from juryrank.core.certified.pair_answers import HIGH_WINS, JUDGE, LOW_WINS, NEXT_NODE, NONE, chain
from juryrank.types import Judge

if TYPE_CHECKING:
    from juryrank.rankers.certified.ranker import Certified

ByJudge = dict[Judge, tuple[int, int]]


def answers_about(ranker: Certified, a: int, b: int) -> ByJudge:
    """Judge -> how often a was preferred, and how often b."""
    t = ranker._machine.tallies
    by: ByJudge = {}
    node = int(chain(t, a, b))
    while node != NONE:
        low, high = int(t.node[node, LOW_WINS]), int(t.node[node, HIGH_WINS])
        if low or high:
            by[ranker.judge_names[int(t.node[node, JUDGE])]] = (low, high) if a < b else (high, low)
        node = int(t.node[node, NEXT_NODE])
    return by


def in_all(by: ByJudge) -> tuple[int, int]:
    """The same for all judges together.

    >>> in_all({"ann": (3, 1), "bob": (2, 0)})
    (5, 1)
    """
    return sum(good for good, _ in by.values()), sum(bad for _, bad in by.values())

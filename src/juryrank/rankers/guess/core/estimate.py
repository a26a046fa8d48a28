"""All of it in one call: from counted answers to chances with intervals.

Two readings of the same answers. Where judges look for one truth, some are better than others, and answers count
by how good their judge seems. Where people have tastes of their own there is no such truth, and a minority is not
a bad judge: all answers count alike, and intervals make room for how people differ.
"""

from __future__ import annotations

import numpy as np

from juryrank.rankers.guess.core.answer_counts import CountTable
from juryrank.rankers.guess.core.by_pair import PairRows, fit_pairs
from juryrank.rankers.guess.core.chances import LINK_LAPSES, LINK_SLOPES, Chances, Promised, chances, unknown
from juryrank.rankers.guess.core.judging import common_link, each_link, one_link
from juryrank.rankers.guess.core.link import Ints, JudgeLinks
from juryrank.rankers.guess.core.tastes import widened

MOST_ITEMS = 1000  # the covariance of more takes too long
# By how much intervals are widened beyond the model, chosen on seeds that `benchmarks.estimates` does not use:
# fitted judges and sites look surer than they are.
TRUTH_WIDER, OPINION_WIDER = 1.5, 1.25  # of the covariance
TRUTH_ROOM, OPINION_ROOM = 1.5, 1.0  # of distances in the scores' intervals: they hang on the link, too


def estimate(
    table: CountTable,
    *,
    items: int,
    judges: int,
    opinions: bool,
    level: float = 0.9,
    k: int = 1,
    order: Ints | None = None,
    promised: Promised | None = None,
) -> Chances:
    """Chances of all items; `opinions`: judges have tastes of their own; `order`: best first, if it is proven.

    `promised`: the ranges of ranks that are promised, where some are.
    """
    if not len(table.judge):
        return unknown(items, k=k)
    rows = PairRows.of(table, items=items)
    if opinions:
        found = fit_pairs(rows.alike(), items=items, jury=JudgeLinks.unheard(1), weighed=one_link)
        everybody = found._replace(jury=JudgeLinks(*(np.repeat(part, judges, axis=0) for part in found.jury)))
        covariance, room = OPINION_WIDER * widened(everybody, table), OPINION_ROOM
    else:
        found = fit_pairs(rows, items=items, jury=JudgeLinks.unheard(judges), weighed=each_link)
        covariance, room = TRUTH_WIDER * found.covariance, TRUTH_ROOM
    link = common_link(found, rows, LINK_LAPSES, LINK_SLOPES)
    return chances(found.mean, covariance, link, level=level, k=k, room=room, order=order, promised=promised)


def components(table: CountTable, *, items: int) -> Ints:
    """For each item the number of its component: items joined by answers share one.

    >>> one, two = np.array([0, 1]), np.array([1, 2])
    >>> rows = CountTable(one * 0, one, two, np.ones(2), np.zeros(2))
    >>> components(rows, items=4).tolist()
    [0, 0, 0, 3]
    """
    label = np.arange(items)
    while True:
        lowest = label.copy()
        np.minimum.at(lowest, table.low, label[table.high])
        np.minimum.at(lowest, table.high, label[table.low])
        lowest = lowest[lowest]
        if np.array_equal(lowest, label):
            return label
        label = lowest

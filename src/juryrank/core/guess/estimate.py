"""All of it in one call: from counted answers to chances with intervals.

Two readings of the same answers. Where judges look for one truth, some are better than others, and answers count
by how good their judge seems. Where people have tastes of their own there is no such truth, and a minority is not
a bad judge: all answers count alike, and intervals make room for how people differ.
"""

from __future__ import annotations

import numpy as np

from juryrank.core.guess.answer_counts import CountTable
from juryrank.core.guess.by_pair import fit_pairs
from juryrank.core.guess.chances import Chances, chances, common_link, unknown
from juryrank.core.guess.link import Ints, JudgeLinks
from juryrank.core.guess.posterior import CountedAnswers, fit
from juryrank.core.guess.tastes import widened

MOST_ITEMS = 1000  # the covariance of more takes too long
# By how much intervals are widened beyond the model, chosen on seeds that `benchmarks.estimates` does not use:
# fitted judges and sites look a little surer than they are.
TRUTH_WIDER, OPINION_WIDER = 1.25, 1.25  # of the covariance
TRUTH_ROOM, OPINION_ROOM = 1.5, 1.0  # of the scores' intervals, whose link is estimated too


def estimate(
    table: CountTable, *, items: int, judges: int, opinions: bool, level: float = 0.9, k: int = 1
) -> Chances:
    """Chances of all items; `opinions`: judges have tastes of their own."""
    answers = CountedAnswers.of(table)
    if not len(answers.judge):
        return unknown(items, k=k, level=level)
    if not opinions:
        found = fit(answers, items=items, judges=judges)
        link = common_link(found, answers)
        return chances(found.mean, TRUTH_WIDER * found.covariance, link, level=level, k=k, room=TRUTH_ROOM)
    found, link = fit_pairs(answers, items=items)
    everybody = found._replace(jury=JudgeLinks(*(np.repeat(part, judges, axis=0) for part in found.jury)))
    covariance = OPINION_WIDER * widened(everybody, table)
    return chances(found.mean, covariance, link, level=level, k=k, room=OPINION_ROOM)


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

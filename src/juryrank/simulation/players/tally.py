"""What both ways of play share: counts, answers about the newcomer, and what happens once it has its place.

Play returns to its caller when it needs something new, and goes on where it stopped when called again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.gears import kernel
from juryrank.rankers.paper.core.elimination import eliminate
from juryrank.rankers.paper.core.walk import GOING_ON, UNSURE, begin, insert

# Why play returned; below the walk's own codes, which say what a verdict led to.
FINISHED = -10  # all items are placed
SPENT = -11  # the budget of questions is used up
NEXT_ATTEMPT = -12  # the newcomer needs another attempt, for which there are no tables yet
POOL_CHANGED = -13  # judges were dropped: a duel has another law now

QUESTIONS, N_TOUCHED, ATTEMPTS = range(3)  # places in `counts`


class Tally(NamedTuple):
    """Answers about the newcomer, by list position (the list stands still until the newcomer is placed).

    By law there is one column: answers that were right, and wrong. By answer there is a column per judge: answers
    for the newcomer, and against it.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    seen: NDArray[np.bool_]  # positions with answers, as flags ...
    touched: NDArray[np.int64]  # ... and as a list
    counts: NDArray[np.int64]  # questions so far, length of `touched`, most attempts for one item


def tally(n_items: int, columns: int) -> Tally:
    """An empty tally."""
    shape = (max(n_items, 1), columns)
    return Tally(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape[0], np.bool_),
        np.zeros(shape[0], np.int64),
        np.zeros(3, np.int64),
    )


@kernel
def record(tally: Any, at: int, column: int, first: int, second: int) -> None:
    """Add answers about the newcomer and the item at a position."""
    if not tally.seen[at]:
        tally.seen[at] = True
        tally.touched[tally.counts[N_TOUCHED]] = at
        tally.counts[N_TOUCHED] += 1
    tally.first[at, column] += first
    tally.second[at, column] += second


@kernel
def forget(tally: Any) -> None:
    """The newcomer is placed: its answers have been credited."""
    for k in range(tally.counts[N_TOUCHED]):
        at = tally.touched[k]
        tally.seen[at] = False
        tally.first[at, :] = 0
        tally.second[at, :] = 0
    tally.counts[N_TOUCHED] = 0


@kernel
def after(walk: Any, tables: Any, place: int) -> int:
    """What a verdict led to. An unsure end begins the next attempt, or asks for its tables: NEXT_ATTEMPT."""
    if place != UNSURE:
        return place
    attempt = walk.cursor.attempt + 1
    if attempt > tables.n_attempts:
        return NEXT_ATTEMPT
    begin(walk, tables, attempt)
    return GOING_ON


@kernel
def install(walk: Any, tables: Any, pool: Any, rule: Any, tally: Any, place: int, adaptive: bool) -> int:
    """Put the newcomer in its place, drop judges if it is time to; returns how many were dropped."""
    c = walk.cursor
    tally.counts[ATTEMPTS] = max(tally.counts[ATTEMPTS], c.attempt)
    insert(walk, place)
    if not c.finished:
        begin(walk, tables, 1)
    if adaptive:
        return eliminate(pool, rule, tally.counts[QUESTIONS])
    return 0

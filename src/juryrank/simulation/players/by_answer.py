"""Play answer by answer: for every world, also where accuracy depends on the pair or changes with time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.rankers.paper.core.elimination import eliminate
from juryrank.rankers.paper.core.walk import GOING_ON, UNSURE, answer, begin, insert, position
from juryrank.simulation.worlds.base import accuracy

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


@kernel
def play_by_answer(
    walk: Any, tables: Any, pool: Any, rule: Any, truth: Any, tally: Any,
    adaptive: bool, budget: int, attempt: int, rng: Any, stage: Any,
) -> int:  # fmt: skip
    """Insert items until all are placed or something new is needed (the codes are in `tally`).

    `attempt`: begin this attempt first; 0: go on where play stopped.
    """
    if attempt > 0:
        begin(walk, tables, attempt)
    while not walk.cursor.finished:
        place = find_place_by_answer(walk, tables, stage, pool, truth, tally, adaptive, budget, rng)
        if place < 0:
            return place
        if adaptive:
            credit(place, pool, tally)
        install(walk, tables, pool, rule, tally, place, adaptive)
    return FINISHED


@kernel
def find_place_by_answer(
    walk: Any, tables: Any, stage: Any, pool: Any, truth: Any, tally: Any, adaptive: bool, budget: int, rng: Any
) -> int:
    """Ask until the newcomer has its place; SPENT or NEXT_ATTEMPT if that cannot be now."""
    c = walk.cursor
    place = GOING_ON
    while place == GOING_ON:
        if tally.counts[QUESTIONS] >= budget:
            return SPENT
        at = position(walk)
        u = pool.active[int(rng.random() * pool.n_active[0])]
        won = prefers(stage, u, truth[c.newcomer], truth[walk.ranked[at]], tally.counts[QUESTIONS], rng)
        tally.counts[QUESTIONS] += 1
        pool.answered[u] += 1
        if adaptive:
            record(tally, at, u, won, not won)
        place = after(walk, tables, answer(walk, tables, won))
    return place


@kernel
def prefers(stage: Any, judge: int, first: int, second: int, asked: int, rng: Any) -> bool:
    """Does the judge prefer the first? (Both by true rank.)"""
    right = rng.random() < accuracy(stage, judge, max(first, second), min(first, second), asked)
    return bool(right == (first > second))


@kernel
def credit(place: int, pool: Any, tally: Any) -> None:
    """An answer was right if it agrees with where the newcomer was put."""
    for k in range(tally.counts[N_TOUCHED]):
        at = tally.touched[k]
        for u in range(len(pool.right)):
            pool.right[u] += tally.first[at, u] if at < place else tally.second[at, u]
    forget(tally)

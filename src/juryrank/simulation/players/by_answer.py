"""Play answer by answer: for every world, also where accuracy depends on the pair or changes with time."""

from __future__ import annotations

from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.paper.core.walk import GOING_ON, answer, begin, position
from juryrank.simulation.players.tally import (
    FINISHED,
    N_TOUCHED,
    QUESTIONS,
    SPENT,
    after,
    forget,
    install,
    record,
)
from juryrank.simulation.worlds.base import accuracy


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

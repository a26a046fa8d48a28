"""Play a whole duel at a time, from its exact law: for worlds where accuracy is constant within a duel."""

from __future__ import annotations

from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.paper.core.constants import table_index
from juryrank.rankers.paper.core.interval_tree import kind_of
from juryrank.rankers.paper.core.walk import GOING_ON, begin, position, verdict
from juryrank.simulation.players.duel_law import draw
from juryrank.simulation.players.tally import (
    FINISHED,
    N_TOUCHED,
    POOL_CHANGED,
    QUESTIONS,
    SPENT,
    after,
    forget,
    install,
    record,
)


@kernel
def play_by_law(
    walk: Any, tables: Any, pool: Any, rule: Any, truth: Any, tally: Any,
    adaptive: bool, budget: int, attempt: int, rng: Any, laws: Any, accuracies: Any,
) -> int:  # fmt: skip
    """Insert items until all are placed or something new is needed (the codes are in `tally`).

    `attempt`: begin this attempt first; 0: go on where play stopped.
    """
    if attempt > 0:
        begin(walk, tables, attempt)
    while not walk.cursor.finished:
        place = find_place_by_law(walk, tables, laws, truth, tally, adaptive, budget, rng)
        if place < 0:
            return place
        if adaptive:
            share_out(walk, place, pool, accuracies, truth, tally, rng)
        if install(walk, tables, pool, rule, tally, place, adaptive) > 0:
            return POOL_CHANGED
    return FINISHED


@kernel
def find_place_by_law(
    walk: Any, tables: Any, laws: Any, truth: Any, tally: Any, adaptive: bool, budget: int, rng: Any
) -> int:
    """Duel until the newcomer has its place; SPENT or NEXT_ATTEMPT if that cannot be now."""
    c = walk.cursor
    place = GOING_ON
    while place == GOING_ON:
        at = position(walk)
        used, right = one_duel(walk, tables, laws, budget - tally.counts[QUESTIONS], rng)
        if tally.counts[QUESTIONS] + used > budget:
            tally.counts[QUESTIONS] = budget
            return SPENT
        tally.counts[QUESTIONS] += used
        if adaptive:
            record(tally, at, 0, right, used - right)
        wins = right if truth[c.newcomer] > truth[walk.ranked[at]] else used - right
        place = after(walk, tables, verdict(walk, tables, 2 * wins > used))
    return place


@kernel
def one_duel(walk: Any, tables: Any, laws: Any, most: int, rng: Any) -> tuple[int, int]:
    """A whole duel: (answers, right). Drawn at once where there is a law, else one by one (up to `most`)."""
    c = walk.cursor
    k = table_index(c.attempt, kind_of(walk.path, c.depth))
    if c.attempt <= laws.n_attempts:
        outcome = draw(laws, k, rng)
        return int(laws.answers[outcome]), int(laws.right[outcome])
    used = 0
    right = 0
    while used <= most and (used == 0 or abs(2 * right - used) < tables.leads[tables.lead_start[k] + used]):
        used += 1
        if rng.random() < laws.mean:
            right += 1
    return used, right


@kernel
def share_out(walk: Any, place: int, pool: Any, accuracies: Any, truth: Any, tally: Any, rng: Any) -> None:
    """Who gave the answers about the newcomer: a right one came from judge u with chance ∝ p_u, a wrong one
    ∝ 1 - p_u. Credit goes to the answers that agree with where the newcomer was put, truly or not."""
    c = walk.cursor
    right_credited = 0
    right_other = 0
    wrong_credited = 0
    wrong_other = 0
    for k in range(tally.counts[N_TOUCHED]):
        at = tally.touched[k]
        if (at < place) == (truth[walk.ranked[at]] < truth[c.newcomer]):
            right_credited += tally.first[at, 0]
            wrong_other += tally.second[at, 0]
        else:
            right_other += tally.first[at, 0]
            wrong_credited += tally.second[at, 0]
    forget(tally)
    amounts = (right_credited, right_other, wrong_credited, wrong_other)
    for k in range(4):  # a loop, so that the split is compiled into one place only
        split(amounts[k], pool, accuracies, k < 2, k % 2 == 0, rng)


@kernel
def split(answers: int, pool: Any, accuracies: Any, right: bool, credited: bool, rng: Any) -> None:
    """A multinomial split among the active judges, as a chain of binomials."""
    if answers == 0:
        return
    m = pool.n_active[0]
    weight = 0.0
    for k in range(m):
        weight += share_of(accuracies[pool.active[k]], right)
    left = answers
    for k in range(m):
        u = pool.active[k]
        own = share_of(accuracies[u], right)
        given = left
        if k < m - 1 and left > 0:
            given = rng.binomial(left, min(max(own / weight, 0.0), 1.0))
        pool.answered[u] += given
        if credited:
            pool.right[u] += given
        left -= given
        weight -= own


@kernel
def share_of(accuracy: float, right: bool) -> float:
    return accuracy if right else 1.0 - accuracy

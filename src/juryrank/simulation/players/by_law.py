"""Play a whole duel at a time, from its exact law: for worlds where accuracy is constant within a duel."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import compiled, kernel
from juryrank.rankers.paper.core.constants import Constants
from juryrank.rankers.paper.core.elimination import NODE_ERROR, lead_table
from juryrank.rankers.paper.core.interval_tree import kind_of
from juryrank.rankers.paper.core.thresholds import table_index
from juryrank.rankers.paper.core.walk import GOING_ON, begin, position, verdict
from juryrank.simulation.players.by_answer import (
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

NEGLIGIBLE = 1e-280  # a chance that no double-precision draw can meet; also keeps clear of slow denormals
LAST_LAW = 8  # attempts beyond this one (ε < 1/512) are played answer by answer: their law would fill memory


class Laws(NamedTuple):
    """The laws of all duels up to an attempt, three kinds of node each, one after the other."""

    mean: float  # the chance that an answer is right
    n_attempts: int
    first: NDArray[np.int64]  # by table index: where its outcomes begin
    size: NDArray[np.int64]  # ... and how many there are
    keep: NDArray[np.float64]  # alias method: keep this outcome with this chance ...
    alias: NDArray[np.int32]  # ... else take that one
    answers: NDArray[np.int32]
    right: NDArray[np.int32]


@kernel
def stopping_law(lead: Any, p: float) -> Any:
    """Every (answers, right) at which a duel with this lead table can end, and its chance."""
    longest = len(lead) - 1
    answers = np.empty(3 * longest + 3, np.int32)
    right = np.empty(3 * longest + 3, np.int32)
    chance = np.empty(3 * longest + 3, np.float64)
    running = np.zeros(longest + 2, np.float64)  # running[w]: not over yet, w right
    running[0] = 1.0
    low = 0
    high = 0
    n = 0
    for r in range(1, longest + 1):
        high += 1
        for w in range(high, low, -1):
            running[w] = running[w] * (1.0 - p) + running[w - 1] * p
        running[low] *= 1.0 - p
        while low <= high and (abs(2 * low - r) >= lead[r] or running[low] < NEGLIGIBLE):
            if running[low] >= NEGLIGIBLE:
                answers[n], right[n], chance[n] = r, low, running[low]
                n += 1
            running[low] = 0.0
            low += 1
        while high >= low and (abs(2 * high - r) >= lead[r] or running[high] < NEGLIGIBLE):
            if running[high] >= NEGLIGIBLE:
                answers[n], right[n], chance[n] = r, high, running[high]
                n += 1
            running[high] = 0.0
            high -= 1
        if low > high:
            break
    return answers[:n].copy(), right[:n].copy(), chance[:n].copy()


@kernel
def alias_table(chance: Any) -> Any:
    """Vose's alias method: (keep, alias), for one draw with one uniform number."""
    n = len(chance)
    total = 0.0
    for k in range(n):
        total += chance[k]
    keep = np.empty(n, np.float64)
    alias = np.zeros(n, np.int32)
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    n_small = 0
    n_large = 0
    for k in range(n):
        keep[k] = chance[k] * n / total
        if keep[k] < 1.0:
            small[n_small] = k
            n_small += 1
        else:
            large[n_large] = k
            n_large += 1
    while n_small > 0 and n_large > 0:
        n_small -= 1
        poor = small[n_small]
        rich = large[n_large - 1]
        alias[poor] = rich
        keep[rich] -= 1.0 - keep[poor]
        if keep[rich] < 1.0:
            n_large -= 1
            small[n_small] = rich
            n_small += 1
    for k in range(n_large):
        keep[large[k]] = 1.0
    for k in range(n_small):  # rounding left them a hair below one
        keep[small[k]] = 1.0
    return keep, alias


@kernel
def draw(laws: Any, k: int, rng: Any) -> int:
    """Draw an outcome of the k-th law; an index into `answers` and `right`."""
    x = rng.random() * laws.size[k]
    i = int(x)
    first = laws.first[k]
    other = laws.alias[first + i]  # read it in any case: a choice of two numbers costs less than a branch
    return int(first + (i if x - i < laws.keep[first + i] else other))


@lru_cache(maxsize=256)
def _law(p: float, attempt: int, kind: int, constants: Constants) -> tuple[NDArray[Any], ...]:
    lead = lead_table(2.0 ** -(attempt + 1), NODE_ERROR[kind], constants)
    answers, right, chance = compiled(stopping_law)(lead, p)
    return (*compiled(alias_table)(chance), answers, right)


@lru_cache(maxsize=64)
def laws(p: float, constants: Constants, *, attempts: int) -> Laws:
    """The laws of duels in which every answer is right with chance `p`, for the first attempts.

    >>> from juryrank.rankers.paper.core.constants import PAPER
    >>> certain = laws(1.0, PAPER, attempts=1)
    >>> certain.size.tolist(), certain.answers.tolist() == certain.right.tolist()
    ([1, 1, 1], True)
    """
    last = min(attempts, LAST_LAW)
    keys = sorted((table_index(t, kind), t, kind) for t in range(1, last + 1) for kind in range(3))
    parts = [_law(p, t, kind, constants) for _, t, kind in keys]
    size = np.array([len(part[0]) for part in parts], np.int64)
    first = np.concatenate(([0], np.cumsum(size)[:-1])).astype(np.int64)
    return Laws(p, last, first, size, *(np.concatenate(column) for column in zip(*parts, strict=True)))


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

"""The exact law of a whole duel: how many answers it takes and how many of them are right.

Where every answer is right with the same chance p, the pair (answers, right) at the moment a duel ends has a
distribution that a small dynamic programme gives: let the tally walk, and take out at every step what has
reached the border. A draw from it by the alias method costs the same however long the duel would have been.
Nothing is approximated: what is thrown away lies far below what a 53-bit random number could ever choose.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.gears import compiled, kernel
from juryrank.rankers.paper.core.constants import Constants, table_index
from juryrank.rankers.paper.core.elimination import NODE_ERROR, lead_table

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

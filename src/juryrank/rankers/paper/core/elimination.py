"""Dropping judges who are surely worse than another. Paper: EliminateUser.

Nobody is dropped before S ≥ 2 M² log(NM/δ) answers in all; then a judge goes whose upper bound lies below
another's lower bound, all with one radius r = sqrt(log(2|U|/δ) / (2 s_min)), s_min over the active judges.
The whole sweep uses the bounds computed at its start, so it can never empty the pool.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.rankers.paper.core.constants import WALK_STEP_SUCCESS, Constants


class Rule(NamedTuple):
    """The elimination rule's numbers."""

    threshold: float  # answers in all before anybody may be dropped
    strict: bool
    log_pool: NDArray[np.float64]  # log(2m/δ) for a pool of m


class Pool(NamedTuple):
    """The judges: answers given, answers right, who is active."""

    answered: NDArray[np.int64]
    right: NDArray[np.int64]
    active: NDArray[np.int64]  # active[:n_active]: judge numbers, ascending
    n_active: NDArray[np.int64]  # one number


def rule(n_items: int, n_judges: int, error: float, constants: Constants) -> Rule:
    """EliminateUser at confidence `error`, for a pool that starts with `n_judges`."""
    sizes = np.maximum(np.arange(n_judges + 1, dtype=np.float64), 1)
    logs = np.log2 if constants.base2 else np.log
    threshold = 2 * n_judges**2 * constants.log(n_items * n_judges / error)
    return Rule(threshold, constants.threshold_strict, logs(2 * sizes / error))


def pool(n_judges: int, members: list[int] | None = None) -> Pool:
    """A pool in which all judges (or only `members`) are active."""
    chosen = list(range(n_judges)) if members is None else sorted(members)
    active = np.zeros(n_judges, np.int64)
    active[: len(chosen)] = chosen
    return Pool(np.zeros(n_judges, np.int64), np.zeros(n_judges, np.int64), active, np.array([len(chosen)]))


@kernel
def fewest_answers(pool: Pool) -> int:
    """s_min over the active judges."""
    fewest = pool.answered[pool.active[0]]
    for k in range(1, pool.n_active[0]):
        fewest = min(fewest, pool.answered[pool.active[k]])
    return fewest


@kernel
def radius(pool: Pool, rule: Rule) -> float:
    """Half the width of every active judge's interval; infinite while one of them has no answer yet."""
    fewest = fewest_answers(pool)
    if fewest == 0:
        return np.inf
    return float(np.sqrt(rule.log_pool[pool.n_active[0]] / (2.0 * fewest)))


@kernel
def eliminate(pool: Pool, rule: Rule, answers: int) -> int:
    """Drop the judges who must go; returns how many. `answers` is S, all answers so far."""
    m = pool.n_active[0]
    if answers < rule.threshold or (rule.strict and answers == rule.threshold):
        return 0
    r = radius(pool, rule)
    if r == np.inf:
        return 0
    best = 0.0
    for k in range(m):
        u = pool.active[k]
        best = max(best, pool.right[u] / pool.answered[u])
    kept = 0
    for k in range(m):
        u = pool.active[k]
        if pool.right[u] / pool.answered[u] + r >= best - r:
            pool.active[kept] = u
            kept += 1
    pool.n_active[0] = kept
    return m - kept


# ----------------------------------------------------------------------------
# A duel: one pair asked until a verdict. Paper: Attempt-To-Compare (ATC)
#
# After r answers of which w prefer the newcomer, the duel ends when |w/r - 1/2| ≥ c_r with c_r = sqrt(log(π² r² /
# (3δ)) / (2r)), or when r = r_max = ceil(log(2/δ) / (2ε²)). In integers: when the lead |2w - r| reaches a table
# entry, `lead[r]`; at r_max the entry is 0, so that any lead ends it. The newcomer wins only with more than half:
# a draw at r_max counts against it.
ROOT, LEAF, INNER = 0, 1, 2  # the three kinds of node: a step asks at most one, two, three duels there
# the chance that one duel at such a node may go wrong, so that the whole step goes right with 15/16
NODE_ERROR: Final = tuple(1 - WALK_STEP_SUCCESS ** (1 / duels) for duels in (1, 2, 3))


def longest(epsilon: float, error: float, constants: Constants) -> int:
    """The most answers a duel can take (r_max).

    >>> from juryrank.rankers.paper.core.constants import PAPER
    >>> longest(0.25, NODE_ERROR[ROOT], PAPER)
    28
    """
    return int(np.ceil(constants.log(2 / error) / (2 * epsilon**2)))


def lead_table(epsilon: float, error: float, constants: Constants) -> NDArray[np.int64]:
    """The lead that ends a duel after r = 0 .. r_max answers."""
    r = np.arange(1, longest(epsilon, error, constants) + 1, dtype=np.float64)
    logs = np.log2 if constants.base2 else np.log
    radius = np.sqrt(logs(np.pi**2 * r**2 / (3 * error)) / (2 * r))
    lead = np.ceil(2 * r * radius).astype(np.int64)
    lead[-1] = 0
    return np.concatenate(([np.iinfo(np.int64).max], lead))

"""What an objective needs: the claims "i over j" that make it true, with no assumption about the judges.

    best      b over each other item                 N-1 claims
    top-k     each chosen item over each other one   k(N-k)
    order     each item over the next                N-1

The claims of an order make the whole order true only if "at least as good" is transitive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.rankers.jury.core.table import Pair

Claim: TypeAlias = tuple[int, int]  # (better, worse)


def needed(objective: Objective, order: Sequence[int], k: int | None) -> list[Claim]:
    """The claims that this order needs for the objective; "best" is top-1.

    >>> needed(Objective.ORDER, [2, 0, 1], None), needed(Objective.TOP, [2, 0, 1], 1)
    ([(2, 0), (0, 1)], [(2, 0), (2, 1)])
    """
    if objective is Objective.ORDER:
        return list(pairwise(order))
    assert k is not None
    return [(i, j) for i in order[:k] for j in order[k:]]


def impossible(loses: NDArray[np.bool_], objective: Objective, k: int | None) -> bool:
    """Can no choice meet the objective, as counted? `loses[i, j]`: "i over j" is counted false.

    A top-k must hold everything that beats one of its members; an order always exists, as every pair goes one
    way at least.

    >>> circle = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], dtype=bool)
    >>> impossible(circle, Objective.TOP, 1), impossible(circle, Objective.ORDER, None)
    (True, False)
    """
    if objective is Objective.ORDER or k is None:
        return False
    if k == 1:
        return bool(loses.any(axis=1).all())
    return not _closed_set_exists(loses, k)


@dataclass(frozen=True)
class ClaimList:
    """Claims, their items as arrays: they are looked at before every question, and there may be thousands."""

    better: NDArray[np.int64]
    worse: NDArray[np.int64]

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> ClaimList:
        better, worse = np.array(claims, dtype=np.int64).reshape(-1, 2).T
        return cls(better, worse)

    @cached_property
    def claims(self) -> list[Claim]:
        return list(zip(self.better.tolist(), self.worse.tolist(), strict=True))

    @cached_property
    def claimed(self) -> frozenset[Claim]:
        return frozenset(self.claims)

    def pair(self, at: int) -> Pair:
        """The items of one claim, the smaller number first."""
        i, j = int(self.better[at]), int(self.worse[at])
        return (i, j) if i < j else (j, i)


def needed_by(objective: Objective, order: Sequence[int], k: int | None) -> ClaimList:
    """The same claims as `needed`, as arrays.

    >>> needed_by(Objective.TOP, [2, 0, 1], 2).claims == needed(Objective.TOP, [2, 0, 1], 2)
    True
    """
    items = np.array(order, dtype=np.int64)
    if objective is Objective.ORDER:
        return ClaimList(items[:-1], items[1:])
    assert k is not None
    return ClaimList(np.repeat(items[:k], len(items[k:])), np.tile(items[k:], len(items[:k])))


MOST_SETS = 5000  # closed sets looked at before "impossible" is left unsaid


def _closed_set_exists(loses: NDArray[np.bool_], k: int) -> bool:
    """Is there a set of k items that holds whatever beats a member? (True where telling takes too long.)"""
    n = len(loses)
    if n - int(loses.any(axis=1).sum()) >= k:
        return True  # so many lose to nobody
    reach = loses | np.eye(n, dtype=bool)
    for via in range(n):  # Warshall's way: a product of matrices would start threads
        reach[reach[:, via]] |= reach[via]
    closures = {frozenset(np.flatnonzero(row).tolist()) for row in reach}
    seen: set[frozenset[int]] = {frozenset()}
    waiting = [frozenset[int]()]
    while waiting:
        base = waiting.pop()
        for closure in closures:
            union = base | closure
            if len(union) == k or len(seen) > MOST_SETS:
                return True
            if len(union) < k and union not in seen:
                seen.add(union)
                waiting.append(union)
    return False

"""The draw of a cell: a hash of (seed, pair, place within the pair), and nothing else.

Not of the question's number: whoever knows seed and answers could then ask about a false claim just when the
number hits a good cell. The first number picks the judge by its chance, the second one a cell of that judge by
its weight.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Hashable, Sequence

import numpy as np

from juryrank.rankers.jury.core.table import Table

DRAW, SIDE = "juryrank draw", "juryrank side"  # what a hash is for, so that no two uses share a number
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
BITS = 128  # of the second number: exact for any table


def numbers(seed: int, first: Hashable, second: Hashable, place: int) -> tuple[float, int]:
    """The two random numbers of one place of a pair: in [0, 1), and a whole one below 2^128.

    >>> numbers(1, "a", "b", 0) == numbers(1, "a", "b", 0), numbers(1, "a", "b", 0) == numbers(1, "a", "b", 1)
    (True, False)
    """
    digest = _hash([DRAW, seed, first, second, place])
    return (int.from_bytes(digest[:8]) >> 11) * 2.0**-53, int.from_bytes(digest[8:24])


def shown_side(seed: int, first: Hashable, second: Hashable, judge: Hashable, case: Hashable) -> int:
    """The one side of a case where each case is shown once: fixed for the cell, whenever it is drawn."""
    return _hash([SIDE, seed, first, second, judge, case])[0] & 1


def _hash(parts: list[object]) -> bytes:
    return hashlib.sha256(_written(parts).encode(errors="surrogatepass")).digest()


def pick_judge(chances: Sequence[float], number: float) -> int:
    """The judge whose stretch of the line [0, 1) holds the number.

    >>> pick_judge([0.25, 0.0, 0.75], 0.2), pick_judge([0.25, 0.0, 0.75], 0.25)
    (0, 2)
    """
    last, total = 0, 0.0
    for judge, chance in enumerate(chances):
        if chance > 0:
            last, total = judge, total + chance
            if number < total:
                return judge
    return last  # the chances sum to a hair less than 1


def pick_cell(table: Table, taken: Sequence[int], open_weight: int, number: int) -> int:
    """The cell of a judge: by weight among those not in `taken` (sorted), whose weights sum to `open_weight`.

    >>> table = Table(weights=(1.0,), case_weights=(1, 1), sides=2)
    >>> [pick_cell(table, [1], 3, quarter << 126) for quarter in range(4)]
    [0, 0, 2, 3]
    """
    target = number * open_weight >> BITS
    if table.even:
        passed = bisect_right(range(len(taken)), target, key=lambda k: taken[k] - k)
        return target + passed
    gone = np.asarray(taken, dtype=np.int64)
    weights = table.cell_weights[gone]
    used = np.concatenate(([0], np.cumsum(weights)))
    passed = int(np.searchsorted(table.before[gone] - used[:-1], target, side="right"))
    return int(np.searchsorted(table.before, target + used[passed], side="right")) - 1

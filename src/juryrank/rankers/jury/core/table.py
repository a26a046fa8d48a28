"""The whole evaluation: every judge, every case, every side of every pair, described by weights alone.

A cell of a pair is (judge u, case c, side s) with weight v = w_u · k_c / K, where w_u are the judges' weights
(they sum to 1), k_c whole numbers in proportion to the cases' weights, and K their sum over the pair's cells of
one judge. Whole numbers make a draw exact: the checker finds the same cell on any machine. No cell is ever
listed.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadInput

Pair = tuple[int, int]  # item numbers, the smaller first
ALL: Pair = (-1, -1)  # in place of a pair: all items are shown at once
FINEST_WEIGHT = 1 << 20  # the largest case weight as a whole number: weights keep six digits
CHEAPEST = 0.01  # a judge's price counts as at least this share of the dearest: a free judge is not asked for ever


@dataclass(frozen=True)
class Table:
    """Weights of judges and cases, sides per case, and the cases that some pairs do not have.

    >>> table = Table(weights=(0.5, 0.5), case_weights=(1, 1, 2), sides=2)
    >>> table.cells, table.judge_cells((0, 1))
    (12, 6)
    """

    weights: tuple[float, ...]
    case_weights: tuple[int, ...]
    sides: int = 2  # 2: each side is a cell of its own; 1: one cell per case and judge
    fresh: bool = False
    absent: Mapping[Pair, frozenset[int]] = field(default_factory=dict)
    given: tuple[float, ...] = ()  # the judges' weights as they were given, where known
    alone: frozenset[int] = frozenset()  # cases with fewer than two outputs, where all items are shown at once

    @property
    def judges(self) -> int:
        return len(self.weights)

    @property
    def as_given(self) -> tuple[float, ...]:
        """The judges' weights before they were made to sum to 1: what is counted exactly is counted in these."""
        return self.given or self.weights

    @property
    def cases(self) -> int:
        return len(self.case_weights)

    @cached_property
    def active(self) -> int:
        """Judges who are in the table: those who left for good weigh 0."""
        return sum(weight > 0 for weight in self.weights)

    @property
    def cells(self) -> int:
        """Cells of a pair that has all cases."""
        return self.active * self.cases * self.sides

    def judge_cells(self, pair: Pair) -> int:
        """How many cells one judge has in this pair."""
        return (self.cases - len(self._absent(pair))) * self.sides

    def _absent(self, pair: Pair) -> frozenset[int]:
        return self.alone if pair == ALL else self.absent.get(pair, frozenset())

    @cached_property
    def fewest_cells(self) -> int:
        """How many cells a pair has at the least."""
        return self.active * (self.cases - max(map(len, self.absent.values()), default=0)) * self.sides

    @cached_property
    def even(self) -> bool:
        """Do all cases weigh the same?"""
        return len(set(self.case_weights)) <= 1

    @cached_property
    def cell_weights(self) -> NDArray[np.int64]:
        """k of each cell of one judge, sides of a case side by side."""
        return np.repeat(np.asarray(self.case_weights, dtype=np.int64), self.sides)

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """Sum of the weights before each cell, and the total at the end."""
        return np.concatenate(([0], np.cumsum(self.cell_weights)))

    def total(self, pair: Pair) -> int:
        """K: the sum of k over one judge's cells of this pair."""
        gone = self._absent(pair)
        return self.sides * (sum(self.case_weights) - sum(self.case_weights[c] for c in gone))

    def gone(self, pair: Pair) -> list[int]:
        """Cells that this pair does not have, in order."""
        missing = sorted(self._absent(pair))
        return [case * self.sides + side for case in missing for side in range(self.sides)]


def whole_weights(weights: Sequence[float]) -> tuple[int, ...]:
    """Positive weights as whole numbers in the same proportion; equal weights become 1.

    >>> whole_weights([2.0, 2.0]), whole_weights([1, 0.5])
    ((1, 1), (1048576, 524288))
    """
    if len(set(weights)) <= 1:
        return (1,) * len(weights)
    top = max(weights)
    found = tuple(round(FINEST_WEIGHT * weight / top) for weight in weights)
    if min(found) < 1:
        raise BadInput(f"the lightest case weighs less than 1/{FINEST_WEIGHT:,} of the heaviest; leave it out")
    return found


def shares(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights that sum to 1; 0 for judges who left.

    >>> shares([1, 3])
    (0.25, 0.75)
    """
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def rates(prices: Sequence[float]) -> tuple[float, ...]:
    """How much more often than by its weight a judge is drawn: 1/√price, the least cost for a given precision.

    >>> rates([1.0, 4.0]), rates([3.0, 3.0])
    ((1.0, 0.5), (1.0, 1.0))
    """
    top = max(prices, default=0.0)
    if top <= 0 or len(set(prices)) == 1:
        return (1.0,) * len(prices)
    floor = CHEAPEST * top
    least = min(max(price, floor) for price in prices)
    return tuple((least / max(price, floor)) ** 0.5 for price in prices)


# ----------------------------------------------------------------------------
# The draw of a cell: a hash of (seed, root, pair, place within the pair), and nothing else
#
# The root is the hash of what was on record before the first draw: who knows the seed beforehand and chooses
# items, cases, weights, prices or a start by the draws gets other draws. The number of the question is not in it:
# whoever knows seed and answers could ask about a false claim just when the number hits a good cell. The first
# number picks the judge by its chance, the second one a cell of that judge by its weight.
ROOT, LATER, DRAW, SIDE = "juryrank root", "juryrank later", "juryrank draw", "juryrank side"  # what a hash is for
DRAW_ALL, ORDER = "juryrank draw of all", "juryrank order"
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
BITS = 128  # of the second number: exact for any table


@lru_cache(maxsize=64)  # a place is looked at when it is chosen, shown and entered
def numbers(key: Hashable, first: Hashable, second: Hashable, place: int) -> tuple[float, int]:
    """The two random numbers of one place of a pair: in [0, 1), and a whole one below 2^128.

    >>> numbers(1, "a", "b", 0) == numbers(1, "a", "b", 0), numbers(1, "a", "b", 0) == numbers(1, "a", "b", 1)
    (True, False)
    """
    digest = hashlib.sha256(f"{_of_pair(key, first, second)},{place}]".encode(errors="surrogatepass")).digest()
    return (int.from_bytes(digest[:8]) >> 11) * 2.0**-53, int.from_bytes(digest[8:24])


@lru_cache(maxsize=1024)
def _of_pair(key: Hashable, first: Hashable, second: Hashable) -> str:
    """What is hashed for a place of a pair, up to the place: writing it takes longer than hashing it."""
    return _written([DRAW, key, first, second]).removesuffix("]")


def draw_key(seed: int, on_record: Sequence[object]) -> str:
    """The seed with the hash of what was on record before the first draw.

    >>> draw_key(1, ["a", "b"]) == draw_key(1, ["a", "c"])
    False
    """
    return f"{seed} {_hash([ROOT, *on_record]).hex()}"


def later_key(key: str, entropy: int) -> str:
    """The key after something joined: hung on what nobody knew when that was chosen."""
    return _hash([LATER, key, entropy]).hex()


def shown_side(key: Hashable, first: Hashable, second: Hashable, judge: Hashable, case: Hashable) -> int:
    """The one side of a case where each case is shown once: fixed for the cell, whenever it is drawn."""
    return _hash([SIDE, key, first, second, judge, case])[0] & 1


def shown_order(key: Hashable, judge: Hashable, case: Hashable, items: Sequence[Hashable]) -> list[int]:
    """Which of these are shown first, where all are shown at once: the same whenever the cell is drawn.

    >>> shown_order("k", "m", "q", ["a", "b", "c"]) == shown_order("k", "m", "q", ["a", "b", "c"])
    True
    """
    return sorted(range(len(items)), key=lambda i: _hash([ORDER, key, judge, case, items, items[i]]))


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

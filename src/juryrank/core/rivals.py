"""The items that one was asked about, in the order of the list: a walk from rival to rival.

Log odds are 0 for pairs that nobody was asked about, so moving an item along the list changes the odds of the list
only at its rivals. There are about 2 log2 N of them an item, however long the list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.core.gears import kernel
from juryrank.core.tallies import FIRST_PAIR, HIGH, HIGH_NEXT, LOW, LOW_NEXT, RIVALS

PAIR_BITS = 32  # a rival is kept as its position in the list and, in these low bits, its row of `Tallies.pair`
PAIR_MASK = (1 << PAIR_BITS) - 1


@kernel(inline=False)
def line_up(s: Any, item: int, k: int) -> int:
    """Put the rivals of the item at position k into `s.rivals`, best first; how many stand above it."""
    t = s.tallies
    pair = t.pair
    above = 0
    row = t.item[item, FIRST_PAIR]
    for i in range(t.item[item, RIVALS]):
        low = pair[row, LOW]
        position = s.place[pair[row, HIGH] if low == item else low]
        above += position < k
        s.rivals[i] = (position << PAIR_BITS) | row
        row = pair[row, LOW_NEXT] if low == item else pair[row, HIGH_NEXT]
    in_order(s.rivals, t.item[item, RIVALS])
    return above


@kernel(inline=False, arrays=True)
def in_order(numbers: Any, count: int) -> None:
    """Sort the first `count`."""
    numbers[:count] = np.sort(numbers[:count])

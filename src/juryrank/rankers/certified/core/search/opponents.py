"""The items that one was asked about, in the order of the list: a walk from rival to rival.

Log odds are 0 for pairs that nobody was asked about, so moving an item along the list changes the odds of the list
only at its rivals, and an item has only about 2 log2 N of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.pair_answers import FIRST_PAIR, HIGH, HIGH_NEXT, LOW, LOW_NEXT, RIVALS

PAIR_BITS = 32  # a rival is kept as its position in the list and, in these low bits, its row of `Tallies.pair`
PAIR_MASK = (1 << PAIR_BITS) - 1


@kernel(inline=False)
def line_up(s: Any, item: int, k: int) -> int:
    """Put the rivals of the item at position k into `s.rivals`, best first; how many stand above it."""
    t = s.tallies
    pair = t.pair
    place = s.place
    rivals = s.rivals
    above = 0
    count = t.item[item, RIVALS]
    row = t.item[item, FIRST_PAIR]
    for i in range(count):
        rival = pair[row, LOW]
        following = HIGH_NEXT
        if rival == item:
            rival = pair[row, HIGH]
            following = LOW_NEXT
        position = place[rival]
        if position < k:
            above += 1
        rivals[i] = (position << PAIR_BITS) | row
        row = pair[row, following]
    in_order(rivals, count)
    return above


@kernel(inline=False, arrays=True)
def in_order(numbers: Any, count: int) -> None:
    """Sort the first `count`."""
    numbers[:count] = np.sort(numbers[:count])

"""Where an item may well belong far from where it stands, do not ask its way there step by step: halve it.

The chances of an item are 1 for staying and exp(-W) for each move in one direction. While most of them are in
staying, the question is the swap with its neighbour. Otherwise it is the comparison that splits them most evenly,
as in INSERT: an item that is a thousand places off is found in ten questions, not in a thousand.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.core.misgivings import DOWN, UP, crossing, likelier
from juryrank.core.moves import odds_over
from juryrank.core.rivals import PAIR_BITS, PAIR_MASK, line_up
from juryrank.core.state import ITEMS
from juryrank.core.tallies import RIVALS

STAY_PUT = -1


@kernel(inline=False)
def far_rival(s: Any, k: int, down: bool) -> int:
    """The position whose item splits the chances of the mover across link k, or STAY_PUT: ask about the swap."""
    going = crossing(s, k, s.beyond[k, DOWN if down else UP])
    if going <= 1.0:
        return STAY_PUT
    half = 0.5 * (1.0 + going)
    position = split_below(s, k, half) if down else split_above(s, k + 1, half)
    return STAY_PUT if position == (k + 1 if down else k) else position


@kernel(inline=False)
def split_below(s: Any, k: int, half: float) -> int:
    """The position that the item at k goes past in about half of its chances, if it goes down at all."""
    item = s.order[k]
    i = line_up(s, item, k)
    count = s.tallies.item[item, RIVALS]
    last = s.numbers[ITEMS] - 1
    at = k
    w = 0.0
    each = 1.0
    so_far = 1.0  # the chances of not going past `at` + 1: staying, so far
    while True:
        following = s.rivals[i] >> PAIR_BITS if i < count else last + 1
        between = following - at - 1
        if so_far + between * each >= half:
            return min(at + 1 + math.floor((half - so_far) / each + 0.5), last)
        if i >= count:
            return last
        so_far += between * each
        w += odds_over(s, item, s.rivals[i] & PAIR_MASK)
        each = likelier(w)
        if so_far + each >= half:
            return min(following + (2.0 * (half - so_far) > each), last)
        so_far += each
        at = following
        i += 1


@kernel(inline=False)
def split_above(s: Any, k: int, half: float) -> int:
    """The same on the way up."""
    item = s.order[k]
    i = line_up(s, item, k) - 1
    at = k
    w = 0.0
    each = 1.0
    so_far = 1.0
    while True:
        following = s.rivals[i] >> PAIR_BITS if i >= 0 else -1
        between = at - following - 1
        if so_far + between * each >= half:
            return max(at - 1 - math.floor((half - so_far) / each + 0.5), 0)
        if i < 0:
            return 0
        so_far += between * each
        w -= odds_over(s, item, s.rivals[i] & PAIR_MASK)
        each = likelier(w)
        if so_far + each >= half:
            return max(following - (2.0 * (half - so_far) > each), 0)
        so_far += each
        at = following
        i -= 1

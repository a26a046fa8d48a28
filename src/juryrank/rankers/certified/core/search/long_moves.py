"""An item that may belong far from where it stands is not asked about step by step: each question halves the way.

The chances of an item are 1 for staying and exp(-W) for each move in one direction. While most of them are in
staying, the question is the swap with its neighbour. Otherwise it is the comparison that splits them most evenly,
as in INSERT: an item that is a thousand places off is found in ten questions, not in a thousand.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.pair_answers import RIVALS
from juryrank.rankers.certified.core.search.move_doubt import DOWN, UP, crossing, likelier
from juryrank.rankers.certified.core.search.moves import odds_over
from juryrank.rankers.certified.core.search.opponents import PAIR_BITS, PAIR_MASK, line_up

STAY_PUT = -1


@kernel(inline=False)
def far_rival(s: Any, k: int, down: bool) -> int:
    """The position whose item splits the chances of the mover across link k, or STAY_PUT: ask about the swap."""
    going = crossing(s, k, s.beyond[k, DOWN if down else UP])
    if going <= 1.0:
        return STAY_PUT
    half = 0.5 * (1.0 + going)
    position = split(s, k, half, 1) if down else split(s, k + 1, half, -1)
    return STAY_PUT if position == (k + 1 if down else k) else position


@kernel(inline=False)
def split(s: Any, k: int, half: float, step: int) -> int:
    """The position that the item at k passes in about half of its chances of going down (step 1) or up (-1)."""
    item = s.order[k]
    above = line_up(s, item, k)
    count = s.tallies.item[item, RIVALS]
    last = s.cursor.items - 1 if step > 0 else 0
    i = above if step > 0 else above - 1
    at = k
    w = 0.0
    each = 1.0
    so_far = 1.0  # the chances of not going past the next position: staying, so far
    while 0 <= i < count:
        following = s.rivals[i] >> PAIR_BITS
        between = step * (following - at) - 1
        if so_far + between * each >= half:
            break
        so_far += between * each
        w += step * odds_over(s, item, s.rivals[i] & PAIR_MASK)
        each = likelier(w)
        if so_far + each >= half:
            return clipped(following + step * (2.0 * (half - so_far) > each), last, step)
        so_far += each
        at = following
        i += step
    else:
        if so_far + step * (last - at) * each < half:
            return last
    return clipped(at + step * (1 + math.floor((half - so_far) / each + 0.5)), last, step)


@kernel
def clipped(position: int, last: int, step: int) -> int:
    """Not beyond the list's end."""
    return min(position, last) if step > 0 else max(position, last)

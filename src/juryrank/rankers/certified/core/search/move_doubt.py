"""How likely is it that a move across a link is right? T of every link, kept up to date while the list changes.

T = Σ exp(-W) over all moves of one item whose first step crosses the link; W = the summed log odds of the pairs
passed, so exp(-W) is how much likelier the list would be after the move. Every such move begins with the same
step, the swap of the link's two items, so

    T = exp(-step) (1 + DOWN + UP)      DOWN: the upper item moves on down, UP: the lower one moves on up

where DOWN and UP, the sums over the moves that go beyond the swap, hold no answer about the link itself: an answer
about it changes only `step`. After a swap most sums follow from those before it, and only two are walked anew.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.pair_answers import RIVALS
from juryrank.rankers.certified.core.search.insert import searchable
from juryrank.rankers.certified.core.search.moves import hopeless, odds_over, shift_item
from juryrank.rankers.certified.core.search.opponents import PAIR_BITS, PAIR_MASK, line_up
from juryrank.rankers.certified.core.search.pair_odds import log_odds

DOWN, UP = 0, 1  # columns of `beyond`


@kernel
def likelier(w: float) -> float:
    """How much likelier the list is after a move past pairs of these log odds; never more than exp(50)."""
    return math.exp(min(-w, 50.0))


@kernel(inline=False)
def weigh_all(s: Any) -> None:
    """DOWN, UP and T of every link; the caller rebuilds the max tree."""
    for k in range(s.cursor.items):
        walk_both_ways(s, k)
    for k in range(s.cursor.items - 1):
        s.doubt.value[k] = move_doubt(s, k)


@kernel(inline=False)
def walk_both_ways(s: Any, k: int) -> None:
    """UP and DOWN of the item at k: at the link before it, and at the one after it."""
    above = line_up(s, s.order[k], k)
    if k > 0:
        s.beyond[k - 1, UP] = walk(s, k, above - 1, -1)
    if k < s.cursor.items - 1:
        s.beyond[k, DOWN] = walk(s, k, above, 1)


@kernel(inline=False)
def move_doubt(s: Any, k: int) -> float:
    """T of a link, from its DOWN and UP."""
    above = s.order[k]
    below = s.order[k + 1]
    if not searchable(s, above, below):
        return 0.0
    return crossing(s, k, s.beyond[k, DOWN] + s.beyond[k, UP])


@kernel
def crossing(s: Any, k: int, beyond: float) -> float:
    """exp(-step) (1 + beyond), but nothing lies beyond a hopeless step: no move would be made there."""
    step = log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1])
    return likelier(step) * (1.0 + beyond) if step <= hopeless(s) else likelier(step)


@kernel(inline=False)
def walk(s: Any, k: int, i: int, step: int) -> float:
    """Σ exp(-W) over moves of the item at k beyond the next position, down (step 1) or up (-1).

    Its rivals are lined up; the i-th is the first on the way.
    """
    item = s.order[k]
    rivals = s.rivals
    count = s.tallies.item[item, RIVALS]
    cut = hopeless(s)
    at = k + step
    if 0 <= i < count and (rivals[i] >> PAIR_BITS) == at:
        i += step  # the swap itself
    w = 0.0
    each = 1.0
    total = 0.0
    while 0 <= i < count and w <= cut:
        position = rivals[i] >> PAIR_BITS
        total += (step * (position - at) - 1) * each  # between rivals nothing changes
        w += step * odds_over(s, item, rivals[i] & PAIR_MASK)
        each = likelier(w)
        total += each
        at = position
        i += step
    rest = s.cursor.items - at - 1 if step > 0 else at
    return total + rest * each if w <= cut else total


@kernel(inline=False)
def swap(s: Any, k: int) -> None:
    """Swap the items of link k; DOWN and UP of it and of the two links beside it follow.

    before   p  x  y  q            p y: past x and then y, now past y and then x: only the first step differs
    after    p  y  x  q            y x: beyond the swap y goes on as it did from where it stood, and so does x
    """
    b = s.beyond
    x = s.order[k]
    y = s.order[k + 1]
    down = 0.0
    up = 0.0
    if k > 0:
        p = s.order[k - 1]
        over_x = log_odds(s.tallies, s.jury, p, x)
        up = likelier(over_x) * (1.0 + b[k - 1, UP])
        b[k - 1, DOWN] *= likelier(over_x - log_odds(s.tallies, s.jury, p, y))
    if k + 2 < s.cursor.items:
        q = s.order[k + 2]
        over_q = log_odds(s.tallies, s.jury, y, q)
        down = likelier(over_q) * (1.0 + b[k + 1, DOWN])
        b[k + 1, UP] *= likelier(over_q - log_odds(s.tallies, s.jury, x, q))
    b[k, DOWN] = down
    b[k, UP] = up
    shift_item(s, k, 1)
    if k > 0:
        b[k - 1, UP] = walk(s, k, line_up(s, y, k) - 1, -1)
    if k + 2 < s.cursor.items:
        b[k + 1, DOWN] = walk(s, k + 1, line_up(s, x, k + 1), 1)


@kernel(inline=False)
def relocate(s: Any, k: int, to: int) -> None:
    """Move the item at k to a place that is not the next. The others' DOWN and UP move with them; those of the
    items that have new neighbours are walked anew."""
    b = s.beyond
    shift_item(s, k, to - k)
    step = 1 if to > k else -1
    link = k if to > k else k - 1
    for _ in range(abs(to - k) - 1):
        b[link, DOWN] = b[link + step, DOWN]
        b[link, UP] = b[link + step, UP]
        link += step
    for place in (k - 1, k, k + 1, to - 1, to, to + 1):
        if 0 <= place < s.cursor.items:
            walk_both_ways(s, place)

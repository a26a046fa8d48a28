"""Moves of one item along the list, and all that the answers favour.

Log odds are 0 for pairs that nobody was asked about, so a move changes the odds of the list only at the item's
rivals (`opponents.py`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.pair_answers import (
    FIRST_PAIR,
    HIGH,
    HIGH_NEXT,
    LOW,
    LOW_NEXT,
    NONE,
    RIVALS,
    log_odds,
    odds_of_pair,
)
from juryrank.rankers.certified.core.search.insert import searchable

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

# ----------------------------------------------------------------------------
# The items that one was asked about, in the order of the list: a walk from rival to rival
#
# Log odds are 0 for pairs that nobody was asked about, so moving an item along the list changes the odds of the
# list only at its rivals, and an item has only about 2 log2 N of them.
PAIR_BITS = 32  # a rival is kept as its position in the list and, in these low bits, its row of `Tallies.pair`
PAIR_MASK = (1 << PAIR_BITS) - 1


@kernel(inline=False)
def line_up(s: State, item: int, k: int) -> int:
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


# ----------------------------------------------------------------------------
# Moves of one item along the list, and all that the answers favour
NEGLIGIBLE = 5.0  # in sums over all moves of all links: terms below exp(-5)/N² do not matter
MOST_PASSES = 50  # over the whole list in search of moves: moves that undo each other must end


@kernel
def odds_over(s: State, item: int, pair: int) -> float:
    """Log odds that an item is better than its rival in a pair."""
    odds = odds_of_pair(s.tallies, s.jury, pair)
    return odds if s.tallies.pair[pair, LOW] == item else -odds


@kernel
def hopeless(s: State) -> float:
    """The log odds from which on a move, and all beyond it, do not matter."""
    return NEGLIGIBLE + 2.0 * math.log(s.cursor.items)


@kernel(inline=False)
def best_shift(s: State, k: int) -> int:
    """How far the item at position k should move (negative: up) to make the list likelier, 0 if nowhere."""
    item = s.order[k]
    rivals = s.rivals
    above = line_up(s, item, k)
    count = s.tallies.item[item, RIVALS]
    cut = hopeless(s)
    best = -1e-9
    shift = 0
    for step in (1, -1):
        w = 0.0
        i = above if step > 0 else above - 1
        while 0 <= i < count and w <= cut:
            w += step * odds_over(s, item, rivals[i] & PAIR_MASK)
            if w < best:
                best = w
                shift = (rivals[i] >> PAIR_BITS) - k
            i += step
    return shift


@kernel
def shift_item(s: State, k: int, shift: int) -> None:
    """Move the item at position k by `shift` places."""
    item = s.order[k]
    step = 1 if shift > 0 else -1
    for _ in range(abs(shift)):
        s.order[k] = s.order[k + step]
        s.place[s.order[k]] = k
        k += step
    s.order[k] = item
    s.place[item] = k


@kernel(inline=False)
def improve(s: State) -> None:
    """Make favoured moves until there is none.

    A move can make another one right only for the item itself and for its rivals: only they are looked at again.
    """
    for k in range(s.cursor.items):
        s.recheck[k] = 1
    moved = True
    passes = 0
    while moved and passes < MOST_PASSES:
        moved = False
        passes += 1
        for k in range(s.cursor.items):
            item = s.order[k]
            if s.recheck[item]:
                s.recheck[item] = 0
                shift = best_shift(s, k)
                if shift != 0:
                    shift_item(s, k, shift)
                    recheck_rivals(s, item)
                    moved = True


@kernel
def recheck_rivals(s: State, item: int) -> None:
    """An item has moved: it and its rivals are looked at again."""
    t = s.tallies
    s.recheck[item] = 1
    row = t.item[item, FIRST_PAIR]
    while row != NONE:
        low = t.pair[row, LOW] == item
        s.recheck[t.pair[row, HIGH] if low else t.pair[row, LOW]] = 1
        row = t.pair[row, LOW_NEXT] if low else t.pair[row, HIGH_NEXT]


# ----------------------------------------------------------------------------
# How likely is it that a move across a link is right? T of every link, kept up to date while the list changes
#
# T = Σ exp(-W) over all moves of one item whose first step crosses the link; W = the summed log odds of the pairs
# passed, so exp(-W) is how much likelier the list would be after the move. Every such move begins with the same
# step, the swap of the link's two items, so
#
#     T = exp(-step) (1 + DOWN + UP)      DOWN: the upper item moves on down, UP: the lower one moves on up
#
# where DOWN and UP, the sums over the moves that go beyond the swap, hold no answer about the link itself: an
# answer about it changes only `step`. After a swap most sums follow from those before it, and only two are walked
# anew.
DOWN, UP = 0, 1  # columns of `beyond`


@kernel
def likelier(w: float) -> float:
    """How much likelier the list is after a move past pairs of these log odds; never more than exp(50)."""
    return math.exp(min(-w, 50.0))


@kernel(inline=False)
def weigh_all(s: State) -> None:
    """DOWN, UP and T of every link; the caller rebuilds the max tree."""
    for k in range(s.cursor.items):
        walk_both_ways(s, k)
    for k in range(s.cursor.items - 1):
        s.doubt.value[k] = move_doubt(s, k)


@kernel(inline=False)
def walk_both_ways(s: State, k: int) -> None:
    """UP and DOWN of the item at k: at the link before it, and at the one after it."""
    above = line_up(s, s.order[k], k)
    if k > 0:
        s.beyond[k - 1, UP] = walk(s, k, above - 1, -1)
    if k < s.cursor.items - 1:
        s.beyond[k, DOWN] = walk(s, k, above, 1)


@kernel(inline=False)
def move_doubt(s: State, k: int) -> float:
    """T of a link, from its DOWN and UP."""
    above = s.order[k]
    below = s.order[k + 1]
    if not searchable(s, above, below):
        return 0.0
    return crossing(s, k, s.beyond[k, DOWN] + s.beyond[k, UP])


@kernel
def crossing(s: State, k: int, beyond: float) -> float:
    """exp(-step) (1 + beyond), but nothing lies beyond a hopeless step: no move would be made there."""
    step = log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1])
    return likelier(step) * (1.0 + beyond) if step <= hopeless(s) else likelier(step)


@kernel(inline=False)
def walk(s: State, k: int, i: int, step: int) -> float:
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
def swap(s: State, k: int) -> None:
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
def relocate(s: State, k: int, to: int) -> None:
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


# ----------------------------------------------------------------------------
# An item that may belong far from where it stands is not asked about step by step: each question halves the way
#
# The chances of an item are 1 for staying and exp(-W) for each move in one direction. While most of them are in
# staying, the question is the swap with its neighbour. Otherwise it is the comparison that splits them most
# evenly, as in INSERT: an item that is a thousand places off is found in ten questions, not in a thousand.
STAY_PUT = -1


@kernel(inline=False)
def far_rival(s: State, k: int, down: bool) -> int:
    """The position whose item splits the chances of the mover across link k, or STAY_PUT: ask about the swap."""
    going = crossing(s, k, s.beyond[k, DOWN if down else UP])
    if going <= 1.0:
        return STAY_PUT
    half = 0.5 * (1.0 + going)
    position = split(s, k, half, 1) if down else split(s, k + 1, half, -1)
    return STAY_PUT if position == (k + 1 if down else k) else position


@kernel(inline=False)
def split(s: State, k: int, half: float, step: int) -> int:
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

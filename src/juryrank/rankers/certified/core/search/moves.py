"""Moves of one item along the list, and all that the answers favour.

Log odds are 0 for pairs that nobody was asked about, so a move changes the odds of the list only at the item's
rivals (`opponents.py`).
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.pair_answers import FIRST_PAIR, HIGH, HIGH_NEXT, LOW, LOW_NEXT, NONE, RIVALS
from juryrank.rankers.certified.core.search.opponents import PAIR_BITS, PAIR_MASK, line_up
from juryrank.rankers.certified.core.search.pair_odds import odds_of_pair

NEGLIGIBLE = 5.0  # in sums over all moves of all links: terms below exp(-5)/N² do not matter
MOST_PASSES = 50  # over the whole list in search of moves: moves that undo each other must end


@kernel
def odds_over(s: Any, item: int, pair: int) -> float:
    """Log odds that an item is better than its rival in a pair."""
    odds = odds_of_pair(s.tallies, s.jury, pair)
    return odds if s.tallies.pair[pair, LOW] == item else -odds


@kernel
def hopeless(s: Any) -> float:
    """The log odds from which on a move, and all beyond it, do not matter."""
    return NEGLIGIBLE + 2.0 * math.log(s.cursor.items)


@kernel(inline=False)
def best_shift(s: Any, k: int) -> int:
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
def shift_item(s: Any, k: int, shift: int) -> None:
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
def improve(s: Any) -> None:
    """Make favoured moves until there is none.

    A move can make another one right only for the item itself and for its rivals: only they are looked at again.
    """
    for k in range(s.cursor.items):
        s.restless[k] = 1
    moved = True
    passes = 0
    while moved and passes < MOST_PASSES:
        moved = False
        passes += 1
        for k in range(s.cursor.items):
            item = s.order[k]
            if s.restless[item]:
                s.restless[item] = 0
                shift = best_shift(s, k)
                if shift != 0:
                    shift_item(s, k, shift)
                    rouse(s, item)
                    moved = True


@kernel
def rouse(s: Any, item: int) -> None:
    """An item has moved: it and its rivals are looked at again."""
    t = s.tallies
    s.restless[item] = 1
    row = t.item[item, FIRST_PAIR]
    while row != NONE:
        low = t.pair[row, LOW] == item
        s.restless[t.pair[row, HIGH] if low else t.pair[row, LOW]] = 1
        row = t.pair[row, LOW_NEXT] if low else t.pair[row, HIGH_NEXT]

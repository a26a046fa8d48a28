"""The search for a set: who may belong on the other side of the pivot?

The list is kept in order down to the k-th item, the pivot; the others follow in no particular order. An item's
doubt is exp(-W), W = the summed log odds of the pairs that it would pass on its way across the pivot; for items
outside the set times the odds of being inside before anything is asked. While the doubts sum to more than
REPAIR_STOP, the most doubtful item meets the pivot. An item that looks better across becomes the pivot.
"""

from __future__ import annotations

from typing import Any

from juryrank.core.certified.judge_accuracy import WEIGHT
from juryrank.core.certified.max_tree import put, rebuild
from juryrank.core.certified.objectives.links import link_of
from juryrank.core.certified.pair_answers import RIVALS
from juryrank.core.certified.search.insert import searchable
from juryrank.core.certified.search.move_doubt import likelier
from juryrank.core.certified.search.moves import MOST_PASSES, odds_over, shift_item
from juryrank.core.certified.search.opponents import PAIR_BITS, PAIR_MASK, line_up
from juryrank.core.gears import kernel


@kernel
def off_pivot(s: Any, k: int) -> int:
    """The item of link k that is not the pivot."""
    return s.order[k] if k < s.cursor.top - 1 else s.order[k + 1]


@kernel
def side_doubt(s: Any, k: int) -> float:
    """The doubt of link k's item that the search may still ask about."""
    return crossing_odds(s, k) if searchable(s, off_pivot(s, k), s.order[s.cursor.top - 1]) else 0.0


@kernel(inline=False)
def crossing_odds(s: Any, k: int) -> float:
    """How much likelier the set would be with the item of link k across the pivot."""
    item = off_pivot(s, k)
    place = s.place[item]
    pivot = s.cursor.top - 1
    higher = line_up(s, item, place)
    count = s.tallies.item[item, RIVALS]
    step = 1 if place < pivot else -1
    i = higher if step > 0 else higher - 1
    w = 0.0
    while 0 <= i < count and step * ((s.rivals[i] >> PAIR_BITS) - pivot) <= 0:
        w += step * odds_over(s, item, s.rivals[i] & PAIR_MASK)
        i += step
    inside = 1.0 if step > 0 else s.cursor.top / (s.cursor.items - s.cursor.top)
    return inside * likelier(w)


@kernel
def discounted_side(s: Any, k: int) -> float:
    """The doubt, less what the questions already out are expected to take off it."""
    out = s.out[off_pivot(s, k)]
    if out == 0:
        return s.doubt.value[k]
    return s.doubt.value[k] * likelier(out * s.jury.real[s.cursor.leader, WEIGHT])


@kernel
def cross_over(s: Any, k: int) -> None:
    """The item of link k moves across, and becomes the pivot."""
    place = s.place[off_pivot(s, k)]
    shift_item(s, place, s.cursor.top - 1 - place)


@kernel(inline=False)
def weigh_sides(s: Any) -> None:
    """Every doubt; whoever looks better across goes there first."""
    links = s.cursor.items - 1
    for _ in range(MOST_PASSES):
        worst = 0
        for k in range(len(s.doubt.value)):
            s.doubt.value[k] = side_doubt(s, k) if k < links else 0.0
            if s.doubt.value[k] > s.doubt.value[worst]:
                worst = k
        if s.doubt.value[worst] <= 1.0:
            break
        cross_over(s, worst)
    for k in range(len(s.unsure.value)):
        s.unsure.value[k] = discounted_side(s, k) if k < links else 0.0
    rebuild(s.doubt)
    rebuild(s.unsure)


@kernel
def weigh_side(s: Any, k: int, doubts: bool) -> None:
    """The doubt of one link's item, if `doubts`, and its discount."""
    if doubts:
        put(s.doubt, k, side_doubt(s, k))
    put(s.unsure, k, discounted_side(s, k))


@kernel(inline=False)
def sides_out(s: Any, x: int, y: int) -> None:
    """A question about x and y went out or came back."""
    pivot = s.order[s.cursor.top - 1]
    for item in (x, y):
        if item != pivot:
            weigh_side(s, link_of(s, item, pivot), False)


@kernel(inline=False)
def sides_touched(s: Any, x: int, y: int) -> bool:
    """There is something new about x and y. Did one of them move across?"""
    pivot = s.order[s.cursor.top - 1]
    moved = False
    for item in (x, y):
        if item != pivot:
            k = link_of(s, item, pivot)
            weigh_side(s, k, True)
            moved = moved or s.doubt.value[k] > 1.0
    return moved

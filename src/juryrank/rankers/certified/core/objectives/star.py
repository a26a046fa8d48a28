"""The search for a set: who may belong on the other side of the pivot?

The list is kept in order down to the k-th item, the pivot; the others follow in no particular order. An item's
doubt is the odds that it belongs across the pivot: Σ exp(-W) over the places there, over the same sum on its own
side, with W = the summed log odds of the pairs that it would pass on its way. Before anything is asked all places
are alike and most are outside, so an item that beat the pivot once may well still be outside. Until the sum of the
doubts is small, the most doubtful item meets the pivot. An item that fits better across becomes the pivot.
"""

from __future__ import annotations

from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.judge_accuracy import WEIGHT
from juryrank.rankers.certified.core.max_tree import put, rebuild
from juryrank.rankers.certified.core.objectives.links import link_of
from juryrank.rankers.certified.core.pair_answers import RIVALS
from juryrank.rankers.certified.core.search.insert import searchable
from juryrank.rankers.certified.core.search.move_doubt import likelier
from juryrank.rankers.certified.core.search.moves import MOST_PASSES, odds_over, shift_item
from juryrank.rankers.certified.core.search.opponents import PAIR_BITS, PAIR_MASK, line_up
from juryrank.rankers.certified.core.search.pair_odds import TINY


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
    """The odds that the item of link k belongs across the pivot: what the places there weigh over those here."""
    item = off_pivot(s, k)
    pivot = s.cursor.top - 1
    higher = line_up(s, item, pivot + 1)
    worse = places_weigh(s, item, higher, 1)
    better = places_weigh(s, item, higher - 1, -1)
    return worse / max(better, TINY) if s.place[item] < pivot else better / max(worse, TINY)


@kernel(inline=False)
def places_weigh(s: Any, item: int, i: int, step: int) -> float:
    """The likelihood of all places below (step 1) or above (-1) the pivot together, over that just below it.

    The item's rivals are lined up; the i-th is the first on the way. Between two of them nothing changes.
    """
    own = s.place[item]
    at = s.cursor.top - 1
    count = s.tallies.item[item, RIVALS]
    w = 0.0
    total = 0.0
    while 0 <= i < count:
        position = s.rivals[i] >> PAIR_BITS
        places = step * (position - at) - (step * (own - at) > 0 and step * (position - own) > 0)
        total += places * likelier(w)
        w += step * odds_over(s, item, s.rivals[i] & PAIR_MASK)
        at = position
        i += step
    rest = s.cursor.items - at if step > 0 else at + 1
    return total + (rest - (step * (own - at) > 0)) * likelier(w)


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
    """Compute every doubt; an item that fits better across the pivot is moved there first."""
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
    """Something new is known about x and y. Did one of them move across?"""
    pivot = s.order[s.cursor.top - 1]
    moved = False
    for item in (x, y):
        if item != pivot:
            k = link_of(s, item, pivot)
            weigh_side(s, k, True)
            moved = moved or s.doubt.value[k] > 1.0
    return moved

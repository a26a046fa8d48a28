"""INSERT: where does a newcomer belong? Several may be in flight at once, each in a slot of its own.

A slot weighs the k+1 gaps of the list (gap g = just before position g; position 0 is the best). The weights
are constant between the positions asked so far, so a slot keeps one number per interval:

    asked positions   at[0] < at[1] < ...           interval j = the gaps g with at[j-1] < g ≤ at[j]

An answer lowers the intervals it contradicts by the judge's weight. When another newcomer settles in a gap
that a slot still weighs, all later positions move up by one, which splits that gap into two of equal weight:
no answer is lost.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.defaults import NEWCOMERS, NEWCOMERS_BREADTH
from juryrank.rankers.certified.core.max_tree import OUT, put, rebuild
from juryrank.rankers.certified.core.phases import ORDER

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

MOST_BOUNDS = 96  # distinct opponents of one newcomer; then only these are asked again
FREE = -1


ITEM, ROW_ASKED, ROW_OPEN, BOUNDS = range(4)  # columns of `row`: FREE or who, questions, out now, positions asked
AT, RIVAL = 0, 1  # of a bound: its position, the item there


class Slots(NamedTuple):
    """Newcomers in flight, one row each."""

    row: NDArray[np.int64]
    bound: NDArray[np.int64]  # (slot, bound, AT or RIVAL)
    weight: NDArray[np.float64]  # (slot, interval): log-weight of each gap in it
    of_item: NDArray[np.int64]  # item -> slot or FREE


def room_in_flight(n_items: int, *, breadth: bool) -> int:
    """How many newcomers may be in flight at once.

    >>> room_in_flight(2_000, breadth=True), room_in_flight(2_000, breadth=False)
    (2000, 512)
    """
    return min(max(n_items, 1), NEWCOMERS_BREADTH if breadth else NEWCOMERS)


def slots(n_items: int, rows: int) -> Slots:
    """No newcomer yet, and room for `rows` of them."""
    made = Slots(
        np.zeros((rows, 4), np.int64),
        np.zeros((rows, MOST_BOUNDS, 2), np.int64),
        np.zeros((rows, MOST_BOUNDS + 1)),
        np.full(n_items, FREE, np.int64),
    )
    made.row[:, ITEM] = FREE
    return made


@kernel
def open_slot(slots: Slots, row: int, item: int) -> None:
    """A newcomer: every gap is equally likely."""
    slots.row[row, ITEM] = item
    slots.of_item[item] = row
    slots.row[row, ROW_ASKED] = 0
    slots.row[row, ROW_OPEN] = 0
    slots.row[row, BOUNDS] = 0
    slots.weight[row, 0] = 0.0


@kernel
def close_slot(slots: Slots, row: int) -> None:
    slots.of_item[slots.row[row, ITEM]] = FREE
    slots.row[row, ITEM] = FREE


@kernel
def first_gap(slots: Slots, row: int, j: int) -> int:
    """The first gap of interval j."""
    return slots.bound[row, j - 1, AT] + 1 if j > 0 else 0


@kernel
def gaps_in(slots: Slots, row: int, j: int, placed: int) -> int:
    """How many gaps interval j has, in a list of `placed` items."""
    last = slots.bound[row, j, AT] if j < slots.row[row, BOUNDS] else placed
    return last - first_gap(slots, row, j) + 1


@kernel
def heaviest(slots: Slots, row: int) -> int:
    """The interval whose gaps weigh most."""
    weight = slots.weight
    best = 0
    top = weight[row, 0]
    for j in range(1, slots.row[row, BOUNDS] + 1):
        if weight[row, j] > top:
            best = j
            top = weight[row, j]
    return best


@kernel
def mass_of(slots: Slots, row: int, placed: int, best: int) -> float:
    """All mass, in units of one gap of the heaviest interval."""
    bound = slots.bound
    weight = slots.weight
    top = weight[row, best]
    total = 0.0
    first = 0  # gap of the interval
    bounds = slots.row[row, BOUNDS]
    for j in range(bounds):
        last = bound[row, j, AT]
        total += (last - first + 1) * math.exp(weight[row, j] - top)
        first = last + 1
    return total + (placed - first + 1) * math.exp(weight[row, bounds] - top)


@kernel
def halving_position(slots: Slots, row: int, placed: int) -> int:
    """The position whose item splits the mass most evenly."""
    best = heaviest(slots, row)
    top = slots.weight[row, best]
    half = 0.5 * mass_of(slots, row, placed, best)
    before = 0.0
    for j in range(slots.row[row, BOUNDS] + 1):
        gaps = gaps_in(slots, row, j, placed)
        each = math.exp(slots.weight[row, j] - top)
        if before + gaps * each >= half or j == slots.row[row, BOUNDS]:
            steps = min(max(math.ceil((half - before) / each), 1), gaps) if each > 0.0 else 1
            over = before + steps * each - half
            gap = first_gap(slots, row, j) + steps - 1
            if gap > 0 and each - over < over:  # the item before splits more evenly
                gap -= 1
            return min(gap, placed - 1)
        before += gaps * each
    return placed - 1


@kernel
def bound_of(slots: Slots, row: int, rival: int) -> int:
    """The number of the bound at this item, or -1."""
    for j in range(slots.row[row, BOUNDS]):
        if slots.bound[row, j, RIVAL] == rival:
            return j
    return -1


@kernel
def add_bound(slots: Slots, row: int, position: int, rival: int) -> None:
    """Remember a position that is being asked: its interval becomes two of the same weight."""
    count = slots.row[row, BOUNDS]
    j = count
    while j > 0 and slots.bound[row, j - 1, AT] > position:
        slots.bound[row, j, AT] = slots.bound[row, j - 1, AT]
        slots.bound[row, j, RIVAL] = slots.bound[row, j - 1, RIVAL]
        slots.weight[row, j + 1] = slots.weight[row, j]
        j -= 1
    slots.bound[row, j, AT] = position
    slots.bound[row, j, RIVAL] = rival
    slots.weight[row, j + 1] = slots.weight[row, j]
    slots.row[row, BOUNDS] = count + 1


@kernel
def weigh(slots: Slots, row: int, bound: int, better: bool, weight: float) -> None:
    """The newcomer was called better (worse) than the item at a bound: the gaps after (up to) it lose weight."""
    for j in range(slots.row[row, BOUNDS] + 1):
        if (j > bound) == better:
            slots.weight[row, j] -= weight


@kernel
def log_odds_at(slots: Slots, row: int, bound: int, placed: int, best: int) -> float:
    """Log odds that the newcomer is better than the item at a bound."""
    top = slots.weight[row, best]
    better = 0.0
    worse = 0.0
    first = 0
    bounds = slots.row[row, BOUNDS]
    for j in range(bounds + 1):
        last = slots.bound[row, j, AT] if j < bounds else placed
        mass = (last - first + 1) * math.exp(slots.weight[row, j] - top)
        first = last + 1
        if j <= bound:
            better += mass
        else:
            worse += mass
    return math.log(max(better, 1e-12) / max(worse, 1e-12))


@kernel
def make_way(slots: Slots, rows: int, position: int) -> None:
    """An item was placed at `position`: later positions move up, the gap that was there splits."""
    for row in range(rows):
        if slots.row[row, ITEM] != FREE:
            for j in range(slots.row[row, BOUNDS]):
                if slots.bound[row, j, AT] >= position:
                    slots.bound[row, j, AT] += 1


# ----------------------------------------------------------------------------
# How far a newcomer is from its place, and whose turn it is where many are in flight (`insert="breadth"`)
#
# A newcomer is *open* by as many gaps as its mass would fill if each were as heavy as the heaviest. While any is
# wide open, the widest is asked about; after that, the one nearest to its place. The rows' claims to the next
# question are kept in a max tree (`State.unsure`, which otherwise only later phases use), so that choosing a
# question does not look at all rows.
DEPTH, BREADTH = 0, 1  # `cursor.insert`: one newcomer after the other, or all of them together
INSERTIONS = ("depth", "breadth")
# Items that are placed one by one before the others are asked about: 7, or a quarter of all. Judges are credited
# when an item is placed, so until then nobody knows whom to ask: with 7 of 100 a certificate took a third more.
PLACED_FIRST, PLACED_SHARE = 7, 4
WIDE = 4.0  # gaps


@kernel
def all_together(s: State) -> bool:
    """Is it time to ask about all newcomers?"""
    c = s.cursor
    return c.insert == BREADTH and c.placed >= max(PLACED_FIRST, c.items // PLACED_SHARE)


@kernel
def outside(s: State, row: int, interval: int) -> bool:
    """Is this interval all that lies below the set that is looked for?"""
    return s.cursor.objective != ORDER and first_gap(s.slots, row, interval) >= s.cursor.top


@kernel
def mass_outside(s: State, row: int, best: int) -> float:
    """The mass of all gaps below the set, in units of one gap of interval `best`: a set counts them as one."""
    total = 0.0
    for j in range(s.slots.row[row, BOUNDS] + 1):
        if outside(s, row, j):
            gaps = gaps_in(s.slots, row, j, s.cursor.placed)
            total += gaps * math.exp(s.slots.weight[row, j] - s.slots.weight[row, best])
    return total


@kernel(inline=False)
def surest_share(s: State, row: int, best: int) -> float:
    """The share of a newcomer's mass that lies where it would be placed now, in a gap of interval `best`."""
    share = 1.0 / mass_of(s.slots, row, s.cursor.placed, best)
    if outside(s, row, best):
        share *= mass_outside(s, row, best)
    return share


@kernel(inline=False)
def claim_of(s: State, row: int) -> float:
    """A row's claim to the next question, the largest first: wide ones, then the nearest to a place."""
    if s.slots.row[row, ITEM] == FREE or s.slots.row[row, ROW_OPEN] > 0:
        return OUT
    gaps = 1.0 / surest_share(s, row, heaviest(s.slots, row))
    return gaps if gaps > WIDE else -gaps


@kernel(inline=False)
def trials_wait(s: State, newcomer: int) -> bool:
    """Is only the leader asked about this one? While it is wide open, as a trial is judged when an item is placed.

    Until then nothing would be learned from trying others, and most of them are worse than the leader.
    """
    if not all_together(s):
        return False
    row = s.slots.of_item[newcomer]
    return row == FREE or claim_of(s, row) > 0.0


@kernel(inline=False)
def claim_again(s: State, row: int) -> None:
    """Recompute the claim of a row that has changed."""
    if s.cursor.insert == BREADTH:
        put(s.unsure, row, claim_of(s, row))


@kernel(inline=False)
def claim_anew(s: State) -> None:
    """Recompute every claim, as the list has changed."""
    if s.cursor.insert == BREADTH:
        for row in range(len(s.unsure.value)):
            s.unsure.value[row] = claim_of(s, row) if row < s.cursor.rows else OUT
        rebuild(s.unsure)

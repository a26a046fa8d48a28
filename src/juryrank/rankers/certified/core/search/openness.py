"""How far a newcomer is from its place, and whose turn it is where many are in flight (`insert="breadth"`).

A newcomer is *open* by as many gaps as its mass would fill if each were as heavy as the heaviest. While any is
wide open, the widest is asked about; after that, the one nearest to its place. The rows' claims to the next
question are kept in a max tree (`State.unsure`, which otherwise only later phases use), so that choosing a
question does not look at all rows.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.max_tree import OUT, put, rebuild
from juryrank.rankers.certified.core.objectives.links import ORDER
from juryrank.rankers.certified.core.search.gaps import (
    BOUNDS,
    FREE,
    ITEM,
    ROW_OPEN,
    first_gap,
    gaps_in,
    heaviest,
    mass_of,
)

DEPTH, BREADTH = 0, 1  # `cursor.insert`: one newcomer after the other, or all of them together
INSERTIONS = ("depth", "breadth")
# Items that are placed one by one before the others are asked about: 7, or a quarter of all. Judges are credited
# when an item is placed, so until then nobody knows whom to ask: with 7 of 100 a certificate took a third more.
PLACED_FIRST, PLACED_SHARE = 7, 4
WIDE = 4.0  # gaps


@kernel
def all_together(s: Any) -> bool:
    """Is it time to ask about all newcomers?"""
    c = s.cursor
    return c.insert == BREADTH and c.placed >= max(PLACED_FIRST, c.items // PLACED_SHARE)


@kernel
def outside(s: Any, row: int, interval: int) -> bool:
    """Is this interval all that lies below the set that is looked for?"""
    return s.cursor.objective != ORDER and first_gap(s.slots, row, interval) >= s.cursor.top


@kernel
def mass_outside(s: Any, row: int, best: int) -> float:
    """The mass of all gaps below the set, in units of one gap of interval `best`: a set counts them as one."""
    total = 0.0
    for j in range(s.slots.row[row, BOUNDS] + 1):
        if outside(s, row, j):
            gaps = gaps_in(s.slots, row, j, s.cursor.placed)
            total += gaps * math.exp(s.slots.weight[row, j] - s.slots.weight[row, best])
    return total


@kernel(inline=False)
def surest_share(s: Any, row: int, best: int) -> float:
    """The share of a newcomer's mass that lies where it would be placed now, in a gap of interval `best`."""
    share = 1.0 / mass_of(s.slots, row, s.cursor.placed, best)
    if outside(s, row, best):
        share *= mass_outside(s, row, best)
    return share


@kernel(inline=False)
def claim_of(s: Any, row: int) -> float:
    """A row's claim to the next question, the largest first: wide ones, then the nearest to a place."""
    if s.slots.row[row, ITEM] == FREE or s.slots.row[row, ROW_OPEN] > 0:
        return OUT
    gaps = 1.0 / surest_share(s, row, heaviest(s.slots, row))
    return gaps if gaps > WIDE else -gaps


@kernel(inline=False)
def trials_wait(s: Any, newcomer: int) -> bool:
    """Is only the leader asked about this one? While it is wide open, as a trial is judged when an item is placed.

    Until then nothing would be learned from trying others, and most of them are worse than the leader.
    """
    if not all_together(s):
        return False
    row = s.slots.of_item[newcomer]
    return row == FREE or claim_of(s, row) > 0.0


@kernel(inline=False)
def claim_again(s: Any, row: int) -> None:
    """Recompute the claim of a row that has changed."""
    if s.cursor.insert == BREADTH:
        put(s.unsure, row, claim_of(s, row))


@kernel(inline=False)
def claim_anew(s: Any) -> None:
    """Recompute every claim, as the list has changed."""
    if s.cursor.insert == BREADTH:
        for row in range(len(s.unsure.value)):
            s.unsure.value[row] = claim_of(s, row) if row < s.cursor.rows else OUT
        rebuild(s.unsure)

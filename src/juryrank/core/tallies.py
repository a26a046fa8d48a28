"""Who said what about which pair, sparsely: an open-addressing table of pairs, each with a chain of judges.

Looking up a pair, and adding an answer to it, take the same time for ten items and for a hundred thousand.
Chains are short: a pair is mostly asked of one or two judges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.gears import kernel

PAIRS, NODES = 0, 1  # places in `used`
NONE = -1
LOW_MIX, HIGH_MIX = 73856093, 19349663  # two odd primes: spread (low, high) over the table without overflow
FULLEST = 0.5  # grow when more of the table is taken: chains of collisions stay short


class Tallies(NamedTuple):
    """Answers by pair and judge. `low` and `high` are the pair's items, low < high."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    head: NDArray[np.int64]  # first node of the pair's chain
    judge: NDArray[np.int64]  # of a node
    asked: NDArray[np.int64]  # questions, open and unanswered ones included
    low_wins: NDArray[np.int64]
    high_wins: NDArray[np.int64]
    next: NDArray[np.int64]
    used: NDArray[np.int64]  # pairs, nodes


def empty(room: int = 64) -> Tallies:
    """No answers yet; `room` (a power of two) is where it starts."""
    sizes = dict.fromkeys(Tallies._fields, room) | {"used": 2}
    made = Tallies(**{name: np.zeros(size, np.int64) for name, size in sizes.items()})
    for table in (made.low, made.high, made.head):
        table[:] = NONE
    return made


def crowded(tallies: Tallies) -> bool:
    """Must it grow before the next question?"""
    return bool(
        tallies.used[PAIRS] + 1 > FULLEST * len(tallies.low) or tallies.used[NODES] + 1 >= len(tallies.judge)
    )


def grown(tallies: Tallies) -> Tallies:
    """The same answers with twice the room."""
    from juryrank.core.gears import compiled

    bigger = empty(2 * len(tallies.low))
    nodes = int(tallies.used[NODES])
    for name in ("judge", "asked", "low_wins", "high_wins", "next"):
        getattr(bigger, name)[:nodes] = getattr(tallies, name)[:nodes]
    bigger.used[:] = tallies.used
    rehash = compiled(_rehash) if len(tallies.low) > 1 << 14 else _rehash
    rehash(tallies, bigger)
    return bigger


@kernel
def _rehash(old: Any, new: Any) -> None:
    for k in range(len(old.low)):
        if old.low[k] != NONE:
            spot = find(new, old.low[k], old.high[k])
            new.low[spot] = old.low[k]
            new.high[spot] = old.high[k]
            new.head[spot] = old.head[k]


@kernel
def find(tallies: Any, low: int, high: int) -> int:
    """The pair's place in the table, or the empty place where it would go."""
    mask = len(tallies.low) - 1
    spread = (low * LOW_MIX) ^ (high * HIGH_MIX)
    spot = (spread ^ (spread >> 15)) & mask
    while tallies.low[spot] != NONE and (tallies.low[spot] != low or tallies.high[spot] != high):
        spot = (spot + 1) & mask
    return spot


@kernel
def chain(tallies: Any, x: int, y: int) -> int:
    """The first node of a pair's chain, or NONE."""
    spot = find(tallies, x, y) if x < y else find(tallies, y, x)
    return tallies.head[spot]


@kernel
def node_for(tallies: Any, x: int, y: int, judge: int) -> int:
    """The node of one judge on one pair; made if it is not there."""
    low = min(x, y)
    high = max(x, y)
    spot = find(tallies, low, high)
    if tallies.low[spot] == NONE:
        tallies.low[spot] = low
        tallies.high[spot] = high
        tallies.used[PAIRS] += 1
    node = tallies.head[spot]
    while node != NONE:
        if tallies.judge[node] == judge:
            return node
        node = tallies.next[node]
    node = tallies.used[NODES]
    tallies.used[NODES] += 1
    tallies.judge[node] = judge
    tallies.next[node] = tallies.head[spot]
    tallies.head[spot] = node
    return node


@kernel
def note_asked(tallies: Any, x: int, y: int, judge: int) -> None:
    tallies.asked[node_for(tallies, x, y, judge)] += 1


@kernel
def note_answer(tallies: Any, x: int, y: int, judge: int, x_won: bool) -> None:
    node = node_for(tallies, x, y, judge)
    if x_won == (x < y):
        tallies.low_wins[node] += 1
    else:
        tallies.high_wins[node] += 1


@kernel
def times_asked(tallies: Any, x: int, y: int, judge: int) -> int:
    """How often this judge was asked this pair, by anybody for any purpose."""
    node = chain(tallies, x, y)
    while node != NONE:
        if tallies.judge[node] == judge:
            return tallies.asked[node]
        node = tallies.next[node]
    return 0


@kernel
def judges_asked(tallies: Any, x: int, y: int) -> int:
    """How many judges were asked this pair."""
    count = 0
    node = chain(tallies, x, y)
    while node != NONE:
        count += tallies.asked[node] > 0
        node = tallies.next[node]
    return count

"""Who said what about which pair, sparsely: an open-addressing table of pairs, each with a chain of judges.

Looking up a pair, and adding an answer to it, take the same time for ten items and for a hundred thousand.
Chains are short: a pair is mostly asked of one or two judges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.gears import compiled, kernel

PAIRS, NODES = 0, 1  # places in `used`
LOW, HIGH, HEAD = 0, 1, 2  # columns of `pair`: the items, low < high, and the first node of the chain
JUDGE, ASKED, LOW_WINS, HIGH_WINS, NEXT_NODE = range(5)  # columns of `node`; ASKED counts open ones too
NONE = -1
COMPILE_FROM = 1 << 14  # pairs from which moving them by compiled code is worth loading it
LOW_MIX, HIGH_MIX = 73856093, 19349663  # two odd primes: spread (low, high) over the table without overflow


class Tallies(NamedTuple):
    """Answers by pair and judge."""

    pair: NDArray[np.int64]  # the table, at most half full: chains of collisions stay short
    node: NDArray[np.int64]  # one row a judge and pair
    used: NDArray[np.int64]


def empty(room: int = 64) -> Tallies:
    """No answers yet; `room` (a power of two) is where it starts."""
    return Tallies(np.full((room, 3), NONE, np.int64), np.zeros((room, 5), np.int64), np.zeros(2, np.int64))


@kernel
def crowded(tallies: Any) -> bool:
    """Must it grow before the next question?"""
    return 2 * (tallies.used[PAIRS] + 1) > len(tallies.pair) or tallies.used[NODES] + 1 >= len(tallies.node)


def grown(tallies: Tallies) -> Tallies:
    """The same answers with twice the room."""
    bigger = empty(2 * len(tallies.pair))
    bigger.node[: len(tallies.node)] = tallies.node
    bigger.used[:] = tallies.used
    rehash = compiled(_rehash) if len(tallies.pair) > COMPILE_FROM else _rehash
    rehash(tallies, bigger)
    return bigger


@kernel(inline=False)
def _rehash(old: Any, new: Any) -> None:
    for k in range(len(old.pair)):
        if old.pair[k, LOW] != NONE:
            spot = find(new, old.pair[k, LOW], old.pair[k, HIGH])
            new.pair[spot, LOW] = old.pair[k, LOW]
            new.pair[spot, HIGH] = old.pair[k, HIGH]
            new.pair[spot, HEAD] = old.pair[k, HEAD]


@kernel
def find(tallies: Any, low: int, high: int) -> int:
    """The pair's place in the table, or the empty place where it would go."""
    pair = tallies.pair
    mask = len(pair) - 1
    spread = (low * LOW_MIX) ^ (high * HIGH_MIX)
    spot = (spread ^ (spread >> 15)) & mask
    held = pair[spot, LOW]
    while held != NONE and (held != low or pair[spot, HIGH] != high):
        spot = (spot + 1) & mask
        held = pair[spot, LOW]
    return spot


@kernel
def chain(tallies: Any, x: int, y: int) -> int:
    """The first node of a pair's chain, or NONE."""
    spot = find(tallies, x, y) if x < y else find(tallies, y, x)
    return tallies.pair[spot, HEAD]


@kernel(inline=False)
def node_for(tallies: Any, x: int, y: int, judge: int) -> int:
    """The node of one judge on one pair; made if it is not there."""
    low = min(x, y)
    high = max(x, y)
    spot = find(tallies, low, high)
    if tallies.pair[spot, LOW] == NONE:
        tallies.pair[spot, LOW] = low
        tallies.pair[spot, HIGH] = high
        tallies.used[PAIRS] += 1
    node = tallies.pair[spot, HEAD]
    while node != NONE:
        if tallies.node[node, JUDGE] == judge:
            return node
        node = tallies.node[node, NEXT_NODE]
    node = tallies.used[NODES]
    tallies.used[NODES] += 1
    tallies.node[node, JUDGE] = judge
    tallies.node[node, NEXT_NODE] = tallies.pair[spot, HEAD]
    tallies.pair[spot, HEAD] = node
    return node


@kernel
def note_asked(tallies: Any, x: int, y: int, judge: int) -> None:
    tallies.node[node_for(tallies, x, y, judge), ASKED] += 1


@kernel
def note_answer(tallies: Any, x: int, y: int, judge: int, x_won: bool) -> None:
    node = node_for(tallies, x, y, judge)
    if x_won == (x < y):
        tallies.node[node, LOW_WINS] += 1
    else:
        tallies.node[node, HIGH_WINS] += 1


@kernel
def times_asked(tallies: Any, x: int, y: int, judge: int) -> int:
    """How often this judge was asked this pair, by anybody for any purpose."""
    node = chain(tallies, x, y)
    while node != NONE:
        if tallies.node[node, JUDGE] == judge:
            return tallies.node[node, ASKED]
        node = tallies.node[node, NEXT_NODE]
    return 0


@kernel
def judges_asked(tallies: Any, x: int, y: int) -> int:
    """How many judges were asked this pair."""
    count = 0
    node = chain(tallies, x, y)
    while node != NONE:
        count += tallies.node[node, ASKED] > 0
        node = tallies.node[node, NEXT_NODE]
    return count

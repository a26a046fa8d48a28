"""Who said what about which pair, sparsely: pairs found by a hash table, each with a chain of judges, and for
every item the chain of the pairs it is in.

Looking up a pair, and adding an answer to it, take the same time for ten items and for a hundred thousand.
Chains of judges are short: a pair is mostly asked of one or two.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.judge_accuracy import (
    HARD_MATTERS,
    HARD_PAIRS,
    HARDNESS,
    LEVELS,
    WEIGHT,
    hardness_prior,
)

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.judge_accuracy import JudgeBeliefs

PAIRS, NODES = 0, 1  # places in `used`
# Columns of `pair`: the items, low < high; the first node of the chain of judges; the next pair of either item
LOW, HIGH, HEAD, LOW_NEXT, HIGH_NEXT = range(5)
JUDGE, ASKED, LOW_WINS, HIGH_WINS, NEXT_NODE = range(5)  # columns of `node`; ASKED counts open ones too
FIRST_PAIR, RIVALS = 0, 1  # columns of `item`: its latest pair, and how many pairs it is in
NONE = -1
LOW_MIX, HIGH_MIX = 73856093, 19349663  # two odd primes: spread (low, high) over the table without overflow


class Tallies(NamedTuple):
    """Answers by pair and judge."""

    table: NDArray[np.int64]  # which pair is at this place, at most half full: collisions stay few
    pair: NDArray[np.int64]
    node: NDArray[np.int64]  # one row per judge and pair
    item: NDArray[np.int64]
    used: NDArray[np.int64]


def empty(items: int, room: int = 64) -> Tallies:
    """No answers yet about so many items; `room` (a power of two) is the table's first size."""
    return Tallies(
        np.full(room, NONE, np.int64),
        np.zeros((room // 2, 5), np.int64),
        np.zeros((room, 5), np.int64),
        alone(items),
        np.zeros(2, np.int64),
    )


def alone(items: int) -> NDArray[np.int64]:
    """The `item` rows of items that nobody was asked about."""
    rows = np.zeros((items, 2), np.int64)
    rows[:, FIRST_PAIR] = NONE
    return rows


@kernel
def crowded(tallies: Tallies) -> bool:
    """Must it grow before the next question?"""
    return tallies.used[PAIRS] + 1 > len(tallies.pair) or tallies.used[NODES] + 1 >= len(tallies.node)


def grown(tallies: Tallies) -> Tallies:
    """The same answers with twice the room."""
    bigger = empty(0, 2 * len(tallies.table))._replace(item=tallies.item, used=tallies.used)
    bigger.pair[: len(tallies.pair)] = tallies.pair
    bigger.node[: len(tallies.node)] = tallies.node
    _fill(bigger.table, tallies.pair[: tallies.used[PAIRS]])
    return bigger


def _fill(table: NDArray[np.int64], pairs: NDArray[np.int64]) -> None:
    """Give every pair a place, all at once: a pair whose place is taken tries the next."""
    mask = len(table) - 1
    spread = (pairs[:, LOW] * LOW_MIX) ^ (pairs[:, HIGH] * HIGH_MIX)  # as in `find`
    waiting, spot = np.arange(len(pairs)), (spread ^ (spread >> 15)) & mask
    while len(waiting):
        free = table[spot] == NONE
        table[spot[free]] = waiting[free]  # of several at one place the last one has it
        turned_away = table[spot] != waiting
        waiting, spot = waiting[turned_away], (spot[turned_away] + 1) & mask


@kernel
def find(tallies: Tallies, low: int, high: int) -> int:
    """The pair's place in the table, or the empty place where it would go."""
    table = tallies.table
    pair = tallies.pair
    mask = len(table) - 1
    spread = (low * LOW_MIX) ^ (high * HIGH_MIX)
    spot = (spread ^ (spread >> 15)) & mask
    held = table[spot]
    while held != NONE and (pair[held, LOW] != low or pair[held, HIGH] != high):
        spot = (spot + 1) & mask
        held = table[spot]
    return spot


@kernel
def pair_of(tallies: Tallies, x: int, y: int) -> int:
    """The row of `pair` about x and y, or NONE."""
    return tallies.table[find(tallies, x, y) if x < y else find(tallies, y, x)]


@kernel
def chain(tallies: Tallies, x: int, y: int) -> int:
    """The first node of a pair's chain, or NONE."""
    pair = pair_of(tallies, x, y)
    return NONE if pair == NONE else tallies.pair[pair, HEAD]


@kernel(inline=False)
def new_pair(tallies: Tallies, low: int, high: int, spot: int) -> int:
    """A row for a pair that nobody was asked about before."""
    pair = tallies.used[PAIRS]
    tallies.used[PAIRS] += 1
    tallies.table[spot] = pair
    tallies.pair[pair, LOW] = low
    tallies.pair[pair, HIGH] = high
    tallies.pair[pair, HEAD] = NONE
    tallies.pair[pair, LOW_NEXT] = tallies.item[low, FIRST_PAIR]
    tallies.pair[pair, HIGH_NEXT] = tallies.item[high, FIRST_PAIR]
    for item in (low, high):
        tallies.item[item, FIRST_PAIR] = pair
        tallies.item[item, RIVALS] += 1
    return pair


@kernel(inline=False)
def node_for(tallies: Tallies, x: int, y: int, judge: int) -> int:
    """The node of one judge on one pair; made if it is not there."""
    low = min(x, y)
    high = max(x, y)
    spot = find(tallies, low, high)
    pair = tallies.table[spot]
    if pair == NONE:
        pair = new_pair(tallies, low, high, spot)
    node = tallies.pair[pair, HEAD]
    while node != NONE:
        if tallies.node[node, JUDGE] == judge:
            return node
        node = tallies.node[node, NEXT_NODE]
    node = tallies.used[NODES]
    tallies.used[NODES] += 1
    tallies.node[node, JUDGE] = judge
    tallies.node[node, NEXT_NODE] = tallies.pair[pair, HEAD]
    tallies.pair[pair, HEAD] = node
    return node


@kernel
def note_asked(tallies: Tallies, x: int, y: int, judge: int) -> None:
    tallies.node[node_for(tallies, x, y, judge), ASKED] += 1


@kernel
def note_answer(tallies: Tallies, x: int, y: int, judge: int, x_won: bool) -> None:
    node = node_for(tallies, x, y, judge)
    if x_won == (x < y):
        tallies.node[node, LOW_WINS] += 1
    else:
        tallies.node[node, HIGH_WINS] += 1


@kernel
def times_asked(tallies: Tallies, x: int, y: int, judge: int) -> int:
    """How often this judge was asked about this pair, for any purpose."""
    node = chain(tallies, x, y)
    while node != NONE:
        if tallies.node[node, JUDGE] == judge:
            return tallies.node[node, ASKED]
        node = tallies.node[node, NEXT_NODE]
    return 0


@kernel
def judges_asked(tallies: Tallies, x: int, y: int) -> int:
    """How many judges were asked about this pair."""
    count = 0
    node = chain(tallies, x, y)
    while node != NONE:
        count += tallies.node[node, ASKED] > 0
        node = tallies.node[node, NEXT_NODE]
    return count


# ----------------------------------------------------------------------------
# How sure is the order of one pair, from all answers ever given about it? Guides the search, promises nothing
#
# A judge of accuracy p adds ±logit p. A pair may be harder than most: all logits then shrink by a factor h, and h
# is weighed by how much the answers disagree, and by the share of hard pairs seen so far, π. With net weight W
# and C_h = Σ answers·log 2cosh(h·w/2),
#
#     log odds = log Σ_h π_h exp(hW/2 - C_h) - log Σ_h π_h exp(-hW/2 - C_h)
#
# Where hard pairs are rare, a pair without disagreement is taken at its word: log odds = W.
TINY = 1e-300
PAIR_WORTH = 100.0  # answers about a pair that weigh as much as its hardness, which has a least degree


@kernel
def log_odds(tallies: Tallies, jury: JudgeBeliefs, x: int, y: int) -> float:
    """Log odds that x is better than y."""
    pair = pair_of(tallies, x, y)
    if pair == NONE:
        return 0.0
    return odds_of_pair(tallies, jury, pair) if x < y else -odds_of_pair(tallies, jury, pair)


@kernel(inline=False)
def odds_of_pair(tallies: Tallies, jury: JudgeBeliefs, pair: int) -> float:
    """Log odds that the lower-numbered item of a pair is better."""
    net = 0.0
    low = 0
    high = 0
    first = tallies.pair[pair, HEAD]
    node = first
    while node != NONE:
        low_wins = tallies.node[node, LOW_WINS]
        high_wins = tallies.node[node, HIGH_WINS]
        net += jury.real[tallies.node[node, JUDGE], WEIGHT] * (low_wins - high_wins)
        low += low_wins
        high += high_wins
        node = tallies.node[node, NEXT_NODE]
    if may_be_hard(jury, low, high):
        net = _hardened(tallies, jury, first, net)
    return net


@kernel(inline=False)
def _hardened(tallies: Tallies, jury: JudgeBeliefs, first: int, net: float) -> float:
    """Log odds for the lower item, over all degrees of hardness."""
    over = 0.0
    under = 0.0
    top = -math.inf
    for h in range(LEVELS):
        prior = hardness_prior(jury, h)
        spread = spread_of(tallies, jury, first, h)
        lift = 0.5 * HARDNESS[h] * net
        peak = abs(lift) - spread
        if peak > top:  # keep all exponents at or below 0
            over *= math.exp(top - peak)
            under *= math.exp(top - peak)
            top = peak
        over += prior * math.exp(lift - spread - top)
        under += prior * math.exp(-lift - spread - top)
    return math.log(max(over, TINY) / max(under, TINY))


@kernel
def may_be_hard(jury: JudgeBeliefs, one_way: int, other_way: int) -> bool:
    """Is hardness worth weighing? Where hard pairs are rare, only where the answers disagree."""
    if one_way == 0 or other_way == 0:
        return one_way + other_way > 0 and jury.pool[HARD_PAIRS] > HARD_MATTERS
    return jury.pool[HARD_PAIRS] > 0.0


@kernel
def spread_of(tallies: Tallies, jury: JudgeBeliefs, first: int, h: int) -> float:
    """C_h of a pair whose chain starts at node `first`."""
    spread = 0.0
    node = first
    while node != NONE:
        answers = tallies.node[node, LOW_WINS] + tallies.node[node, HIGH_WINS]
        spread += answers * jury.spread[tallies.node[node, JUDGE], h]
        node = tallies.node[node, NEXT_NODE]
    return spread


@kernel(inline=False)
def accuracy_here(tallies: Tallies, jury: JudgeBeliefs, better: int, worse: int, logit: float) -> float:
    """How often a judge with this logit is expected to be right about a pair, if it is this way round."""
    first = chain(tallies, better, worse)
    net = 0.0
    agree = 0
    against = 0
    node = first
    while node != NONE:
        wins = tallies.node[node, LOW_WINS] if better < worse else tallies.node[node, HIGH_WINS]
        losses = tallies.node[node, HIGH_WINS] if better < worse else tallies.node[node, LOW_WINS]
        net += jury.real[tallies.node[node, JUDGE], WEIGHT] * (wins - losses)
        agree += wins
        against += losses
        node = tallies.node[node, NEXT_NODE]
    if not may_be_hard(jury, agree, against):
        return chance_of(logit)
    mass = 0.0
    right = 0.0
    top = -math.inf
    for h in range(LEVELS):
        peak = 0.5 * HARDNESS[h] * net - spread_of(tallies, jury, first, h)
        if peak > top:
            mass *= math.exp(top - peak)
            right *= math.exp(top - peak)
            top = peak
        share = hardness_prior(jury, h) * math.exp(peak - top)
        mass += share
        right += share * chance_of(HARDNESS[h] * logit)
    return (PAIR_WORTH * right / mass + agree) / (PAIR_WORTH + agree + against)


@kernel(inline=False)
def ordinary(tallies: Tallies, jury: JudgeBeliefs, x: int, y: int) -> float:
    """The chance that a pair is no harder than most: only there do answers tell much about judges."""
    first = chain(tallies, x, y)
    net = 0.0
    low = 0
    high = 0
    node = first
    while node != NONE:
        low_wins = tallies.node[node, LOW_WINS]
        high_wins = tallies.node[node, HIGH_WINS]
        net += jury.real[tallies.node[node, JUDGE], WEIGHT] * (low_wins - high_wins)
        low += low_wins
        high += high_wins
        node = tallies.node[node, NEXT_NODE]
    if not may_be_hard(jury, low, high):
        return 1.0
    mass = 0.0
    easy = 0.0
    top = -math.inf
    for h in range(LEVELS):
        lift = abs(0.5 * HARDNESS[h] * net)
        peak = lift - spread_of(tallies, jury, first, h)
        if peak > top:
            mass *= math.exp(top - peak)
            easy *= math.exp(top - peak)
            top = peak
        share = hardness_prior(jury, h) * math.exp(peak - top) * (1.0 + math.exp(-2.0 * lift))
        mass += share
        if h == 0:
            easy += share
    return easy / mass


@kernel
def chance_of(log_odds: float) -> float:
    """A probability from log odds."""
    return 1.0 / (1.0 + math.exp(-min(max(log_odds, -30.0), 30.0)))

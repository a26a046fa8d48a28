"""How sure is the order of one pair, from all answers ever given about it? Guides the search, promises nothing.

A judge of accuracy p adds ±logit p. A pair may be harder than most: all logits then shrink by a factor h, and
h is weighed by how much the answers disagree, and by the share of hard pairs seen so far, π. With net weight W
and C_h = Σ answers·log 2cosh(h·w/2),

    log odds = log Σ_h π_h exp(hW/2 - C_h) - log Σ_h π_h exp(-hW/2 - C_h)

Where hard pairs are rare, a pair without disagreement is taken at its word: log odds = W.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.judge_accuracy import (
    HARD_MATTERS,
    HARD_PAIRS,
    HARDNESS,
    LEVELS,
    WEIGHT,
    hardness_prior,
)
from juryrank.rankers.certified.core.pair_answers import (
    HEAD,
    HIGH_WINS,
    JUDGE,
    LOW_WINS,
    NEXT_NODE,
    NONE,
    chain,
    pair_of,
)

TINY = 1e-300
PAIR_WORTH = 100.0  # answers about a pair that weigh as much as its hardness, which has a least degree


@kernel
def log_odds(tallies: Any, jury: Any, x: int, y: int) -> float:
    """Log odds that x is better than y."""
    pair = pair_of(tallies, x, y)
    if pair == NONE:
        return 0.0
    return odds_of_pair(tallies, jury, pair) if x < y else -odds_of_pair(tallies, jury, pair)


@kernel(inline=False)
def odds_of_pair(tallies: Any, jury: Any, pair: int) -> float:
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
def _hardened(tallies: Any, jury: Any, first: int, net: float) -> float:
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
def may_be_hard(jury: Any, one_way: int, other_way: int) -> bool:
    """Is hardness worth weighing? Where hard pairs are rare, only where the answers disagree."""
    if one_way == 0 or other_way == 0:
        return one_way + other_way > 0 and jury.pool[HARD_PAIRS] > HARD_MATTERS
    return jury.pool[HARD_PAIRS] > 0.0


@kernel
def spread_of(tallies: Any, jury: Any, first: int, h: int) -> float:
    """C_h of a pair whose chain starts at node `first`."""
    spread = 0.0
    node = first
    while node != NONE:
        answers = tallies.node[node, LOW_WINS] + tallies.node[node, HIGH_WINS]
        spread += answers * jury.spread[tallies.node[node, JUDGE], h]
        node = tallies.node[node, NEXT_NODE]
    return spread


@kernel(inline=False)
def accuracy_here(tallies: Any, jury: Any, better: int, worse: int, logit: float) -> float:
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
def ordinary(tallies: Any, jury: Any, x: int, y: int) -> float:
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

"""How sure is the order of one pair, from all answers ever given about it? Guides the search, promises nothing.

A judge of accuracy p adds ±logit p. A pair may be harder than most: all logits then shrink by a factor h, and
h is weighed by how much the answers disagree. With net weight W and C_h = Σ answers·log 2cosh(h·w/2),

    log odds = log Σ_h π_h exp(hW/2 - C_h) - log Σ_h π_h exp(-hW/2 - C_h)

A pair without disagreement is taken at its word: log odds = W.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.accuracy import HARDNESS, HARDNESS_PRIOR, LEVELS, WEIGHT
from juryrank.core.gears import kernel
from juryrank.core.tallies import HIGH_WINS, JUDGE, LOW_WINS, NEXT_NODE, NONE, chain

TINY = 1e-300


@kernel
def log_odds(tallies: Any, jury: Any, x: int, y: int) -> float:
    """Log odds that x is better than y."""
    node = chain(tallies, x, y)
    if node == NONE:
        return 0.0
    net = 0.0
    low = 0
    high = 0
    first = node
    while node != NONE:
        low_wins = tallies.node[node, LOW_WINS]
        high_wins = tallies.node[node, HIGH_WINS]
        net += jury.real[tallies.node[node, JUDGE], WEIGHT] * (low_wins - high_wins)
        low += low_wins
        high += high_wins
        node = tallies.node[node, NEXT_NODE]
    if low > 0 and high > 0:
        net = _hardened(tallies, jury, first, net)
    return net if x < y else -net


@kernel(inline=False)
def _hardened(tallies: Any, jury: Any, first: int, net: float) -> float:
    over = 0.0
    under = 0.0
    top = -math.inf
    for h in range(LEVELS):
        spread = 0.0
        node = first
        while node != NONE:
            answers = tallies.node[node, LOW_WINS] + tallies.node[node, HIGH_WINS]
            spread += answers * jury.spread[tallies.node[node, JUDGE], h]
            node = tallies.node[node, NEXT_NODE]
        lift = 0.5 * HARDNESS[h] * net
        peak = abs(lift) - spread
        if peak > top:  # keep all exponents at or below 0
            over *= math.exp(top - peak)
            under *= math.exp(top - peak)
            top = peak
        over += HARDNESS_PRIOR[h] * math.exp(lift - spread - top)
        under += HARDNESS_PRIOR[h] * math.exp(-lift - spread - top)
    return math.log(max(over, TINY) / max(under, TINY))


@kernel
def chance_of(log_odds: float) -> float:
    """A probability from log odds."""
    return 1.0 / (1.0 + math.exp(-min(max(log_odds, -30.0), 30.0)))

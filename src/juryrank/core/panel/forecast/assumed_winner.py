"""Whom more people would rule out, where a winner is assumed: everybody left plays on against the best guess.

Every future draws the true shares against the best guess anew, from tally and guide. A forecast promises nothing.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from juryrank.core.panel.assumed_winner import AssumedWinner
from juryrank.core.panel.forecast.head_to_head import FUTURES, Forecast, nothing_more, possible_shares, summary


def forecast_winner(
    ballot: AssumedWinner, *, people: int, sitting: int, choosing: float, seed: int, without: Collection[int] = ()
) -> Forecast:
    """Items that `people` more sittings would rule out; `choosing` = the share of answers that are a choice."""
    guess = ballot.guide()
    left = [x for x in sorted(ballot.left, key=lambda x: -guess[x]) if x not in without]
    if len(left) < 2:
        return nothing_more(people)
    best, rest = np.full(len(left) - 1, left[0]), np.array(left[1:])
    rng = np.random.default_rng([seed & 0xFFFFFFFF, people, int(ballot.wins.sum())])
    theta = possible_shares(ballot, guess, (best, rest), rng)  # of those who prefer the best guess
    losses, wins = (np.tile(ballot.tally[rest, side], (FUTURES, 1)) for side in (0, 1))
    leads = ballot.table.leads(int((losses + wins).max()) + people)
    out = np.zeros(theta.shape, dtype=bool)
    asked = min(1.0, sitting / len(rest))
    for _ in range(people):
        counts = (rng.random(theta.shape) < asked * choosing) & ~out
        lost = rng.random(theta.shape) < theta
        losses += counts & lost
        wins += counts & ~lost
        out |= losses - wins >= leads[losses + wins]
    return summary(people, out.astype(np.int64), best, rest)

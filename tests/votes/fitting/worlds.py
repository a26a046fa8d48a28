"""Votes simulated from known judges, for tests of `fit`."""

import numpy as np

from juryrank.votes.fitting.ballots import Ballots, sorted_by_judge


def world(rng, *, items, judges, votes, scores=None, taste=0.0, slope=0.0, tie=-40.0, tie_spread=0.0, side=0.0):
    """Random pairs; `votes` per judge (a number, or one for each); `taste` is how far judges' own scores stray."""
    s = rng.normal(size=items) if scores is None else np.asarray(scores, dtype=float)
    u = np.repeat(np.arange(judges), votes)
    n = len(u)
    own = s + rng.normal(size=(judges, items)) * taste
    h, c = rng.normal(size=judges) * slope, tie + rng.normal(size=judges) * tie_spread
    left = rng.integers(items, size=n)
    right = (left + 1 + rng.integers(items - 1, size=n)) % items
    z = np.exp(h[u]) * (own[u, left] - own[u, right]) + side
    logits = np.stack([z / 2, -z / 2, c[u]]) + rng.gumbel(size=(3, n))
    ballots = Ballots(
        u.astype(np.int32), left.astype(np.int32), right.astype(np.int32), logits.argmax(0).astype(np.int8),
        tuple(f"item {k}" for k in range(items)), tuple(f"judge {k}" for k in range(judges)),
    )  # fmt: skip
    return sorted_by_judge(ballots), s - s.mean()


def rows_of(ballots):
    """The same as (judge, left, right, winner)."""
    names, winner = ballots.items, ("left", "right", "tie")
    arrays = (ballots.judge, ballots.left, ballots.right, ballots.outcome)
    return [(ballots.judges[u], names[a], names[b], winner[y]) for u, a, b, y in zip(*arrays, strict=True)]

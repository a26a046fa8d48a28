"""Scores as the other judges would have made them.

A judge's own votes have moved the scores towards themselves: on a sparse graph every answer agrees with itself,
and a slope learned from such scores has no bound. So judges are measured against scores without their own votes.
"""

from __future__ import annotations

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.model.likelihood import Likelihood, derivatives, information

MOST_OWN = 0.5  # share of an item's information from one judge, beyond which nobody else can be asked
NOTHING = 1e-12


class OwnVotes:
    """Takes each judge out of the scores by one Newton step on the item's own information."""

    def __init__(self, like: Likelihood) -> None:
        votes, self.like = like.votes, like
        self.item = np.concatenate([votes.left, votes.right])
        key = np.concatenate([votes.judge, votes.judge]).astype(np.int64) * len(votes.items) + self.item
        self.place = np.unique(key, return_inverse=True)[1].astype(np.int32)

    def gaps(self, x: Floats) -> tuple[Floats, Floats]:
        """Per vote: left's score minus right's, without that judge's votes; and whether others say enough."""
        half, n = len(self.like.votes), self.like.layout.items
        pull, mass = np.empty(2 * half), np.empty(2 * half)
        start = 0
        for piece in self.like.pieces(x):
            end = start + len(piece.votes)
            pull[start:end] = derivatives(piece)[1] * piece.slope
            mass[start:end] = information(piece)[0] * piece.slope**2
            start = end
        pull[half:], mass[half:] = -pull[:half], mass[:half]
        total = (np.bincount(self.item, mass, n) + self.like.anchors / 4)[self.item]
        own = np.bincount(self.place, mass)[self.place]
        moved = np.bincount(self.place, pull)[self.place]
        without = x[self.item] - moved / np.maximum(total - own, NOTHING)
        known = own <= MOST_OWN * total
        return without[:half] - without[half:], known[:half] & known[half:]

"""Recorded votes, split by judge: do the scores of a quarter hold what the other three quarters say?

Both parts are uncertain, so the difference of an item's two scores is held against both intervals together: it
should be within sqrt(w₁² + w₂²) as often as one interval holds the truth. The parts are unequal because scores
from few answers stay near the middle: two small halves would agree with each other more often than with the truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juryrank.core.guess.answer_counts import AnswerCounts
from juryrank.core.guess.chances import Chances
from juryrank.core.guess.estimate import estimate
from juryrank.votes import Outcome, read_votes
from juryrank.votes.vote import Vote

HELD_AGAINST = 4  # one judge in so many is held against the others


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Means over splits of the judges."""

    votes: int
    judges: int
    items: int
    splits: int
    score: float  # share of items whose two scores differ by no more than the intervals allow
    rank: float  # share of items whose intervals of ranks meet


def held_back(path: str, *, splits: int = 20, seed: int = 0) -> HeldBack:
    """Split the judges of a file at random, again and again."""
    votes = [v for v in read_votes(path).votes if v.outcome in (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE)]
    items = {item: k for k, item in enumerate(sorted({v.left for v in votes} | {v.right for v in votes}))}
    judges = sorted({v.judge for v in votes})
    score, rank = [], []
    for split in range(splits):
        few = set(np.random.default_rng([seed, split]).permutation(judges)[: len(judges) // HELD_AGAINST])
        one, other = (_estimated([v for v in votes if (v.judge in few) == side], items) for side in (True, False))
        wide = [(side.score_high - side.score_low) / 2 for side in (one, other)]
        score.append(np.mean(np.abs(one.score - other.score) <= np.hypot(*wide)))
        rank.append(np.mean((one.rank_low <= other.rank_high) & (other.rank_low <= one.rank_high)))
    return HeldBack(len(votes), len(judges), len(items), splits, float(np.mean(score)), float(np.mean(rank)))


def _estimated(votes: list[Vote], items: dict[str, int]) -> Chances:
    names = {judge: u for u, judge in enumerate(sorted({v.judge for v in votes}))}
    counts = AnswerCounts()
    for v in votes:
        winner = items[v.winner] if v.winner else None
        counts.add(names[v.judge], first=items[v.left], second=items[v.right], preferred=winner)
    return estimate(counts.table(), items=len(items), judges=len(names), opinions=True, k=3)

"""Recorded votes, split by judge: do the scores of a quarter hold what the other three quarters say?

Both parts are uncertain, so the difference of an item's two scores is held against both intervals together: it
should be within sqrt(w₁² + w₂²) as often as one interval holds the truth. The parts are unequal because scores
from few answers stay near the middle: two small halves would agree with each other more often than with the truth.
How much more often is measured on a twin of the votes: the same people on the same pairs, their answers and ties
drawn from scores that are known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from juryrank.core.tallies import AnswerCounts
from juryrank.rankers.guess.core.chances import Chances, log_odds
from juryrank.rankers.guess.core.estimate import estimate
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
    votes, items = _read(path)
    score, rank = _split(votes, items, splits=splits, seed=seed)
    return HeldBack(len(votes), len({v.judge for v in votes}), len(items), splits, score, rank)


@dataclass(frozen=True, slots=True)
class Twin:
    """Means over twins of a file of votes."""

    twins: int
    ties: float
    truth: float  # share of items whose interval holds the score that the answers were drawn from
    truth_error: float  # its standard error
    score: float  # share of items whose two scores differ by no more than the intervals allow, as in `HeldBack`


def twin(path: str, *, twins: int = 8, splits: int = 3) -> Twin:
    """Is an interval right as often as splitting the judges says?"""
    votes, items = _read(path)
    ties = float(np.mean([v.outcome is Outcome.TIE for v in votes]))
    spread = float(_estimated(votes, items).score.std()) / (1 - ties)
    held, score = [], []
    for seed in range(twins):
        rng = np.random.default_rng([seed, 5])
        theta = spread * rng.normal(size=len(items))
        strong = np.exp((theta[:, None] - theta[None, :]) / 2)
        tie = 2 * ties / (1 - ties)  # Davidson's: two equal items tie this often
        shares = (strong + tie / 2) / (strong + 1 / strong + tie)
        true = log_odds((shares.sum(axis=1) - 0.5) / (len(items) - 1))
        drawn = []
        for v in votes:
            i, j, luck = items[v.left], items[v.right], rng.random()
            total = strong[i, j] + strong[j, i] + tie
            won, lost = strong[i, j] / total, strong[j, i] / total
            drawn.append(replace(v, winner=v.left if luck < won else v.right if luck < won + lost else ""))
        found = _estimated(drawn, items)
        held.append(float(np.mean((found.score_low <= true) & (true <= found.score_high))))
        score.append(_split(drawn, items, splits=splits, seed=seed)[0])
    error = float(np.std(held, ddof=1) / np.sqrt(twins))
    return Twin(twins, ties, float(np.mean(held)), error, float(np.mean(score)))


def _read(path: str) -> tuple[list[Vote], dict[str, int]]:
    votes = [v for v in read_votes(path).votes if v.outcome in (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE)]
    return votes, {item: k for k, item in enumerate(sorted({v.left for v in votes} | {v.right for v in votes}))}


def _split(votes: list[Vote], items: dict[str, int], *, splits: int, seed: int) -> tuple[float, float]:
    """Shares of items whose scores, and whose ranks, agree."""
    judges = sorted({v.judge for v in votes})
    score, rank = [], []
    for split in range(splits):
        few = set(np.random.default_rng([seed, split]).permutation(judges)[: len(judges) // HELD_AGAINST])
        one, other = (_estimated([v for v in votes if (v.judge in few) == side], items) for side in (True, False))
        wide = [(side.score_high - side.score_low) / 2 for side in (one, other)]
        score.append(np.mean(np.abs(one.score - other.score) <= np.hypot(*wide)))
        rank.append(np.mean((one.rank_low <= other.rank_high) & (other.rank_low <= one.rank_high)))
    return float(np.mean(score)), float(np.mean(rank))


def _estimated(votes: list[Vote], items: dict[str, int]) -> Chances:
    names = {judge: u for u, judge in enumerate(sorted({v.judge for v in votes}))}
    counts = AnswerCounts()
    for v in votes:
        winner = items[v.winner] if v.winner else None
        counts.add(names[v.judge], first=items[v.left], second=items[v.right], preferred=winner)
    return estimate(counts.table(), items=len(items), judges=len(names), opinions=True, k=3)

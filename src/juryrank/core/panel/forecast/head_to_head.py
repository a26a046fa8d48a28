"""What more people would settle: the rule of `plans.py` played forward from what is known now.

Every future draws the pairs' true shares anew (tally plus guide), and lets people with plans of their own
answer them; pairs are settled by the same table. A forecast promises nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from juryrank.core.lead_table import log_evidence
from juryrank.core.panel.bradley_terry import Floats, curvature, sigmoid
from juryrank.core.panel.counting import Counting
from juryrank.core.panel.head_to_head import HeadToHead
from juryrank.core.panel.plans import GUIDE_ANSWERS, guessed_share, people_needed, unheard

FUTURES = 200  # simulated futures
CANDIDATES = 300  # at most this many pairs, those nearest to being settled
INTERVAL = (0.5, 99.5)  # per cent of the futures between low and high: wide, as people differ in more than pairs
GUIDE_DOUBT = 2.0  # the guide errs so many times as much as its own curvature says (fitted by simulation)
LIKELY = 0.05  # pairs are named from this chance on
NAMED = 5  # ... and at most this many


@dataclass(frozen=True, slots=True)
class Forecast:
    """Pairs that `people` more people would settle: middle, low, high; the likely as (better, worse, chance)."""

    people: int
    pairs: int
    low: int
    high: int
    likely: tuple[tuple[int, int, float], ...]


def forecast(
    ballot: HeadToHead, *, people: int, sitting: int, choosing: float, seed: int, without: Iterable[int] = ()
) -> Forecast:
    """Play `people` sittings forward; `choosing` = the share of answers that are neither tie nor skip.

    `without`: items that nobody is asked about any more.
    """
    if ballot.items < 2 or not ballot.open_pairs.any():
        return nothing_more(people)
    s = ballot.guide()
    need, open_ = ballot.needs(s), ballot.open_pairs
    open_ &= ~np.isin(ballot.pairs, list(without)).any(axis=0)
    first = ballot.first(s, need.people, open_)
    if first.any():
        open_ &= first  # what the objective needs: other pairs carry no promise
    ranked = np.lexsort((need.people, ~open_))
    chosen = ranked[: min(CANDIDATES, int(open_.sum()))]
    if not len(chosen):
        return nothing_more(people)
    i, j = ballot.pairs[0][chosen], ballot.pairs[1][chosen]
    won = _futures(
        ballot, s, (i, j), max(0, people - _for_estimates(ballot, sitting, without)), sitting, choosing, seed
    )
    return summary(people, won, i, j)


def nothing_more(people: int) -> Forecast:
    """There is nothing left to settle."""
    return Forecast(people, 0, 0, 0, ())


def summary(people: int, won: np.ndarray, i: np.ndarray, j: np.ndarray) -> Forecast:
    """From futures x pairs (1: the first is settled above, -1: the second, 0: open) to what is said."""
    settled = (won != 0).sum(axis=1)
    low, high = np.percentile(settled, INTERVAL)
    return Forecast(people, int(np.median(settled)), int(low), math.ceil(high), _likely(won, i, j))


def possible_shares(
    counted: Counting, s: Floats, pairs: tuple[np.ndarray, np.ndarray], rng: np.random.Generator
) -> np.ndarray:
    """For each future and pair, a true share drawn from what tally and guide leave open."""
    i, j = pairs
    doubted = sigmoid(_gaps(counted, s, i, j, rng))
    share: np.ndarray = rng.beta(
        counted.wins[i, j] + GUIDE_ANSWERS * doubted, counted.wins[j, i] + GUIDE_ANSWERS * (1 - doubted)
    )
    return share


def _for_estimates(ballot: HeadToHead, sitting: int, without: Iterable[int]) -> int:
    """As many of the next people as the questions for estimates come to: these settle next to nothing."""
    missing = unheard(ballot.wins.sum(axis=0) + ballot.wins.sum(axis=1))
    missing[list(without)] = 0.0
    return int(missing.sum() / 2 / sitting) if ballot.spread else 0


def _futures(
    ballot: HeadToHead,
    s: Floats,
    pairs: tuple[np.ndarray, np.ndarray],
    people: int,
    sitting: int,
    choosing: float,
    seed: int,
) -> np.ndarray:
    """For each future and pair: 1 the first is settled above, -1 the second, 0 still open."""
    rng = np.random.default_rng([seed & 0xFFFFFFFF, people, int(ballot.wins.sum())])
    i, j = pairs
    prior = sigmoid(s[i] - s[j])
    theta = possible_shares(ballot, s, pairs, rng)
    wins = np.tile(ballot.wins[i, j], (FUTURES, 1))
    losses = np.tile(ballot.wins[j, i], (FUTURES, 1))
    leads = ballot.table.leads(int((wins + losses).max()) + people)
    known = np.tile(np.maximum(ballot.evidence[i, j], ballot.evidence[j, i]), (FUTURES, 1))
    won = np.zeros_like(wins)
    rows = np.arange(FUTURES)[:, None]
    size = min(sitting, len(i))
    for _ in range(people):
        share = guessed_share(wins, losses, prior)
        cost = people_needed(share, math.log(1 / ballot.level) - known)
        cost = np.where(won != 0, np.inf, cost)
        asked = np.argpartition(cost, size - 1, axis=1)[:, :size]
        answers = rng.random((FUTURES, size)) < theta[rows, asked]
        chose = (rng.random((FUTURES, size)) < choosing) & (won[rows, asked] == 0)
        wins[rows, asked] += answers & chose
        losses[rows, asked] += ~answers & chose
        w, against = wins[rows, asked], losses[rows, asked]
        known[rows, asked] = evidence_of(np.maximum(w, against), np.minimum(w, against))
        over = np.abs(w - against) >= leads[w + against]
        won[rows, asked] = np.where(over & (won[rows, asked] == 0), np.sign(w - against), won[rows, asked])
    return won


def _gaps(counted: Counting, s: Floats, i: np.ndarray, j: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Differences of strength, drawn from what the tallies leave open: pairs of one item err together."""
    both = (counted.wins + counted.wins.T).astype(float)
    root = np.linalg.cholesky(np.linalg.inv(curvature(both, sigmoid(s[:, None] - s[None, :]))))
    drawn = s + GUIDE_DOUBT * rng.normal(size=(FUTURES, counted.items)) @ root.T
    gaps: np.ndarray = drawn[:, i] - drawn[:, j]
    return gaps


def evidence_of(most: np.ndarray, least: np.ndarray) -> np.ndarray:
    """ln K for arrays of tallies, each distinct one computed once."""
    keys, back = np.unique(most * (1 << 32) + least, return_inverse=True)
    values = np.array([log_evidence(int(key >> 32), int(key & 0xFFFFFFFF)) for key in keys])
    return values[back].reshape(most.shape)


def _likely(won: np.ndarray, i: np.ndarray, j: np.ndarray) -> tuple[tuple[int, int, float], ...]:
    up, down = (won == 1).mean(axis=0), (won == -1).mean(axis=0)
    chances = [
        (float(max(u, d)), (int(a), int(b)) if u >= d else (int(b), int(a)))
        for u, d, a, b in zip(up, down, i, j, strict=True)
    ]
    chances.sort(key=lambda entry: -entry[0])
    return tuple((better, worse, chance) for chance, (better, worse) in chances[:NAMED] if chance >= LIKELY)

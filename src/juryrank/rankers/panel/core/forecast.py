"""What more people would settle. A forecast promises nothing.

Head-to-head: the rule of `plans.py` played forward. Every future draws the pairs' true shares anew (tally plus
guide), and lets people with plans of their own answer them; pairs are settled by the same table.

Field-share: people like those heard so far, drawn anew. Each future weighs the people heard at random (a Bayesian
bootstrap: who came is a sample too) and draws the next ones from them, with their balances as they were.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.core.lead_table import log_evidence
from juryrank.rankers.panel.core.bradley_terry import Floats, curvature, sigmoid
from juryrank.rankers.panel.core.field_share import BETS, FieldShare, met_at_most
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.plans import GUIDE_ANSWERS, guessed_share, people_needed, unheard

FUTURES = 200  # simulated futures
CANDIDATES = 300  # at most this many pairs, those nearest to being settled
INTERVAL = (0.5, 99.5)  # per cent of the futures between low and high: wide, as people differ in more than pairs
GUIDE_DOUBT = 2.0  # the guide errs so many times as much as its own curvature says (fitted by simulation)
LIKELY = 0.05  # pairs are named from this chance on
NAMED = 5  # ... and at most this many
FEWEST_HEARD = 8  # field-share: with fewer people heard, drawing from them again says nothing
UNDECIDED = 4  # people without a preference, mixed in: those who came look more of one mind than all people are
SPREAD = 0.5  # how unequal the weights of the people heard are (1: as a Bayesian bootstrap has them)


@dataclass(frozen=True, slots=True)
class Forecast:
    """Pairs that `people` more people would settle: middle, low, high; the likely as (better, worse, chance)."""

    people: int
    pairs: int
    low: int
    high: int
    likely: tuple[tuple[int, int, float], ...]


def forecast_pairs(
    ballot: HeadToHead, *, people: int, sitting: int, choosing: float, seed: int, without: Iterable[int] = ()
) -> Forecast:
    """Play `people` sittings forward; `choosing` = the share of answers that are neither tie nor skip.

    `without`: items that nobody is asked about any more.
    """
    if ballot.items < 2 or not ballot.open_pairs.any():
        return _nothing_more(people)
    s = ballot.guide()
    need, open_ = ballot.needs(s), ballot.open_pairs
    open_ &= ~np.isin(ballot.pairs, list(without)).any(axis=0)
    first = ballot.first(s, need.people, open_)
    if first.any():
        open_ &= first  # what the objective needs: other pairs carry no promise
    ranked = np.lexsort((need.people, ~open_))
    chosen = ranked[: min(CANDIDATES, int(open_.sum()))]
    if not len(chosen):
        return _nothing_more(people)
    i, j = ballot.pairs[0][chosen], ballot.pairs[1][chosen]
    won = _futures(
        ballot, s, (i, j), max(0, people - _for_estimates(ballot, sitting, without)), sitting, choosing, seed
    )
    return _summary(people, won, i, j)


def _nothing_more(people: int) -> Forecast:
    """There is nothing left to settle."""
    return Forecast(people, 0, 0, 0, ())


def _summary(people: int, won: np.ndarray, i: np.ndarray, j: np.ndarray) -> Forecast:
    """From futures x pairs (1: the first is settled above, -1: the second, 0: open) to what is said."""
    settled = (won != 0).sum(axis=1)
    low, high = np.percentile(settled, INTERVAL)
    return Forecast(people, int(np.median(settled)), int(low), math.ceil(high), _likely(won, i, j))


def _possible_shares(
    counted: HeadToHead, s: Floats, pairs: tuple[np.ndarray, np.ndarray], rng: np.random.Generator
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
    theta = _possible_shares(ballot, s, pairs, rng)
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
        known[rows, asked] = _evidence_of(np.maximum(w, against), np.minimum(w, against))
        over = np.abs(w - against) >= leads[w + against]
        won[rows, asked] = np.where(over & (won[rows, asked] == 0), np.sign(w - against), won[rows, asked])
    return won


def _gaps(counted: HeadToHead, s: Floats, i: np.ndarray, j: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Differences of strength, drawn from what the tallies leave open: pairs of one item err together."""
    both = (counted.wins + counted.wins.T).astype(float)
    root = np.linalg.cholesky(np.linalg.inv(curvature(both, sigmoid(s[:, None] - s[None, :]))))
    drawn = s + GUIDE_DOUBT * rng.normal(size=(FUTURES, counted.items)) @ root.T
    gaps: np.ndarray = drawn[:, i] - drawn[:, j]
    return gaps


def _evidence_of(most: np.ndarray, least: np.ndarray) -> np.ndarray:
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


# ---------------------------------------------------------------------- field-share
def forecast_field(field: FieldShare, balances: NDArray[np.int64], *, people: int, seed: int) -> Forecast:
    """Pairs of scores that `people` more sittings would settle; `balances` = wins minus losses by person, item."""
    open_ = field.open_pairs
    if not open_.any() or len(balances) < FEWEST_HEARD:
        return _nothing_more(people)
    i, j = (side[open_] for side in field.pairs)
    near = np.argsort(-np.maximum(field.evidence[i, j], field.evidence[j, i]), kind="stable")[:CANDIDATES]
    i, j = i[near], j[near]
    rng = np.random.default_rng([seed & 0xFFFFFFFF, people, len(balances)])
    met, goal = met_at_most(field.items, field.size), math.log(1 / field.level)
    factors = np.log1p(BETS[:, None] * np.arange(-2 * met, 2 * met + 1) / (2 * met))
    up = np.repeat(field.logs[:, None, i, j], FUTURES, axis=1)  # bets x futures x pairs
    down = np.repeat(field.logs[:, None, j, i], FUTURES, axis=1)
    gaps = np.concatenate([balances[:, i] - balances[:, j], np.zeros((UNDECIDED, len(i)), dtype=np.int64)])
    won = np.zeros((FUTURES, len(i)), dtype=np.int64)
    for drawn in _people(len(gaps), people, rng):
        gap = gaps[drawn]
        up += factors[:, 2 * met + gap]
        down += factors[:, 2 * met - gap]
        won = np.where(won == 0, (_log_mean(up) >= goal).astype(int) - (_log_mean(down) >= goal), won)
    return _summary(people, won, i, j)


def _people(heard: int, people: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """For each coming person: in each future, whose answers they give."""
    weights = rng.dirichlet(np.full(heard, SPREAD), size=FUTURES)
    ladder = np.cumsum(weights, axis=1)
    drawn = [np.searchsorted(ladder[f], rng.random(people) * ladder[f, -1]) for f in range(FUTURES)]
    return np.minimum(np.array(drawn).T, heard - 1)


def _log_mean(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    top = logs.max(axis=0)
    mean: NDArray[np.float64] = top + np.log(np.exp(logs - top).mean(axis=0))
    return mean

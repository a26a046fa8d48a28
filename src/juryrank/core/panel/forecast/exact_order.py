"""What more people would settle of an exact order: the rule of `exact_order.py` played forward.

Every future draws the true shares of the list's neighbours anew. A link's tally may turn: then the list falls, the
next one has the leading directions, its own level, and evidence from scratch. A forecast promises nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.core.lead_table import LeadTable
from juryrank.core.levels import level_of
from juryrank.core.panel.exact_order import DOUBT_TO_FIX, ExactOrder
from juryrank.core.panel.forecast.head_to_head import (
    FUTURES,
    Forecast,
    evidence_of,
    nothing_more,
    possible_shares,
    summary,
)

LISTS = 4  # that a future may go through; the last one's level stays
Ints = NDArray[np.int64]


@dataclass(slots=True)
class _Futures:
    """All futures at once: one row per future, one column per link of the present order."""

    tally: NDArray[np.int64]  # [for, against] x futures x links, since the beginning
    theta: NDArray[np.float64]
    proof: NDArray[np.int64]  # [for, against] the list, since it was fixed
    towards: Ints  # 1: the list has the link as it stands now, -1: turned round
    proven: NDArray[np.bool_]
    claimed: Ints  # 1 or -1: claimed so; 0: not
    claim_order: Ints
    fixed: NDArray[np.bool_]  # by future: is there a list
    lists: Ints  # by future: lists given up so far


def forecast_order(attempts: ExactOrder, *, people: int, sitting: int, choosing: float, seed: int) -> Forecast:
    """Links that `people` more sittings would settle; `choosing` = the share of answers that are a choice."""
    if attempts.items < 2 or attempts.finished():
        return nothing_more(people)
    order = np.array(attempts.order(attempts.guide()))
    pairs = order[:-1], order[1:]
    rng = np.random.default_rng([seed & 0xFFFFFFFF, people, int(attempts.wins.sum())])
    futures = _begin(attempts, pairs, rng)
    leads = _leads(attempts, int(futures.tally.sum(axis=0).max()) + people + 1)
    before = futures.claimed.copy()
    for _ in range(people):
        _one_person(futures, leads, min(sitting, len(pairs[0])), choosing, rng)
    won = np.where(before == 0, futures.claimed, 0)
    return summary(people, won, *pairs)


def _begin(attempts: ExactOrder, pairs: tuple[Ints, Ints], rng: np.random.Generator) -> _Futures:
    i, j = pairs
    links = len(i)
    shape = (FUTURES, links)
    fixed = bool(attempts.list)
    claim_order = attempts.claim_order if fixed else list(range(links))
    return _Futures(
        tally=np.stack([np.tile(attempts.wins[i, j], (FUTURES, 1)), np.tile(attempts.wins[j, i], (FUTURES, 1))]),
        theta=possible_shares(attempts, attempts.guide(), pairs, rng),
        proof=np.stack([np.tile(attempts.tally[:, side], (FUTURES, 1)) for side in (0, 1)]),
        towards=np.ones(shape, dtype=np.int64),
        proven=np.tile(attempts.proven, (FUTURES, 1)),
        claimed=np.tile(attempts.claimed[i, j].astype(np.int64), (FUTURES, 1)),
        claim_order=np.tile(np.array(claim_order, dtype=np.int64), (FUTURES, 1)),
        fixed=np.full(FUTURES, fixed),
        lists=np.zeros(FUTURES, dtype=np.int64),
    )


def _leads(attempts: ExactOrder, upto: int) -> Ints:
    """The lead tables of this list and of those that may follow."""
    first = attempts.attempt if attempts.list else attempts.attempt + 1
    return np.array([LeadTable(level_of(attempts.error, first + k)).leads(upto) for k in range(LISTS)])


def _one_person(futures: _Futures, leads: Ints, size: int, choosing: float, rng: np.random.Generator) -> None:
    """Asks the least certain links, counts, claims, gives lists up and fixes new ones."""
    rows = np.arange(FUTURES)[:, None]
    as_listed = np.where(futures.towards > 0, futures.tally, futures.tally[::-1])
    sure = np.where(futures.proven, np.inf, evidence_of(as_listed[0], as_listed[1]))
    asked = np.argpartition(sure, size - 1, axis=1)[:, :size]
    chose = (rng.random(asked.shape) < choosing) & ~futures.proven[rows, asked]
    first = rng.random(asked.shape) < futures.theta[rows, asked]
    agrees = first == (futures.towards[rows, asked] > 0)
    futures.tally[0][rows, asked] += chose & first
    futures.tally[1][rows, asked] += chose & ~first
    counts = chose & futures.fixed[:, None]
    futures.proof[0][rows, asked] += counts & agrees
    futures.proof[1][rows, asked] += counts & ~agrees
    lead = futures.proof[0] - futures.proof[1]
    needed = leads[np.minimum(futures.lists, LISTS - 1)[:, None], futures.proof.sum(axis=0)]
    futures.proven |= futures.fixed[:, None] & (lead >= needed)
    _claim(futures)
    _turn(futures)
    _fix(futures)


def _claim(futures: _Futures) -> None:
    """Links up to the first unproven one in the order fixed with the list."""
    rows = np.arange(FUTURES)[:, None]
    in_order = np.logical_and.accumulate(futures.proven[rows, futures.claim_order], axis=1)
    claims = np.zeros_like(futures.proven)
    claims[rows, futures.claim_order] = in_order
    fresh = claims & futures.fixed[:, None] & (futures.claimed == 0)
    futures.claimed = np.where(fresh, futures.towards, futures.claimed)


def _turn(futures: _Futures) -> None:
    """A list falls when the whole tally of one of its links stands against it."""
    ahead = (futures.tally[0] - futures.tally[1]) * futures.towards
    falls = futures.fixed & (ahead < 0).any(axis=1) & ~futures.proven.all(axis=1)
    futures.fixed &= ~falls
    futures.lists += falls
    futures.proven[falls] = False
    futures.proof[:, falls] = 0


def _fix(futures: _Futures) -> None:
    """Where there is no list: the leading directions, once few wrong links are expected."""
    lead = futures.tally[0] - futures.tally[1]
    surer = evidence_of(np.maximum(*futures.tally), np.minimum(*futures.tally))
    weaker = evidence_of(np.minimum(*futures.tally), np.maximum(*futures.tally))
    doubts = 1 / (1 + np.exp(surer - weaker))
    now = ~futures.fixed & (doubts.sum(axis=1) <= DOUBT_TO_FIX)
    free = now[:, None] & (futures.claimed == 0)
    futures.towards = np.where(free, np.where(lead < 0, -1, 1), futures.towards)
    futures.claim_order[now] = np.argsort(doubts[now], axis=1, kind="stable")
    futures.fixed |= now

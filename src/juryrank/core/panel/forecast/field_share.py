"""What more people would settle by field-share: people like those heard so far, drawn anew.

Each future weighs the people heard at random (a Bayesian bootstrap: who came is a sample too) and draws the next
ones from them, with their balances as they were. A forecast promises nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from juryrank.core.panel.field_share import BETS, FieldShare, met_at_most
from juryrank.core.panel.forecast.head_to_head import CANDIDATES, FUTURES, Forecast, nothing_more, summary

FEWEST_HEARD = 8  # with fewer people heard, drawing from them again says nothing
UNDECIDED = 4  # people without a preference, mixed in: those who came look more of one mind than all people are
SPREAD = 0.5  # how unequal the weights of the people heard are (1: as a Bayesian bootstrap has them)


def forecast_field(field: FieldShare, balances: NDArray[np.int64], *, people: int, seed: int) -> Forecast:
    """Pairs of scores that `people` more sittings would settle; `balances` = wins minus losses by person, item."""
    open_ = field.open_pairs
    if not open_.any() or len(balances) < FEWEST_HEARD:
        return nothing_more(people)
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
    return summary(people, won, i, j)


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

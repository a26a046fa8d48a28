"""Which link is asked next in PROVE, of whom, and with what bet: the least certain link that is not proven; once
the list is very probably right, links are asked in the order in which they are claimed.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.gears import kernel
from juryrank.rankers.certified.core.judge_accuracy import MEAN, WEIGHT
from juryrank.rankers.certified.core.judge_choice import link_cost, pick_judge, write_draft
from juryrank.rankers.certified.core.max_tree import OUT
from juryrank.rankers.certified.core.objectives.links import above, below
from juryrank.rankers.certified.core.phases import PROVE
from juryrank.rankers.certified.core.prove.attempt import falls_short
from juryrank.rankers.certified.core.prove.evidence import (
    ACCURACY_GRID,
    BET_LEAST,
    BET_MOST,
    BETA,
    GRID_SIZE,
    GRID_STEP,
    log_bet,
)
from juryrank.rankers.certified.core.search.pair_odds import accuracy_here
from juryrank.rankers.certified.core.state import FIXED, IS_PROVEN, NOW, OPEN_LIST, OPENED, STEADY, UNLIMITED

PRIOR_OWN, PRIOR_POOL = 0.6, 0.3  # steady: of a judge's prior, the rest is uniform: nobody is ruled out
GRID_LOSS = 0.25  # steady: log evidence that a judge between two accuracies of the grid may cost on average ...
BETA_SHARE, BETA_WIDTH = 0.5, 0.15  # ... before a Beta gets this weight; its width (of the logit) at least
RAMP = 2  # links open at once: as many as are proven, at least this many, so that a wrong list costs little
ROUNDING = 1e-6  # a bet that lands on the threshold goes so far beyond it, whoever adds up its logarithms
SURE_LIST = 0.005  # chance that the list is wrong, below which it is asked in the order of claims


@kernel
def in_fixed_order(s: Any) -> bool:
    """Are links asked in the order in which they may be claimed?

    Asking the least certain link first finds a wrong list soonest. But what is proven then cannot be claimed until
    all is, so this is done only while the list may well be wrong and the budget suffices. (Where partial results
    do not matter, `claims_first` is off: asking in the order of claims costs 6 % under steady.)
    """
    c = s.cursor
    links = c.items - 1
    if c.repeats != UNLIMITED or falls_short(s, links - c.proven, s.cursor.threshold):
        return True
    return s.cursor.claims_first and s.unsure.value[s.unsure.winner[1]] < math.log(SURE_LIST / links)


@kernel(inline=False)
def choose_link(s: Any, judge: int) -> bool:
    """The next link to be asked."""
    c = s.cursor
    links = c.items - 1
    ramp_full = c.open_links >= max(RAMP, c.proven)
    if in_fixed_order(s):
        if ramp_full:
            return choose_open(s, judge)
        for i in range(c.claimed, links):
            if draft_proof(s, s.proof.link[i, FIXED], judge, False):
                return True
        return False
    best = s.unsure.winner[1]
    if s.unsure.value[best] > OUT and draft_proof(s, best, judge, ramp_full):
        return True
    return ramp_full and choose_open(s, judge)


@kernel
def choose_open(s: Any, judge: int) -> bool:
    """The first link with questions out that may be asked more."""
    best = -1
    for i in range(s.cursor.open_links):
        k = s.proof.link[i, OPEN_LIST]
        if (best < 0 or k < best) and draft_proof(s, k, judge, True):
            best = k
    return best >= 0 and draft_proof(s, best, judge, True)


@kernel(inline=False)
def draft_proof(s: Any, k: int, judge: int, ramp_full: bool) -> bool:
    c = s.cursor
    p = s.proof
    if p.link[k, IS_PROVEN] or (ramp_full and p.link[k, OPENED] == 0) or not has_room(s, k):
        return False
    better = above(s, k)
    worse = below(s, k)
    chosen = pick_judge(s, judge, better, worse, 0.0, 0.0)
    if not write_draft(s, chosen, better, worse, PROVE, k):
        return False
    c.draft_bet = 0.0 if c.assume == STEADY else landing(s, k, bet_on(s, chosen, better, worse))
    return True


@kernel
def bet_on(s: Any, u: int, better: int, worse: int) -> float:
    """λ: fixed when the question is asked, from what is known by then of the judge and of the pair."""
    expected = accuracy_here(s.tallies, s.jury, better, worse, s.jury.real[u, WEIGHT])
    return min(max(2.0 * expected - 1.0, BET_LEAST), BET_MOST)


@kernel
def landing(s: Any, k: int, bet: float) -> float:
    """The bet nearest to this one at which a whole number of agreeing answers just proves link (or item) k.

    The best bet in the long run, 2p - 1, overshoots: at p = .9, δ_m = .08 four answers are not quite
    enough, and five are more than enough. With slightly bolder bets four are: 7.1 questions on average, not 8.0.
    """
    step = math.log1p(bet)
    short = s.cursor.threshold - s.proof.worth[k, NOW] - s.proof.link[k, OPENED] * step + ROUNDING
    if bet < BET_LEAST or short <= ROUNDING:
        return bet
    answers = max(math.floor(short / step + 0.5), 1)
    if short / answers > math.log1p(BET_MOST):
        answers += 1
    return math.expm1(short / answers)


@kernel
def has_room(s: Any, k: int) -> bool:
    """Would the link still be unproven if all answers that are out agreed?"""
    out = s.proof.link[k, OPENED]
    if out == 0:
        return True
    leader = s.cursor.leader
    steady = s.cursor.assume == STEADY
    gain = s.jury.real[leader, WEIGHT] if steady else log_bet(2.0 * s.jury.real[leader, MEAN] - 1.0, True)
    return s.proof.worth[k, NOW] + out * gain < s.cursor.threshold


@kernel
def write_prior(s: Any, u: int, prior: Any) -> None:
    """π_u, fixed before u's first question of the attempt.

    Accuracies on a grid are fine while answers are few. But a judge between two of them costs log evidence with
    every answer, and in a long proof this outgrows what the answers bring: with 18 judges at .685 and 300 items
    nothing was ever proven. So where the grid would cost much, half of the weight goes to a Beta distribution
    with the mean and the variance of what is known of u, and the width of the grid.
    """
    mean = 0.0
    square = 0.0
    for k in range(GRID_SIZE):
        mean += s.jury.posterior[u, k] * ACCURACY_GRID[k]
        square += s.jury.posterior[u, k] * ACCURACY_GRID[k] ** 2
    even = mean * (1.0 - mean)
    answers = (s.cursor.items - 1) * link_cost(s, s.cursor.threshold)
    share = BETA_SHARE if answers * even * GRID_STEP**2 / 24.0 > GRID_LOSS else 0.0
    for k in range(GRID_SIZE):
        own = PRIOR_OWN * s.jury.posterior[u, k] + PRIOR_POOL * s.jury.pool[k]
        prior[k] = (1.0 - share) * (own + (1.0 - PRIOR_OWN - PRIOR_POOL) / GRID_SIZE)
    worth = even / (square - mean**2 + (BETA_WIDTH * even) ** 2) - 1.0
    prior[BETA] = share
    prior[BETA + 1] = mean * worth
    prior[BETA + 2] = (1.0 - mean) * worth

"""An attempt: the list is fixed, every link starts without evidence; when it ends, what was claimed stays claimed.

    begin_attempt(s)           E_k = 1 for all links, level δ_m; the order in which links may be claimed is fixed
    end_attempt(s)             the list changed: the evidence is gone
    adopt_list(s, ...)         begin with a list that somebody else fixed

The proof is in `evidence.py`. Nothing here but the levels δ_m carries the promise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.compiling import kernel
from juryrank.core.levels import level_of
from juryrank.rankers.certified.core.judge_accuracy import MEAN, WEIGHT
from juryrank.rankers.certified.core.judge_choice import link_cost, pick_judge, write_draft
from juryrank.rankers.certified.core.max_tree import OUT, rebuild
from juryrank.rankers.certified.core.pair_answers import NONE, accuracy_here, log_odds
from juryrank.rankers.certified.core.phases import CERTIFIED, LIST_GIVEN, PROVE, change_phase
from juryrank.rankers.certified.core.prove.evidence import (
    ACCURACY_GRID,
    BET_LEAST,
    BET_MOST,
    BETA,
    GRID_SIZE,
    GRID_STEP,
    log_bet,
)
from juryrank.rankers.certified.core.state import (
    AGREE,
    BEST,
    FIXED,
    HAS_PRIOR,
    IS_PROVEN,
    JUDGE_ANSWERS,
    LARGER,
    LINK_HEAD,
    LOG_MIX,
    LOG_SUP,
    LOSSES,
    NOW,
    OPEN_LIST,
    OPENED,
    STEADY,
    UNLIMITED,
    WINS,
    above,
    below,
)

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State


@kernel(inline=False)
def begin_attempt(s: State) -> None:
    """Fix the list: all evidence is 1, the level is the next one."""
    c = s.cursor
    p = s.proof
    c.attempt += 1
    c.proven = 0
    c.open_links = 0
    c.claimed = 0
    c.link_nodes = 0
    c.attempt_asked = 0
    s.cursor.threshold = -math.log(level_of(s.cursor.error, c.attempt))
    s.cursor.common = 0.0
    links = c.items - 1
    for k in range(len(s.unsure.value)):
        s.unsure.value[k] = OUT
    for k in range(links):
        p.worth[k, NOW] = 0.0
        p.worth[k, BEST] = 0.0
        p.link[k, IS_PROVEN] = 0
        p.link[k, OPENED] = 0
        p.link[k, WINS] = 0
        p.link[k, LOSSES] = 0
        p.link[k, LINK_HEAD] = NONE
        s.unsure.value[k] = -log_odds(s.tallies, s.jury, above(s, k), below(s, k))
    rebuild(s.unsure)
    surest_first(s.unsure.value, p.link, links)
    for u in range(len(p.judge)):
        p.judge[u, HAS_PRIOR] = 0
        p.judge[u, JUDGE_ANSWERS] = 0
        p.judge[u, AGREE] = 0
        p.judge[u, LARGER] = 0
        p.logs[u, LOG_MIX] = 0.0
        p.logs[u, LOG_SUP] = 0.0


@kernel(inline=False, arrays=True)
def surest_first(unsure: Any, link: Any, links: int) -> None:
    """The order in which links may be claimed."""
    ranked = np.argsort(unsure[:links], kind="mergesort")
    for i in range(links):
        link[i, FIXED] = ranked[i]


@kernel
def must_begin(s: State) -> bool:
    """Is the budget too short for a whole proof? Then more repair would only leave less to be claimed."""
    c = s.cursor
    return falls_short(s, c.items - 1, -math.log(level_of(s.cursor.error, c.attempt + 1)))


@kernel
def falls_short(s: State, links: int, evidence: float) -> bool:
    """May the budget end before so many links have this much evidence?"""
    return s.cursor.budget_left < links * link_cost(s, evidence)


@kernel(inline=False)
def end_attempt(s: State) -> None:
    """The attempt is over without a certificate; its claims hold all the same, and are kept."""
    c = s.cursor
    for i in range(c.claimed):
        k = s.proof.link[i, FIXED]
        claim = c.claims
        s.proof.claims[claim, 0] = above(s, k)
        s.proof.claims[claim, 1] = below(s, k)
        s.proof.claims[claim, 2] = c.attempt
        c.claims += 1
    c.claimed = 0
    c.proven = 0


@kernel
def adopt_list(s: State, order: Any, attempt: int) -> None:
    """Begin an attempt at a list that was fixed elsewhere: a recorded one, or any that somebody wants proven."""
    c = s.cursor
    if c.phase == PROVE or c.phase == CERTIFIED:
        end_attempt(s)
    for k in range(c.items):
        s.order[k] = order[k]
        s.place[order[k]] = k
    c.attempt = attempt - 1
    change_phase(c, LIST_GIVEN)
    begin_attempt(s)


# ----------------------------------------------------------------------------
# Which link is asked next in PROVE, of whom, and with what bet: the least certain link that is not proven; once
# the list is very probably right, links are asked in the order in which they are claimed
PRIOR_OWN, PRIOR_POOL = 0.6, 0.3  # steady: of a judge's prior, the rest is uniform: nobody is ruled out
GRID_LOSS = 0.25  # steady: log evidence that a judge between two accuracies of the grid may cost on average ...
BETA_SHARE, BETA_WIDTH = 0.5, 0.15  # ... before a Beta gets this weight; its width (of the logit) at least
RAMP = 2  # links open at once: as many as are proven, at least this many, so that a wrong list costs little
ROUNDING = 1e-6  # a bet that lands on the threshold goes so far beyond it, whoever adds up its logarithms
SURE_LIST = 0.005  # chance that the list is wrong, below which it is asked in the order of claims


@kernel
def in_fixed_order(s: State) -> bool:
    """Are links asked in the order in which they may be claimed?

    Asking the least certain link first finds a wrong list soonest. But what is proven then cannot be claimed until
    all is, so this is done only while the list may well be wrong and the budget suffices. (Where nobody joins and
    nothing limits the questions, `claims_first` is off: asking in the order of claims costs 6 % under steady.)
    """
    c = s.cursor
    links = c.items - 1
    if c.repeats != UNLIMITED or falls_short(s, links - c.proven, s.cursor.threshold):
        return True
    return s.cursor.claims_first and s.unsure.value[s.unsure.winner[1]] < math.log(SURE_LIST / links)


@kernel(inline=False)
def choose_link(s: State, judge: int) -> bool:
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
def choose_open(s: State, judge: int) -> bool:
    """The first link with questions out that may be asked more."""
    best = -1
    for i in range(s.cursor.open_links):
        k = s.proof.link[i, OPEN_LIST]
        if (best < 0 or k < best) and draft_proof(s, k, judge, True):
            best = k
    return best >= 0 and draft_proof(s, best, judge, True)


@kernel(inline=False)
def draft_proof(s: State, k: int, judge: int, ramp_full: bool) -> bool:
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
def bet_on(s: State, u: int, better: int, worse: int) -> float:
    """λ: fixed when the question is asked, from what is known by then of the judge and of the pair."""
    expected = accuracy_here(s.tallies, s.jury, better, worse, s.jury.real[u, WEIGHT])
    return min(max(2.0 * expected - 1.0, BET_LEAST), BET_MOST)


@kernel
def landing(s: State, k: int, bet: float) -> float:
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
def has_room(s: State, k: int) -> bool:
    """Would the link still be unproven if all answers that are out agreed?"""
    out = s.proof.link[k, OPENED]
    if out == 0:
        return True
    leader = s.cursor.leader
    steady = s.cursor.assume == STEADY
    gain = s.jury.real[leader, WEIGHT] if steady else log_bet(2.0 * s.jury.real[leader, MEAN] - 1.0, True)
    return s.proof.worth[k, NOW] + out * gain < s.cursor.threshold


@kernel
def write_prior(s: State, u: int, prior: Any) -> None:
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

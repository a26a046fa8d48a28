"""PROVE: the list is fixed; only answers to questions asked from now on count, each link with its own evidence.

    begin_attempt(s)           E_k = 1 for all links, level δ_m
    choose_link(s, judge)      the least sure link that is not proven; then in the order in which links are claimed
    proof_counted(s, ...)      one answer, in the order asked; may prove a link, end the attempt, or certify
    end_attempt(s)             the list changed: the evidence is gone, what was claimed stays claimed

The proof is in `evidence.py`. Nothing here but the levels δ_m carries the promise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from juryrank.core.certified.judge_accuracy import MEAN, WEIGHT
from juryrank.core.certified.judge_choice import link_cost, pick_judge
from juryrank.core.certified.max_tree import OUT, put, rebuild
from juryrank.core.certified.pair_answers import NONE
from juryrank.core.certified.prove.evidence import (
    BET_LEAST,
    BET_MOST,
    GRID_SIZE,
    log_bet,
    log_mixture,
    log_supremum,
    most_right,
)
from juryrank.core.certified.search.pair_odds import accuracy_here, log_odds
from juryrank.core.certified.state import (
    AGAINST,
    AGREE,
    ANYBODY,
    ASSUME,
    ATTEMPT,
    ATTEMPT_ASKED,
    BEST,
    BUDGET_LEFT,
    CERTIFIED,
    CLAIMED,
    CLAIMS,
    COMMON,
    DRAFT_BET,
    DRAFT_FIRST,
    DRAFT_JUDGE,
    DRAFT_PHASE,
    DRAFT_POSITION,
    DRAFT_SECOND,
    ERROR,
    FIXED,
    FOR,
    HAS_PRIOR,
    IS_PROVEN,
    ITEMS,
    JUDGE_ANSWERS,
    LARGER,
    LEADER,
    LINK_HEAD,
    LINK_NODES,
    LOG_MIX,
    LOG_SUP,
    LOSSES,
    NODE_JUDGE,
    NODE_NEXT,
    NOW,
    OPEN_AT,
    OPEN_LINKS,
    OPEN_LIST,
    OPENED,
    PHASE,
    PROVE,
    PROVEN,
    REPEATS,
    STEADY,
    THRESHOLD,
    UNLIMITED,
    WINS,
)
from juryrank.core.gears import kernel
from juryrank.core.levels import level_of

PRIOR_OWN, PRIOR_POOL = 0.6, 0.3  # steady: of a judge's prior, the rest is uniform: nobody is ruled out
RAMP = 2  # links open at once: as many as are proven, at least this many, so that a wrong list costs little
SURE_LIST = 0.005  # chance that the list is wrong, below which it is asked in the order of claims


@kernel(inline=False)
def begin_attempt(s: Any) -> None:
    """Fix the list: all evidence is 1, the level is the next one."""
    n = s.numbers
    p = s.proof
    n[PHASE] = PROVE
    n[ATTEMPT] += 1
    n[PROVEN] = 0
    n[OPEN_LINKS] = 0
    n[CLAIMED] = 0
    n[LINK_NODES] = 0
    n[ATTEMPT_ASKED] = 0
    s.reals[THRESHOLD] = -math.log(level_of(s.reals[ERROR], n[ATTEMPT]))
    s.reals[COMMON] = 0.0
    links = n[ITEMS] - 1
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
        s.unsure.value[k] = -log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1])
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
def falls_short(s: Any, links: int, evidence: float) -> bool:
    """May the budget end before so many links have this much evidence?"""
    return s.reals[BUDGET_LEFT] < links * link_cost(s, evidence)


@kernel
def in_fixed_order(s: Any) -> bool:
    """Are links asked in the order in which they may be claimed?

    The least sure first finds a wrong list soonest. But whatever is proven then cannot be claimed until all is:
    so only as long as the list may well be wrong, and the budget suffices.
    """
    n = s.numbers
    links = n[ITEMS] - 1
    if n[REPEATS] != UNLIMITED or falls_short(s, links - n[PROVEN], s.reals[THRESHOLD]):
        return True
    return s.unsure.value[s.unsure.winner[1]] < math.log(SURE_LIST / links)


@kernel(inline=False)
def choose_link(s: Any, judge: int) -> bool:
    """The next link to be asked."""
    n = s.numbers
    links = n[ITEMS] - 1
    ramp_full = n[OPEN_LINKS] >= max(RAMP, n[PROVEN])
    if in_fixed_order(s):
        if ramp_full:
            return choose_open(s, judge)
        for i in range(n[CLAIMED], links):
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
    for i in range(s.numbers[OPEN_LINKS]):
        k = s.proof.link[i, OPEN_LIST]
        if (best < 0 or k < best) and draft_proof(s, k, judge, True):
            best = k
    return best >= 0 and draft_proof(s, best, judge, True)


@kernel(inline=False)
def draft_proof(s: Any, k: int, judge: int, ramp_full: bool) -> bool:
    n = s.numbers
    p = s.proof
    if p.link[k, IS_PROVEN] or (ramp_full and p.link[k, OPENED] == 0) or not has_room(s, k):
        return False
    above = s.order[k]
    below = s.order[k + 1]
    chosen = pick_judge(s, judge, above, below, 0.0, 0.0)
    if chosen == ANYBODY:
        return False
    n[DRAFT_JUDGE] = chosen
    n[DRAFT_FIRST] = above
    n[DRAFT_SECOND] = below
    n[DRAFT_PHASE] = PROVE
    n[DRAFT_POSITION] = k
    s.reals[DRAFT_BET] = 0.0 if n[ASSUME] == STEADY else bet_on(s, chosen, above, below)
    return True


@kernel
def bet_on(s: Any, u: int, better: int, worse: int) -> float:
    """λ: fixed when the question is asked, from what is known by then of the judge and of the pair."""
    expected = accuracy_here(s.tallies, s.jury, better, worse, s.jury.real[u, WEIGHT])
    return min(max(2.0 * expected - 1.0, BET_LEAST), BET_MOST)


@kernel
def has_room(s: Any, k: int) -> bool:
    """Would the link still be unproven if all answers that are out agreed?"""
    out = s.proof.link[k, OPENED]
    if out == 0:
        return True
    leader = s.numbers[LEADER]
    steady = s.numbers[ASSUME] == STEADY
    gain = s.jury.real[leader, WEIGHT] if steady else log_bet(2.0 * s.jury.real[leader, MEAN] - 1.0, True)
    return s.proof.worth[k, NOW] + out * gain < s.reals[THRESHOLD]


@kernel
def proof_asked(s: Any, k: int, judge: int) -> None:
    """A question of this attempt is out."""
    p = s.proof
    s.numbers[ATTEMPT_ASKED] += 1
    if p.link[k, OPENED] == 0:
        p.link[k, OPEN_AT] = s.numbers[OPEN_LINKS]
        p.link[s.numbers[OPEN_LINKS], OPEN_LIST] = k
        s.numbers[OPEN_LINKS] += 1
    p.link[k, OPENED] += 1
    if not has_room(s, k):
        put(s.unsure, k, OUT)
    if s.numbers[ASSUME] == STEADY and not p.judge[judge, HAS_PRIOR]:
        p.judge[judge, HAS_PRIOR] = 1
        write_prior(s, judge, p.prior[judge])


@kernel
def write_prior(s: Any, u: int, prior: Any) -> None:
    """π_u, fixed before u's first question of the attempt."""
    for k in range(GRID_SIZE):
        prior[k] = (
            PRIOR_OWN * s.jury.posterior[u, k]
            + PRIOR_POOL * s.jury.pool[k]
            + (1.0 - PRIOR_OWN - PRIOR_POOL) / GRID_SIZE
        )


@kernel
def proof_closed(s: Any, k: int) -> None:
    """A question of this attempt is no longer out."""
    p = s.proof
    p.link[k, OPENED] -= 1
    if p.link[k, OPENED] == 0:  # the last of the list takes its place
        s.numbers[OPEN_LINKS] -= 1
        last = p.link[s.numbers[OPEN_LINKS], OPEN_LIST]
        p.link[p.link[k, OPEN_AT], OPEN_LIST] = last
        p.link[last, OPEN_AT] = p.link[k, OPEN_AT]
    rank_link(s, k)


@kernel
def rank_link(s: Any, k: int) -> None:
    """Where the link stands among those to be asked."""
    if s.proof.link[k, IS_PROVEN] or not has_room(s, k):
        put(s.unsure, k, OUT)
    else:
        put(s.unsure, k, -log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1]))


@kernel(inline=False)
def proof_counted(s: Any, k: int, judge: int, agrees: bool, bet: float) -> None:
    """One answer at link k counts."""
    p = s.proof
    node = link_node(s, k, judge)
    lead = p.node[node, FOR] - p.node[node, AGAINST]
    if agrees:
        p.link[k, WINS] += 1
        p.node[node, FOR] += 1
    else:
        p.link[k, LOSSES] += 1
        p.node[node, AGAINST] += 1
    if s.numbers[ASSUME] == STEADY:
        count_steady(s, judge, lead, agrees)
        p.worth[k, NOW] = steady_evidence(s, k)
    else:
        p.worth[k, NOW] += log_bet(bet, agrees)
    check_proven(s, k)


@kernel
def link_node(s: Any, k: int, judge: int) -> int:
    """The judge's own tally at link k."""
    p = s.proof
    node = p.link[k, LINK_HEAD]
    while node != NONE:
        if p.node[node, NODE_JUDGE] == judge:
            return node
        node = p.node[node, NODE_NEXT]
    node = s.numbers[LINK_NODES]
    s.numbers[LINK_NODES] += 1
    p.node[node, NODE_JUDGE] = judge
    p.node[node, FOR] = 0
    p.node[node, AGAINST] = 0
    p.node[node, NODE_NEXT] = p.link[k, LINK_HEAD]
    p.link[k, LINK_HEAD] = node
    return node


@kernel
def count_steady(s: Any, u: int, lead: int, agrees: bool) -> None:
    """One more answer of judge u; `lead` is w - l at its link before it."""
    p = s.proof
    p.judge[u, JUDGE_ANSWERS] += 1
    p.judge[u, AGREE] += 1 if agrees else 0
    grows = lead >= 0 if agrees else lead <= 0
    p.judge[u, LARGER] += 1 if grows else 0
    s.reals[COMMON] -= p.logs[u, LOG_MIX] - p.logs[u, LOG_SUP]
    p.logs[u, LOG_MIX] = log_mixture(p.prior[u], p.judge[u, AGREE], p.judge[u, JUDGE_ANSWERS])
    p.logs[u, LOG_SUP] = log_supremum(p.judge[u, LARGER], p.judge[u, JUDGE_ANSWERS])
    s.reals[COMMON] += p.logs[u, LOG_MIX] - p.logs[u, LOG_SUP]


@kernel(inline=False)
def steady_evidence(s: Any, k: int) -> float:
    """log E_k under steady: what all links share, and what the judges' leads at this one add."""
    p = s.proof
    total = s.reals[COMMON]
    node = p.link[k, LINK_HEAD]
    while node != NONE:
        u = p.node[node, NODE_JUDGE]
        lead = p.node[node, FOR] - p.node[node, AGAINST]
        if lead > 0:
            most = most_right(p.judge[u, LARGER], lead)
            total += p.logs[u, LOG_SUP] - log_supremum(most, p.judge[u, JUDGE_ANSWERS])
        node = p.node[node, NODE_NEXT]
    return total


@kernel(inline=False)
def check_proven(s: Any, k: int) -> bool:
    """Has the link's evidence reached 1/δ_m, now or before?"""
    p = s.proof
    n = s.numbers
    p.worth[k, BEST] = max(p.worth[k, BEST], p.worth[k, NOW])
    if p.link[k, IS_PROVEN]:
        return True
    if p.worth[k, BEST] < s.reals[THRESHOLD]:
        return False
    p.link[k, IS_PROVEN] = 1
    n[PROVEN] += 1
    put(s.unsure, k, OUT)
    links = n[ITEMS] - 1
    while n[CLAIMED] < links and p.link[p.link[n[CLAIMED], FIXED], IS_PROVEN]:
        n[CLAIMED] += 1
    if n[PROVEN] == links:
        n[PHASE] = CERTIFIED
    return True


@kernel
def must_begin(s: Any) -> bool:
    """Is the budget too short for a whole proof? Then repairing on would only leave less to be claimed."""
    n = s.numbers
    return falls_short(s, n[ITEMS] - 1, -math.log(level_of(s.reals[ERROR], n[ATTEMPT] + 1)))


@kernel(inline=False)
def end_attempt(s: Any) -> None:
    """The attempt is over without a certificate; its claims hold all the same, and are kept."""
    n = s.numbers
    for i in range(n[CLAIMED]):
        k = s.proof.link[i, FIXED]
        claim = n[CLAIMS]
        s.proof.claims[claim, 0] = s.order[k]
        s.proof.claims[claim, 1] = s.order[k + 1]
        s.proof.claims[claim, 2] = n[ATTEMPT]
        n[CLAIMS] += 1
    n[CLAIMED] = 0
    n[PROVEN] = 0


@kernel
def adopt_list(s: Any, order: Any, attempt: int) -> None:
    """Begin an attempt at a list that was fixed elsewhere: a recorded one, or any that somebody wants proven."""
    n = s.numbers
    if n[PHASE] == PROVE or n[PHASE] == CERTIFIED:
        end_attempt(s)
    for k in range(n[ITEMS]):
        s.order[k] = order[k]
        s.place[order[k]] = k
    n[ATTEMPT] = attempt - 1
    begin_attempt(s)

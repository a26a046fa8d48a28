"""PROVE: the list is fixed; only answers to questions asked from now on count, each link with its own evidence.

    begin_attempt(s)           E_k = 1 for all links, level δ_m
    choose_link(s, judge)      the least sure link that is not proven
    proof_counted(s, ...)      one answer, in the order asked; may prove a link, end the attempt, or certify
    end_attempt(s)             the list changed: the evidence is gone, what was claimed stays claimed

The proof is in `core/evidence.py`. Nothing here but the levels δ_m carries the promise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from juryrank.core.contest import OUT, put, rebuild
from juryrank.core.curiosity import pick_judge, proof_cost
from juryrank.core.doubt import log_odds
from juryrank.core.evidence import (
    BET_LEAST,
    BET_MOST,
    GRID_SIZE,
    level_of,
    log_bet,
    log_mixture,
    log_supremum,
    most_right,
)
from juryrank.core.gears import kernel
from juryrank.core.state import (
    ANYBODY,
    ASSUME,
    ATTEMPT,
    ATTEMPT_ASKED,
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
    ITEMS,
    LEADER,
    LINK_NODES,
    OPEN_LINKS,
    PHASE,
    PROVE,
    PROVEN,
    REPEATS,
    STEADY,
    THRESHOLD,
    UNLIMITED,
)
from juryrank.core.tallies import NONE

BET_START = 8.0  # a judge's running share in PROVE starts as this many answers at the search's estimate
PRIOR_OWN, PRIOR_POOL = 0.6, 0.3  # steady: of a judge's prior, the rest is uniform: nobody is ruled out
RAMP = 2  # links open at once: as many as are proven, at least this many, so that a wrong list costs little


@kernel
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
        p.log_evidence[k] = 0.0
        p.best[k] = 0.0
        p.proven[k] = 0
        p.opened[k] = 0
        p.wins[k] = 0
        p.losses[k] = 0
        p.head[k] = NONE
        s.unsure.value[k] = -log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1])
    rebuild(s.unsure)
    p.fixed[:links] = np.argsort(s.unsure.value[:links], kind="mergesort")
    for u in range(len(p.has_prior)):
        p.has_prior[u] = 0
        p.answers[u] = 0
        p.agree[u] = 0
        p.larger[u] = 0
        p.log_mix[u] = 0.0
        p.log_sup[u] = 0.0


@kernel
def choose_link(s: Any, judge: int) -> bool:
    """The least sure link still to be proven; in the fixed order when the budget may not suffice for all."""
    n = s.numbers
    links = n[ITEMS] - 1
    ramp_full = n[OPEN_LINKS] >= max(RAMP, n[PROVEN])
    left = links - n[PROVEN]
    if s.reals[BUDGET_LEFT] < left * proof_cost(s, s.reals[THRESHOLD]) or n[REPEATS] != UNLIMITED:
        for i in range(n[CLAIMED], links):
            if draft_proof(s, s.proof.fixed[i], judge, ramp_full):
                return True
        return False
    best = s.unsure.winner[1]
    if s.unsure.value[best] > OUT and draft_proof(s, best, judge, ramp_full):
        return True
    if ramp_full:  # only links that are open already may be asked more
        for k in range(links):
            if s.proof.opened[k] > 0 and draft_proof(s, k, judge, ramp_full):
                return True
    return False


@kernel
def draft_proof(s: Any, k: int, judge: int, ramp_full: bool) -> bool:
    n = s.numbers
    p = s.proof
    if p.proven[k] or (ramp_full and p.opened[k] == 0) or not has_room(s, k):
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
    s.reals[DRAFT_BET] = 0.0 if n[ASSUME] == STEADY else bet_on(s, chosen)
    return True


@kernel
def bet_on(s: Any, u: int) -> float:
    """λ: fixed when the question is asked, from what is known by then."""
    jury = s.jury
    share = (BET_START * jury.mean[u] + jury.agreed[u]) / (BET_START + jury.proved[u])
    return min(max(2.0 * share - 1.0, BET_LEAST), BET_MOST)


@kernel
def has_room(s: Any, k: int) -> bool:
    """Would the link still be unproven if all answers that are out agreed?"""
    out = s.proof.opened[k]
    if out == 0:
        return True
    leader = s.numbers[LEADER]
    gain = s.jury.weight[leader] if s.numbers[ASSUME] == STEADY else log_bet(bet_on(s, leader), True)
    return s.proof.log_evidence[k] + out * gain < s.reals[THRESHOLD]


@kernel
def proof_asked(s: Any, k: int, judge: int) -> None:
    """A question of this attempt is out."""
    p = s.proof
    s.numbers[ATTEMPT_ASKED] += 1
    s.numbers[OPEN_LINKS] += p.opened[k] == 0
    p.opened[k] += 1
    if not has_room(s, k):
        put(s.unsure, k, OUT)
    if s.numbers[ASSUME] == STEADY and not p.has_prior[judge]:
        p.has_prior[judge] = 1
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
    p.opened[k] -= 1
    s.numbers[OPEN_LINKS] -= p.opened[k] == 0
    rank_link(s, k)


@kernel
def rank_link(s: Any, k: int) -> None:
    """Where the link stands among those to be asked."""
    if s.proof.proven[k] or not has_room(s, k):
        put(s.unsure, k, OUT)
    else:
        put(s.unsure, k, -log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1]))


@kernel
def proof_counted(s: Any, k: int, judge: int, agrees: bool, bet: float) -> None:
    """One answer at link k counts."""
    p = s.proof
    node = link_node(s, k, judge)
    lead = p.node_for[node] - p.node_against[node]
    if agrees:
        p.wins[k] += 1
        p.node_for[node] += 1
    else:
        p.losses[k] += 1
        p.node_against[node] += 1
    s.jury.proved[judge] += 1.0
    s.jury.agreed[judge] += 1.0 if agrees else 0.0
    if s.numbers[ASSUME] == STEADY:
        count_steady(s, judge, lead, agrees)
        p.log_evidence[k] = steady_evidence(s, k)
    else:
        p.log_evidence[k] += log_bet(bet, agrees)
    check_proven(s, k)


@kernel
def link_node(s: Any, k: int, judge: int) -> int:
    """The judge's own tally at link k."""
    p = s.proof
    node = p.head[k]
    while node != NONE:
        if p.node_judge[node] == judge:
            return node
        node = p.node_next[node]
    node = s.numbers[LINK_NODES]
    s.numbers[LINK_NODES] += 1
    p.node_judge[node] = judge
    p.node_for[node] = 0
    p.node_against[node] = 0
    p.node_next[node] = p.head[k]
    p.head[k] = node
    return node


@kernel
def count_steady(s: Any, u: int, lead: int, agrees: bool) -> None:
    """One more answer of judge u; `lead` is w - l at its link before it."""
    p = s.proof
    p.answers[u] += 1
    p.agree[u] += 1 if agrees else 0
    grows = lead >= 0 if agrees else lead <= 0
    p.larger[u] += 1 if grows else 0
    s.reals[COMMON] -= p.log_mix[u] - p.log_sup[u]
    p.log_mix[u] = log_mixture(p.prior[u], p.agree[u], p.answers[u])
    p.log_sup[u] = log_supremum(p.larger[u], p.answers[u])
    s.reals[COMMON] += p.log_mix[u] - p.log_sup[u]


@kernel
def steady_evidence(s: Any, k: int) -> float:
    """log E_k under steady: what all links share, and what the judges' leads at this one add."""
    p = s.proof
    total = s.reals[COMMON]
    node = p.head[k]
    while node != NONE:
        u = p.node_judge[node]
        lead = p.node_for[node] - p.node_against[node]
        if lead > 0:
            total += p.log_sup[u] - log_supremum(most_right(p.larger[u], lead), p.answers[u])
        node = p.node_next[node]
    return total


@kernel
def check_proven(s: Any, k: int) -> bool:
    """Has the link's evidence reached 1/δ_m, now or before?"""
    p = s.proof
    n = s.numbers
    p.best[k] = max(p.best[k], p.log_evidence[k])
    if p.proven[k]:
        return True
    if p.best[k] < s.reals[THRESHOLD]:
        return False
    p.proven[k] = 1
    n[PROVEN] += 1
    put(s.unsure, k, OUT)
    links = n[ITEMS] - 1
    while n[CLAIMED] < links and p.proven[p.fixed[n[CLAIMED]]]:
        n[CLAIMED] += 1
    if n[PROVEN] == links:
        n[PHASE] = CERTIFIED
    return True


@kernel
def end_attempt(s: Any) -> None:
    """The attempt is over without a certificate; its claims hold all the same, and are kept."""
    n = s.numbers
    for i in range(n[CLAIMED]):
        k = s.proof.fixed[i]
        claim = n[CLAIMS]
        s.proof.claims[claim, 0] = s.order[k]
        s.proof.claims[claim, 1] = s.order[k + 1]
        s.proof.claims[claim, 2] = n[ATTEMPT]
        n[CLAIMS] += 1
    n[CLAIMED] = 0
    n[PROVEN] = 0


@kernel
def adopt_list(s: Any, order: Any, surest: Any, attempt: int) -> None:
    """Begin an attempt at a list that was fixed elsewhere: a recorded one, or any that somebody wants proven."""
    n = s.numbers
    if n[PHASE] == PROVE:
        end_attempt(s)
    for k in range(n[ITEMS]):
        s.order[k] = order[k]
        s.place[order[k]] = k
    n[ATTEMPT] = attempt - 1
    begin_attempt(s)
    for i in range(n[ITEMS] - 1):
        s.proof.fixed[i] = surest[i]

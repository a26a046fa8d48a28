"""Questions of an attempt: out, answered (which adds evidence and may prove a link), no longer out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from juryrank.core.compiling import kernel
from juryrank.core.levels import MARGIN
from juryrank.rankers.certified.core.max_tree import OUT, put
from juryrank.rankers.certified.core.pair_answers import NONE, log_odds
from juryrank.rankers.certified.core.phases import ALL_PROVEN, change_phase
from juryrank.rankers.certified.core.prove.attempt import has_room, write_prior
from juryrank.rankers.certified.core.prove.evidence import log_bet, log_mixture, log_supremum, most_right
from juryrank.rankers.certified.core.state import (
    AGAINST,
    AGREE,
    BEST,
    FIXED,
    FOR,
    HAS_PRIOR,
    IS_PROVEN,
    JUDGE_ANSWERS,
    LARGER,
    LINK_HEAD,
    LOG_MIX,
    LOG_SUP,
    LOSSES,
    NODE_JUDGE,
    NODE_NEXT,
    NOW,
    OPEN_AT,
    OPEN_LIST,
    OPENED,
    STEADY,
    WINS,
    above,
    below,
)

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State


@kernel
def proof_asked(s: State, k: int, judge: int) -> None:
    """A question of this attempt is out."""
    p = s.proof
    s.cursor.attempt_asked += 1
    if p.link[k, OPENED] == 0:
        p.link[k, OPEN_AT] = s.cursor.open_links
        p.link[s.cursor.open_links, OPEN_LIST] = k
        s.cursor.open_links += 1
    p.link[k, OPENED] += 1
    if not has_room(s, k):
        put(s.unsure, k, OUT)
    if s.cursor.assume == STEADY and not p.judge[judge, HAS_PRIOR]:
        p.judge[judge, HAS_PRIOR] = 1
        write_prior(s, judge, p.prior[judge])


@kernel
def proof_closed(s: State, k: int) -> None:
    """A question of this attempt is no longer out."""
    p = s.proof
    p.link[k, OPENED] -= 1
    if p.link[k, OPENED] == 0:  # the last of the list takes its place
        s.cursor.open_links -= 1
        last = p.link[s.cursor.open_links, OPEN_LIST]
        p.link[p.link[k, OPEN_AT], OPEN_LIST] = last
        p.link[last, OPEN_AT] = p.link[k, OPEN_AT]
    rank_link(s, k)


@kernel
def rank_link(s: State, k: int) -> None:
    """Where the link stands among those to be asked."""
    if s.proof.link[k, IS_PROVEN] or not has_room(s, k):
        put(s.unsure, k, OUT)
    else:
        put(s.unsure, k, -log_odds(s.tallies, s.jury, above(s, k), below(s, k)))


@kernel(inline=False)
def proof_counted(s: State, k: int, judge: int, agrees: bool, bet: float) -> None:
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
    if s.cursor.assume == STEADY:
        count_steady(s, judge, lead, agrees)
        p.worth[k, NOW] = steady_evidence(s, k)
    else:
        p.worth[k, NOW] += log_bet(bet, agrees)
    check_proven(s, k)


@kernel
def link_node(s: State, k: int, judge: int) -> int:
    """The judge's own tally at link k."""
    p = s.proof
    node = p.link[k, LINK_HEAD]
    while node != NONE:
        if p.node[node, NODE_JUDGE] == judge:
            return node
        node = p.node[node, NODE_NEXT]
    node = s.cursor.link_nodes
    s.cursor.link_nodes += 1
    p.node[node, NODE_JUDGE] = judge
    p.node[node, FOR] = 0
    p.node[node, AGAINST] = 0
    p.node[node, NODE_NEXT] = p.link[k, LINK_HEAD]
    p.link[k, LINK_HEAD] = node
    return node


@kernel
def count_steady(s: State, u: int, lead: int, agrees: bool) -> None:
    """One more answer of judge u; `lead` is w - l at its link before it."""
    p = s.proof
    p.judge[u, JUDGE_ANSWERS] += 1
    p.judge[u, AGREE] += 1 if agrees else 0
    grows = lead >= 0 if agrees else lead <= 0
    p.judge[u, LARGER] += 1 if grows else 0
    s.cursor.common -= p.logs[u, LOG_MIX] - p.logs[u, LOG_SUP]
    p.logs[u, LOG_MIX] = log_mixture(p.prior[u], p.judge[u, AGREE], p.judge[u, JUDGE_ANSWERS])
    p.logs[u, LOG_SUP] = log_supremum(p.judge[u, LARGER], p.judge[u, JUDGE_ANSWERS])
    s.cursor.common += p.logs[u, LOG_MIX] - p.logs[u, LOG_SUP]


@kernel(inline=False)
def steady_evidence(s: State, k: int) -> float:
    """log E_k under steady: what all links share, and what the judges' leads at this one add."""
    p = s.proof
    total = s.cursor.common
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
def check_proven(s: State, k: int) -> bool:
    """Has the link's evidence reached 1/δ_m, now or before?"""
    p = s.proof
    c = s.cursor
    p.worth[k, BEST] = max(p.worth[k, BEST], p.worth[k, NOW])
    if p.link[k, IS_PROVEN]:
        return True
    if p.worth[k, BEST] < s.cursor.threshold + MARGIN:
        return False
    p.link[k, IS_PROVEN] = 1
    c.proven += 1
    put(s.unsure, k, OUT)
    links = c.items - 1
    while c.claimed < links and p.link[p.link[c.claimed, FIXED], IS_PROVEN]:
        c.claimed += 1
    if c.proven == links:
        change_phase(c, ALL_PROVEN)
    return True

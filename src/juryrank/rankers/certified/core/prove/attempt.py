"""An attempt: the list is fixed, every link starts without evidence; when it ends, what was claimed stays claimed.

    begin_attempt(s)           E_k = 1 for all links, level δ_m; the order in which links may be claimed is fixed
    end_attempt(s)             the list changed: the evidence is gone
    adopt_list(s, ...)         begin with a list that somebody else fixed

The proof is in `evidence.py`. Nothing here but the levels δ_m carries the promise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from juryrank.core.gears import kernel
from juryrank.core.levels import level_of
from juryrank.rankers.certified.core.judge_choice import link_cost
from juryrank.rankers.certified.core.max_tree import OUT, rebuild
from juryrank.rankers.certified.core.objectives.links import above, below
from juryrank.rankers.certified.core.pair_answers import NONE
from juryrank.rankers.certified.core.phases import CERTIFIED, LIST_GIVEN, PROVE, change_phase
from juryrank.rankers.certified.core.search.pair_odds import log_odds
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
    OPENED,
    WINS,
)


@kernel(inline=False)
def begin_attempt(s: Any) -> None:
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
def must_begin(s: Any) -> bool:
    """Is the budget too short for a whole proof? Then more repair would only leave less to be claimed."""
    c = s.cursor
    return falls_short(s, c.items - 1, -math.log(level_of(s.cursor.error, c.attempt + 1)))


@kernel
def falls_short(s: Any, links: int, evidence: float) -> bool:
    """May the budget end before so many links have this much evidence?"""
    return s.cursor.budget_left < links * link_cost(s, evidence)


@kernel(inline=False)
def end_attempt(s: Any) -> None:
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
def adopt_list(s: Any, order: Any, attempt: int) -> None:
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

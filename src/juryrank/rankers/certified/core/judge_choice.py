"""Whom to ask: the leader, unless somebody else may well be so much better that finding out pays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.judge_accuracy import (
    ALLOWED,
    BITS,
    GRID_BITS,
    HARD_RIGHT,
    HARD_SEEN,
    MEAN,
    TURN,
    VALUE,
    WAITING,
)
from juryrank.rankers.certified.core.pair_answers import times_asked
from juryrank.rankers.certified.core.phases import PROVE
from juryrank.rankers.certified.core.prove.evidence import GRID_SIZE
from juryrank.rankers.certified.core.state import ANYBODY, STEADY, UNLIMITED

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

WORTH_TRYING = 1.3  # a judge is worth trying if it may be this many times as informative as the leader ...
TRIAL_PRICE = 10.0  # ... if the chance of that, times the questions still to come, exceeds this many questions
HARD_SHARE, HARD_WORTH = 0.58, 10.0  # on hard pairs a judge starts as 10 answers, 58 % of them right
PROVING_RATIO = 2.0  # steady: in PROVE a change of judge costs evidence, so it must be worth much


@kernel
def may_ask(s: State, u: int, x: int, y: int) -> bool:
    """May judge u be asked about this pair (again)?"""
    if s.jury.tally[u, ALLOWED] == 0:
        return False
    return s.cursor.repeats == UNLIMITED or times_asked(s.tallies, x, y, u) < s.cursor.repeats


@kernel(inline=False)
def pick_judge(s: State, judge: int, x: int, y: int, to_come: float, most_waiting: float) -> int:
    """Whom to ask about x and y: `judge`, if given, else the leader or a judge on trial; ANYBODY: nobody may.

    `to_come` is how many questions are still to come (0: no trials), `most_waiting` how many uncredited
    answers a judge on trial may have.
    """
    if judge != ANYBODY:
        return judge if may_ask(s, judge, x, y) else ANYBODY
    leader = s.cursor.leader
    if not may_ask(s, leader, x, y):
        leader = best_allowed(s, x, y)
    if leader == ANYBODY or to_come <= TRIAL_PRICE:
        return leader
    trial = likeliest_better(s, leader, x, y, TRIAL_PRICE / to_come, most_waiting)
    return leader if trial == ANYBODY else trial


@kernel
def write_draft(s: State, judge: int, x: int, y: int, phase: int, position: int) -> bool:
    """Write the next question into the draft; False if there is nobody to ask."""
    if judge == ANYBODY:
        return False
    c = s.cursor
    c.draft_judge = judge
    c.draft_first = x
    c.draft_second = y
    c.draft_phase = phase
    c.draft_position = position
    return True


@kernel
def best_allowed(s: State, x: int, y: int) -> int:
    best = ANYBODY
    for i in range(len(s.jury.tally)):
        u = s.jury.tally[i, TURN]
        if may_ask(s, u, x, y) and (best == ANYBODY or s.jury.real[u, VALUE] > s.jury.real[best, VALUE]):
            best = u
    return best


@kernel(inline=False)
def likeliest_better(s: State, leader: int, x: int, y: int, chance: float, most_waiting: float) -> int:
    """The judge likeliest to be worth trying, if likelier than `chance`."""
    jury = s.jury
    goal = WORTH_TRYING * jury.real[leader, VALUE]
    best = ANYBODY
    rate = -1.0
    first = GRID_SIZE
    for i in range(len(jury.tally)):
        u = jury.tally[i, TURN]
        if u == leader or jury.tally[u, WAITING] >= most_waiting:
            continue
        per_bit = jury.real[u, VALUE] / jury.real[u, BITS]
        if per_bit != rate:  # the same for all judges who answer everything at one price
            rate = per_bit
            first = 0
            while first < GRID_SIZE and GRID_BITS[first] * rate <= goal:
                first += 1
        if first < GRID_SIZE and jury.tail[u, first] > chance and may_ask(s, u, x, y):
            chance = jury.tail[u, first]
            best = u
    return best


@kernel(inline=False)
def pick_for_hard(s: State, x: int, y: int) -> int:
    """Whom to ask about a hard pair: the judge who does best on hard pairs, which ordinary pairs do not show."""
    real = s.jury.real
    best = ANYBODY
    most = -1.0
    for i in range(len(s.jury.tally)):
        u = s.jury.tally[i, TURN]
        if may_ask(s, u, x, y):
            seen = real[u, HARD_SEEN]
            share = (HARD_WORTH * HARD_SHARE + real[u, HARD_RIGHT]) / (HARD_WORTH + seen)
            worth = max(share - 0.5, 0.0) ** 2 * real[u, VALUE] / real[u, BITS]
            if worth > most:
                most = worth
                best = u
    return best


@kernel(inline=False)
def update_leader(s: State) -> None:
    """Make the most valuable judge the leader; under steady, PROVE changes leaders only for a clear gain."""
    ratio = PROVING_RATIO if s.cursor.phase == PROVE and s.cursor.assume == STEADY else 1.0
    lead = s.jury.real[s.cursor.leader, VALUE]
    for i in range(len(s.jury.tally)):
        u = s.jury.tally[i, TURN]
        value = s.jury.real[u, VALUE]
        if value > lead * ratio and s.jury.tally[u, ALLOWED]:
            s.cursor.leader = u
            lead = value


@kernel
def proof_cost(s: State, doubts: float) -> float:
    """About how many questions it takes the odds of a pair to grow by exp(doubts), asked of the leader."""
    p = min(max(s.jury.real[s.cursor.leader, MEAN], 0.505), 0.9995)
    return doubts / ((2.0 * p - 1.0) * math.log(p / (1.0 - p)))


@kernel
def link_cost(s: State, evidence: float) -> float:
    """About how many questions to the leader it takes to multiply a link's evidence by exp(evidence)."""
    if s.cursor.assume == STEADY:
        return proof_cost(s, evidence)
    p = min(max(s.jury.real[s.cursor.leader, MEAN], 0.505), 0.9995)
    return evidence / (p * math.log(2.0 * p) + (1.0 - p) * math.log(2.0 - 2.0 * p))  # the best bet: λ = 2p - 1


@kernel
def questions_to_come(s: State, bits: float) -> float:
    """About how many questions the rest of the ranking takes, with `bits` of insertion left."""
    n = s.cursor.items
    known = max(s.jury.real[s.cursor.leader, BITS], 1e-4)
    return bits / known + n * proof_cost(s, math.log(n / s.cursor.error))

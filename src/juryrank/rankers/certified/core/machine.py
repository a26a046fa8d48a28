"""The certified ranker as one state machine on arrays: choose, asked, answered, blank.

choose(s, judge)         drafts the next question (for this judge); changes nothing but the draft
asked(s, q, position)    the question is out
answered(s, q, won)      an answer counts (within a lane: in the order asked)
cramped(s)               too little room for the next event: see `resize.py`
blank(s, q)              a tie, a skip or an expiry: no evidence, but the question is no longer out

The phases and what changes them: `phases.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.eliminate import (
    challenge,
    choose_tested,
    cross_over,
    crossing_odds,
    elimination_asked,
    elimination_closed,
    elimination_counted,
    lean,
)
from juryrank.rankers.certified.core.giving_up import GOES_ON, note_patience, note_turn
from juryrank.rankers.certified.core.judge_accuracy import (
    BLANKS,
    HARD_RIGHT,
    HARD_SEEN,
    VOTES,
    WAITING,
    appraise,
    credit,
    refresh_stale,
)
from juryrank.rankers.certified.core.judge_choice import update_leader
from juryrank.rankers.certified.core.pair_answers import (
    chance_of,
    crowded,
    log_odds,
    note_answer,
    note_asked,
    ordinary,
)
from juryrank.rankers.certified.core.phases import (
    ALL_PLACED,
    ELIMINATE,
    ELIMINATION,
    INSERT,
    LINK_DOUBTED,
    LIST_BELIEVED,
    ORDER,
    PROVE,
    REPAIR,
    change_phase,
)
from juryrank.rankers.certified.core.prove.attempt import (
    begin_attempt,
    choose_link,
    end_attempt,
    in_fixed_order,
    must_begin,
)
from juryrank.rankers.certified.core.prove.count import (
    check_proven,
    proof_asked,
    proof_closed,
    proof_counted,
    steady_evidence,
)
from juryrank.rankers.certified.core.search.gaps import FREE, ROW_OPEN
from juryrank.rankers.certified.core.search.insert import (
    choose_insertion,
    insertion_answered,
    insertion_asked,
    settle,
)
from juryrank.rankers.certified.core.search.moves import shift_item
from juryrank.rankers.certified.core.search.repair import (
    believed_at,
    choose_repair,
    look_again,
    repair_out,
    repair_touched,
)
from juryrank.rankers.certified.core.state import (
    FIXED,
    IS_PROVEN,
    LINK_HEAD,
    NO_LINK,
    NOW,
    STEADY,
    above,
    below,
    link_of,
)

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

DROP_SET = 50.0  # odds of belonging across at which an item ends the attempt: a new one is dear


class Query(NamedTuple):
    """A question as the machine knows it."""

    judge: int
    first: int
    second: int
    phase: int  # in which it was asked
    attempt: int  # of PROVE
    bet: float


@kernel(inline=False)
def cramped(s: State) -> bool:
    """Could the next event find too little room?"""
    return (
        crowded(s.tallies)
        or s.cursor.link_nodes + 1 >= len(s.proof.node)
        or s.cursor.claims + s.cursor.items > len(s.proof.claims)
    )


@kernel(inline=False)
def choose(s: State, judge: int) -> bool:
    """Draft the next question; False: nothing to ask (of this judge) now."""
    if s.cursor.gave_up != GOES_ON:
        return False
    phase = s.cursor.phase
    if phase == INSERT:
        return choose_insertion(s, judge)
    if phase == REPAIR:
        return choose_repair(s, judge)
    if phase == PROVE:
        return choose_link(s, judge)
    if phase == ELIMINATE:
        return choose_tested(s, judge)
    return False


@kernel(inline=False)
def asked(s: State, q: Any, position: int) -> None:
    """A question is out. `position`: where its second item stands (INSERT), or which link it is (PROVE)."""
    s.cursor.questions += 1
    note_asked(s.tallies, q.first, q.second, q.judge)
    s.jury.tally[q.judge, WAITING] += 1
    if q.phase == INSERT and s.cursor.phase == INSERT:
        insertion_asked(s, q.first, q.second, position)
    elif q.phase == REPAIR:
        repair_out(s, q.first, q.second, 1)
    elif q.phase == ELIMINATE:
        elimination_asked(s, q.first)
    elif counts(s, q):
        proof_asked(s, position, q.judge)


@kernel
def counts(s: State, q: Any) -> bool:
    """Does a question belong to the running attempt?"""
    return q.phase == PROVE and s.cursor.phase == PROVE and q.attempt == s.cursor.attempt


@kernel(inline=False)
def answered(s: State, q: Any, first_won: bool) -> None:
    """Somebody prefers the first item of a question (or not) to the second."""
    s.cursor.answers += 1
    s.jury.tally[q.judge, VOTES] += 1
    if in_flight(s, q):
        insertion_answered(s, q.judge, q.first, q.second, first_won)
    elif s.cursor.objective == ELIMINATION:
        learn(s, q.judge, q.first, q.second, first_won)
        if q.phase == ELIMINATE:
            elimination_counted(s, q.first, first_won, q.bet)
            elimination_closed(s, q.first)
        challenge(s, q.first, q.second)
        note_patience(s, q.first, q.second)
    else:
        learn(s, q.judge, q.first, q.second, first_won)
        if q.phase == REPAIR:
            repair_out(s, q.first, q.second, -1)
        if s.cursor.phase == REPAIR:
            repair_touched(s, q.first, q.second)
        elif s.cursor.phase == PROVE:
            if counts(s, q):
                proof_counted(s, link_of(s, q.first, q.second), q.judge, first_won, q.bet)
                proof_closed(s, link_of(s, q.first, q.second))
            doubt_list(s, q.first, q.second)
        note_patience(s, q.first, q.second)
    advance(s)


@kernel(inline=False)
def blank(s: State, q: Any) -> None:
    """A tie, a skip or an expiry."""
    s.jury.tally[q.judge, BLANKS] += 1
    appraise(s.jury, q.judge)
    if in_flight(s, q):
        row = s.slots.of_item[q.first]
        s.slots.row[row, ROW_OPEN] -= 1
        settle(s, row)
    else:
        s.jury.tally[q.judge, WAITING] = max(0, s.jury.tally[q.judge, WAITING] - 1)
        if q.phase == REPAIR:
            repair_out(s, q.first, q.second, -1)
        if s.cursor.phase == REPAIR:
            repair_touched(s, q.first, q.second)
        if q.phase == ELIMINATE:
            elimination_closed(s, q.first)
        if counts(s, q):
            proof_closed(s, link_of(s, q.first, q.second))
    update_leader(s)
    advance(s)


@kernel
def in_flight(s: State, q: Any) -> bool:
    """Is this a question about a newcomer that is still being placed?"""
    return q.phase == INSERT and s.cursor.phase == INSERT and s.slots.of_item[q.first] != FREE


@kernel(inline=False)
def learn(s: State, judge: int, x: int, y: int, x_won: bool) -> None:
    """Credit the judge by what the earlier answers say, then keep the answer."""
    odds = log_odds(s.tallies, s.jury, x, y)
    if s.cursor.objective == ELIMINATION:
        odds -= lean(s, x, y)
    right = chance_of(odds if x_won else -odds)
    usual = ordinary(s.tallies, s.jury, x, y)
    credit(s.jury, judge, right, usual)
    if usual < 0.5:
        s.jury.real[judge, HARD_SEEN] += 1.0
        s.jury.real[judge, HARD_RIGHT] += right
    refresh_stale(s.jury)
    s.jury.tally[judge, WAITING] = max(0, s.jury.tally[judge, WAITING] - 1)
    s.cursor.searched += 1
    note_answer(s.tallies, x, y, judge, x_won)
    update_leader(s)


@kernel
def doubt_list(s: State, x: int, y: int) -> None:
    """In PROVE: if all answers together now speak against a link of the list, the attempt is over."""
    if s.cursor.phase == PROVE and not s.cursor.stay:
        drop_doubted(s, x, y)


@kernel(inline=False)
def drop_doubted(s: State, x: int, y: int) -> bool:
    """Give the list up if x and y are a link of it and all answers together speak against it. Was it given up?"""
    k = link_of(s, x, y)
    if k == NO_LINK or not contradicted(s, k):
        return False
    end_attempt(s)
    note_turn(s, x, y)
    if s.cursor.objective == ORDER:
        shift_item(s, k, 1)
    else:
        cross_over(s, k)
    change_phase(s.cursor, LINK_DOUBTED)
    look_again(s)
    return True


@kernel
def contradicted(s: State, k: int) -> bool:
    """Do all answers together speak against link k? (Of a set: do they place its item on the other side?)"""
    if s.cursor.objective == ORDER:
        return log_odds(s.tallies, s.jury, above(s, k), below(s, k)) < 0.0
    return crossing_odds(s, k) > DROP_SET


@kernel(inline=False)
def advance(s: State) -> None:
    """What follows from the last event: all placed, all believed, proven by others' answers."""
    c = s.cursor
    if c.phase == INSERT and c.placed == c.items:
        for k in range(c.items):
            s.place[s.order[k]] = k
        change_phase(c, ALL_PLACED)
        look_again(s)
    if c.phase == REPAIR and (s.doubt.total[1] <= believed_at(s) or must_begin(s)):
        change_phase(c, LIST_BELIEVED)
        begin_attempt(s)
    if c.phase == PROVE and c.assume == STEADY:
        prove_by_others(s)


@kernel(inline=False)
def prove_by_others(s: State) -> None:
    """Under steady an answer elsewhere may prove the next link to be asked: then there is no need to ask it."""
    while s.cursor.phase == PROVE:
        k = s.proof.link[s.cursor.claimed, FIXED] if in_fixed_order(s) else s.unsure.winner[1]
        if s.proof.link[k, IS_PROVEN] or s.proof.link[k, LINK_HEAD] < 0:
            return
        s.proof.worth[k, NOW] = steady_evidence(s, k)
        if not check_proven(s, k):
            return

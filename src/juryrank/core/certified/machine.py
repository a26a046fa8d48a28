"""The certified ranker as one state machine on arrays: choose, asked, answered, blank.

choose(s, judge)     drafts the next question (for this judge); changes nothing but the draft
asked(s, ...)        it is out
answered(s, ...)     an answer counts (within a lane: in the order asked)
blank(s, ...)        a tie, a skip or an expiry: no evidence, but the question is no longer out
"""

from __future__ import annotations

from typing import Any

from juryrank.core.certified.giving_up import GOES_ON, note_patience, note_turn
from juryrank.core.certified.judge_accuracy import (
    BLANKS,
    HARD_RIGHT,
    HARD_SEEN,
    VOTES,
    WAITING,
    appraise,
    credit,
    refresh_stale,
)
from juryrank.core.certified.judge_choice import update_leader
from juryrank.core.certified.pair_answers import note_answer, note_asked
from juryrank.core.certified.prove.prove import (
    begin_attempt,
    check_proven,
    choose_link,
    end_attempt,
    in_fixed_order,
    must_begin,
    proof_asked,
    proof_closed,
    proof_counted,
    steady_evidence,
)
from juryrank.core.certified.search.gaps import FREE, ROW_OPEN
from juryrank.core.certified.search.insert import choose_insertion, insertion_answered, insertion_asked, settle
from juryrank.core.certified.search.moves import shift_item
from juryrank.core.certified.search.pair_odds import chance_of, log_odds, ordinary
from juryrank.core.certified.search.repair import (
    REPAIR_STOP,
    choose_repair,
    look_again,
    repair_out,
    repair_touched,
)
from juryrank.core.certified.state import (
    ANSWERS,
    ASSUME,
    ATTEMPT,
    CLAIMED,
    FIXED,
    GAVE_UP,
    INSERT,
    IS_PROVEN,
    ITEMS,
    LINK_HEAD,
    NOW,
    PHASE,
    PLACED,
    PROVE,
    QUESTIONS,
    REPAIR,
    SEARCHED,
    STAY,
    STEADY,
)
from juryrank.core.gears import kernel


@kernel(inline=False)
def choose(s: Any, judge: int) -> bool:
    """Draft the next question; False: nothing to ask (of this judge) now."""
    if s.numbers[GAVE_UP] != GOES_ON:
        return False
    phase = s.numbers[PHASE]
    if phase == INSERT:
        return choose_insertion(s, judge)
    if phase == REPAIR:
        return choose_repair(s, judge)
    if phase == PROVE:
        return choose_link(s, judge)
    return False


@kernel(inline=False)
def asked(s: Any, judge: int, x: int, y: int, phase: int, attempt: int, position: int) -> None:
    """A question is out. `position`: where y stands (INSERT), or which link it is (PROVE)."""
    s.numbers[QUESTIONS] += 1
    note_asked(s.tallies, x, y, judge)
    s.jury.tally[judge, WAITING] += 1
    if phase == INSERT and s.numbers[PHASE] == INSERT:
        insertion_asked(s, x, y, position)
    elif phase == REPAIR:
        repair_out(s, x, y, 1)
    elif counts(s, phase, attempt):
        proof_asked(s, position, judge)


@kernel
def counts(s: Any, phase: int, attempt: int) -> bool:
    """Does a question with these terms belong to the running attempt?"""
    return phase == PROVE and s.numbers[PHASE] == PROVE and attempt == s.numbers[ATTEMPT]


@kernel(inline=False)
def answered(s: Any, judge: int, x: int, y: int, x_won: bool, phase: int, attempt: int, bet: float) -> None:
    """Somebody prefers x (or not) to y."""
    s.numbers[ANSWERS] += 1
    s.jury.tally[judge, VOTES] += 1
    if in_flight(s, x, phase):
        insertion_answered(s, judge, x, y, x_won)
    else:
        learn(s, judge, x, y, x_won)
        if phase == REPAIR:
            repair_out(s, x, y, -1)
        if s.numbers[PHASE] == REPAIR:
            repair_touched(s, x, y)
        elif s.numbers[PHASE] == PROVE:
            if counts(s, phase, attempt):
                proof_counted(s, s.place[x], judge, x_won, bet)
                proof_closed(s, s.place[x])
            doubt_list(s, x, y)
        note_patience(s, x, y)
    advance(s)


@kernel(inline=False)
def blank(s: Any, judge: int, x: int, y: int, phase: int, attempt: int) -> None:
    """A tie, a skip or an expiry."""
    s.jury.tally[judge, BLANKS] += 1
    appraise(s.jury, judge)
    if in_flight(s, x, phase):
        row = s.slots.of_item[x]
        s.slots.row[row, ROW_OPEN] -= 1
        settle(s, row)
    else:
        s.jury.tally[judge, WAITING] = max(0, s.jury.tally[judge, WAITING] - 1)
        if phase == REPAIR:
            repair_out(s, x, y, -1)
        if s.numbers[PHASE] == REPAIR:
            repair_touched(s, x, y)
        if counts(s, phase, attempt):
            proof_closed(s, s.place[x])
    update_leader(s)
    advance(s)


@kernel
def in_flight(s: Any, x: int, phase: int) -> bool:
    """Is this a question about a newcomer that is still being placed?"""
    return phase == INSERT and s.numbers[PHASE] == INSERT and s.slots.of_item[x] != FREE


@kernel(inline=False)
def learn(s: Any, judge: int, x: int, y: int, x_won: bool) -> None:
    """Credit the judge by what the earlier answers say, then keep the answer."""
    odds = log_odds(s.tallies, s.jury, x, y)
    right = chance_of(odds if x_won else -odds)
    usual = ordinary(s.tallies, s.jury, x, y)
    credit(s.jury, judge, right, usual)
    if usual < 0.5:
        s.jury.real[judge, HARD_SEEN] += 1.0
        s.jury.real[judge, HARD_RIGHT] += right
    refresh_stale(s.jury)
    s.jury.tally[judge, WAITING] = max(0, s.jury.tally[judge, WAITING] - 1)
    s.numbers[SEARCHED] += 1
    note_answer(s.tallies, x, y, judge, x_won)
    update_leader(s)


@kernel(inline=False)
def doubt_list(s: Any, x: int, y: int) -> None:
    """In PROVE: if all answers together now speak against a link of the list, the attempt is over."""
    k = min(s.place[x], s.place[y])
    if s.numbers[PHASE] != PROVE or s.numbers[STAY] or abs(s.place[x] - s.place[y]) != 1:
        return
    if log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1]) < 0.0:
        end_attempt(s)
        note_turn(s, x, y)
        shift_item(s, k, 1)
        s.numbers[PHASE] = REPAIR
        look_again(s)


@kernel(inline=False)
def advance(s: Any) -> None:
    """What follows from the last event: all placed, all believed, proven by others' answers."""
    n = s.numbers
    if n[PHASE] == INSERT and n[PLACED] == n[ITEMS]:
        for k in range(n[ITEMS]):
            s.place[s.order[k]] = k
        n[PHASE] = REPAIR
        look_again(s)
    if n[PHASE] == REPAIR and (s.doubt.total[1] <= REPAIR_STOP or must_begin(s)):
        begin_attempt(s)
    if n[PHASE] == PROVE and n[ASSUME] == STEADY:
        prove_by_others(s)


@kernel(inline=False)
def prove_by_others(s: Any) -> None:
    """Under steady an answer elsewhere may prove the next link to be asked: then there is no need to ask it."""
    while s.numbers[PHASE] == PROVE:
        k = s.proof.link[s.numbers[CLAIMED], FIXED] if in_fixed_order(s) else s.unsure.winner[1]
        if s.proof.link[k, IS_PROVEN] or s.proof.link[k, LINK_HEAD] < 0:
            return
        s.proof.worth[k, NOW] = steady_evidence(s, k)
        if not check_proven(s, k):
            return

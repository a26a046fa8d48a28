"""INSERT: newcomers get a slot, are asked about and placed; then the judges who answered are credited."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.judge_accuracy import BITS, WAITING, WEIGHT, credit, learn_pool, refresh_stale
from juryrank.rankers.certified.core.judge_choice import pick_judge, questions_to_come, update_leader, write_draft
from juryrank.rankers.certified.core.max_tree import OUT
from juryrank.rankers.certified.core.pair_answers import (
    ASKED,
    HIGH_WINS,
    JUDGE,
    LOW_WINS,
    NEXT_NODE,
    NONE,
    chain,
    chance_of,
    judges_asked,
    note_answer,
)
from juryrank.rankers.certified.core.phases import INSERT, ORDER
from juryrank.rankers.certified.core.search.gaps import (
    BOUNDS,
    FREE,
    ITEM,
    MOST_BOUNDS,
    RIVAL,
    ROW_ASKED,
    ROW_OPEN,
    add_bound,
    all_together,
    bound_of,
    claim_again,
    claim_anew,
    close_slot,
    first_gap,
    gaps_in,
    halving_position,
    heaviest,
    log_odds_at,
    make_way,
    open_slot,
    outside,
    surest_share,
    trials_wait,
    weigh,
)
from juryrank.rankers.certified.core.state import UNLIMITED, placing_bits

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

PLACE_AT = 0.97  # a newcomer is placed when one gap holds this share: later mistakes are cheap to repair ...
SET_PLACE_AT = 0.8  # ... and cheaper for a set, where every doubtful item meets the pivot again
TRIAL_WAITING = 2.0  # uncredited answers that a judge on trial may have
POOL_EVERY = 0.05  # learn the pool anew when so many more answers were credited
LOOK_AROUND = 8  # with limited repeats: how far from the best opponent to look for one that may be asked
# After PATIENCE + (PER_LEVEL + PER_BIT / bits) log2(k+1) questions an item is placed anyway; `bits`: what an
# answer of the leader says, at least LEAST_BITS
PATIENCE, PER_LEVEL, PER_BIT, LEAST_BITS = 60.0, 20.0, 4.0, 0.02


@kernel(inline=False)
def choose_insertion(s: State, judge: int) -> bool:
    """A question about a newcomer in flight that has none out, or about the next one."""
    c = s.cursor
    if all_together(s):
        return choose_widest(s, judge)
    for row in range(c.rows):
        if s.slots.row[row, ITEM] != FREE and s.slots.row[row, ROW_OPEN] == 0 and draft_insertion(s, row, judge):
            return True
    # ramp: at most as many in flight as are placed, else each would be placed among too few
    if c.next_arrival >= c.items or c.in_flight >= min(c.placed, len(s.slots.row)):
        return False
    return draft_newcomer(s, judge)


@kernel(inline=False)
def choose_widest(s: State, judge: int) -> bool:
    """Breadth first: items never asked about come first, as none is open wider; then the largest claim."""
    c = s.cursor
    if c.next_arrival < c.items and c.in_flight < len(s.slots.row):
        return draft_newcomer(s, judge)
    claims = s.unsure
    first = claims.winner[1]
    if claims.value[first] > OUT and draft_insertion(s, first, judge):
        return True
    if c.repeats == UNLIMITED:
        return False
    best = FREE
    for row in range(c.rows):
        wider = best == FREE or claims.value[row] > claims.value[best]
        if wider and claims.value[row] > OUT and draft_insertion(s, row, judge):
            best = row
    return best != FREE and draft_insertion(s, best, judge)


@kernel
def draft_newcomer(s: State, judge: int) -> bool:
    """The next one to arrive meets the middle of the list."""
    newcomer = s.arrivals[s.cursor.next_arrival]
    return draft(s, newcomer, min(s.cursor.placed // 2, listed(s) - 1), judge, 0.0)


@kernel
def draft_insertion(s: State, row: int, judge: int) -> bool:
    """The most even split that somebody (or this judge) may be asked about."""
    last = listed(s) - 1
    middle = min(halving_position(s.slots, row, s.cursor.placed), last)
    for step in range(2 * LOOK_AROUND + 1):
        position = middle + ((step + 1) // 2 if step % 2 else -(step // 2))
        if position < 0 or position > last:
            continue
        if not searchable(s, s.slots.row[row, ITEM], s.order[position]):
            continue
        if draft(s, s.slots.row[row, ITEM], position, judge, 1.0 * s.slots.row[row, ROW_ASKED]):
            return True
        if s.cursor.repeats == UNLIMITED:
            return False
    return False


@kernel(inline=False)
def draft(s: State, newcomer: int, position: int, judge: int, asked: float) -> bool:
    c = s.cursor
    rival = s.order[position]
    to_come = 0.0 if trials_wait(s, newcomer) else questions_to_come(s, s.cursor.bits_left)
    most_waiting = TRIAL_WAITING * max(c.in_flight, 1) + asked / len(s.jury.tally)
    chosen = pick_judge(s, judge, newcomer, rival, to_come, most_waiting)
    return write_draft(s, chosen, newcomer, rival, INSERT, position)


@kernel
def searchable(s: State, x: int, y: int) -> bool:
    """May the search ask about this pair again? With limited repeats some judges are kept for the proof."""
    return s.cursor.repeats == UNLIMITED or judges_asked(s.tallies, x, y) < s.cursor.search_judges


@kernel
def insertion_asked(s: State, newcomer: int, rival: int, position: int) -> None:
    """A question about a newcomer is out; its slot opens with its first one."""
    c = s.cursor
    row = s.slots.of_item[newcomer]
    if row == FREE:
        if c.next_arrival >= c.items or s.arrivals[c.next_arrival] != newcomer:
            return
        row = c.rows if c.in_flight == c.rows else 0
        while s.slots.row[row, ITEM] != FREE:
            row += 1
        open_slot(s.slots, row, newcomer)
        c.next_arrival += 1
        c.in_flight += 1
        c.rows = max(c.rows, row + 1)
    s.slots.row[row, ROW_OPEN] += 1
    s.slots.row[row, ROW_ASKED] += 1
    if position >= 0 and bound_of(s.slots, row, rival) < 0 and s.slots.row[row, BOUNDS] < MOST_BOUNDS:
        add_bound(s.slots, row, position, rival)
    claim_again(s, row)


@kernel(inline=False)
def insertion_answered(s: State, judge: int, newcomer: int, rival: int, won: bool) -> None:
    """An answer about a newcomer in flight."""
    row = s.slots.of_item[newcomer]
    s.slots.row[row, ROW_OPEN] -= 1
    note_answer(s.tallies, newcomer, rival, judge, won)
    bound = bound_of(s.slots, row, rival)
    if bound >= 0:
        weigh(s.slots, row, bound, won, s.jury.real[judge, WEIGHT])
    settle(s, row)


@kernel(inline=False)
def settle(s: State, row: int) -> None:
    """Place the newcomer if one gap is sure enough, if patience has run out, or if nobody is left to ask."""
    best = heaviest(s.slots, row)
    placed = s.cursor.placed
    share = surest_share(s, row, best)
    levels = math.log2(placed + 1.0)
    bits = max(s.jury.real[s.cursor.leader, BITS], LEAST_BITS)
    patience = PATIENCE + (PER_LEVEL + PER_BIT / bits) * levels
    sure = share >= (PLACE_AT if s.cursor.objective == ORDER else SET_PLACE_AT)
    enough = sure or s.slots.row[row, ROW_ASKED] > patience or s.slots.row[row, BOUNDS] >= MOST_BOUNDS
    if enough or (s.cursor.repeats != UNLIMITED and not askable(s, row)):
        place(s, row, best)
    else:
        claim_again(s, row)


@kernel
def askable(s: State, row: int) -> bool:
    """With limited repeats: is there an opponent near the middle of the mass that may still be asked about?"""
    placed = s.cursor.placed
    last = listed(s) - 1
    middle = min(halving_position(s.slots, row, placed), last)
    for position in range(max(0, middle - LOOK_AROUND), min(last, middle + LOOK_AROUND) + 1):
        if searchable(s, s.slots.row[row, ITEM], s.order[position]):
            return True
    return False


@kernel(inline=False)
def place(s: State, row: int, best: int) -> None:
    """Credit the judges who answered, put the newcomer into the likeliest gap, move the others' gaps."""
    c = s.cursor
    placed = c.placed
    credit_answers(s, row, best)
    gap = first_gap(s.slots, row, best) + (gaps_in(s.slots, row, best, placed) - 1) // 2
    if outside(s, row, best):
        gap = placed
    newcomer = s.slots.row[row, ITEM]
    move_up(s.order, gap, placed)
    s.order[gap] = newcomer
    close_slot(s.slots, row)
    make_way(s.slots, c.rows, gap)
    c.placed += 1
    c.in_flight -= 1
    claim_anew(s)
    c.bits_left -= placing_bits(c, c.placed)
    if c.searched >= c.pool_at:
        learn_pool(s.jury)
        c.pool_at = c.searched + max(1, int(POOL_EVERY * c.searched))
    update_leader(s)


@kernel(inline=False)
def credit_answers(s: State, row: int, best: int) -> None:
    """Each answer about the newcomer, judged by all the others: its own weight is taken out first."""
    t = s.tallies
    jury = s.jury
    newcomer = s.slots.row[row, ITEM]
    for j in range(s.slots.row[row, BOUNDS]):
        odds = log_odds_at(s.slots, row, j, s.cursor.placed, best)
        rival = s.slots.bound[row, j, RIVAL]
        node = chain(t, newcomer, rival)
        while node != NONE:
            u = t.node[node, JUDGE]
            wins = t.node[node, LOW_WINS] if newcomer < rival else t.node[node, HIGH_WINS]
            losses = t.node[node, HIGH_WINS] if newcomer < rival else t.node[node, LOW_WINS]
            weight = jury.real[u, WEIGHT]
            for _ in range(wins):
                credit(jury, u, chance_of(odds - weight), 1.0)
            for _ in range(losses):
                credit(jury, u, chance_of(-odds - weight), 1.0)
            jury.tally[u, WAITING] = max(0, jury.tally[u, WAITING] - t.node[node, ASKED])
            s.cursor.searched += wins + losses
            node = t.node[node, NEXT_NODE]
    refresh_stale(jury)


@kernel(inline=False, arrays=True)
def move_up(order: Any, start: int, stop: int) -> None:
    """Everything from `start` to `stop` moves one place on: one block of memory, quick for any length."""
    order[start + 1 : stop + 1] = order[start:stop]


@kernel
def listed(s: State) -> int:
    """How many of the items placed so far are kept in order: for a set, no more than it holds."""
    return s.cursor.placed if s.cursor.objective == ORDER else min(s.cursor.placed, s.cursor.top)

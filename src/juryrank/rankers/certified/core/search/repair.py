"""REPAIR: ask where a move of one item might still be right, and make the moves that the answers favour.

Every link has a T, how likely a move across it is (`move_doubt.py`). While Σ T > `believed_at`, the link with
the largest T is asked about: its two items, or, of an item that may well belong far away, the way there
(`long_moves.py`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.eliminate import sides_out, sides_touched, weigh_sides
from juryrank.rankers.certified.core.judge_accuracy import HARD_PAIRS, HARD_START, WEIGHT, learn_pool
from juryrank.rankers.certified.core.judge_choice import pick_for_hard, pick_judge, proof_cost, write_draft
from juryrank.rankers.certified.core.max_tree import rebuild, replay_path
from juryrank.rankers.certified.core.pair_answers import log_odds, ordinary
from juryrank.rankers.certified.core.phases import ORDER, REPAIR
from juryrank.rankers.certified.core.search.insert import TRIAL_WAITING, searchable
from juryrank.rankers.certified.core.search.moves import (
    DOWN,
    STAY_PUT,
    UP,
    best_shift,
    far_rival,
    improve,
    move_doubt,
    relocate,
    swap,
    walk_both_ways,
    weigh_all,
)
from juryrank.rankers.certified.core.state import ANYBODY, STEADY, UNLIMITED, above, below

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

REPAIR_STOP = 0.1  # Σ T at which the list is believed; a failed attempt costs more than some extra search ...
SET_STOP = 0.03  # ... above all for a set under better-than-chance: its search is short beside its proof
REDO_SHARE = 15  # look over the list again after 1/15 of the questions so far: by then the weights have changed
HARD_LINKS = 4.0  # links that the start of the share of hard pairs counts for


@kernel
def believed_at(s: State) -> float:
    """The sum of doubts at which the list is believed."""
    return REPAIR_STOP if s.cursor.objective == ORDER or s.cursor.assume == STEADY else SET_STOP


@kernel(inline=False)
def look_again(s: State) -> None:
    """Make favoured moves and recompute every T, from all answers and the present weights."""
    learn_pool(s.jury)
    if s.cursor.assume != STEADY:  # which says that no pair is hard
        learn_hardness(s)
    if s.cursor.objective != ORDER:
        weigh_sides(s)
        s.cursor.redo_at = s.cursor.questions + max(2, s.cursor.questions // REDO_SHARE)
        return
    improve(s)
    links = s.cursor.items - 1
    weigh_all(s)
    for k in range(len(s.unsure.value)):
        if k >= links:
            s.doubt.value[k] = 0.0
        s.unsure.value[k] = discounted(s, k) if k < links else 0.0
    rebuild(s.doubt)
    rebuild(s.unsure)
    s.cursor.redo_at = s.cursor.questions + max(2, s.cursor.questions // REDO_SHARE)


@kernel(inline=False)
def learn_hardness(s: State) -> None:
    """The share of hard pairs among the neighbours, which are the pairs that are asked most."""
    links = s.cursor.items - 1
    hard = HARD_LINKS * HARD_START
    for k in range(links):
        hard += 1.0 - ordinary(s.tallies, s.jury, above(s, k), below(s, k))
    s.jury.pool[HARD_PAIRS] = hard / (HARD_LINKS + links)


@kernel
def discounted(s: State, k: int) -> float:
    """T, less what the questions already out are expected to take off it."""
    out = max(s.out[s.order[k]], s.out[s.order[k + 1]])
    if out == 0:
        return s.doubt.value[k]
    return s.doubt.value[k] * math.exp(-out * s.jury.real[s.cursor.leader, WEIGHT])


@kernel(inline=False)
def choose_repair(s: State, judge: int) -> bool:
    """The most doubtful link that somebody (or this judge) may be asked about."""
    c = s.cursor
    if s.unsure.total[1] <= believed_at(s):
        return False  # the answers that are out will probably do
    if draft_repair(s, s.unsure.winner[1], judge):
        return True
    if c.repeats == UNLIMITED:
        return False
    best = -1
    for k in range(c.items - 1):
        if (best < 0 or s.unsure.value[k] > s.unsure.value[best]) and draft_repair(s, k, judge):
            best = k
    return best >= 0 and draft_repair(s, best, judge)


@kernel(inline=False)
def repair_out(s: State, x: int, y: int, change: int) -> None:
    """A repair question about x and y went out (+1) or came back (-1)."""
    s.out[x] = max(0, s.out[x] + change)
    s.out[y] = max(0, s.out[y] + change)
    if s.cursor.phase == REPAIR and s.cursor.objective != ORDER:
        sides_out(s, x, y)
    elif s.cursor.phase == REPAIR:
        a = min(s.place[x], s.place[y])
        b = max(s.place[x], s.place[y])
        if b - a <= 2:  # then every link from the first to the last is one of theirs
            weigh_again(s, a - 1, b, False)
        else:
            weigh_again(s, a - 1, a, False)
            weigh_again(s, b - 1, b, False)


@kernel(inline=False)
def weigh_again(s: State, first: int, last: int, doubts: bool) -> None:
    """The links from `first` to `last`, which may lie beyond the list's ends: T, if `doubts`, and its discount."""
    first = max(first, 0)
    last = min(last, s.cursor.items - 2)
    for k in range(first, last + 1):
        if doubts:
            s.doubt.value[k] = move_doubt(s, k)
        s.unsure.value[k] = discounted(s, k)
    if doubts:
        replay_path(s.doubt, first, last)
    replay_path(s.unsure, first, last)


@kernel
def draft_repair(s: State, k: int, judge: int) -> bool:
    """The question about link k: its two items, or one that may belong far away and the rival halfway."""
    better = above(s, k)
    worse = below(s, k)
    if not searchable(s, better, worse):
        return False
    if s.cursor.objective != ORDER:
        return draft_pair(s, k, better, worse, judge)
    down = s.beyond[k, DOWN] >= s.beyond[k, UP]
    far = far_rival(s, k, down)
    if far != STAY_PUT:
        mover = better if down else worse
        if searchable(s, mover, s.order[far]) and draft_pair(s, k, mover, s.order[far], judge):
            return True
    return draft_pair(s, k, better, worse, judge)


@kernel(inline=False)
def draft_pair(s: State, k: int, x: int, y: int, judge: int) -> bool:
    to_come = s.cursor.items * proof_cost(s, math.log(max(1.0, s.doubt.total[1] / believed_at(s))))
    if judge == ANYBODY and ordinary(s.tallies, s.jury, x, y) < 0.5:
        chosen = pick_for_hard(s, x, y)
    else:
        chosen = pick_judge(s, judge, x, y, to_come, TRIAL_WAITING)
    return write_draft(s, chosen, x, y, REPAIR, k)


@kernel(inline=False)
def repair_touched(s: State, x: int, y: int) -> None:
    """Something new is known about x and y: move them if they now fit better elsewhere."""
    if s.cursor.objective != ORDER:
        if sides_touched(s, x, y):
            look_again(s)
    elif abs(s.place[x] - s.place[y]) == 1:
        k = min(s.place[x], s.place[y])
        if log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1]) < 0.0:
            swap(s, k)
            weigh_again(s, k - 1, k + 1, True)
        else:
            weigh_again(s, k, k, True)
    else:
        for item in (x, y):
            k = s.place[item]
            to = k + best_shift(s, k)
            if to == k:
                walk_both_ways(s, k)
            else:
                relocate(s, k, to)
            weigh_again(s, min(k, to) - 1, max(k, to), True)
    if s.cursor.questions >= s.cursor.redo_at:
        look_again(s)

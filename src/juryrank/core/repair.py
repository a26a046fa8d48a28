"""REPAIR: ask where a move of one item might still be right, and make the moves that the answers favour.

For each link, T = Σ exp(-W) over all single-item moves whose first step crosses it; W = the summed log odds of
the pairs passed, so exp(-W) is how much likelier the list would be after the move. While Σ T > REPAIR_STOP, the
link with the largest T is asked.
"""

from __future__ import annotations

import math
from typing import Any

from juryrank.core.accuracy import HARD_PAIRS, HARD_START, WEIGHT, learn_pool
from juryrank.core.contest import put, rebuild
from juryrank.core.curiosity import HARD_TRIALS, pick_for_hard, pick_judge, proof_cost
from juryrank.core.doubt import log_odds, odds_of_pair, ordinary
from juryrank.core.gears import kernel
from juryrank.core.inserting import TRIAL_WAITING, searchable
from juryrank.core.rivals import PAIR_BITS, PAIR_MASK, line_up
from juryrank.core.state import (
    ANYBODY,
    ASSUME,
    DRAFT_FIRST,
    DRAFT_JUDGE,
    DRAFT_PHASE,
    DRAFT_POSITION,
    DRAFT_SECOND,
    ITEMS,
    LEADER,
    PHASE,
    QUESTIONS,
    REDO_AT,
    REPAIR,
    REPEATS,
    STEADY,
    UNLIMITED,
)
from juryrank.core.tallies import LOW, RIVALS

REPAIR_STOP = 0.1  # Σ T at which the list is believed; a failed attempt costs more than some extra search
HOPELESS = 8.0  # a move that has made the list exp(8) times less likely is not followed further
NEGLIGIBLE = 5.0  # in sums over all moves of all links: terms below exp(-5)/N² do not matter
REDO_SHARE = 15  # look for moves again after 1/15 of the questions so far: by then the weights have changed
HARD_LINKS = 4.0  # links that the start of the share of hard pairs counts for
NEARBY = 4  # links whose T is computed anew after a swap beside them


@kernel(inline=False)
def move_doubt(s: Any, k: int) -> float:
    """T of link k."""
    n = s.numbers[ITEMS]
    cut = NEGLIGIBLE + 2.0 * math.log(n)
    above = s.order[k]
    below = s.order[k + 1]
    if not searchable(s, above, below):
        return 0.0
    step = log_odds(s.tallies, s.jury, above, below)
    here = math.exp(min(-step, 50.0))
    return here + doubt_below(s, above, k + 1, step, cut) + doubt_above(s, below, k, step, cut)


@kernel(inline=False)
def doubt_below(s: Any, item: int, at: int, w: float, cut: float) -> float:
    """Σ exp(-W) over moves of an item from just below position `at`, where W is w, further down."""
    first = line_up(s, item, at + 1)
    each = math.exp(min(-w, 50.0))
    total = 0.0
    for i in range(first, s.tallies.item[item, RIVALS]):
        if w > cut:
            return total
        position = s.rivals[i] >> PAIR_BITS
        total += (position - at - 1) * each  # between rivals nothing changes
        w += odds_over(s, item, s.rivals[i] & PAIR_MASK)
        each = math.exp(min(-w, 50.0))
        total += each
        at = position
    return total + (s.numbers[ITEMS] - at - 1) * each if w <= cut else total


@kernel(inline=False)
def doubt_above(s: Any, item: int, at: int, w: float, cut: float) -> float:
    """Σ exp(-W) over moves of an item from just above position `at`, where W is w, further up."""
    last = line_up(s, item, at) - 1
    each = math.exp(min(-w, 50.0))
    total = 0.0
    for i in range(last, -1, -1):
        if w > cut:
            return total
        position = s.rivals[i] >> PAIR_BITS
        total += (at - position - 1) * each
        w -= odds_over(s, item, s.rivals[i] & PAIR_MASK)
        each = math.exp(min(-w, 50.0))
        total += each
        at = position
    return total + at * each if w <= cut else total


@kernel
def odds_over(s: Any, item: int, pair: int) -> float:
    """Log odds that an item is better than its rival in a pair."""
    odds = odds_of_pair(s.tallies, s.jury, pair)
    return odds if s.tallies.pair[pair, LOW] == item else -odds


@kernel(inline=False)
def best_shift(s: Any, k: int) -> int:
    """How far the item at position k should move (negative: up) to make the list likelier, 0 if nowhere."""
    item = s.order[k]
    above = line_up(s, item, k)
    best = -1e-9
    shift = 0
    w = 0.0
    i = above
    while i < s.tallies.item[item, RIVALS] and w <= HOPELESS:
        w += odds_over(s, item, s.rivals[i] & PAIR_MASK)
        if w < best:
            best = w
            shift = (s.rivals[i] >> PAIR_BITS) - k
        i += 1
    w = 0.0
    i = above - 1
    while i >= 0 and w <= HOPELESS:
        w -= odds_over(s, item, s.rivals[i] & PAIR_MASK)
        if w < best:
            best = w
            shift = (s.rivals[i] >> PAIR_BITS) - k
        i -= 1
    return shift


@kernel
def shift_item(s: Any, k: int, shift: int) -> None:
    """Move the item at position k by `shift` places."""
    item = s.order[k]
    step = 1 if shift > 0 else -1
    for _ in range(abs(shift)):
        s.order[k] = s.order[k + step]
        s.place[s.order[k]] = k
        k += step
    s.order[k] = item
    s.place[item] = k


@kernel(inline=False)
def improve(s: Any) -> None:
    """Make favoured moves until there is none."""
    moved = True
    passes = 0
    while moved and passes < 50:
        moved = False
        passes += 1
        for k in range(s.numbers[ITEMS]):
            shift = best_shift(s, k)
            if shift != 0:
                shift_item(s, k, shift)
                moved = True


@kernel(inline=False)
def look_again(s: Any) -> None:
    """Moves, and every T, from all answers and today's weights."""
    learn_pool(s.jury)
    if s.numbers[ASSUME] != STEADY:  # which says that no pair is hard
        learn_hardness(s)
    improve(s)
    links = s.numbers[ITEMS] - 1
    for k in range(len(s.unsure.value)):
        s.doubt.value[k] = move_doubt(s, k) if k < links else 0.0
        s.unsure.value[k] = discounted(s, k) if k < links else 0.0
    rebuild(s.doubt)
    rebuild(s.unsure)
    s.numbers[REDO_AT] = s.numbers[QUESTIONS] + max(2, s.numbers[QUESTIONS] // REDO_SHARE)


@kernel(inline=False)
def learn_hardness(s: Any) -> None:
    """The share of hard pairs among the neighbours, which are the pairs that are asked most."""
    links = s.numbers[ITEMS] - 1
    hard = HARD_LINKS * HARD_START
    for k in range(links):
        hard += 1.0 - ordinary(s.tallies, s.jury, s.order[k], s.order[k + 1])
    s.jury.pool[HARD_PAIRS] = hard / (HARD_LINKS + links)


@kernel
def discounted(s: Any, k: int) -> float:
    """T, less what the questions already out are expected to take off it."""
    out = min(s.out[s.order[k]], s.out[s.order[k + 1]])
    if out == 0:
        return s.doubt.value[k]
    return s.doubt.value[k] * math.exp(-out * s.jury.real[s.numbers[LEADER], WEIGHT])


@kernel(inline=False)
def choose_repair(s: Any, judge: int) -> bool:
    """The most doubtful link that somebody (or this judge) may be asked about."""
    n = s.numbers
    if s.unsure.total[1] <= REPAIR_STOP:
        return False  # the answers that are out will probably do
    if n[REPEATS] == UNLIMITED:
        return draft_repair(s, s.unsure.winner[1], judge)
    best = -1
    for k in range(n[ITEMS] - 1):
        if (best < 0 or s.unsure.value[k] > s.unsure.value[best]) and draft_repair(s, k, judge):
            best = k
    return best >= 0 and draft_repair(s, best, judge)


@kernel
def repair_out(s: Any, x: int, y: int, change: int) -> None:
    """A repair question about x and y went out (+1) or came back (-1)."""
    s.out[x] = max(0, s.out[x] + change)
    s.out[y] = max(0, s.out[y] + change)
    if s.numbers[PHASE] != REPAIR:
        return
    for k in (s.place[x] - 1, s.place[x], s.place[y] - 1, s.place[y]):  # x and y may no longer be neighbours
        if 0 <= k < s.numbers[ITEMS] - 1:
            put(s.unsure, k, discounted(s, k))


@kernel
def draft_repair(s: Any, k: int, judge: int) -> bool:
    n = s.numbers
    above = s.order[k]
    below = s.order[k + 1]
    if not searchable(s, above, below):
        return False
    to_come = n[ITEMS] * proof_cost(s, math.log(max(1.0, s.doubt.total[1] / REPAIR_STOP)))
    if judge == ANYBODY and ordinary(s.tallies, s.jury, above, below) < 0.5:
        chosen = pick_for_hard(s, above, below, HARD_TRIALS)
    else:
        chosen = pick_judge(s, judge, above, below, to_come, TRIAL_WAITING)
    if chosen == ANYBODY:
        return False
    n[DRAFT_JUDGE] = chosen
    n[DRAFT_FIRST] = above
    n[DRAFT_SECOND] = below
    n[DRAFT_PHASE] = REPAIR
    n[DRAFT_POSITION] = k
    return True


@kernel(inline=False)
def doubt_again(s: Any, k: int, reach: int) -> None:
    """T anew for the links within `reach` of link k."""
    for e in range(max(0, k - reach), min(s.numbers[ITEMS] - 1, k + reach + 1)):
        put(s.doubt, e, move_doubt(s, e))
        put(s.unsure, e, discounted(s, e))


@kernel(inline=False)
def repair_touched(s: Any, x: int, y: int) -> None:
    """There is something new about x and y: swap them if they now look the wrong way round."""
    k = min(s.place[x], s.place[y])
    if abs(s.place[x] - s.place[y]) == 1:
        if log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1]) < 0.0:
            shift_item(s, k, 1)
            doubt_again(s, k, NEARBY)
        else:
            doubt_again(s, k, 0)
    if s.numbers[QUESTIONS] >= s.numbers[REDO_AT]:
        look_again(s)

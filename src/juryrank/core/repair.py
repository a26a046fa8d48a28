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
from juryrank.core.tallies import FIRST_PAIR, HIGH, HIGH_NEXT, LOW, LOW_NEXT, NONE, RIVALS

REPAIR_STOP = 0.1  # Σ T at which the list is believed; a failed attempt costs more than some extra search
NEGLIGIBLE = 5.0  # in sums over all moves of all links: terms below exp(-5)/N² do not matter
REDO_SHARE = 15  # look for moves again after 1/15 of the questions so far: by then the weights have changed
HARD_LINKS = 4.0  # links that the start of the share of hard pairs counts for
MOST_PASSES = 50  # over the whole list in search of moves: moves that undo each other must end
NEARBY = 4  # links whose T is computed anew after a swap beside them


@kernel(inline=False)
def weigh_links(s: Any, first: int, last: int, rebuilding: bool) -> None:
    """T of the links from `first` to `last`, into `s.doubt`; every item is lined up once, for both of its links.

    `rebuilding`: the whole contest is about to be rebuilt, so only the values are written.
    """
    cut = NEGLIGIBLE + 2.0 * math.log(s.numbers[ITEMS])
    step = 0.0
    so_far = 0.0
    for k in range(first, last + 2):
        item = s.order[k]
        above = line_up(s, item, k)
        if k > first:  # the link above: this item might move up across it
            known = searchable(s, s.order[k - 1], item)
            doubt = so_far + doubt_upwards(s, item, k - 1, above - 1, step, cut) if known else 0.0
            if rebuilding:
                s.doubt.value[k - 1] = doubt
            else:
                put(s.doubt, k - 1, doubt)
        if k <= last:  # the link below: this item might move down across it
            step = log_odds(s.tallies, s.jury, item, s.order[k + 1])
            so_far = math.exp(min(-step, 50.0)) + doubt_downwards(s, item, k + 1, above, step, cut)


@kernel(inline=False)
def doubt_downwards(s: Any, item: int, at: int, i: int, w: float, cut: float) -> float:
    """Σ exp(-W) over moves of an item on down from position `at`, where W is w; rivals from the i-th on."""
    rivals = s.rivals
    count = s.tallies.item[item, RIVALS]
    each = math.exp(min(-w, 50.0))
    total = 0.0
    while i < count and w <= cut:
        position = rivals[i] >> PAIR_BITS
        if position > at:
            total += (position - at - 1) * each  # between rivals nothing changes
            w += odds_over(s, item, rivals[i] & PAIR_MASK)
            each = math.exp(min(-w, 50.0))
            total += each
            at = position
        i += 1
    return total + (s.numbers[ITEMS] - at - 1) * each if w <= cut else total


@kernel(inline=False)
def doubt_upwards(s: Any, item: int, at: int, i: int, w: float, cut: float) -> float:
    """Σ exp(-W) over moves of an item on up from position `at`, where W is w; rivals from the i-th back."""
    rivals = s.rivals
    each = math.exp(min(-w, 50.0))
    total = 0.0
    while i >= 0 and w <= cut:
        position = rivals[i] >> PAIR_BITS
        if position < at:
            total += (at - position - 1) * each
            w -= odds_over(s, item, rivals[i] & PAIR_MASK)
            each = math.exp(min(-w, 50.0))
            total += each
            at = position
        i -= 1
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
    while i < s.tallies.item[item, RIVALS]:
        w += odds_over(s, item, s.rivals[i] & PAIR_MASK)
        if w < best:
            best = w
            shift = (s.rivals[i] >> PAIR_BITS) - k
        i += 1
    w = 0.0
    i = above - 1
    while i >= 0:
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
    """Make favoured moves until there is none.

    A move can make another one right only for the item itself and for its rivals: only they are looked at again.
    """
    for k in range(s.numbers[ITEMS]):
        s.restless[k] = 1
    moved = True
    passes = 0
    while moved and passes < MOST_PASSES:
        moved = False
        passes += 1
        for k in range(s.numbers[ITEMS]):
            item = s.order[k]
            if s.restless[item]:
                s.restless[item] = 0
                shift = best_shift(s, k)
                if shift != 0:
                    shift_item(s, k, shift)
                    rouse(s, item)
                    moved = True


@kernel
def rouse(s: Any, item: int) -> None:
    """An item has moved."""
    t = s.tallies
    s.restless[item] = 1
    row = t.item[item, FIRST_PAIR]
    while row != NONE:
        low = t.pair[row, LOW] == item
        s.restless[t.pair[row, HIGH] if low else t.pair[row, LOW]] = 1
        row = t.pair[row, LOW_NEXT] if low else t.pair[row, HIGH_NEXT]


@kernel(inline=False)
def look_again(s: Any) -> None:
    """Moves, and every T, from all answers and today's weights."""
    learn_pool(s.jury)
    if s.numbers[ASSUME] != STEADY:  # which says that no pair is hard
        learn_hardness(s)
    improve(s)
    links = s.numbers[ITEMS] - 1
    weigh_links(s, 0, links - 1, True)
    for k in range(len(s.unsure.value)):
        if k >= links:
            s.doubt.value[k] = 0.0
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
    if draft_repair(s, s.unsure.winner[1], judge):
        return True
    if n[REPEATS] == UNLIMITED:
        return False
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
    first = max(0, k - reach)
    last = min(s.numbers[ITEMS] - 2, k + reach)
    weigh_links(s, first, last, False)
    for e in range(first, last + 1):
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

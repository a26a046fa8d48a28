"""The best item by elimination, under better-than-chance. Every answer counts, those of the search too.

Every item x has its own E_x against "x is the best". A question about x (which is tested for being the best)
and any other item multiplies E_x by 1 + λ if x loses, by 1 - λ if x wins; opponent and λ are fixed when the
question is asked; answers count per tested item in the order asked. If t is the best, the answer "t loses" is
wrong, so it has probability at most 1/2 given the past, and E_t is a nonnegative supermartingale: it ever reaches
1/δ with probability at most δ. When all items but one have reached 1/δ, that one is the best: only one null is
true, so there is no fixed candidate, no attempt and no correction for the number of items.

Items meet the champion, the item that looks best. A challenger that looks better becomes the champion. Items that
take long wait until the others are done: a better champion may rule them out with few questions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from juryrank.core.compiling import kernel
from juryrank.core.levels import MARGIN, elimination_level
from juryrank.rankers.certified.core.judge_accuracy import WEIGHT, learn_pool
from juryrank.rankers.certified.core.judge_choice import link_cost, pick_judge, write_draft
from juryrank.rankers.certified.core.max_tree import OUT, put, rebuild
from juryrank.rankers.certified.core.pair_answers import RIVALS, TINY, accuracy_here, chance_of, log_odds
from juryrank.rankers.certified.core.phases import ALL_PROVEN, ELIMINATE, change_phase
from juryrank.rankers.certified.core.prove.attempt import has_room, landing
from juryrank.rankers.certified.core.prove.evidence import BET_LEAST, BET_MOST, log_bet
from juryrank.rankers.certified.core.search.insert import POOL_EVERY, TRIAL_WAITING, searchable
from juryrank.rankers.certified.core.search.moves import (
    MOST_PASSES,
    PAIR_BITS,
    PAIR_MASK,
    likelier,
    line_up,
    odds_over,
    shift_item,
)
from juryrank.rankers.certified.core.state import (
    ANYBODY,
    BEST,
    IS_PROVEN,
    LOSSES,
    NOW,
    OPENED,
    UNLIMITED,
    WINS,
    link_of,
)

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

LADDER = 9  # with limited repeats: how many champions, present and past, an item may meet
WAITS_AFTER = 2.0  # times the answers that an ordinary item takes: then others come first
LATER = 1e6  # more than any log evidence


@kernel(inline=False)
def begin_elimination(s: State) -> None:
    """Begin with a set of items: evidence found against them stays, but the level is this set's own."""
    c = s.cursor
    c.attempt += 1
    c.attempt_asked = 0
    c.proven = 0
    c.threshold = -math.log(elimination_level(c.error, c.attempt, c.joining))
    for k in range(len(s.unsure.value)):
        s.unsure.value[k] = OUT
    for x in range(c.items):
        s.proof.link[x, IS_PROVEN] = s.proof.worth[x, BEST] >= c.threshold + MARGIN
        c.proven += s.proof.link[x, IS_PROVEN]
    for k in range(c.placed, c.items):
        s.order[k] = s.arrivals[k]
    for k in range(c.items):
        s.place[s.order[k]] = k
    c.placed = c.items
    c.next_arrival = c.items
    crown_first(s)
    for x in range(c.items):
        s.unsure.value[x] = urgency(s, x)
    rebuild(s.unsure)
    if c.proven >= c.items - 1:
        change_phase(c, ALL_PROVEN)


@kernel
def crown_first(s: State) -> None:
    """The champion to start with: the first item that is not eliminated."""
    k = 0
    while k < s.cursor.items - 1 and s.proof.link[s.order[k], IS_PROVEN]:
        k += 1
    crown(s, s.order[k])


@kernel
def crown(s: State, x: int) -> None:
    """x is the champion now; the one before it comes next in the list."""
    k = s.place[x]
    if k == 0:
        return
    if k > 1:
        moved = s.order[1]
        s.order[k] = moved
        s.place[moved] = k
    before = s.order[0]
    s.order[1] = before
    s.place[before] = 1
    s.order[0] = x
    s.place[x] = 0


@kernel
def urgency(s: State, x: int) -> float:
    """Who is asked about next: what is begun is finished first, unless it takes long."""
    if x == s.order[0] or s.proof.link[x, IS_PROVEN] or not has_room(s, x):
        return OUT
    answers = s.proof.link[x, WINS] + s.proof.link[x, LOSSES]
    usual = WAITS_AFTER * link_cost(s, s.cursor.threshold) + 4.0
    return abs(s.proof.worth[x, NOW]) - LATER * math.floor(answers / usual)


@kernel
def lean(s: State, x: int, y: int) -> float:
    """Log odds that y is better than x, before the two have met: a champion has beaten all that are eliminated."""
    beaten = math.log(1.0 + s.cursor.proven)
    if y == s.order[0]:
        return beaten
    return -beaten if x == s.order[0] else 0.0


@kernel(inline=False)
def choose_tested(s: State, judge: int) -> bool:
    """The most urgent item that somebody (or this judge) may be asked about."""
    x = s.unsure.winner[1]
    if s.unsure.value[x] > OUT and draft_tested(s, x, judge):
        return True
    if s.cursor.repeats == UNLIMITED:
        return False
    for k in range(s.cursor.items):
        if s.unsure.value[s.order[k]] > OUT and draft_tested(s, s.order[k], judge):
            return True
    return False


@kernel(inline=False)
def draft_tested(s: State, x: int, judge: int) -> bool:
    """A question about x and the champion; with limited repeats, perhaps about x and an earlier champion."""
    c = s.cursor
    to_come = (c.items - 1 - c.proven) * link_cost(s, c.threshold)
    for k in range(min(LADDER, c.items) if c.repeats != UNLIMITED else 1):
        y = s.order[k]
        if y == x:
            continue
        chosen = pick_judge(s, judge, x, y, to_come, TRIAL_WAITING)
        if chosen == ANYBODY:
            continue
        bet = loss_bet(s, chosen, x, y)
        if k == 0 or bet >= BET_LEAST:  # a champion of the past must still look better than x
            c.draft_bet = landing(s, x, bet)
            return write_draft(s, chosen, x, y, ELIMINATE, x)
    return False


@kernel
def loss_bet(s: State, u: int, x: int, y: int) -> float:
    """λ on "x loses to y", fixed when the question is asked: the best bet if u is right as often as expected."""
    better = chance_of(lean(s, x, y) + log_odds(s.tallies, s.jury, y, x))
    right = accuracy_here(s.tallies, s.jury, y, x, s.jury.real[u, WEIGHT])
    loses = better * right + (1.0 - better) * (1.0 - right)
    return min(max(2.0 * loses - 1.0, 0.0), BET_MOST)


@kernel
def elimination_asked(s: State, x: int) -> None:
    """A question about x is out."""
    s.cursor.attempt_asked += 1
    s.proof.link[x, OPENED] += 1
    put(s.unsure, x, urgency(s, x))


@kernel
def elimination_closed(s: State, x: int) -> None:
    """A question about x is no longer out."""
    s.proof.link[x, OPENED] = max(0, s.proof.link[x, OPENED] - 1)
    put(s.unsure, x, urgency(s, x))


@kernel(inline=False)
def elimination_counted(s: State, x: int, won: bool, bet: float) -> None:
    """One answer about x counts."""
    p = s.proof
    p.link[x, WINS if won else LOSSES] += 1
    p.worth[x, NOW] += log_bet(bet, not won)
    p.worth[x, BEST] = max(p.worth[x, BEST], p.worth[x, NOW])
    if p.worth[x, BEST] >= s.cursor.threshold + MARGIN and not p.link[x, IS_PROVEN]:
        p.link[x, IS_PROVEN] = 1
        s.cursor.proven += 1
        learn_now_and_then(s)


@kernel
def learn_now_and_then(s: State) -> None:
    """Learn the pool of judges again once many more answers were credited."""
    c = s.cursor
    if c.searched >= c.pool_at:
        learn_pool(s.jury)
        c.pool_at = c.searched + max(1, int(POOL_EVERY * c.searched))


@kernel(inline=False)
def challenge(s: State, x: int, y: int) -> None:
    """After an answer about x and y: whoever now looks better than the champion takes its place."""
    champion = s.order[0]
    if s.proof.link[champion, IS_PROVEN]:
        crown_first(s)
    for item in (x, y):
        champion = s.order[0]
        if item != champion and not s.proof.link[item, IS_PROVEN]:
            ahead = lean(s, item, champion) + log_odds(s.tallies, s.jury, champion, item)
            if ahead < 0.0:
                crown(s, item)
                put(s.unsure, champion, urgency(s, champion))
        put(s.unsure, item, urgency(s, item))
    put(s.unsure, s.order[0], OUT)
    if s.cursor.phase == ELIMINATE and s.cursor.proven >= s.cursor.items - 1:
        change_phase(s.cursor, ALL_PROVEN)


# ----------------------------------------------------------------------------
# The search for a set: who may belong on the other side of the pivot?
#
# The list is kept in order down to the k-th item, the pivot; the others follow in no particular order. An item's
# doubt is the odds that it belongs across the pivot: Σ exp(-W) over the places there, over the same sum on its
# own side, with W = the summed log odds of the pairs that it would pass on its way. Before anything is asked all
# places are alike and most are outside, so an item that beat the pivot once may well still be outside. Until the
# sum of the doubts is small, the most doubtful item meets the pivot. An item that fits better across becomes the
# pivot.
@kernel
def off_pivot(s: State, k: int) -> int:
    """The item of link k that is not the pivot."""
    return s.order[k] if k < s.cursor.top - 1 else s.order[k + 1]


@kernel
def side_doubt(s: State, k: int) -> float:
    """The doubt of link k's item that the search may still ask about."""
    return crossing_odds(s, k) if searchable(s, off_pivot(s, k), s.order[s.cursor.top - 1]) else 0.0


@kernel(inline=False)
def crossing_odds(s: State, k: int) -> float:
    """The odds that the item of link k belongs across the pivot: what the places there weigh over those here."""
    item = off_pivot(s, k)
    pivot = s.cursor.top - 1
    higher = line_up(s, item, pivot + 1)
    worse = places_weigh(s, item, higher, 1)
    better = places_weigh(s, item, higher - 1, -1)
    return worse / max(better, TINY) if s.place[item] < pivot else better / max(worse, TINY)


@kernel(inline=False)
def places_weigh(s: State, item: int, i: int, step: int) -> float:
    """The likelihood of all places below (step 1) or above (-1) the pivot together, over that just below it.

    The item's rivals are lined up; the i-th is the first on the way. Between two of them nothing changes.
    """
    own = s.place[item]
    at = s.cursor.top - 1
    count = s.tallies.item[item, RIVALS]
    w = 0.0
    total = 0.0
    while 0 <= i < count:
        position = s.rivals[i] >> PAIR_BITS
        places = step * (position - at) - (step * (own - at) > 0 and step * (position - own) > 0)
        total += places * likelier(w)
        w += step * odds_over(s, item, s.rivals[i] & PAIR_MASK)
        at = position
        i += step
    rest = s.cursor.items - at if step > 0 else at + 1
    return total + (rest - (step * (own - at) > 0)) * likelier(w)


@kernel
def discounted_side(s: State, k: int) -> float:
    """The doubt, less what the questions already out are expected to take off it."""
    out = s.out[off_pivot(s, k)]
    if out == 0:
        return s.doubt.value[k]
    return s.doubt.value[k] * likelier(out * s.jury.real[s.cursor.leader, WEIGHT])


@kernel
def cross_over(s: State, k: int) -> None:
    """The item of link k moves across, and becomes the pivot."""
    place = s.place[off_pivot(s, k)]
    shift_item(s, place, s.cursor.top - 1 - place)


@kernel(inline=False)
def weigh_sides(s: State) -> None:
    """Compute every doubt; an item that fits better across the pivot is moved there first."""
    links = s.cursor.items - 1
    for _ in range(MOST_PASSES):
        worst = 0
        for k in range(len(s.doubt.value)):
            s.doubt.value[k] = side_doubt(s, k) if k < links else 0.0
            if s.doubt.value[k] > s.doubt.value[worst]:
                worst = k
        if s.doubt.value[worst] <= 1.0:
            break
        cross_over(s, worst)
    for k in range(len(s.unsure.value)):
        s.unsure.value[k] = discounted_side(s, k) if k < links else 0.0
    rebuild(s.doubt)
    rebuild(s.unsure)


@kernel
def weigh_side(s: State, k: int, doubts: bool) -> None:
    """The doubt of one link's item, if `doubts`, and its discount."""
    if doubts:
        put(s.doubt, k, side_doubt(s, k))
    put(s.unsure, k, discounted_side(s, k))


@kernel(inline=False)
def sides_out(s: State, x: int, y: int) -> None:
    """A question about x and y went out or came back."""
    pivot = s.order[s.cursor.top - 1]
    for item in (x, y):
        if item != pivot:
            weigh_side(s, link_of(s, item, pivot), False)


@kernel(inline=False)
def sides_touched(s: State, x: int, y: int) -> bool:
    """Something new is known about x and y. Did one of them move across?"""
    pivot = s.order[s.cursor.top - 1]
    moved = False
    for item in (x, y):
        if item != pivot:
            k = link_of(s, item, pivot)
            weigh_side(s, k, True)
            moved = moved or s.doubt.value[k] > 1.0
    return moved

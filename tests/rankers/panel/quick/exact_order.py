"""The objective `order`, as in `core.panel.exact_order`: a list is fixed, then its links are proven."""

from __future__ import annotations

from juryrank.core.panel.exact_order import DOUBT_TO_FIX
from tests.rankers.panel.quick.bradley_terry import by_strength, fit
from tests.rankers.panel.quick.parts import part
from tests.rankers.panel.quick.room import ARRIVED, ATTEMPT, COUNTED, DONE, FIXED, FROM_SITTING
from tests.rankers.panel.quick.tournament import close, sort_consistently


@part
def plan_attempt(room, number):
    """`Attempts.plan`: links not proven, least sure first; fills the sitting's plan, returns its length."""
    fit(room.counts, room.desk)
    put_in_order(room)
    fixed, proven, order, keys = room.numbers[FIXED], room.attempt.proven, room.desk.order, room.desk.keys
    wins, evidence, plan = room.counts.wins, room.rules.evidence, room.sittings.plans[number]
    size, length, link = len(plan), 0, 0
    for at in range(len(order) - 1):
        if fixed and proven[at]:
            continue
        a, b = order[at], order[at + 1]
        sure, luck = evidence[wins[a, b], wins[b, a]], room.people.chance[number, link]
        link += 1
        if length == size and (sure, luck) > (keys[2 * length - 2], keys[2 * length - 1]):
            continue
        k = min(length, size - 1)
        while k > 0 and (keys[2 * k - 2], keys[2 * k - 1]) > (sure, luck):
            keys[2 * k], keys[2 * k + 1] = keys[2 * k - 2], keys[2 * k - 1]
            plan[k, 0], plan[k, 1] = plan[k - 1, 0], plan[k - 1, 1]
            k -= 1
        keys[2 * k], keys[2 * k + 1] = sure, luck
        plan[k, 0], plan[k, 1] = a, b
        length = min(length + 1, size)
    return length


@part
def put_in_order(room):
    """`Attempts.order`, into `desk.order`: the list, or the guide's order, neighbours swapped by their tally."""
    order = room.desk.order
    if room.numbers[FIXED]:
        for k in range(len(order)):
            order[k] = room.attempt.listed[k]
        return
    sort_consistently(room.counts.settled, room.counts.s, room.desk)
    for _ in range(len(order)):
        k = first_contradicted(room.counts.wins, order)
        if k < 0:
            return
        order[k], order[k + 1] = order[k + 1], order[k]


@part
def first_contradicted(wins, order):
    """The first link whose answers say the opposite; -1: none."""
    for k in range(len(order) - 1):
        if wins[order[k + 1], order[k]] > wins[order[k], order[k + 1]]:
            return k
    return -1


@part
def note_places(attempt):
    for k in range(len(attempt.listed)):
        attempt.place_of[attempt.listed[k]] = k


@part
def count_link(room, better, worse):
    """An answer about two neighbours of the list, in a sitting planned after it was fixed, is evidence."""
    numbers, place_of, tally = room.numbers, room.attempt.place_of, room.attempt.tally
    if not numbers[FIXED] or numbers[COUNTED] < numbers[FROM_SITTING]:
        return
    if abs(place_of[better] - place_of[worse]) != 1:
        return
    link = min(place_of[better], place_of[worse])
    tally[link, 0 if place_of[better] < place_of[worse] else 1] += 1
    answers = tally[link, 0] + tally[link, 1]
    if tally[link, 0] - tally[link, 1] >= room.rules.leads[numbers[ATTEMPT] - 1, answers]:
        room.attempt.proven[link] = 1


@part
def follow(room):
    """After each sitting counted: claim what is proven, give up a list that is contradicted, fix a new one.

    Is anything newly claimed?
    """
    numbers, changed = room.numbers, False
    numbers[DONE] = 0
    if numbers[FIXED]:
        changed = claim(room)
        if not numbers[DONE] and first_contradicted(room.counts.wins, room.attempt.listed) >= 0:
            numbers[FIXED] = 0
    if not numbers[FIXED]:
        fix(room)
    return changed


@part
def claim(room):
    """Links are claimed from the surest on, up to the first unproven one; all of them: done."""
    attempt, changed = room.attempt, False
    for k in range(len(attempt.listed) - 1):
        link = attempt.claim_order[k]
        if not attempt.proven[link]:
            return changed
        a, b = attempt.listed[link], attempt.listed[link + 1]
        if not attempt.claimed[a, b]:
            attempt.claimed[a, b] = 1
            changed = True
            close(attempt.claimed, room.counts.settled)
    room.numbers[DONE] = 1
    return changed


@part
def fix(room):
    """A new list, if it is sure enough; its links are proven by sittings planned from now on."""
    numbers, attempt, desk = room.numbers, room.attempt, room.desk
    n = len(attempt.listed)
    fit(room.counts, desk)
    put_in_order(room)
    if doubts_of(room) > DOUBT_TO_FIX:
        return
    numbers[FIXED], numbers[FROM_SITTING] = 1, numbers[ARRIVED]
    numbers[ATTEMPT] += 1
    for k in range(n):
        attempt.listed[k], attempt.proven[k] = desk.order[k], 0
        attempt.tally[k, 0], attempt.tally[k, 1] = 0, 0
        desk.values[k] = -attempt.doubts[k]
    by_strength(desk.values[: n - 1], desk.position[: n - 1], attempt.claim_order[: n - 1])


@part
def doubts_of(room):
    """By link of `desk.order`: how likely it is wrong; returns the sum."""
    wins, order, doubts, total = room.counts.wins, room.desk.order, room.attempt.doubts, 0.0
    for k in range(len(order) - 1):
        doubts[k] = room.rules.doubt[wins[order[k], order[k + 1]], wins[order[k + 1], order[k]]]
        total += doubts[k]
    return total

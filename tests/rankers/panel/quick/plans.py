"""Which questions an arriving person gets, as `juryrank.core.panel.plans` and `Ballot.plan` choose them."""

from __future__ import annotations

import math

from juryrank.core.panel.plans import EVEN, GUIDE_ANSWERS, LEAST_RATE, MOST_PEOPLE, NEWCOMER, TIE_BREAK
from tests.rankers.panel.quick.bradley_terry import by_strength, fit, sigmoid
from tests.rankers.panel.quick.parts import part
from tests.rankers.panel.quick.room import TIERS, TOP


@part
def plan_ballot(room, number):
    """`Ballot.plan`: fills the sitting's plan, returns its length."""
    rules, counts, desk = room.rules, room.counts, room.desk
    fit(counts, desk)
    find_needs(rules, counts, desk)
    by_strength(counts.s, desk.position, desk.order)
    line = rules.top if rules.objective == TOP else 0
    if rules.objective == TIERS:
        line = cheapest_line(counts, desk)
    return choose(room, number, line)


@part
def find_needs(rules, counts, desk):
    """`sitting.needs`: by pair, how many people it still takes."""
    wins, s, evidence = counts.wins, counts.s, rules.evidence
    n, c = len(s), 0
    for i in range(n):
        for j in range(i + 1, n):
            w, against = wins[i, j], wins[j, i]
            prior = sigmoid(s[i] - s[j])
            share = (w + GUIDE_ANSWERS * prior) / (w + against + GUIDE_ANSWERS)
            have = evidence[w, against] if share >= 0.5 else evidence[against, w]
            p = min(max(share, 1e-9), 1 - 1e-9)
            rate = math.log(2.0) + p * math.log(p) + (1 - p) * math.log(1 - p)
            desk.needed[c] = max(1.0, (rules.goals[0] - have) / max(rate, LEAST_RATE))
            c += 1


@part
def cheapest_line(counts, desk):
    """`sitting.cheapest_line`; 0: none."""
    settled, position, totals = counts.settled, desk.position, desk.keys
    n, c = len(position), 0
    for k in range(n + 1):
        totals[k] = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            if not settled[i, j] and not settled[j, i]:
                totals[min(position[i], position[j]) + 1] += desk.needed[c]
                totals[max(position[i], position[j]) + 1] -= desk.needed[c]
            c += 1
    best, least, total = 0, 0.0, 0.0
    for k in range(1, n):
        total += totals[k]
        if total > 0.5 and not counts.blocked[k] and (best == 0 or total < least * EVEN):
            best, least = k, total
    return best


@part
def choose(room, number, line):
    """`sitting.newcomers` and `sitting.choose`: the open pairs of the smallest keys, in order."""
    settled, waiting, desk = room.counts.settled, room.sittings.waiting, room.desk
    plan, keys, needed, position = room.sittings.plans[number], desk.keys, desk.needed, desk.position
    n, size = len(position), len(plan)
    heard = count_heard(room.counts.wins, waiting, desk.values)
    count_places(room.sittings, number, heard, keys)
    few = min(float(NEWCOMER), median(heard, keys) / 2)
    c = length = 0
    for i in range(n):
        for j in range(i + 1, n):
            if not settled[i, j] and not settled[j, i]:
                rank = 2
                if heard[i] < few or heard[j] < few:
                    rank = 0
                elif (position[i] < line) != (position[j] < line):
                    rank = 1
                if waiting[c] >= needed[c]:
                    rank += 3
                luck = room.people.chance[number, c]
                key = min(needed[c], MOST_PEOPLE) + TIE_BREAK * luck + 2 * MOST_PEOPLE * rank
                if length < size or key < keys[length - 1]:
                    k = min(length, size - 1)
                    while k > 0 and keys[k - 1] > key:
                        keys[k] = keys[k - 1]
                        plan[k, 0], plan[k, 1] = plan[k - 1, 0], plan[k - 1, 1]
                        k -= 1
                    keys[k] = key
                    plan[k, 0], plan[k, 1] = i, j
                    length = min(length + 1, size)
            c += 1
    return length


@part
def count_heard(wins, waiting, heard):
    """By item: answers counted, and those that people sit with now."""
    n, c = len(heard), 0
    for i in range(n):
        heard[i] = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            seen = wins[i, j] + wins[j, i] + waiting[c]
            heard[i] += seen
            heard[j] += seen
            c += 1
    return heard


@part
def count_places(sittings, number, heard, places):
    """A place of any plan before this one is half an answer."""
    n = len(heard)
    for i in range(n):
        places[i] = 0.0
    for k in range(number):
        for place in range(sittings.lengths[k]):
            places[sittings.plans[k, place, 0]] += 1.0
            places[sittings.plans[k, place, 1]] += 1.0
    for i in range(n):
        heard[i] = max(heard[i], places[i] // 2)


@part
def median(values, work):
    n = len(values)
    for i in range(n):
        k = i
        while k > 0 and work[k - 1] > values[i]:
            work[k] = work[k - 1]
            k -= 1
        work[k] = values[i]
    return (work[(n - 1) // 2] + work[n // 2]) / 2

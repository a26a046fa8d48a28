"""A whole sitting is counted, as `HeadToHead`, `FieldShare` and `ExactOrder` count it."""

from __future__ import annotations

import math

from tests.rankers.panel.quick.exact_order import count_link, note_places
from tests.rankers.panel.quick.parts import part
from tests.rankers.panel.quick.room import COUNTED, ORDER


@part
def count_sitting(room):
    """The next sitting in the order of arrival; did a pair settle?"""
    number, rules, counts, sittings = room.numbers[COUNTED], room.rules, room.counts, room.sittings
    plan, given = sittings.plans[number], sittings.given[number]
    changed = False
    counts.balance[:] = 0
    note_places(room.attempt)
    for k in range(sittings.lengths[number]):
        sittings.waiting[pair_at(plan[k, 0], plan[k, 1], len(counts.wins))] -= 1
        if given[k] == 0:
            continue
        better, worse = plan[k, given[k] - 1], plan[k, 2 - given[k]]
        counts.wins[better, worse] += 1
        if rules.field:
            counts.balance[better] += 1
            counts.balance[worse] -= 1
        elif rules.objective == ORDER:
            count_link(room, better, worse)
        elif settles(better, worse, counts, rules.leads[0]):
            changed = True
    if rules.field:
        changed = count_field(counts, rules)
    return changed


@part
def pair_at(a, b, n):
    """The place of the pair among all pairs (i, j) with i < j."""
    low, high = min(a, b), max(a, b)
    return low * n - low * (low + 1) // 2 + high - low - 1


@part
def settles(better, worse, counts, leads):
    """`Ballot.count`: does this answer settle its pair?"""
    settled = counts.settled
    w, against = counts.wins[better, worse], counts.wins[worse, better]
    if w - against >= leads[w + against] and not settled[worse, better] and not settled[better, worse]:
        settled[better, worse] = 1
        return True
    return False


@part
def count_field(counts, rules):
    """`Field.count_person`, from one person's balances D; factors[bet, D_i - D_k + 2m] = ln of the factor."""
    balance, logs, settled, factors = counts.balance, counts.logs, counts.settled, rules.factors
    bets, n = len(factors), len(balance)
    middle = factors.shape[1] // 2
    changed = False
    for i in range(n):
        for k in range(n):
            gap = balance[i] - balance[k]
            if gap != 0:
                for bet in range(bets):
                    logs[i, k, bet] += factors[bet, middle + gap]
            if gap > 0 and not settled[i, k] and not settled[k, i] and log_mean(logs[i, k]) >= rules.goals[0]:
                settled[i, k] = 1
                changed = True
    return changed


@part
def log_mean(logs):
    top, total = logs[0], 0.0
    for value in logs:
        top = max(top, value)
    for value in logs:
        total += math.exp(value - top)
    return top + math.log(total / len(logs))

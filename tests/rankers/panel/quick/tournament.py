"""What follows from settled pairs, as in `core.panel.tournament`: lines, cycles, the end, false claims."""

from __future__ import annotations

from tests.rankers.panel.quick.parts import part
from tests.rankers.panel.quick.room import ORDER, RANGES, TIERS

FALSE = 0.5 - 1e-9  # a share below this is no majority


@part
def sort_consistently(settled, guess, desk):
    """`tournament.consistent_order`, into `desk.order`."""
    order, above, left = desk.order, desk.above, desk.left
    n = len(guess)
    for i in range(n):
        left[i] = 1
        above[i] = 0
        for j in range(n):
            above[i] += settled[j, i]
    for k in range(n):
        item = -1
        for i in range(n):
            if left[i] and (item < 0 or (-above[i], guess[i]) > (-above[item], guess[item])):
                item = i
        order[k] = item
        left[item] = 0
        for i in range(n):
            above[i] -= settled[item, i]


@part
def find_lines(settled, order, lines):
    """`tournament.settled_lines`: lines[k] = 1 where a line stands after k items."""
    n, reach = len(order), 0
    for position in range(n - 1):
        for below in range(n - 1, position, -1):
            if not settled[order[position], order[below]]:
                reach = max(reach, below)
                break
        lines[position + 1] = 1 if reach <= position else 0


@part
def close(settled, closure):
    """`tournament.reaches`; is there a circle?"""
    n, circle = len(settled), False
    for i in range(n):
        for j in range(n):
            closure[i, j] = settled[i, j]
    for middle in range(n):
        for i in range(n):
            if closure[i, middle]:
                for j in range(n):
                    closure[i, j] |= closure[middle, j]
    for i in range(n):
        circle = circle or closure[i, i] == 1
    return circle


@part
def find_blocked(counts):
    """`tournament.impossible_lines`: blocked[k] = 1 where a circle leaves no line after k items."""
    closure, blocked = counts.closure, counts.blocked
    n = len(closure)
    for k in range(n + 1):
        blocked[k] = 0
    if not close(counts.settled, closure):
        return
    for i in range(n):
        if closure[i, i]:
            above = below = 0
            for j in range(n):
                above += closure[j, i]
                below += closure[i, j]
            for k in range(n - below + 1, above):
                blocked[k] = 1


@part
def finished(rules, counts, desk):
    """`Counted.finished`; `blocked` is up to date."""
    settled, guess = counts.settled, desk.values
    n = len(settled)
    if not any_undecided(settled):
        return True
    if rules.objective == RANGES:
        return False
    for i in range(n):
        guess[i] = 0.0
        for j in range(n):
            guess[i] += settled[i, j]
    sort_consistently(settled, guess, desk)
    find_lines(settled, desk.order, desk.lines)
    open_lines = 0
    for k in range(1, n):
        if rules.objective == TIERS or k == rules.top:
            open_lines += not (desk.lines[k] or counts.blocked[k])
    return open_lines == 0


@part
def any_undecided(settled):
    for i in range(len(settled)):
        for j in range(i):
            if settled[i, j] == 0 and settled[j, i] == 0:
                return True
    return False


@part
def shows_something_false(rules, covered, desk):
    """Is anything that the statement covers not so?"""
    if rules.objective in (RANGES, ORDER):
        return a_pair_is_false(covered, rules.truth)
    n = len(covered)
    for i in range(n):
        desk.values[i] = 0.0
    sort_consistently(covered, desk.values, desk)
    find_lines(covered, desk.order, desk.lines)
    for k in range(1, n):
        shown = desk.lines[k] and (rules.objective == TIERS or k == rules.top)
        if shown and a_line_is_false(k, desk.order, rules.truth):
            return True
    return False


@part
def a_pair_is_false(covered, truth):
    for i in range(len(covered)):
        for j in range(len(covered)):
            if covered[i, j] and (truth[i, j] < FALSE or covered[j, i]):
                return True
    return False


@part
def a_line_is_false(k, order, truth):
    """Is one of the first k items not preferred to one of the others?"""
    for a in range(k):
        for b in range(k, len(order)):
            if truth[order[a], order[b]] < FALSE:
                return True
    return False

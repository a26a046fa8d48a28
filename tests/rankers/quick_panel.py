"""A panel played in compiled code, for runs by the hundred thousand; equal to the real one, run by run.

`test_quick_panel.py` plays both from the same Script (`scripted.py`) and compares every plan, tally and claim. The
arrays are those of the real thing: `wins`, `settled`, the guide's strengths `s`, `waiting` by pair.
"""

from __future__ import annotations

import math

import numpy as np

from juryrank.core.gears import kernel
from juryrank.core.guide import LONGEST_STEP, NEWTON_STEPS, NEWTON_TOLERANCE, RIDGE, STRENGTH_DIGITS
from juryrank.core.sitting import EVEN, GUIDE_ANSWERS, LEAST_RATE, MOST_PEOPLE, NEWCOMER, TIE_BREAK

RANGES, TIERS, TOP, ORDER = 0, 1, 2, 3  # objectives
DOUBT_TO_FIX = 0.5  # of core/attempts.py
ROUNDING = 10.0**STRENGTH_DIGITS
FALSE = 0.5 - 1e-9


# ---------------------------------------------------------------------- the guide
@kernel(inline=False)
def fit(wins, s, step, matrix):
    """Bradley-Terry strengths, as `guide.strengths`; from the last ones, not from zero: it ends at the same."""
    n = len(s)
    for _ in range(NEWTON_STEPS):
        for i in range(n):
            step[i] = -RIDGE * s[i]
            matrix[i, i] = RIDGE
        for i in range(n):
            for j in range(i + 1, n):
                both = wins[i, j] + wins[j, i]
                matrix[i, j] = 0.0
                if both > 0:
                    p = 1.0 / (1.0 + math.exp(-min(max(s[i] - s[j], -40.0), 40.0)))
                    surprise = wins[i, j] - both * p
                    step[i] += surprise
                    step[j] -= surprise
                    q = both * p * (1.0 - p)
                    matrix[i, j] = -q
                    matrix[i, i] += q
                    matrix[j, j] += q
        solve(matrix, step)
        size = 0.0
        for i in range(n):
            size = max(size, abs(step[i]))
        for i in range(n):
            s[i] += step[i] if size <= LONGEST_STEP else step[i] * (LONGEST_STEP / size)
        if size < NEWTON_TOLERANCE:
            break
    for i in range(n):
        s[i] = np.rint(s[i] * ROUNDING) / ROUNDING + 0.0


@kernel(inline=False)
def solve(matrix, right):
    """Gauss without pivots: the upper half of a symmetric positive `matrix` is used up, `right` is solved."""
    n = len(right)
    for k in range(n):
        for j in range(k + 1, n):
            if matrix[k, j] != 0.0:
                share = matrix[k, j] / matrix[k, k]
                for i in range(j, n):
                    matrix[j, i] -= share * matrix[k, i]
                right[j] -= share * right[k]
    for j in range(n - 1, -1, -1):
        total = right[j]
        for i in range(j + 1, n):
            total -= matrix[j, i] * right[i]
        right[j] = total / matrix[j, j]


@kernel(inline=False)
def by_strength(s, position, order):
    """Positions, best first; equal strengths in the order given."""
    for i in range(len(s)):
        k = i
        while k > 0 and s[order[k - 1]] < s[i]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    for k in range(len(s)):
        position[order[k]] = k


# ---------------------------------------------------------------------- what follows from settled pairs
@kernel(inline=False)
def sort_consistently(settled, guess, order, above, left):
    """`tournament.consistent_order`."""
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


@kernel(inline=False)
def find_lines(settled, order, lines):
    """`tournament.settled_lines`: lines[k] = 1 where a line stands after k items."""
    n, reach = len(order), 0
    for position in range(n - 1):
        for below in range(n - 1, position, -1):
            if not settled[order[position], order[below]]:
                reach = max(reach, below)
                break
        lines[position + 1] = 1 if reach <= position else 0


@kernel(inline=False)
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


@kernel(inline=False)
def find_blocked(settled, closure, blocked):
    """`tournament.impossible_lines`: blocked[k] = 1 where a circle leaves no line after k items."""
    n = len(settled)
    for k in range(n + 1):
        blocked[k] = 0
    if not close(settled, closure):
        return
    for i in range(n):
        if closure[i, i]:
            above = below = 0
            for j in range(n):
                above += closure[j, i]
                below += closure[i, j]
            for k in range(n - below + 1, above):
                blocked[k] = 1


@kernel(inline=False)
def finished(settled, objective, top, work, order, above, left, lines, blocked):
    """`Counted.finished`; `blocked` is up to date."""
    n, undecided = len(order), False
    for i in range(n):
        for j in range(i):
            undecided = undecided or (settled[i, j] == 0 and settled[j, i] == 0)
    if not undecided:
        return True
    if objective == RANGES:
        return False
    for i in range(n):
        work[i] = 0.0
        for j in range(n):
            work[i] += settled[i, j]
    sort_consistently(settled, work, order, above, left)
    find_lines(settled, order, lines)
    open_lines = 0
    for k in range(1, n):
        if objective == TIERS or k == top:
            open_lines += not (lines[k] or blocked[k])
    return open_lines == 0


@kernel(inline=False)
def shows_something_false(covered, objective, top, theta, work, order, above, left, lines):
    """Is anything that the statement covers not so?"""
    n = len(order)
    if objective in (RANGES, ORDER):
        for i in range(n):
            for j in range(n):
                if covered[i, j] and (theta[i, j] < FALSE or covered[j, i]):
                    return True
        return False
    for i in range(n):
        work[i] = 0.0
    sort_consistently(covered, work, order, above, left)
    find_lines(covered, order, lines)
    for k in range(1, n):
        if lines[k] and (objective == TIERS or k == top):
            for a in range(k):
                for b in range(k, n):
                    if theta[order[a], order[b]] < FALSE:
                        return True
    return False


# ---------------------------------------------------------------------- plans
@kernel(inline=False)
def plan_ballot(
    wins, settled, waiting, chance, objective, top, goal, evidence, blocked, s, step, matrix, people, position,
    order, heard, totals, plan,
):  # fmt: skip
    """`Ballot.plan`: fills `plan`, returns its length."""
    n = len(s)
    fit(wins, s, step, matrix)
    c = 0
    for i in range(n):
        for j in range(i + 1, n):
            w, against = wins[i, j], wins[j, i]
            prior = 1.0 / (1.0 + math.exp(-min(max(s[i] - s[j], -40.0), 40.0)))
            share = (w + GUIDE_ANSWERS * prior) / (w + against + GUIDE_ANSWERS)
            have = evidence[w, against] if share >= 0.5 else evidence[against, w]
            p = min(max(share, 1e-9), 1 - 1e-9)
            rate = math.log(2.0) + p * math.log(p) + (1 - p) * math.log(1 - p)
            people[c] = max(1.0, (goal - have) / max(rate, LEAST_RATE))
            c += 1
    by_strength(s, position, order)
    line = top if objective == TOP else 0
    if objective == TIERS:
        line = cheapest(settled, people, position, blocked, totals)
    return choose(wins, settled, waiting, chance, people, position, line, heard, totals, plan)


@kernel(inline=False)
def cheapest(settled, people, position, blocked, totals):
    """`sitting.cheapest_line`; 0: none."""
    n, c = len(position), 0
    for k in range(n + 1):
        totals[k] = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            if not settled[i, j] and not settled[j, i]:
                totals[min(position[i], position[j]) + 1] += people[c]
                totals[max(position[i], position[j]) + 1] -= people[c]
            c += 1
    best, least, total = 0, 0.0, 0.0
    for k in range(1, n):
        total += totals[k]
        if total > 0.5 and not blocked[k] and (best == 0 or total < least * EVEN):
            best, least = k, total
    return best


@kernel(inline=False)
def choose(wins, settled, waiting, chance, people, position, line, heard, keys, plan):
    """`sitting.newcomers` and `sitting.choose`."""
    n, size = len(position), len(plan)
    c = 0
    for i in range(n):
        heard[i] = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            seen = wins[i, j] + wins[j, i] + waiting[c]
            heard[i] += seen
            heard[j] += seen
            c += 1
    few = min(float(NEWCOMER), median(heard, keys) / 2)
    c = length = 0
    for i in range(n):
        for j in range(i + 1, n):
            if not settled[i, j] and not settled[j, i]:
                class_ = 2
                if heard[i] < few or heard[j] < few:
                    class_ = 0
                elif (position[i] < line) != (position[j] < line):
                    class_ = 1
                if waiting[c] >= people[c]:
                    class_ += 3
                key = min(people[c], MOST_PEOPLE) + TIE_BREAK * chance[c] + 2 * MOST_PEOPLE * class_
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


@kernel(inline=False)
def median(values, work):
    n = len(values)
    for i in range(n):
        k = i
        while k > 0 and work[k - 1] > values[i]:
            work[k] = work[k - 1]
            k -= 1
        work[k] = values[i]
    return (work[(n - 1) // 2] + work[n // 2]) / 2


@kernel(inline=False)
def order_of_attempt(wins, settled, fixed, list_, s, order, above, left):
    """`Attempts.order`: the list, or the guide's order with neighbours swapped where their tally says so."""
    n = len(order)
    if fixed:
        for k in range(n):
            order[k] = list_[k]
        return
    sort_consistently(settled, s, order, above, left)
    for _ in range(n):
        swapped = False
        for k in range(n - 1):
            if wins[order[k + 1], order[k]] > wins[order[k], order[k + 1]]:
                order[k], order[k + 1] = order[k + 1], order[k]
                swapped = True
                break
        if not swapped:
            return


@kernel(inline=False)
def plan_attempt(wins, order, fixed, proven, chance, evidence, keys, plan):
    """`Attempts.plan`: links not proven, least sure first."""
    size, length, link = len(plan), 0, 0
    for at in range(len(order) - 1):
        if fixed and proven[at]:
            continue
        a, b = order[at], order[at + 1]
        sure, luck = evidence[wins[a, b], wins[b, a]], chance[link]
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


# ---------------------------------------------------------------------- counting
@kernel(inline=False)
def count_ballot(better, worse, wins, settled, leads):
    """`Ballot.count`; did a pair settle?"""
    wins[better, worse] += 1
    w, against = wins[better, worse], wins[worse, better]
    if w - against >= leads[w + against] and not settled[worse, better] and not settled[better, worse]:
        settled[better, worse] = 1
        return True
    return False


@kernel(inline=False)
def count_field(balance, logs, settled, factors, goal):
    """`Field.count_person`, from one person's balances D; factors[bet, D_i - D_k + 2m] = ln of the factor."""
    bets, n = len(factors), len(balance)
    middle = factors.shape[1] // 2
    changed = False
    for i in range(n):
        for k in range(n):
            gap = balance[i] - balance[k]
            if gap != 0:
                for bet in range(bets):
                    logs[i, k, bet] += factors[bet, middle + gap]
            if gap > 0 and not settled[i, k] and not settled[k, i] and log_mean(logs[i, k]) >= goal:
                settled[i, k] = 1
                changed = True
    return changed


@kernel(inline=False)
def log_mean(logs):
    top, total = logs[0], 0.0
    for value in logs:
        top = max(top, value)
    for value in logs:
        total += math.exp(value - top)
    return top + math.log(total / len(logs))


@kernel(inline=False)
def doubts_of(wins, order, doubt, doubts):
    total = 0.0
    for k in range(len(order) - 1):
        doubts[k] = doubt[wins[order[k], order[k + 1]], wins[order[k + 1], order[k]]]
        total += doubts[k]
    return total


# ---------------------------------------------------------------------- a whole run
@kernel
def play_quickly(
    objective, top, field, theta, scores, goals, leads, evidence, doubt, factors, utility, transitive, manners,
    luck, coin, walk, turns, chance, dealt, at_once, size, plans, lengths, settled,
):  # fmt: skip
    """Everybody comes, as in `simulation.people.play`. Fills `plans`, `lengths` and `settled`.

    Returns (was anything false shown, questions, attempts). `goals`, and the rows of `leads`, go by attempt of
    `order`; `manners` = chances to tie, to skip, to leave; `dealt` = plans of field-share.
    """
    people, n = utility.shape
    pairs = n * (n - 1) // 2
    wins = np.zeros((n, n), np.int64)
    waiting = np.zeros(pairs, np.int64)
    s, step, matrix, work = np.zeros(n), np.zeros(n), np.zeros((n, n)), np.zeros(n)
    needed, keys = np.zeros(pairs), np.zeros(max(2 * size, n) + 2)
    position, order, above = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    left, lines, blocked = np.zeros(n, np.int64), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    closure = np.zeros((n, n), np.int64)
    logs = np.zeros((n if field else 1, n, len(factors)))
    balance = np.zeros(n, np.int64)
    claimed = np.zeros((n, n), np.int64)
    list_, tally, proven = np.zeros(n, np.int64), np.zeros((n, 2), np.int64), np.zeros(n, np.int64)
    claim_order, doubts, place_of = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
    fixed, attempt, from_sitting = False, 0, 0
    given = np.zeros((people, size), np.int64)
    asked, told, gone = np.zeros(people, np.int64), np.zeros(people, np.int64), np.zeros(people, np.int64)
    seats, sitting_of = np.zeros(people, np.int64), np.full(people, -1)
    came = taken = arrived = counted = questions = turn_now = 0
    done = wrong = False
    while True:
        while came < people and taken < at_once and not done:
            seats[taken] = came
            came += 1
            taken += 1
        if taken == 0:
            return wrong, questions, attempt
        turn = 0
        if taken > 1:
            turn = int(turns[turn_now] * taken)
            turn_now += 1
        person = seats[turn]
        number = sitting_of[person]
        got = False
        if not done and number < 0:
            plan = plans[arrived]
            if field:
                length = lengths[arrived]
                for k in range(length):
                    plan[k, 0], plan[k, 1] = dealt[arrived, k, 0], dealt[arrived, k, 1]
            elif objective == ORDER:
                fit(wins, s, step, matrix)
                order_of_attempt(wins, settled, fixed, list_, s, order, above, left)
                length = plan_attempt(wins, order, fixed, proven, chance[arrived], evidence, keys, plan)
            else:
                length = plan_ballot(
                    wins, settled, waiting, chance[arrived], objective, top, goals[0], evidence, blocked, s, step,
                    matrix, needed, position, order, work, keys, plan,
                )  # fmt: skip
            if length > 0:
                number = sitting_of[person] = arrived
                lengths[arrived] = length
                arrived += 1
                got = True
                for k in range(length):
                    low, high = min(plan[k, 0], plan[k, 1]), max(plan[k, 0], plan[k, 1])
                    waiting[low * n - low * (low + 1) // 2 + high - low - 1] += 1
        elif not done:
            got = asked[number] < lengths[number]
        place = asked[number]
        if got:
            asked[number] += 1
            questions += 1
        walks = got and place > 0 and walk[person, place] < manners[2]
        if not got or walks:
            for k in range(turn, taken - 1):
                seats[k] = seats[k + 1]
            taken -= 1
        if not got:
            continue
        if walks:
            gone[number] = 1
        else:
            told[number] += 1
            if luck[person, place] >= manners[0] + manners[1]:
                low = min(plans[number, place, 0], plans[number, place, 1])
                high = max(plans[number, place, 0], plans[number, place, 1])
                gap = utility[person, low] - utility[person, high]
                if transitive:
                    for_low = gap > 0
                else:
                    for_low = coin[person, place] < 1.0 / (1.0 + math.exp(-min(max(gap, -40.0), 40.0)))
                given[number, place] = 1 if for_low == (plans[number, place, 0] == low) else 2
        before, changed = counted, False
        while counted < arrived and (gone[counted] or told[counted] == lengths[counted]):
            for i in range(n):
                balance[i] = 0
                place_of[list_[i]] = i
            for k in range(lengths[counted]):
                low = min(plans[counted, k, 0], plans[counted, k, 1])
                high = max(plans[counted, k, 0], plans[counted, k, 1])
                waiting[low * n - low * (low + 1) // 2 + high - low - 1] -= 1
                if given[counted, k] == 0:
                    continue
                better, worse = plans[counted, k, given[counted, k] - 1], plans[counted, k, 2 - given[counted, k]]
                if field or objective == ORDER:
                    wins[better, worse] += 1
                    balance[better] += 1
                    balance[worse] -= 1
                elif count_ballot(better, worse, wins, settled, leads[0]):
                    changed = True
                if objective == ORDER and fixed and counted >= from_sitting:
                    link = min(place_of[better], place_of[worse])
                    if abs(place_of[better] - place_of[worse]) == 1:
                        tally[link, 0 if place_of[better] < place_of[worse] else 1] += 1
                        if tally[link, 0] - tally[link, 1] >= leads[attempt - 1, tally[link, 0] + tally[link, 1]]:
                            proven[link] = 1
            if field and count_field(balance, logs, settled, factors, goals[0]):
                changed = True
            counted += 1
            if objective != ORDER:
                continue
            all_proven = fixed
            if fixed:
                for k in range(n - 1):
                    if not proven[claim_order[k]]:
                        all_proven = False
                        break
                    a, b = list_[claim_order[k]], list_[claim_order[k] + 1]
                    if not claimed[a, b]:
                        claimed[a, b] = 1
                        changed = True
                        close(claimed, settled)
                if not all_proven:
                    for k in range(n - 1):
                        if wins[list_[k + 1], list_[k]] > wins[list_[k], list_[k + 1]]:
                            fixed = False
            if not fixed:
                fit(wins, s, step, matrix)
                order_of_attempt(wins, settled, False, list_, s, order, above, left)
                if doubts_of(wins, order, doubt, doubts) <= DOUBT_TO_FIX:
                    fixed, from_sitting = True, arrived
                    attempt += 1
                    for k in range(n):
                        list_[k], proven[k], tally[k, 0], tally[k, 1] = order[k], 0, 0, 0
                    by_strength(-doubts[: n - 1], position[: n - 1], claim_order[: n - 1])
            done = all_proven and fixed
        if counted > before and changed:
            if objective != ORDER:
                find_blocked(settled, closure, blocked)
                done = finished(settled, objective, top, work, order, above, left, lines, blocked)
            if field:
                close(settled, closure)
                for i in range(n):
                    closure[i, i] = 0
                false = shows_something_false(closure, objective, top, scores, work, order, above, left, lines)
            else:
                false = shows_something_false(settled, objective, top, theta, work, order, above, left, lines)
            wrong = wrong or false

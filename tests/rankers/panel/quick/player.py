"""A whole run: people come, as in `simulation.people.play`, answer and leave."""

from __future__ import annotations

from tests.rankers.panel.quick.bradley_terry import sigmoid
from tests.rankers.panel.quick.counting import count_sitting, pair_at
from tests.rankers.panel.quick.exact_order import follow, plan_attempt
from tests.rankers.panel.quick.parts import part
from tests.rankers.panel.quick.plans import plan_ballot
from tests.rankers.panel.quick.room import (
    ARRIVED,
    CAME,
    COUNTED,
    DONE,
    LEAVE,
    ORDER,
    QUESTIONS,
    SKIP,
    TAKEN,
    TIE,
    TURN,
    WRONG,
)
from tests.rankers.panel.quick.tournament import close, find_blocked, finished, shows_something_false

NOTHING = -1  # no question for this person


@part
def play_quickly(room):
    """Everybody comes. What they were asked and what is settled then stands in the room."""
    while True:
        take_seats(room)
        if room.numbers[TAKEN] == 0:
            return
        turn = whose_turn(room)
        person = room.sittings.seats[turn]
        number = next_question(room, person)
        if number == NOTHING or not answered(room, number, person):
            leave_seat(room, turn)
        look_at_the_news(room)


@part
def take_seats(room):
    numbers = room.numbers
    while numbers[CAME] < len(room.people.utility) and numbers[TAKEN] < room.people.at_once and not numbers[DONE]:
        room.sittings.seats[numbers[TAKEN]] = numbers[CAME]
        numbers[CAME] += 1
        numbers[TAKEN] += 1


@part
def whose_turn(room):
    numbers = room.numbers
    if numbers[TAKEN] == 1:
        return 0
    numbers[TURN] += 1
    return int(room.people.turns[numbers[TURN] - 1] * numbers[TAKEN])


@part
def leave_seat(room, turn):
    seats = room.sittings.seats
    room.numbers[TAKEN] -= 1
    for k in range(turn, room.numbers[TAKEN]):
        seats[k] = seats[k + 1]


@part
def next_question(room, person):
    """The person's sitting, if it has a question for them; it is planned when they come."""
    if room.numbers[DONE]:
        return NOTHING
    number = room.sittings.sitting_of[person]
    if number < 0:
        return sit_down(room, person)
    return number if room.sittings.asked[number] < room.sittings.lengths[number] else NOTHING


@part
def sit_down(room, person):
    number, sittings = room.numbers[ARRIVED], room.sittings
    length = plan_sitting(room, number)
    if length == 0:
        return NOTHING
    sittings.sitting_of[person] = number
    sittings.lengths[number] = length
    room.numbers[ARRIVED] += 1
    plan = sittings.plans[number]
    for k in range(length):
        sittings.waiting[pair_at(plan[k, 0], plan[k, 1], len(room.counts.s))] += 1
    return number


@part
def plan_sitting(room, number):
    """Fills the sitting's plan, returns its length."""
    if room.rules.field:
        length = room.sittings.lengths[number]
        for k in range(length):
            for side in range(2):
                room.sittings.plans[number, k, side] = room.people.dealt[number, k, side]
        return length
    if room.rules.objective == ORDER:
        return plan_attempt(room, number)
    return plan_ballot(room, number)


@part
def answered(room, number, person):
    """Is the sitting's next question answered? (Or does the person walk away?)"""
    people, sittings = room.people, room.sittings
    place = sittings.asked[number]
    sittings.asked[number] += 1
    room.numbers[QUESTIONS] += 1
    if place > 0 and people.walk[person, place] < people.manners[LEAVE]:
        sittings.gone[number] = 1
        return False
    sittings.told[number] += 1
    if people.luck[person, place] >= people.manners[TIE] + people.manners[SKIP]:
        sittings.given[number, place] = choice(people, person, place, sittings.plans[number, place])
    return True


@part
def choice(people, person, place, pair):
    """1: the first of the pair, 2: the second."""
    low, high = min(pair[0], pair[1]), max(pair[0], pair[1])
    gap = people.utility[person, low] - people.utility[person, high]
    for_low = gap > 0 if people.transitive else people.coin[person, place] < sigmoid(gap)
    return 1 if for_low == (pair[0] == low) else 2


@part
def look_at_the_news(room):
    """Count the sittings that are due; if anything changed: is it done, and is anything false?"""
    numbers, rules, counts = room.numbers, room.rules, room.counts
    if not count_what_is_due(room):
        return
    if rules.objective != ORDER:
        find_blocked(counts)
        numbers[DONE] = finished(rules, counts, room.desk)
    covered = counts.settled
    if rules.field:
        covered = counts.closure
        close(counts.settled, covered)
        for i in range(len(covered)):
            covered[i, i] = 0
    if shows_something_false(rules, covered, room.desk):
        numbers[WRONG] = 1


@part
def count_what_is_due(room):
    """Sittings count in the order of arrival, each when it is over; did anything change?"""
    numbers, sittings, changed = room.numbers, room.sittings, False
    while numbers[COUNTED] < numbers[ARRIVED] and is_over(sittings, numbers[COUNTED]):
        if count_sitting(room):
            changed = True
        numbers[COUNTED] += 1
        if room.rules.objective == ORDER and follow(room):
            changed = True
    return changed


@part
def is_over(sittings, number):
    return sittings.gone[number] == 1 or sittings.told[number] == sittings.lengths[number]

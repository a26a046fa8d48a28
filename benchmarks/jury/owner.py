"""An owner who knows the seed and every answer, and keeps to the rules: he chooses in which order answers come.

A is just not as good as B (79 of 160 cells, 499 of 1,000), and both are better than all others. Draws follow from
the seed, so he knows after which places A will win most. Until so many cells of the pair are drawn he holds some
answers back, then lets the wins come, a question later the rest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from benchmarks.jury.play import Answers
from juryrank.core.levels import Objective
from juryrank.rankers.jury.core.evidence import Resolutions
from juryrank.rankers.jury.core.machine import Machine
from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import Pair

AB: Pair = (0, 1)
BETTER = 0.75  # of the cells of A and of B against any other system
AHEAD = (8, 16, 32, 64, 128)  # cells over which he looks for luck
MOST = 4  # times the cells of a pair: he gives up after so many questions for each pair
ERROR = 0.05

Held = tuple[Pair, int, float]  # pair, place, value
Holds = Callable[[Pair, float, int], bool]  # is this answer held back: pair, value, cells of the pair drawn before
HOLDS: dict[str, Holds] = {
    "losses": lambda pair, x, place: pair == AB and x < 0,
    "the first": lambda pair, x, place: pair == AB and place == 0,
    "half": lambda pair, x, place: pair == AB and place % 2 == 0,
    "all": lambda pair, x, place: True,
    "others": lambda pair, x, place: pair != AB,
    "others' first": lambda pair, x, place: pair != AB and place == 0,
    "nothing": lambda pair, x, place: False,
}


def just_false(cells: int, wins: int, items: int) -> Answers:
    """A wins so many cells of its pair with B."""
    values = {}
    for pair in combinations(range(items), 2):
        ahead = wins if pair == AB else cells // 2 if pair[0] > 1 else round(BETTER * cells)
        found = [1.0] * ahead + [-1.0] * (cells - ahead)
        random.Random(cells + 100 * pair[0] + pair[1]).shuffle(found)
        values[pair] = np.array(found).reshape(1, cells // 2, 2)
    return Answers(values)


def in_the_order_drawn(answers: Answers, seed: int) -> list[float]:
    """What A gets from each cell of its pair with B, place by place."""
    book, found = PairBook(answers.table, AB), []
    for _ in range(answers.table.judge_cells(AB)):
        drawn = book.draw(seed, AB, (1.0,), calls=1)
        found.append(float(answers.values[AB][0][divmod(drawn.cell, 2)]))
    return found


def good_places(values: list[float], most: int) -> list[int]:
    """The places after which A wins most."""
    sums = np.concatenate(([0.0], np.cumsum(values)))

    def lead(start: int) -> float:
        return max(float(sums[min(start + ahead, len(values))] - sums[start]) / ahead**0.5 for ahead in AHEAD)

    return sorted(range(1, len(values) - AHEAD[0]), key=lead, reverse=True)[:most]


def tries(values: list[float], places: int) -> Iterator[tuple[str, int]]:
    """What he may do: hold back what, until so many cells of the pair are drawn."""
    yield "nothing", 0
    for place in good_places(values, places):
        yield from ((name, place) for name in HOLDS if name != "nothing")


def let_come(machine: Machine, back: list[Held]) -> list[Held]:
    """The wins come; once there are none, the rest. Says what is still held back."""
    wins = [one for one in back if one[0] == AB and one[2] > 0] or back
    for one in wins:
        machine.settle(*one)
    return [one for one in back if one not in wins]


def arrange(answers: Answers, seed: int, name: str, until: int, *, hold: bool = False) -> Machine:
    """One run in which answers are held back until so many cells of the pair are drawn."""
    machine = Machine(
        answers.table, answers.items, objective=Objective.TOP, k=1, error=ERROR, resolutions=Resolutions((0.0,)),
        seed=seed,
    )  # fmt: skip
    back: list[Held] = []
    most = MOST * answers.table.judge_cells(AB) * len(answers.values)
    while machine.drawn < most and not machine.done:
        held = AB not in machine.books or len(machine.books[AB].drawn) < until
        if back and not held:
            back = let_come(machine, back)
        plan = machine.plan((), hold=hold)
        if plan is None:
            if not back:
                break
            back = let_come(machine, back)
            continue
        book = machine.book(plan.pair)
        if plan.begins:
            machine.begin(plan.begins)
        drawn = book.draw(seed, plan.pair, (1.0,), calls=1)
        machine.entered(plan.pair)
        place, x = len(book.drawn) - 1, float(answers.values[plan.pair][0][divmod(drawn.cell, 2)])
        if held and HOLDS[name](plan.pair, x, place):
            back.append((plan.pair, place, x))
        else:
            machine.settle(plan.pair, place, x)
    return machine


def stated(machine: Machine) -> bool:
    """Is it proven that A is at least as good as B?"""
    return any(
        claim == AB and bool(said[0])
        for attempt in machine.attempts
        for claim, said in zip(attempt.claims, attempt.stated, strict=True)
    )


def first_lucky(answers: Answers, seed: int, *, places: int, hold: bool = False) -> tuple[str, int] | None:
    """How he gets a false proof with this seed; None: not by any of these tries."""
    for name, until in tries(in_the_order_drawn(answers, seed), places):
        if stated(arrange(answers, seed, name, until, hold=hold)):
            return name, until
    return None

"""Lists are fixed once; what is drawn afterwards counts for each of them, whatever it was asked for."""

import csv
import gzip
import random
from itertools import combinations
from pathlib import Path

import pytest
from benchmarks.jury.play import Machine
from benchmarks.jury.recorded import on_cases
from benchmarks.jury.worlds import near

from juryrank.core.levels import read_objective
from juryrank.rankers.jury.core.evidence import Resolutions
from tests.rankers.jury.tables import play, table

SHIPPED = Path(__file__).parents[3] / "examples" / "votes" / "systems.csv.gz"
FALLING = (0.1, 0.05, 0.02, 0.0)
SEEDS = {"best": range(10_000, 10_005), "top-3": (10_013, 10_016)}  # 14 lists, 3 lists, twice too many calls
NEAR = {("a", "b"): 0.5, ("a", "c"): 0.7, ("b", "c"): 0.7}


def run(answers, objective, resolution, seed, most=10_000):
    """Calls and lists of one run, as the ranker plays it."""
    goal, k = read_objective(objective)
    machine = Machine(
        answers.table, answers.items, objective=goal, k=k, error=0.05, resolutions=Resolutions(resolution),
        seed=seed,
    )  # fmt: skip
    while machine.drawn < most and not machine.done and (plan := machine.plan(())) is not None:
        if plan.begins:
            machine.begin(plan.begins)
        book = machine.book(plan.pair)
        drawn = book.draw(seed, plan.pair, book.chances((1.0,), ()), calls=1)
        machine.entered(plan.pair)
        x = answers.values[plan.pair][drawn.judge, *divmod(drawn.cell, 2)]
        machine.settle(plan.pair, len(book.drawn) - 1, None if x != x else float(x))
    return machine


@pytest.mark.parametrize("seed", range(2))
def test_a_list_that_is_due_is_asked_for_however_many_answers_wait(seed):
    """Counting stops until the list is on record, so nothing may hold that question back."""
    answers, rng, waiting = near(3), random.Random(seed), []
    goal, k = read_objective("best")
    machine = Machine(
        answers.table, answers.items, objective=goal, k=k, error=0.05, resolutions=Resolutions(FALLING), seed=seed
    )
    while not machine.done:
        plan = machine.plan(()) if len(waiting) < 16 else None
        if plan is None:
            assert waiting  # or it would wait for ever
            machine.settle(*waiting.pop(rng.randrange(len(waiting))))
            continue
        if plan.begins:
            machine.begin(plan.begins)
        book = machine.book(plan.pair)
        drawn = book.draw(seed, plan.pair, book.chances((1.0,), ()), calls=1)
        machine.entered(plan.pair)
        x = answers.values[plan.pair][drawn.judge, *divmod(drawn.cell, 2)]
        waiting.append((plan.pair, len(book.drawn) - 1, float(x)))


@pytest.mark.slow
def test_no_list_is_fixed_twice_and_falling_costs_what_the_finest_resolution_does():
    """The list of the shipped table was given up and fixed again, up to 168 times, until it was exhausted."""
    with gzip.open(SHIPPED, "rt", encoding="utf-8") as file:
        shipped = on_cases(list(csv.DictReader(file)))  # takes longer than all runs
    for objective, seeds in SEEDS.items():
        falling, finest = (
            [run(shipped, objective, resolution, seed) for seed in seeds] for resolution in (FALLING, (0.0,))
        )
        for machine in falling + finest:
            assert machine.step == len(machine.resolutions)
            lists = [frozenset(attempt.claims) for attempt in machine.attempts]
            assert len(set(lists)) == len(lists) <= 4
        assert sum(m.drawn for m in falling) <= 1.05 * sum(m.drawn for m in finest)


@pytest.mark.parametrize("seed", [70_009, pytest.param(70_017, marks=pytest.mark.slow)])  # 9 % more calls each
def test_a_step_that_one_list_has_proven_is_not_proven_again_by_another(seed):
    """Two systems are all but equal, so that lists change: each one went through .1, .05 and .02 anew."""
    falling, finest = (run(near(3), "best", resolution, seed) for resolution in (FALLING, (0.0,)))
    assert len(falling.attempts) > 1  # or this tests nothing
    assert falling.step == len(FALLING) and falling.drawn <= 1.05 * finest.drawn


def test_a_claim_proven_at_a_fine_step_and_not_at_a_coarse_one_is_asked_about():
    """Each resolution has its own evidence: nothing finer is stated before the coarse one is proven."""
    machine = run(near(3), "best", FALLING, 70_010, most=300)
    working = machine.working
    working.proven[:] = True
    working.proven[0, 0] = False
    working.steps = working._steps()
    machine._step_of = lambda attempt: machine.goal  # where the coarse step is not cheap
    assert machine.plan(()).pair == (min(working.claims[0]), max(working.claims[0]))


def test_the_first_level_is_kept_for_the_finest_resolution():
    """Four pairs that are all but equal: a coarser list comes first, and takes a level after it."""
    even = {("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")}
    shares = {pair: 0.5 if pair in even else 0.85 for pair in combinations("abcdefgh", 2)}
    coarser = 0
    for seed in range(1):
        world = table(shares, judges=1, cases=150, seed=seed)
        jury = world.jury(objective="order", resolution="falling", seed=seed)
        play(jury, world.answer)
        lists = jury.state.machine.attempts
        assert len({one.number for one in lists}) == len(lists) == len({frozenset(one.claims) for one in lists})
        for one in lists:
            assert (one.number > 1) or one.goal == 3
            coarser += one.goal < 3
    assert coarser  # or this tests nothing


def test_what_is_asked_for_another_list_counts_for_each():
    """The evidence of a list is that of every cell drawn after it was fixed, also while it was given up."""
    for seed in range(30):
        world = table(NEAR, judges=1, cases=60, seed=seed)
        jury = world.jury(objective="best", resolution=0, seed=seed)
        play(jury, world.answer)
        machine = jury.state.machine
        if len(machine.attempts) < 2:
            continue
        first = machine.attempts[0]
        for at, claim in enumerate(first.claims):
            pair = (min(claim), max(claim))
            again = machine.attempt(first.number, first.order, first.claims, first.priors)
            again.starts = first.starts
            book, drawn = machine.books[pair], machine.books[pair].drawn
            copy = type(book)(machine.table, pair)
            for cell in drawn[: book.counted]:
                copy.enter(cell)
                again.count(copy, cell, refusals_against=False)
                copy.count()
            assert again.most[at] == pytest.approx(first.most[at])
        return
    raise AssertionError("no run fixed a second list")

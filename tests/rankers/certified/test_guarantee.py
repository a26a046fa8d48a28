"""Certified and wrong in at most δ of runs wherever the assumption holds, in worlds not used for tuning."""

import math

import pytest

from juryrank.rankers.certified.core.search import insert
from juryrank.rankers.certified.prover import Prover
from juryrank.simulation import Bernoulli, Btl, Drifting, Wst, simulate
from tests.quick import quick
from tests.statistics import surely_above, surely_below

from .worlds import coin, logistic, mixed, run

RUNS = 16


def failures(runs, **world):
    outcomes = [run(seed, **world) for seed in range(runs)]
    return sum(certified and not exact for certified, exact in outcomes)


def hard_pair(question):
    """Adversarially pair-dependent: neighbours at ½, all others sure."""
    return 0.5 if abs(question.left - question.right) == 1 else 0.98


def uneven(question):
    return logistic(0.7 * abs(question.left - question.right) ** 2)


SMALL = {
    "three items, weak judges": {"items": 3, "judges": 2, "accuracy": 0.66},
    "two items, one judge": {"items": 2, "judges": 1, "accuracy": 0.62},
    "uneven pairs": {"items": 4, "judges": 2, "accuracy": uneven},
    "neighbours at one half": {"items": 3, "judges": 2, "accuracy": hard_pair, "budget": 120},
    "nobody knows anything": {"items": 3, "judges": 4, "accuracy": 0.5, "budget": 120},
}


@pytest.mark.parametrize("world", quick(SMALL))
def test_better_than_chance(world):
    assert not surely_above(failures(RUNS, **SMALL[world]), RUNS, 0.25)


@pytest.mark.parametrize("world", quick(["three items, weak judges", "two items, one judge"]))
def test_steady(world):
    assert not surely_above(failures(RUNS, assume="steady", **SMALL[world]), RUNS, 0.25)


@pytest.mark.parametrize(
    "world", ["three items, weak judges", pytest.param("two items, one judge", marks=pytest.mark.slow)]
)
def test_the_worst_search_costs_questions_but_not_the_promise(world, monkeypatch):
    monkeypatch.setattr(insert, "PLACE_AT", 0.0)
    monkeypatch.setattr("juryrank.rankers.certified.core.machine.believed_at", lambda s: 1e9)
    assert not surely_above(failures(RUNS, **SMALL[world]), RUNS, 0.25)


def wrong_link_passes(seed, *, error, links=2):
    """One wrong link that nobody can tell, among sure ones, and no giving up: the hardest case for the proof."""
    items = links + 1
    prover = Prover(
        range(items), judges=["one"], error=error, seed=seed, give_up=False, budget=40 * links, trust_repeats=True
    )
    answer = coin(f"proof {seed}", lambda question: 0.5 if {question.left, question.right} == {0, 1} else 1.0)
    return prover.prove([1, 0, *range(2, items)], answer).certified


@pytest.mark.parametrize("runs", [25, pytest.param(300, marks=pytest.mark.slow)])
def test_one_wrong_link_passes_at_about_its_level_and_no_more(runs):
    """The check can see: with no slack given away, the rate comes near δ_m = 0.8 · 0.3125 = 0.25."""
    passed = sum(wrong_link_passes(seed, error=0.3125) for seed in range(runs))
    assert not surely_above(passed, runs, 0.25)
    assert not surely_below(passed, runs, 0.15)


# ---------------------------------------------------------------------- the slow suite: 2,000 runs per cell
ITEMS, JUDGES = (2, 3, 10, 100), (1, 2, 9, 36, 200)


def cell(world, *, items, delta, assume="better-than-chance", runs=2000, budget=None, **options):
    found = simulate(
        "certified", world, items=items, delta=delta, repeats=runs, seed=77, budget=budget, assume=assume,
        **options,
    )  # fmt: skip
    wrong = sum(one.certified and not one.exact for one in found.runs)
    print(f"{assume}, {items} items, {world.judges} judges, error {delta}: {wrong} of {len(found.runs)} wrong")
    return wrong, len(found.runs)


def holds(world, *, delta, **options):
    wrong, runs = cell(world, delta=delta, **options)
    return not surely_above(wrong, runs, delta)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
@pytest.mark.parametrize("delta", [0.01, 0.1, 0.25])
@pytest.mark.parametrize("judges", JUDGES)
@pytest.mark.parametrize("items", ITEMS)
def test_bernoulli_worlds(items, judges, delta, assume, where):
    world = mixed(judges, worst=0.55, best=0.9) if items < 100 else mixed(judges, worst=0.7, best=0.95)
    assert holds(world, items=items, delta=delta, assume=assume, where=where)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("delta", [0.01, 0.1, 0.25])
@pytest.mark.parametrize("parallel", [1, 20])
def test_uneven_btl_worlds(delta, parallel, where):
    gaps = [1.0, 0.2, 0.5, 2.0, 0.3, 0.9, 0.15]
    scores = tuple(math.fsum(gaps[:k]) for k in range(8))
    world = Btl((0.8, 1.5, 2.0), scores=scores)
    assert holds(world, items=8, delta=delta, parallel=parallel, where=where)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("delta", [0.01, 0.1, 0.25])
def test_pair_dependent_and_drifting_worlds(delta, where):
    assert holds(Wst((0.2, 0.6, 1.0), least=0.02, seed=5), items=6, delta=delta, budget=20_000, where=where)
    falling = Drifting((0.9, 0.8, 0.7), (0.52, 0.5, 0.9), horizon=80)
    assert holds(falling, items=8, delta=delta, budget=20_000, where=where)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("delta", [0.01, 0.1, 0.25])
@pytest.mark.parametrize("items", [2, 3, 10])
def test_a_pool_at_one_half_ends_at_its_budget(delta, items, where):
    world = Bernoulli((0.5,) * 5)
    wrong, runs = cell(world, items=items, delta=delta, budget=400 * items, where=where)
    assert not surely_above(wrong, runs, delta)

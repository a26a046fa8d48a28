"""The best item and the k best: proven and wrong in at most δ of runs, whatever the search proposes."""

import math
import random

import numpy as np
import pytest

from juryrank.core.certified.objectives import eliminate
from juryrank.core.certified.search import insert
from juryrank.rankers.certified.ranker import Certified
from juryrank.simulation import Bernoulli, Btl, Drifting, Wst, simulate
from tests.statistics import surely_above

from .worlds import mixed

DELTA, RUNS = 0.25, 20
ALL = [(objective, assume) for objective in ("best", "top-2") for assume in ("better-than-chance", "steady")]


def wrong(seed, objective, *, accuracy, assume="better-than-chance", items=4, budget=100, judges=2):
    """Is something false proven? Smaller numbers are better; `accuracy` of a pair, or one for all."""
    rng = random.Random(f"{objective} {assume} {seed}")
    ranker = Certified(range(items), judges=range(judges), error=DELTA, seed=seed, objective=objective,
                       assume=assume, budget=budget, trust_repeats=True, joining=False)  # fmt: skip
    while (question := ranker.ask()) is not None:
        better, worse = sorted((question.left, question.right))
        right = accuracy(better, worse) if callable(accuracy) else accuracy
        ranker.tell(question, better if rng.random() < right else worse)
    k = 1 if objective == "best" else 2
    ranking = ranker.ranking
    ruled_out = objective == "best" and 0 in ranking.details.get("eliminated", ())
    return ruled_out or (ranking.proven and sorted(ranking.order[:k]) != list(range(k)))


@pytest.mark.parametrize(("objective", "assume"), ALL)
def test_where_nobody_knows_anything(objective, assume):
    failures = sum(wrong(seed, objective, accuracy=0.5, assume=assume) for seed in range(RUNS))
    assert not surely_above(failures, RUNS, DELTA)


@pytest.mark.parametrize("objective", ["best", "top-2"])
def test_a_pair_that_nobody_can_tell_at_the_border(objective):
    border = 0 if objective == "best" else 1

    def accuracy(better, worse):
        return 0.5 if (better, worse) == (border, border + 1) else 0.9

    failures = sum(wrong(seed, objective, accuracy=accuracy) for seed in range(RUNS))
    assert not surely_above(failures, RUNS, DELTA)


@pytest.mark.parametrize(("objective", "assume"), ALL)
def test_a_search_that_proposes_the_wrong_ones_on_purpose(objective, assume, monkeypatch):
    """Placed after one answer and never repaired; champions and bets against the truth."""
    monkeypatch.setattr(insert, "PLACE_AT", 0.0)
    monkeypatch.setattr("juryrank.core.certified.machine.REPAIR_STOP", 1e9)
    monkeypatch.setattr(eliminate, "lean", lambda s, x, y: 3.0 if x < y else -3.0)  # the better one is accused
    monkeypatch.setattr(eliminate, "loss_bet", lambda s, u, x, y: 0.6)
    failures = sum(wrong(seed, objective, accuracy=0.55, assume=assume) for seed in range(RUNS))
    assert not surely_above(failures, RUNS, DELTA)


def test_the_best_is_ruled_out_at_about_the_level_and_no_more():
    """The check can see: one item that every answer accuses at a fixed bet, and judges who toss a coin."""
    rng = np.random.default_rng(3)
    won = rng.random((400, 300)) < 0.5
    evidence = np.where(won, math.log1p(-0.5), math.log1p(0.5)).cumsum(axis=1).max(axis=1)
    reached = int((evidence >= math.log(1 / DELTA)).sum())
    assert not surely_above(reached, 400, DELTA) and reached > 0.6 * DELTA * 400


def test_evidence_by_opponent_would_break_the_promise():
    """The rule switched off: a separate E per opponent, and whichever is proven counts."""
    rng = np.random.default_rng(4)
    won = rng.random((200, 9, 120)) < 0.5  # the best of ten items, against each other one
    evidence = np.where(won, math.log1p(-0.5), math.log1p(0.5)).cumsum(axis=2).max(axis=2)
    assert surely_above(int((evidence >= math.log(1 / 0.1)).any(axis=1).sum()), 200, 0.1)


# ---------------------------------------------------------------------- the slow suite: 2,000 runs per cell
def holds(world, *, delta, items, runs=2000, **options):
    found = simulate("certified", world, items=items, delta=delta, repeats=runs, seed=78, **options)
    failures = sum(run.certified and not run.exact for run in found.runs)
    print(f"{options}, {items} items, {world.judges} judges, δ {delta}: {failures} of {runs} wrong")
    return not surely_above(failures, runs, delta)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
@pytest.mark.parametrize("delta", [0.01, 0.1, 0.25])
@pytest.mark.parametrize("judges", [1, 2, 9, 36, 200])
@pytest.mark.parametrize(("items", "objective"), [(2, "best"), (3, "best"), (10, "best"), (100, "best"),
                                                  (3, "top-2"), (10, "top-3"), (100, "top-10")])  # fmt: skip
def test_bernoulli_worlds(items, objective, judges, delta, assume):
    world = mixed(judges, worst=0.55, best=0.9) if items < 100 else mixed(judges, worst=0.7, best=0.95)
    assert holds(world, items=items, delta=delta, assume=assume, objective=objective)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("objective", ["best", "top-3"])
@pytest.mark.parametrize("delta", [0.01, 0.1, 0.25])
@pytest.mark.parametrize("parallel", [1, 20])
def test_worlds_where_pairs_differ_and_judges_drift(objective, delta, parallel):
    gaps = [1.0, 0.2, 0.5, 2.0, 0.3, 0.9, 0.15]
    uneven = Btl((0.8, 1.5, 2.0), scores=tuple(math.fsum(gaps[:k]) for k in range(8)))
    assert holds(uneven, items=8, delta=delta, objective=objective, parallel=parallel)
    pairs = Wst((0.2, 0.6, 1.0), least=0.02, seed=5)
    assert holds(pairs, items=6, delta=delta, objective=objective, parallel=parallel, budget=20_000)
    falling = Drifting((0.9, 0.8, 0.7), (0.52, 0.5, 0.9), horizon=80)
    assert holds(falling, items=8, delta=delta, objective=objective, parallel=parallel, budget=20_000)
    assert holds(Bernoulli((0.5,) * 5), items=5, delta=delta, objective=objective, budget=2000)

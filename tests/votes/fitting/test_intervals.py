"""Intervals hold as often as they say, each for what its name says; ranks hold all together."""

import math
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.fit_intervals import WORLDS, cell, votes_of

import juryrank
from juryrank.votes.fitting import intervals as named
from juryrank.votes.fitting.core import estimate
from juryrank.votes.fitting.influence import ingredients
from juryrank.votes.fitting.intervals import LIKE_THESE, THESE, Interval, sandwich
from juryrank.votes.fitting.model import Spec, spec_for
from juryrank.votes.fitting.sources import ballots_of
from juryrank.votes.fitting.sparse import sparse_sandwich
from tests.quick import quick
from tests.votes.fitting.worlds import rows_of, world


def covered(*, judges, votes, spec, truth, runs, seed):
    """How often 95 % intervals hold the scores that endless judges drawn alike would give; clustered and naive."""
    rng, held, naive = np.random.default_rng(seed), [], []
    scores = truth["scores"]
    for _ in range(runs):
        per = np.maximum(votes * rng.lognormal(-0.5, 1, size=judges), 4).astype(int)
        ballots, _ = world(rng, items=len(scores), judges=judges, votes=per, scores=scores, taste=0.8)
        fit = estimate(ballots, spec)
        off = np.abs(fit.scores - truth["limit"])
        held.append(off < fit.intervals[LIKE_THESE].scores(0.95))
        naive.append(off < 1.96 * np.sqrt(fit.errors.naive_variance()))
    return np.mean(held), np.mean(naive)


def truth_for(spec, *, items=8):
    rng = np.random.default_rng(1)
    scores = rng.normal(size=items)
    ballots, _ = world(rng, items=items, judges=3000, votes=40, scores=scores, taste=0.8)
    return {"scores": scores, "limit": estimate(ballots, spec).scores}


@pytest.mark.parametrize(("runs", "least", "most"), quick([(15, 0.9, 1.0), (60, 0.92, 0.98)]))
def test_intervals_hold_for_other_judges_where_naive_ones_do_not(runs, least, most):
    spec = Spec("bt")
    held, naive = covered(judges=20, votes=60, spec=spec, truth=truth_for(spec), runs=runs, seed=2)
    assert least <= held <= most
    assert naive < 0.85


@pytest.mark.parametrize(("runs", "most"), quick([(20, 6), (60, 12)]))  # more has a chance below 1 %
def test_rank_intervals_hold_together_when_all_items_are_equal(runs, most):
    rng, wrong = np.random.default_rng(3), 0
    for _ in range(runs):
        ballots, _ = world(rng, items=10, judges=25, votes=30, scores=np.zeros(10), taste=0.8)
        fit = estimate(ballots, Spec("bt"))
        low, high = named.rank_ranges(fit.scores, fit.intervals[LIKE_THESE], fit.graph.component, level=0.9)
        wrong += bool((low > 1).any() or (high < 10).any())
    assert wrong <= most  # a tenth of them expected at a level of 90 %


def test_rank_intervals_tell_far_items_apart_in_both_ways_of_counting(monkeypatch):
    ballots, _ = world(np.random.default_rng(4), items=6, judges=40, votes=100, scores=np.arange(6) * 1.5)
    fit = estimate(ballots, Spec("bt"))
    for most in (500, 2):
        monkeypatch.setattr(named, "PAIRS_UP_TO", most)
        for interval in fit.intervals.values():
            low, high = named.rank_ranges(fit.scores, interval, fit.graph.component, level=0.95)
            rank = named.plain_ranks(fit.scores, fit.graph.component)
            assert rank.tolist() == low.tolist() == high.tolist() == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("votes", range(1, 13))
def test_unanimous_votes_prove_no_more_in_ranks_than_in_scores(votes):
    """Of two equal items one gets all of 4 votes in an eighth of all files: nothing is told apart then."""
    found = juryrank.fit([(f"j{k}", *("ab" if k % 2 else "ba"), "a") for k in range(votes)])
    first, apart = found.items[0], found.difference("a", "b")
    assert first.rank_low == first.rank and len(found.items) == 2
    if first.low < 0:
        assert first.rank_high == 2 and apart.low < 0 < apart.high


def test_two_equal_items_are_told_apart_as_seldom_as_the_level_says():
    """Every outcome of n fair votes, weighed by its chance."""
    for n in (3, 5, 8, 20):
        wrong = 0.0
        for k in range(n + 1):
            rows = [("one", *("ab" if v % 2 else "ba"), "a" if v < k else "b") for v in range(n)]
            first = juryrank.fit(rows, model="bt").items[0]
            wrong += math.comb(n, k) / 2**n * (first.rank_low == first.rank_high)
        assert wrong <= 0.05, n


def test_thousands_of_items_in_small_groups_have_ranks():
    """Errors are sparse then, and each group is small enough for pairs."""
    rng, rows = np.random.default_rng(8), []
    for group in range(4):
        for _ in range(60):
            a, b = rng.choice(4, 2, replace=False)
            rows.append((f"j{rng.integers(12)}", f"{group}{a}", f"{group}{b}", "left" if a < b else "right"))
    ballots = ballots_of(rows)
    fit = estimate(ballots, Spec("bt"))
    errors = sparse_sandwich(
        ingredients(fit.likelihood, fit.solution.x, dense=False), fit.graph, np.zeros(16, dtype=bool)
    )
    rank = named.plain_ranks(fit.scores, fit.graph.component)
    low, high = named.rank_ranges(fit.scores, Interval(LIKE_THESE, errors), fit.graph.component, level=0.95)
    assert sorted(rank) == sorted([1, 2, 3, 4] * 4) and (low <= rank).all() and (rank <= high).all()


@pytest.mark.parametrize("cases", quick([0, 150], 150))
def test_sparse_errors_are_the_dense_ones(cases):
    rng = np.random.default_rng(5)
    ballots, _ = world(rng, items=60, judges=300, votes=20, slope=0.4, tie=-0.5)
    if cases:
        ballots = replace(ballots, case=rng.integers(cases, size=len(ballots)))
    spec = spec_for(ballots, model="hbtl", ties="davidson", side="auto")
    fit = estimate(ballots, spec)
    silent, parts = (
        np.zeros(60, dtype=bool),
        {dense: ingredients(fit.likelihood, fit.solution.x, dense=dense) for dense in (True, False)},
    )
    dense, sparse = sandwich(parts[True], fit.graph, silent), sparse_sandwich(parts[False], fit.graph, silent)
    for name in parts[True].groups:
        ratio = np.sqrt(sparse.scores(name).variance / dense.scores(name).variance)
        assert ratio.mean() == pytest.approx(1, abs=0.03) and ratio.std() < 0.06
        pair = [errors.pairs(name, np.array([3, 11])).variance[0, 1] for errors in (sparse, dense)]
        assert pair[0] == pytest.approx(pair[1], rel=1e-4)


def test_an_item_that_one_judge_alone_has_seen_has_no_tiny_interval():
    ballots, _ = world(np.random.default_rng(6), items=5, judges=15, votes=60)
    rows = rows_of(ballots) + [("judge 0", "item 0", "lonely", k) for k in ("left", "right") * 8]
    fitted = juryrank.fit(rows, model="bt")
    by_name = {item.name: item for item in fitted.items}
    assert by_name["lonely"].high - by_name["lonely"].low > by_name["item 0"].high - by_name["item 0"].low
    (check,) = [check for check in fitted.checks if check.name == "intervals"]
    assert not check.ok and "'lonely'" in check.words


def test_more_judges_not_more_votes_of_the_same_make_intervals_narrower():
    def width(judges, votes):
        ballots, _ = world(np.random.default_rng(7), items=6, judges=judges, votes=votes, taste=1.0)
        return float(np.mean(estimate(ballots, Spec("bt")).intervals[LIKE_THESE].scores(0.95)))

    base, more_votes, more_judges = width(12, 40), width(12, 400), width(120, 40)
    assert more_votes > 0.6 * base and more_judges < 0.5 * base


def test_a_difference_of_two_items_has_its_interval():
    ballots, _ = world(np.random.default_rng(8), items=4, judges=20, votes=60, scores=[2, 0, 0, -2])
    fitted = juryrank.fit(rows_of(ballots))
    found = fitted.difference("item 0", "item 3")
    assert found.low > 1 and found.low < found.ahead < found.high
    assert found.ahead == pytest.approx(-fitted.difference("item 3", "item 0").ahead)


HELD = {  # world, judges, cases (0: no such column) of the benchmark, and its kind of design
    "two judges": ("cases", 2, 20, "all"),
    "three judges with tastes": ("tastes", 3, 0, "all"),
    "three judges alike": ("noise", 3, 40, "all"),
    "five judges": ("both", 5, 40, "all"),
    "five judges, one baseline": ("both", 5, 40, "star"),
    "seven unequal judges": ("both", 7, 20, "part"),
}


FEW = ("two judges", "three judges with tastes", "five judges, one baseline")


@pytest.mark.parametrize(
    "where", [where if where in FEW else pytest.param(where, marks=pytest.mark.slow) for where in HELD]
)
def test_both_intervals_hold_what_their_names_say(where):
    """60 runs of 10 gaps each: their mean has a standard error of about 2 points."""
    name, judges, cases, design = HELD[where]
    (kind,) = [world for world in WORLDS if world.name == name]
    row = cell(kind, design, "bt", judges, cases, 60)
    assert 0.84 <= row[f"{THESE} gaps"] <= 0.97
    assert judges < 3 or 0.84 <= row[f"{LIKE_THESE} gaps"] <= 0.99


def test_votes_on_one_case_are_not_so_many_opinions():
    """Eight judges who all see the same case agree about it: by vote, errors would be far too small."""
    rng, (kind,) = np.random.default_rng(3), [world for world in WORLDS if world.name == "cases"]
    ballots = votes_of(rng, kind, "all", kind.judges(rng, 8), 60)
    with_cases, without = estimate(ballots, Spec("bt")), estimate(replace(ballots, case=None), Spec("bt"))
    wider = with_cases.intervals[THESE].scores(0.95) / without.intervals[THESE].scores(0.95)
    assert wider.mean() > 1.3


@pytest.mark.slow
@pytest.mark.parametrize("model", ["bt", "hbtl"])
@pytest.mark.parametrize(("judges", "votes", "items"), [(10, 40, 8), (20, 40, 20), (30, 60, 40), (65, 40, 20)])
def test_coverage_over_the_whole_range(model, judges, votes, items):
    spec = Spec(model)
    held, _ = covered(judges=judges, votes=votes, spec=spec, truth=truth_for(spec, items=items), runs=150, seed=9)
    assert 0.925 <= held <= 0.975

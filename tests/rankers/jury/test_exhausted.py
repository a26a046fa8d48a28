"""A table that is all asked decides exactly: whatever can be proven of it is proven, and nothing else."""

from itertools import permutations

import numpy as np
import pytest

from juryrank import SKIP, TIE
from juryrank.core.levels import read_objective
from juryrank.rankers.jury.core import candidates
from juryrank.rankers.jury.core.claims import needed
from juryrank.rankers.jury.ranker import Jury
from tests.quick import quick

EDGE = 1e-9
WORLDS = 24  # small tables per kind
SEEDS = {"left out": 13, "against": 17}


def small_table(rng, *, items, refused):
    """values[i, j][judge, case, side]; NaN: a refusal."""
    cases, values = int(rng.integers(1, 5)), {}
    for i in range(items):
        for j in range(i + 1, items):
            x = rng.choice([-1.0, 0.0, 1.0], size=(2, cases, 2), p=[0.3, 0.3, 0.4])
            values[i, j] = np.where(rng.random(x.shape) < refused, np.nan, x)
    return values


def answer_of(values, question):
    left, right = int(question.left), int(question.right)
    pair = (min(left, right), max(left, right))
    x = values[pair][int(question.judge[1:]), int(question.case), int(left > right)]
    if np.isnan(x):
        return SKIP
    return TIE if x == 0 else question.left if (x > 0) == (left < right) else question.right


def true_list(values, order, objective, epsilon, *, against):
    """Does the whole table say all that this order needs?"""
    goal, k = read_objective(objective)
    for better, worse in needed(goal, list(order), k):
        x = values[min(better, worse), max(better, worse)] * (1 if better < worse else -1)
        z = np.where(np.isnan(x), 2 * epsilon - 1 if against else 0.0, x + 2 * epsilon)
        if z.mean() < -EDGE or np.isnan(x).all():
            return False
    return True


@pytest.mark.parametrize("refusals", quick(["left out", "against"]))
def test_what_a_whole_table_says_is_found(refusals):
    rng, wrong = np.random.default_rng(SEEDS[refusals]), 0
    for number in range(WORLDS):
        items, against = int(rng.integers(2, 5)), refusals == "against"
        values = small_table(rng, items=items, refused=(0.0, 0.2, 0.6)[number % 3])
        objective = ("best", "order", "order", "top-2")[number % (4 if items > 2 else 3)]
        resolution = (0.0, 0.05, "falling")[number % 3]
        jury = Jury(
            [str(i) for i in range(items)], judges=["j0", "j1"],
            cases=[str(c) for c in range(next(iter(values.values())).shape[1])],
            objective=objective, resolution=resolution, refusals=refusals, seed=number,
        )  # fmt: skip
        while (question := jury.ask()) is not None:
            jury.tell(question, answer_of(values, question))
        reachable = None
        for epsilon in jury.state.read.resolutions:
            orders = permutations(range(items))
            if not any(true_list(values, order, objective, epsilon, against=against) for order in orders):
                break
            reachable = epsilon
        found = jury.ranking
        if found.proven:
            order = [int(item) for item in found.order]
            wrong += not true_list(values, order, objective, found.resolution, against=against)
        assert found.resolution == reachable or (found.proven and found.resolution < reachable), number
    assert wrong <= 0.05 * WORLDS  # the level: draws may mislead


def test_a_pair_that_the_search_has_exhausted_is_proven_by_counting():
    """Equal systems: all their cells were asked before a list was fixed, and nothing counted them for it."""
    value = {"new": 3, "mid": 2, "old": 1, "twin": 1}
    jury = Jury(list(value), judges=["m"], cases=40, resolution=0, objective="order", seed=1)
    while (question := jury.ask()) is not None:
        lead = value[question.left] - value[question.right]
        jury.tell(question, TIE if lead == 0 else question.left if lead > 0 else question.right)
    assert jury.done and jury.ranking.proven and jury.ranking.certified
    assert Jury.restore(jury.snapshot()).ranking.proven  # the same live and restored


def test_moving_items_about_ends_where_nothing_is_gained(monkeypatch):
    """Sums with links counted false are rounded: 60 items went round and round for a second per answer."""
    rng, looks = np.random.default_rng(5), []
    hopes = np.log(rng.random((60, 60)))
    hopes[rng.random(hopes.shape) < 0.9] = candidates.COUNTED_FALSE
    np.fill_diagonal(hopes, 0.0)

    def gains(table, real=candidates._gains_of_moves):
        looks.append(real(table))
        return looks[-1]

    monkeypatch.setattr(candidates, "_gains_of_moves", gains)
    found = candidates._moved(list(range(60)), hopes)
    assert sorted(found) == list(range(60)) and len(looks) < 2 * 60
    before, after = hopes[range(59), range(1, 60)].sum(), hopes[found[:-1], found[1:]].sum()
    assert after - before == pytest.approx(sum(look.max() for look in looks))

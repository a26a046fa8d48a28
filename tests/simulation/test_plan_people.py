"""The forecast for a panel of people, before it starts."""

from __future__ import annotations

import numpy as np
import pytest

from juryrank.cli.plan.people import people_text
from juryrank.errors import BadInput
from juryrank.simulation.planning.people import _typical, plan_people, world
from juryrank.simulation.worlds.people import all_tied, circle, clusters, normal_scores, without_order


def test_more_people_settle_more_and_the_fewest_are_named():
    plan = plan_people(30, 6, objective="tiers", majority=0.9, runs=4, seed=1)
    pairs = [size.pairs for size in plan.sizes]
    assert pairs == sorted(pairs) and pairs[-1] > pairs[0]
    assert [size.people for size in plan.sizes] == [15, 30, 60, 120]
    assert plan.fewest == 10 and plan.pairs == 15


def test_the_text_fits_eighty_columns_and_says_when_it_is_too_few():
    text = people_text(plan_people(5, 12, objective="top-3", runs=2))
    assert max(map(len, text.splitlines())) <= 80
    assert "Too few" in text and "at least 11 people" in text
    assert "top-3 settled" in text


@pytest.mark.parametrize(
    ("people", "items", "more", "words"),
    [
        (0, 5, {}, "no panel"),
        (9, 1, {}, "2 to"),
        (9, 5, {"objective": "top-5"}, "k goes from 1 to 4"),
        (9, 5, {"objective": "order"}, "for people use objective='ranges'"),
        (9, 5, {"majority": 0.5}, "above 0.5"),
        (9, 5, {"unlike": "cats"}, "alike"),
        (9, 5, {"sitting": 0}, "1 question"),
    ],
)
def test_what_cannot_be_planned(people, items, more, words):
    with pytest.raises(BadInput, match=words):
        plan_people(people, items, runs=1, **more)


@pytest.mark.parametrize("unlike", ["alike", "unequal", "camps"])
def test_the_worlds_have_the_majority_that_was_guessed(unlike):
    theta = world(10, 0.75, unlike, np.random.default_rng(2)).theta()
    assert _typical(theta) == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize(
    "population",
    [
        normal_scores(5, np.random.default_rng(1)),
        clusters(5, np.random.default_rng(2)),
        circle(5),
        all_tied(4),
        without_order(normal_scores(4, np.random.default_rng(3))),
    ],
    ids=lambda p: p.name,
)
def test_people_answer_with_the_share_that_the_population_states(population):
    rng = np.random.default_rng(5)
    theta, runs = population.theta(), 1500
    assert np.allclose(theta + theta.T, 1)
    share = np.mean([population.person(rng).prefers(0, 2) for _ in range(runs)])
    assert share == pytest.approx(theta[0, 2], abs=4 * 0.5 / np.sqrt(runs))


def test_the_circle_is_one():
    theta = circle(3).theta()
    assert theta[0, 1] > 0.5 and theta[1, 2] > 0.5 and theta[2, 0] > 0.5

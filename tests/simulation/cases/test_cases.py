"""Simulated evaluations on cases: the same seed, the same answers; the jury proves what the table says."""

import numpy as np
import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import BadInput, BadWorld
from juryrank.simulation.planning.cases import plan_cases
from juryrank.simulation.players.cases import CaseWorld, nine_in_ten, play_cases, simulate_cases
from tests.quick import quick


def test_a_world_is_made_from_its_seed_alone():
    one, two = (CaseWorld(systems=4, judges=2, cases=30, seed=3, ties=0.2, refuse=0.1) for _ in range(2))
    two.values(1, 3)  # in another order
    assert np.array_equal(one.values(0, 2), two.values(0, 2), equal_nan=True)
    kept = two.values(0, 2).copy()
    two.forget()
    assert np.array_equal(kept, two.values(0, 2), equal_nan=True)
    assert np.isnan(kept).any() and (kept == 0).any()
    assert one.mean(0, 2) == pytest.approx(-one.mean(2, 0))


def test_side_leanings_show_on_the_sides():
    world = CaseWorld(systems=2, judges=1, cases=4000, gap=0.0, side=3.0, by_case=0.0, wrong=0.0, seed=3)
    left, right = world.values(0, 1)[0].mean(axis=0)
    assert abs(left + right) < 0.1 and abs(left) > 0.3


@pytest.mark.parametrize("objective", quick(["best", "top-2", "order"]))
def test_what_is_proven_is_true(objective):
    for seed in range(2):
        run = play_cases(
            CaseWorld(systems=4, judges=2, cases=40, seed=seed), seed=seed, objective=objective, resolution=0.05
        )
        assert run.proven and not run.false and run.calls < 4 * 3 * 2 * 40


@pytest.mark.slow
def test_many_open_questions_cost_little_more():
    world = CaseWorld(systems=4, judges=2, cases=200, gap=1.0)
    one, many = (simulate_cases(world, repeats=6, parallel=parallel, resolution=0.05) for parallel in (1, 32))
    assert many.calls_mean < 1.3 * one.calls_mean + 32
    assert one.proven_rate == many.proven_rate == 1


def test_a_plan_compares_with_the_whole_evaluation():
    found = plan_cases(4, 50, 2, runs=1, prices={"judge-1": 1.0, "judge-2": 3.0}, gap=1.0)
    assert found.whole == 4 * 3 * 50 * 2 and found.whole_money == pytest.approx(2 * found.whole)
    assert {line.objective for line in found.lines} == {"best", "top-3", "order"}
    assert all(0 < line.share < 1 and line.money > 0 for line in found.lines)


def test_bad_worlds_are_refused():
    with pytest.raises(BadWorld, match="cases"):
        CaseWorld(cases=0)
    with pytest.raises(BadWorld, match="refusals"):
        CaseWorld(refuse=1.0)


def test_good_forecasts_make_a_plan_cheaper():
    world = {"systems": 2, "judges": 1, "cases": 300, "gap": 0.4, "uneven": 0.0}
    options = {"objective": "best", "resolution": 0.05, "repeats": 8}
    calls = [simulate_cases(CaseWorld(**world, forecast=share), **options).calls_mean for share in (None, 0.8)]
    assert calls[1] < 0.9 * calls[0]
    with pytest.raises(BadWorld, match="from 0 to 1"):
        CaseWorld(forecast=1.5)


def test_the_commands_print_a_table():
    runner, app = CliRunner(), build_app()
    plan = runner.invoke(app, ["plan", "--systems", "3", "--cases", "20", "--runs", "1", "--price", "0.01"])
    assert plan.exit_code == 0 and "The whole evaluation: 120 calls, 1.20 at your prices." in plan.output
    assert max(map(len, plan.output.splitlines())) <= 80
    played = runner.invoke(
        app, ["simulate", "--ranker", "jury", "--items", "3", "--judges", "1", "--cases", "20", "--repeats", "2"]
    )
    assert played.exit_code == 0 and "of the whole evaluation" in played.output
    assert isinstance(runner.invoke(app, ["plan", "--cases", "20"]).exception, BadInput)


def test_nine_in_ten_further_evaluations_stay_below():
    """Of few runs the quantile is too low: it held in under 80 % of these draws."""
    rng = np.random.default_rng(3)
    draws = np.exp(rng.normal(5, 0.4, (4000, 6)))
    held = np.mean([row[5] <= nine_in_ten(row[:5], most=1e9) for row in draws])
    assert 0.885 < held < 0.915
    assert nine_in_ten(np.array([300.0, 900.0]), most=1000) == 1000


def test_dear_judges_are_asked_less_and_the_money_counts_it():
    prices = {"judge-1": 1.0, "judge-2": 20.0}
    found = plan_cases(3, 30, 2, runs=3, prices=prices, gap=1.0)
    assert all(line.money < 0.8 * 10.5 * line.calls for line in found.lines)
    with pytest.raises(BadInput, match="judge-1 to judge-2"):
        plan_cases(3, 30, 2, runs=1, prices={"judge-3": 1.0})

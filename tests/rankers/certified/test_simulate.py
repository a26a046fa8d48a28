"""`juryrank simulate --ranker certified`, mostly not compiled (a few small runs)."""

import pytest

from juryrank.cli.simulate import options_of
from juryrank.core.compiling import without_compiling
from juryrank.errors import BadInput
from juryrank.simulation import Bernoulli, simulate


def simulated(**options):
    with without_compiling():
        return simulate("certified", Bernoulli((0.95, 0.7)), items=6, delta=0.1, repeats=4, seed=1, **options)


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_the_keys_of_the_certified_ranker(assume):
    found = simulated(assume=assume).to_dict()
    assert found["assume"] == assume
    assert found["proven_links_mean"] == 5 and found["attempts_mean"] >= 1
    assert found["rounds_mean"] == found["questions_mean"]  # one at a time


def test_open_at_once_takes_fewer_rounds():
    found = simulated(parallel=8).to_dict()
    assert found["rounds_mean"] < 0.6 * found["questions_mean"]
    assert found["certified_rate"] == 1


def test_a_budget_ends_a_run():
    found = simulated(budget=10)
    assert found.certified_rate == 0 and found.questions_mean == 10


def test_options_that_do_not_belong_are_refused():
    with pytest.raises(BadInput, match="--assume"):
        options_of("ada-iir", assume="steady", parallel=None)
    with pytest.raises(BadInput, match="parallel"):
        simulated(parallel=0)


ACCURACIES = [0.685, 0.717]  # between two accuracies of the grid, and on one of them


def proven_best(accuracy, **options):
    steady = {"delta": 0.1, "seed": 1, "assume": "steady", "objective": "best", **options}
    return simulate("certified", Bernoulli((accuracy,) * 6), **steady).to_dict()["certified_rate"] == 1


@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_steady_proves_whatever_the_judges_accuracy(accuracy):
    with without_compiling():
        assert proven_best(accuracy, items=40, repeats=1, budget=2000)


@pytest.mark.slow
@pytest.mark.xdist_group("certified, compiled")
@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_steady_proves_the_best_of_three_hundred(accuracy):
    """On the grid alone this takes 5,200 questions at .717, and at .685 nothing was proven by 300,000."""
    assert proven_best(accuracy, items=300, repeats=2, budget=25_000)

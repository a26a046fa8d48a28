"""The paper's rankers return the whole true order with probability at least 1 - δ: small hard worlds, δ = 0.25."""

import pytest

from juryrank.simulation import Bernoulli, simulate
from tests.quick import quick
from tests.statistics import lower_bound

DELTA = 0.25
WORLDS = {
    "one judge, margin 0.05": (Bernoulli(accuracies=(0.55,)), 3),
    "one judge, margin 0.1": (Bernoulli(accuracies=(0.6,)), 4),
    "three judges, margins 0.05 to 0.1": (Bernoulli(accuracies=(0.55, 0.6, 0.6)), 3),
    "one good among poor ones": (Bernoulli(accuracies=(0.9, 0.52, 0.55, 0.51)), 5),
    "equal judges": (Bernoulli(accuracies=(0.7,) * 5), 6),
    "two items": (Bernoulli(accuracies=(0.55, 0.8)), 2),
}
RANKERS = ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage")


def check(ranker, world_name, where, repeats, constants="paper"):
    world, items = WORLDS[world_name]
    found = simulate(
        ranker, world, items=items, delta=DELTA, repeats=repeats, seed=2026, budget=10**12, constants=constants,
        where=where,
    )  # fmt: skip
    wrong = sum(run.certified and not run.exact for run in found.runs)
    assert found.certified_rate == 1
    assert lower_bound(wrong, repeats) <= DELTA, f"{wrong} wrong of {repeats}"
    return wrong


@pytest.mark.parametrize("world", quick(WORLDS, "one judge, margin 0.1", "one good among poor ones"))
@pytest.mark.parametrize("ranker", RANKERS)
def test_wrong_at_most_delta(ranker, world, where):
    check(ranker, world, where, repeats=120)


@pytest.mark.slow
@pytest.mark.parametrize("constants", ["paper", "released"])
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("ranker", RANKERS)
def test_wrong_at_most_delta_in_2000_runs(ranker, world, constants, where):
    check(ranker, world, where, repeats=2000, constants=constants)


def test_the_check_can_see():
    """A ranker stopped by chance alone fails the same check."""
    assert lower_bound(600, 2000) > DELTA
    assert lower_bound(45, 120) > DELTA

"""`juryrank simulate --ranker certified`, in the plain gear (a few small runs)."""

import pytest

from juryrank.cli.simulate.command import options_of
from juryrank.core.gears import plain_gear
from juryrank.errors import BadInput
from juryrank.simulation import Bernoulli, simulate


def simulated(**options):
    with plain_gear():
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

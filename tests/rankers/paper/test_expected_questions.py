"""What an insertion ranking expects to ask in all: near the truth, with an interval that holds it."""

import random

import pytest

from juryrank.rankers import make_ranker
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.paper.insertion import outlook
from tests.quick import quick


def test_nothing_is_expected_before_something_was_placed():
    assert outlook([], items=5, asked=40) == (None, None, None)
    expected, low, high = outlook([100, 210], items=5, asked=230)
    assert 300 < expected < 600 and low is high is None  # too few to tell how they vary
    expected, low, high = outlook([100, 210, 330], items=4, asked=330)
    assert expected == low == high == 330


LOOKS = 20  # questions from one look at the outlook to the next


@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(100, 140), marks=[pytest.mark.slow, pytest.mark.timeout(1200)])]
)
@pytest.mark.parametrize("name", quick(["iir", "ada-iir", "two-stage"], "ada-iir"))
def test_the_interval_holds_the_truth(name, seeds):
    inside = 0
    for seed in seeds:
        rng, seen = random.Random(seed), None
        accuracies = [rng.uniform(0.7, 0.95) for _ in range(3)]
        ranker = make_ranker(name, range(8), judges=range(3), error=0.2, seed=seed, constants="released")
        while (question := ranker.ask()) is not None:
            pair = sorted((question.left, question.right))
            ranker.tell(question, pair[rng.random() > accuracies[question.judge]])
            if seen is None and ranker.questions % LOOKS == 0 and ranker.progress.placed >= 5:
                seen = ranker.progress
                assert Ranker.restore(ranker.snapshot()).progress == seen
        inside += seen.expected_low <= ranker.questions <= seen.expected_high
        assert 0.6 < seen.expected / ranker.questions < 1.5
    assert inside >= 0.85 * len(seeds)

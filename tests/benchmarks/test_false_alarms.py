"""A small version of `python -m benchmarks.false_alarms`: clean worlds raise no alarm, biased ones do."""

import pytest
from benchmarks.false_alarms import BIASED, CLEAN, answers_until


@pytest.mark.parametrize(("world", "runs"), [("certified, better than chance", 3), ("jury on cases", 1)])
def test_clean_worlds_raise_no_alarm(world, runs):
    assert [CLEAN[world](500 + k) for k in range(runs)] == [set()] * runs


def test_gold_pairs_and_people_raise_no_alarm():
    assert set().union(*(CLEAN["gold pairs, judges who toss coins"](k) for k in range(40))) == set()


@pytest.mark.parametrize("bias", BIASED, ids=lambda bias: f"{bias.words}, {bias.judges}")
def test_a_bias_is_named_soon(bias):
    assert max(answers_until(bias, seed) for seed in range(20)) < 600

"""Intervals of pairs hold about as often as they say, although questions and stops follow the answers."""

from benchmarks.jury.intervals import covered, six_worlds


def test_intervals_of_pairs_hold():
    answers = dict(six_worlds())["three judges"]
    rows = covered(answers, objective="best", resolution=(0.05,), runs=4, seed=3)
    assert len(rows) > 30 and 0.8 <= rows[:, 2].mean() <= 1.0

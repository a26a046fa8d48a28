"""A small version of `python -m benchmarks.estimates`: intervals that hold far too rarely or always are a bug."""

import numpy as np
import pytest
from benchmarks.estimates.coverage import run
from benchmarks.estimates.speed import bradley_terry, draw, speed_table
from benchmarks.estimates.worlds import KINDS

from juryrank.rankers.guess.core.estimate import estimate
from tests.quick import quick

SOME = list(KINDS)[::2]


@pytest.mark.parametrize(
    "kind", [kind if kind in SOME else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
)
def test_intervals_hold_about_as_often_as_they_say(kind):
    found = [run(kind, "panel", (12, 10, 14), seed) for seed in range(6)]
    score, rank = (np.mean([getattr(one, name) for one in found]) for name in ("score", "rank"))
    assert 0.75 < score and 0.78 < rank  # 72 intervals of 90 %
    assert np.mean([one.ranks_wide for one in found]) < 11  # and they say something


def test_repeated_answers_about_a_pair_do_not_add_up_to_a_distance():
    """Judges who err equally often on every pair: with a site per answer, 58 % of these intervals held."""
    assert np.mean([run("steady", "panel", (20, 18, 60), seed).score for seed in range(4)]) > 0.75


@pytest.mark.parametrize("kind", quick(["spammers", "ties"]))
def test_judges_are_weighed_over_all_distances(kind):
    """With a site per answer, split answers about close items passed for lapses: 84 to 86 % of these held."""
    found = [run(kind, "certified", (12, 10, 30), seed) for seed in range(6)]
    assert np.mean([one.score for one in found]) > 0.8 and np.mean([one.rank for one in found]) > 0.8
    assert np.mean([one.ranks_wide for one in found]) < 11


def test_the_table_of_speeds_times_both_readings_beside_a_plain_fit_of_the_same_answers():
    answers = draw(6, 3, 400)
    found = estimate(answers.table(), items=6, judges=3, opinions=True)
    assert answers.table().answers == 400
    assert np.argsort(bradley_terry(answers)).tolist() == np.argsort(found.score).tolist()
    rows = speed_table(((6, 3, 400, 0.3),), times=1).splitlines()[2:]
    assert [row.split(" | ")[3] for row in rows] == [
        "estimates, one truth",
        "estimates, opinions",
        "Bradley-Terry, evalica",
    ]

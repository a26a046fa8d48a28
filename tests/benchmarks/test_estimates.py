"""A small version of `python -m benchmarks.estimates`: intervals that hold far too seldom or always are a bug."""

import numpy as np
import pytest
from benchmarks.estimates.coverage import run
from benchmarks.estimates.worlds import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_about_as_often_as_they_say(kind):
    ranker = "certified" if kind == "steady" else "panel"
    found = [run(kind, ranker, (12, 10, 14), seed) for seed in range(6)]
    score, rank = (np.mean([getattr(one, name) for one in found]) for name in ("score", "rank"))
    assert 0.75 < score and 0.78 < rank  # 72 intervals of 90 %
    assert np.mean([one.ranks_wide for one in found]) < 11  # and they say something

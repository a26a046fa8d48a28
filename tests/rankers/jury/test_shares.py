"""The share of a pair's answers: an estimate that is a share, whoever refuses how often."""

import pytest

from juryrank.rankers.jury.shares import ToldCells


@pytest.mark.parametrize("x", [[-10.0, -5.0], [10.0, 5.0], [-9.0, -6.0]])
def test_a_judge_who_refuses_less_than_the_others_makes_no_share_beyond_none_or_all(x):
    told = ToldCells((0.5, 0.5), [10, 10], x, squares=15.0, answered=15.0, known=0.1)
    found = told.share()
    assert 0 <= found.low <= found.share <= found.high <= 1 and found.answers == 15
    assert found.share == pytest.approx(0.0 if x[0] < 0 else 1.0, abs=0.08)

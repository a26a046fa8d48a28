"""The bounds behind the promises' tests: exact, and on the right side."""

import math

import pytest

from tests.statistics import lower_bound, surely_above, surely_below, upper_bound


def tail(wrong, runs, rate):
    """P(Binomial(runs, rate) >= wrong), summed."""
    return sum(math.comb(runs, k) * rate**k * (1 - rate) ** (runs - k) for k in range(wrong, runs + 1))


def test_the_lower_bound_is_exact():
    assert lower_bound(0, 100) == 0.0
    assert lower_bound(1, 100) == pytest.approx(1 - 0.99 ** (1 / 100), rel=1e-6)
    assert tail(31, 100, lower_bound(31, 100)) == pytest.approx(0.01, rel=1e-9)


def test_the_upper_bound_is_exact():
    assert upper_bound(100, 100) == 1.0
    assert upper_bound(0, 100) == pytest.approx(1 - 0.01 ** (1 / 100), rel=1e-6)
    assert 1 - tail(6, 100, upper_bound(5, 100)) == pytest.approx(0.01, rel=1e-9)


def test_doubt_is_not_enough():
    assert surely_above(31, 100, 0.2) and not surely_above(30, 100, 0.2)
    assert surely_below(0, 100, 0.05) and not surely_below(1, 100, 0.05)

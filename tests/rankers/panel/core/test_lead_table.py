"""The evidence for a pair: exact, monotone, a martingale at one half, and equal to its table."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from juryrank.core.lead_table import LeadTable, log_evidence
from juryrank.errors import BadInput


def exact(w: int, losses: int) -> Fraction:
    n = w + losses
    return Fraction(sum(math.comb(n + 1, j) for j in range(w + 1)), (n + 1) * math.comb(n, w))


def test_it_is_the_uniform_mixture_over_shares_from_one_half_to_one():
    p = np.linspace(0.5, 1, 20_001)
    for w, losses in ((0, 0), (3, 1), (12, 0), (2, 5), (30, 20)):
        values = 2 * p**w * (1 - p) ** losses
        integral = 2.0 ** (w + losses) * float(((values[1:] + values[:-1]) / 2 * np.diff(p)).sum())
        assert integral == pytest.approx(float(exact(w, losses)), rel=1e-5)


TALLIES = [(0, 0), (1, 0), (0, 1), (12, 0), (0, 40), (25, 13), (400, 300), (9, 900)]


@pytest.mark.parametrize(("w", "losses"), TALLIES)
def test_the_logarithm_is_the_exact_ratio(w, losses):
    value = exact(w, losses)
    logarithm = math.log(value.numerator) - math.log(value.denominator)
    assert log_evidence(w, losses) == pytest.approx(logarithm, abs=1e-9)


def test_at_one_half_it_is_a_fair_game():
    for w in range(8):
        for losses in range(8):
            assert exact(w, losses) == (exact(w + 1, losses) + exact(w, losses + 1)) / 2


@pytest.mark.parametrize("level", [0.3, 0.1, 0.1 / 45, 0.05 / 1225, 1e-7])
def test_the_table_is_the_exact_test(level):
    table, goal = LeadTable(level), 1 / Fraction(level)
    for n in range(90):
        settling = [w for w in range(n + 1) if exact(w, n - w) >= goal]
        assert table.lead(n) == (2 * settling[0] - n if settling else n + 2)
        assert list(table.leads(n))[-1] == table.lead(n)


def test_the_figures_of_the_specification():
    table = LeadTable(0.1 / 45)
    assert table.fewest == 12
    assert [table.lead(n) for n in (20, 40, 80, 160)] == [16, 24, 36, 50]


@pytest.mark.parametrize("level", [0, 1, -0.1, 2])
def test_a_level_is_a_probability(level):
    with pytest.raises(BadInput, match="between 0 and 1"):
        LeadTable(level)

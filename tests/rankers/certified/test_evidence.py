"""The formulas that carry the promise."""

import itertools
import math

import pytest

from juryrank.core.levels import level_of
from juryrank.rankers.certified.core.prove.evidence import (
    ACCURACY_GRID,
    GRID_SIZE,
    log_bet,
    log_mixture,
    log_supremum,
    most_right,
)
from juryrank.verify.arithmetic.evidence import AccuracyPrior, Mixture

FLAT = [1 / GRID_SIZE] * GRID_SIZE + [0.0] * 3
SMOOTH = [0.4 / GRID_SIZE] * GRID_SIZE + [0.6, 7.5, 3.0]


def test_the_levels_sum_to_delta():
    assert sum(level_of(0.1, m) for m in range(1, 100_001)) == pytest.approx(0.1, rel=1e-4)
    assert all(level_of(0.1, m) > level_of(0.1, m + 1) for m in range(1, 50))


@pytest.mark.parametrize("bet", [0.02, 0.3, 0.98])
def test_a_bet_against_a_coin_wins_nothing(bet):
    assert 0.5 * math.exp(log_bet(bet, True)) + 0.5 * math.exp(log_bet(bet, False)) == pytest.approx(1)


def test_mixture_and_supremum_by_brute_force():
    direct = sum(p**7 * (1 - p) ** 2 for p in ACCURACY_GRID) / GRID_SIZE
    assert math.exp(log_mixture(FLAT, 7, 9)) == pytest.approx(direct)
    steps = [(k + 0.5) / 20_000 for k in range(20_000)]
    density = [p**6.5 * (1 - p) ** 2 for p in steps]  # of Beta(7.5, 3), up to a factor
    beta = sum(f * p**7 * (1 - p) ** 2 for p, f in zip(steps, density, strict=True)) / sum(density)
    assert math.exp(log_mixture(SMOOTH, 7, 9)) == pytest.approx(0.4 * direct + 0.6 * beta)
    fine = [0.5 + k / 200_000 for k in range(100_000)]
    assert log_supremum(7, 9) == pytest.approx(max(7 * math.log(p) + 2 * math.log(1 - p) for p in fine), abs=1e-6)


@pytest.mark.parametrize("truth", [0, 1])
def test_the_steady_bound_is_never_below_the_true_likelihood(truth):
    """Whatever is asked at two links of which link `truth` is wrong, no more answers are right than A says."""
    for tallies in itertools.product(range(4), repeat=4):
        w, against = tallies[:2], tallies[2:]
        for other_wrong in (False, True):
            wrong = (True, other_wrong) if truth == 0 else (other_wrong, True)
            right = sum(against[i] if wrong[i] else w[i] for i in (0, 1))
            larger = sum(max(w[i], against[i]) for i in (0, 1))
            assert right <= most_right(larger, w[truth] - against[truth])


@pytest.mark.parametrize("prior", [FLAT, SMOOTH])
def test_steady_evidence_has_mean_at_most_one(prior):
    """All answer sequences of one judge at one wrong link, true accuracy .5 .. .9: the mean of E is at most 1."""
    for p in (0.5, 0.7, 0.9):
        mean = 0.0
        for answers in itertools.product((True, False), repeat=6):  # True: agrees with the (wrong) list
            w, n = sum(answers), len(answers)
            log_e = log_mixture(prior, w, n) - log_supremum(most_right(max(w, n - w), 2 * w - n), n)
            mean += math.exp(log_e) * (1 - p) ** w * p ** (n - w)
        assert mean <= 1 + 1e-9


@pytest.mark.parametrize("prior", [FLAT, SMOOTH])
@pytest.mark.parametrize("answers", [1, 40, 100_000])
def test_the_checker_finds_the_same_mixture(prior, answers):
    agree = round(0.7 * answers)
    checked = Mixture(AccuracyPrior(prior[:GRID_SIZE], tuple(prior[GRID_SIZE:])))
    for k in range(answers):
        checked.answer(k < agree)
    assert log_mixture(prior, agree, answers) == pytest.approx(checked.log, abs=1e-8)

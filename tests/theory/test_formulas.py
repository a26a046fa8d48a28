"""The formulas' shapes: their values must show what the paper says about them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juryrank import theory
from juryrank.errors import BadInput
from juryrank.theory.adaptive import slope
from juryrank.theory.two_stage import empirical

accuracies = st.lists(st.floats(0.55, 1.0), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("gamma", "limit"),
    [(0.5, 2595), (1.0, 1086), (2.5, 730)],
)
def test_information_limit_of_the_three_gammas(gamma, limit):
    assert round(theory.information_limit(100, 1 / (1 + math.exp(-3 * gamma)))) == limit


@given(st.floats(0.51, 0.99), st.integers(2, 500))
def test_limit_falls_with_accuracy_and_grows_with_items(accuracy, items):
    here = theory.information_limit(items, accuracy)
    assert here > theory.information_limit(items, accuracy + 0.01)
    assert here < theory.information_limit(items + 1, accuracy)
    assert here >= items * math.log2(items)


@given(accuracies, st.integers(2, 300))
def test_best_judge_is_never_dearer_than_the_average(found, items):
    best = theory.best_cost(found, items=items, error=0.1)
    assert best <= theory.average_cost(found, items=items, error=0.1) * (1 + 1e-12)
    terms = theory.adaptive_cost(found, items=items, error=0.1)
    assert terms.best == best
    assert terms.total >= best


def test_one_perfect_judge_costs_only_the_first_term():
    terms = theory.adaptive_cost([1.0], items=50, error=0.05)
    assert (terms.waiting, terms.learning) == (0, 0)


def test_slope_is_the_chord_of_a_convex_function():
    margin, floor = 0.3, 0.3**3 / 25
    for step in range(1, 10):
        between = floor + (margin - floor) * step / 10
        near, best = (theory.insertion_cost(m, items=30, error=0.1) for m in (between, margin))
        assert near - best <= slope(margin, items=30, error=0.1) * (margin - between)


def test_more_judges_wait_longer_before_anybody_is_dropped():
    few = theory.adaptive_cost([0.9, 0.6, 0.6], items=100, error=0.05)
    many = theory.adaptive_cost([0.9] + [0.6] * 20, items=100, error=0.05)
    assert few.waiting < many.waiting


@pytest.mark.parametrize(
    ("items", "judges", "warns"), [(100, 9, False), (100, 10, True), (4, 9, True), (9, 1, False)]
)
def test_proposition_2_in_words(items, judges, warns):
    assert (theory.many_judges_warning(items, judges) is not None) is warns


@given(st.lists(st.floats(0.55, 1.0), min_size=2, max_size=40), st.floats(0.01, 0.04))
def test_subset_never_exceeds_the_judges_and_shrinks_with_alpha(found, alpha):
    below, upper = empirical(found)
    small = theory.subset_size(below, upper=upper, alpha=alpha, error=0.1, judges=len(found))
    wide = theory.subset_size(below, upper=upper, alpha=alpha + 0.005, error=0.1, judges=len(found))
    assert 1 <= wide <= small <= len(found)


def test_lemma_alph_opt_holds_by_counting():
    """Uniform margins: P(no one of L within α/2 of b) = G(b-α/2)^L is at most δ/4, and L the least such."""
    size = theory.subset_size(lambda m: m / 0.5, upper=0.5, alpha=0.2, error=0.1)
    share = 0.4 / 0.5
    assert share**size <= 0.025 < share ** (size - 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: theory.insertion_cost(0.6, items=10, error=0.1),
        lambda: theory.insertion_cost(0.1, items=10, error=0),
        lambda: theory.best_cost([], items=10, error=0.1),
        lambda: theory.best_cost([1.2], items=10, error=0.1),
        lambda: theory.information_limit(10, 1.5),
        lambda: theory.information_limit(10, -0.5),
        lambda: theory.two_stage_cost([0.6], items=10, error=0.1, alpha=0.2),
        lambda: theory.subset_two_stage_cost([0.9], items=10, error=0.1, alpha=0.2, subset=2),
        lambda: theory.subset_size(lambda m: 1.0, upper=0.5, alpha=0.1, error=0.1),
        lambda: theory.subset_size(lambda m: 0.5, upper=0.5, alpha=0.6, error=0.1),
    ],
)
def test_what_cannot_be_is_refused_in_words(call):
    with pytest.raises(BadInput, match=r"must|is not|not below|give|strictly|at most"):
        call()


def test_judges_at_chance_cost_for_ever():
    assert theory.average_cost([0.4, 0.6], items=10, error=0.1) == math.inf
    assert theory.adaptive_cost([0.4, 0.6], items=10, error=0.1).total == math.inf

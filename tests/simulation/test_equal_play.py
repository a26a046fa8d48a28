"""The duel law, answer-by-answer play and the live rankers have one distribution: questions, judges, failures."""

import math

import numpy as np
import pytest

from juryrank.core.compiling import kernel
from juryrank.rankers.paper.core.constants import CONSTANTS
from juryrank.simulation import Bernoulli, play, two_groups
from juryrank.simulation.play import repeat_rng
from juryrank.simulation.players import paper
from juryrank.simulation.players import paper as selection
from juryrank.simulation.players.live import live_player
from tests.quick import quick

ALPHA = 1e-4  # a correct program fails one of these in ten thousand


def stats():
    """It takes a second to import, which only these tests need."""
    from scipy import stats

    return stats


def runs(ranker, world, items, count, *, offset, constants="paper", error=0.25, **options):
    fixed = {"items": items, "seed": 17, "error": error, "constants": CONSTANTS[constants], **options}
    return [play(ranker, world, repeat=offset + k, **fixed) for k in range(count)]


def column(found, name):
    return np.array([getattr(run, name) for run in found], float)


def assert_same(one, other, *, shift):
    """Two-sample tests; `shift`: the relative difference of means that they must be able to see (4 sigma)."""
    a, b = column(one, "questions"), column(other, "questions")
    error = math.hypot(a.std() / math.sqrt(len(a)), b.std() / math.sqrt(len(b)))
    assert 4 * error < shift * a.mean(), "not enough runs to see such a difference"
    assert abs(a.mean() - b.mean()) < 4 * error
    assert stats().ks_2samp(a, b).pvalue > ALPHA
    for name in ("active_judges", "exact"):
        assert_same_counts(one, other, name)


def assert_same_counts(one, other, name):
    values = np.unique(np.concatenate((column(one, name), column(other, name))))
    table = [[np.sum(column(found, name) == value) for value in values] for found in (one, other)]
    assert len(values) == 1 or stats().chi2_contingency(table).pvalue > ALPHA


@pytest.mark.parametrize("constants", quick(["paper", "released"]))
def test_law_and_answers_with_elimination_in_the_middle(mixed, constants):
    one = runs("ada-iir", mixed, 6, 1000, offset=0, constants=constants)
    other = runs("ada-iir", mixed, 6, 1000, offset=10_000, constants=constants, by_law=False)
    assert 1 < column(one, "active_judges").mean() < 9
    assert_same(one, other, shift=0.03)


def test_failures_are_as_frequent():
    """Judges below the paper's assumption: orders go wrong, judges are dropped wrongly, equally often."""
    world = Bernoulli((0.3, 0.4, 0.6, 0.7))
    options = {"items": 3, "error": 0.9, "budget": 30_000, "count": 600}
    one = runs("ada-iir", world, offset=0, **options)
    other = runs("ada-iir", world, offset=10_000, by_law=False, **options)
    for name in ("exact", "certified", "active_judges"):
        assert_same_counts(one, other, name)
    assert 0.02 < column(one, "exact").mean() < 0.98


@pytest.mark.parametrize(("ranker", "constants"), quick([("ada-iir", "paper"), ("two-stage", "paper")]))
def test_fast_players_and_live_rankers(ranker, constants):
    """The fast players against the rankers of live use, asked question by question."""
    world = two_groups(3, gamma_a=1.0, gamma_b=2.5)
    fast = runs(ranker, world, 3, 400, offset=0, constants=constants)
    fixed = {"items": 3, "error": 0.25, "constants": CONSTANTS[constants], "budget": 10**7}
    slow = [live_player(ranker)(world, rng=repeat_rng(23, k), **fixed) for k in range(7)]
    for name in ("questions", "selection_questions"):
        assert stats().ks_2samp(column(fast, name), column(slow, name)).pvalue > ALPHA
    assert_same_counts(fast, slow, "active_judges")


def test_selection_together_and_one_by_one(monkeypatch, mixed):
    """Answers drawn together, where nothing can happen, change nothing in the selection's distribution."""
    together = runs("two-stage", mixed, 2, 300, offset=0)

    @kernel
    def never(pool, rule, epsilon, answers):
        return 0

    monkeypatch.setattr(selection, "uneventful", never)
    monkeypatch.setattr(paper, "compiled", lambda function: function)
    single = runs("two-stage", mixed, 2, 25, offset=10_000)
    a, b = (column(found, "selection_questions") for found in (together, single))
    assert stats().ks_2samp(a, b).pvalue > ALPHA


@pytest.mark.slow
@pytest.mark.parametrize("items", [5, 10, 20, 50])
@pytest.mark.parametrize("constants", ["paper", "released"])
@pytest.mark.parametrize("gammas", [(0.5, 1.0), (0.25, 2.5), (0.25, 0.5)])
def test_law_and_answers_to_one_percent(items, constants, gammas):
    """Enough runs to see a difference of one per cent in the mean."""
    world = two_groups(12, gamma_a=gammas[0], gamma_b=gammas[1])
    count = math.ceil(60_000 / items)
    one = runs("ada-iir", world, items, count, offset=0, constants=constants)
    other = runs("ada-iir", world, items, count, offset=100_000, constants=constants, by_law=False)
    assert_same(one, other, shift=0.01)

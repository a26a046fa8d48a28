"""Estimates: finite for every input, ordered as the answers say, bounded by what is promised."""

from itertools import pairwise

import numpy as np
import pytest

from juryrank.core.tallies import AnswerCounts, CountTable
from juryrank.rankers import make_ranker
from juryrank.rankers.guess.core.estimate import PairRows, components, each_link, estimate, fit_pairs
from juryrank.rankers.guess.core.link import SLOPES, JudgeLinks, sigmoid
from juryrank.rankers.guess.core.many import estimate_many
from juryrank.rankers.guess.core.posterior import CountedAnswers, fit
from juryrank.types import TIE, Source
from tests.conformance.rankers import better, build, noisy, play


def table(*answers):
    """(judge, winner, loser) or, for a tie, (judge, first, second, None)."""
    counts = AnswerCounts()
    for judge, first, second, *tie in answers:
        counts.add(judge, first=first, second=second, preferred=None if tie else first)
    return counts.table()


def bradley_terry(items, judges, answers, seed, slope=2.0):
    rng = np.random.default_rng(seed)
    score = np.linspace(1.5, -1.5, items)
    rows = []
    for k in range(answers):
        i, j = rng.choice(items, size=2, replace=False)
        won = rng.random() < 1 / (1 + np.exp(-slope * (score[i] - score[j])))
        rows.append((k % judges, i, j) if won else (k % judges, j, i))
    return table(*rows)


@pytest.mark.parametrize("opinions", [False, True])
@pytest.mark.parametrize(
    ("rows", "items"),
    [
        ([], 1),
        ([], 4),
        ([(0, 0, 1)], 2),
        ([(0, 0, 1), (0, 2, 3)], 4),  # nothing joins the two pairs
        ([(u, 0, 1, None) for u in range(5)], 3),  # ties only
        ([(0, 0, 1)] * 5000, 3),  # one judge, one pair, again and again
        ([(0, 0, 1), (1, 1, 2), (2, 2, 0)] * 50, 3),  # a circle
        ([(u, 0, j) for u in range(9) for j in (1, 2, 3)], 4),  # never beaten
    ],
)
def test_numbers_are_finite_and_make_sense(rows, items, opinions):
    found = estimate(table(*rows), items=items, judges=9, opinions=opinions, k=1)
    for values in found:
        assert np.isfinite(values).all()
    assert (found.score_low <= found.score).all() and (found.score <= found.score_high).all()
    assert (found.rank_low >= 1).all() and (found.rank_high <= items).all()
    assert found.best.sum() == pytest.approx(1.0) and found.rank.sum() == pytest.approx(items * (items + 1) / 2)


@pytest.mark.parametrize("opinions", [False, True])
def test_more_answers_are_surer_and_right(opinions):
    few, many = (bradley_terry(8, 10, n, seed=3) for n in (60, 1200))
    early, late = (estimate(t, items=8, judges=10, opinions=opinions, k=3) for t in (few, many))
    assert np.all(np.argsort(late.rank) == np.arange(8))
    assert (late.rank_high - late.rank_low).sum() < (early.rank_high - early.rank_low).sum()
    assert (late.score_high - late.score_low).mean() < (early.score_high - early.score_low).mean()
    assert late.top[:2].min() > 0.9 > 0.1 > late.top[5:].max()


def test_the_same_answers_give_the_same_estimates_in_whatever_order():
    rows = [(u, i, j) for u in range(3) for i in range(4) for j in range(i)]
    one, other = (estimate(table(*r), items=4, judges=3, opinions=False) for r in (rows, rows[::-1]))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_judges_who_guess_count_less_where_there_is_one_truth():
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(90):
        i, j = sorted(rng.choice(8, size=2, replace=False))
        rows.append((0, i, j))
        rows += [(u, *((i, j) if rng.random() < 0.5 else (j, i))) for u in (1, 2)]
    found = fit(CountedAnswers.of(table(*rows)), items=8, judges=3)
    gap = found.mean[0] - found.mean[-1]
    right = found.jury.chance(np.arange(3), np.repeat(sigmoid(SLOPES * gap)[None], 3, axis=0))
    assert right[0] > 0.9 > 0.65 > right[1:].max()
    assert np.all(np.argsort(-found.mean) == np.arange(8))


def test_people_who_repeat_their_taste_say_less_than_as_many_others():
    """The same votes from six people with tastes of their own leave more open than from hundreds."""
    rng = np.random.default_rng(2)
    tastes = np.linspace(1.0, -1.0, 6) + 2.0 * rng.normal(size=(6, 6))
    pairs = [(u, i, j) for u in range(6) for i in range(6) for j in range(6) if tastes[u, i] > tastes[u, j]]
    alone = [(k, i, j) for k, (_, i, j) in enumerate(pairs)]
    six = estimate(table(*pairs), items=6, judges=6, opinions=True)
    many = estimate(table(*alone), items=6, judges=len(alone), opinions=True)
    assert (six.score_high - six.score_low).mean() > 1.2 * (many.score_high - many.score_low).mean()


def test_a_minority_is_no_bad_judge_where_people_have_opinions():
    rows = [(u, *((0, 1) if u % 5 < 3 else (1, 0))) for u in range(40) for _ in range(6)]
    weighed, counted = (estimate(table(*rows), items=2, judges=40, opinions=o) for o in (False, True))
    assert counted.beats[0] == pytest.approx(0.6, abs=0.04)
    assert weighed.beats.sum() == pytest.approx(counted.beats.sum()) == pytest.approx(1.0)


def test_components_are_found_and_said():
    assert len(np.unique(components(table((0, 0, 1), (0, 3, 2)), items=5))) == 3
    panel = make_ranker("panel", "abcd", judges=["ann"], sitting=2, seed=1)
    assert "No answers yet" in panel.ranking.estimates.note
    question = panel.ask("ann")
    panel.tell(question, question.left)
    found = panel.ranking.estimates
    assert "yet: their places are open" in found.note and found.answers == 1
    assert sorted(guess.known for guess in found.items) == [False, False, True, True]


def test_an_open_sitting_counts_for_estimates_and_for_no_promise():
    panel = make_ranker("panel", "abcdef", judges=["ann", "bob"], sitting=10, seed=1)
    for _ in range(9):
        question = panel.ask("ann")
        panel.tell(question, better(question))
    result = panel.ranking
    assert result.details.people == 0 and result.estimates.answers == 9
    first = min(result.estimates.items, key=lambda guess: guess.rank)
    assert first.item == "a" and first.source is Source.MODEL


@pytest.mark.parametrize("name", ["certified", "panel", "iir"])
def test_estimates_stay_within_what_is_promised(name):
    ranker = build(name, error=0.3, budget=20_000)
    play(ranker, noisy(8, accuracy=0.97), most=20_000)
    result = ranker.ranking
    for guess, (best, worst) in zip(result.estimates.items, result.ranges, strict=True):
        assert best <= guess.rank_low <= guess.rank_high <= worst and best <= guess.rank <= worst
    if result.certified:
        assert [guess.rank for guess in result.estimates.items] == list(range(1, len(result.order) + 1))
        assert result.estimates.items[0].best == 1.0 and result.estimates.items[-1].top == 0.0


def test_a_list_and_its_estimates_have_one_order():
    ranker = build("certified", items=[f"{k:02}" for k in range(14)])
    play(ranker, noisy(2, accuracy=0.8), most=45)
    result = ranker.ranking
    found = result.estimates.items
    assert [guess.item for guess in found] == list(result.order)
    assert all(a.rank <= b.rank and a.score >= b.score for a, b in pairwise(found))
    assert {guess.source for guess in found} >= {Source.LIST} and result.details.unplaced


def test_all_ties_leave_everything_even():
    panel = make_ranker("panel", "abc", judges=range(12), sitting=3, seed=1)
    play(panel, lambda _: TIE)
    for guess in panel.ranking.estimates.items:
        assert guess.beats == pytest.approx(0.5, abs=0.02) and guess.rank_low == 1 and guess.rank_high == 3


def test_above_a_thousand_items_there_are_estimates_that_cover_and_sum_up():
    """Without a covariance; the true rank is in its interval in about 9 of 10, as of few items."""
    items, rng = 1200, np.random.default_rng(3)
    true = rng.permutation(items)
    ends = rng.integers(0, items, (12 * items, 2))
    low, high = ends[ends[:, 0] < ends[:, 1]].T
    right = rng.random(len(low)) < 0.85
    won = ((true[low] < true[high]) == right).astype(float)
    counts = CountTable(low * 0, low, high, won, 1 - won)
    found = estimate_many(counts, items=items, judges=1, opinions=False, k=10)
    inside = (found.rank_low <= true + 1) & (true + 1 <= found.rank_high)
    assert 0.85 <= inside.mean() <= 0.99
    assert found.best.sum() == pytest.approx(1, abs=0.01) and found.top.sum() == pytest.approx(10, abs=0.1)
    assert np.corrcoef(found.rank, true)[0, 1] > 0.85


def test_split_answers_about_two_equal_items_are_no_lapses():
    """A judge who splits forty answers about one pair, and is right about all others, is a good judge."""
    rows = [(0, i, j) for i in range(6) for j in range(i + 1, 6) if (i, j) != (2, 3)] * 3
    rows += [(0, 2, 3), (0, 3, 2)] * 20 + [(1, i, j) for i in range(6) for j in range(i + 1, 6)] * 2
    counted = PairRows.of(table(*rows), items=6)
    found = fit_pairs(counted, items=6, jury=JudgeLinks.unheard(2), weighed=each_link)
    assert found.jury.flat[0] < 0.1
    assert abs(found.mean[2] - found.mean[3]) < 0.3 * (found.mean[1] - found.mean[2])


def test_a_proven_order_leaves_less_open():
    answers = bradley_terry(8, 10, 120, seed=3)
    guessed, proven = (
        estimate(answers, items=8, judges=10, opinions=False, k=3, order=order) for order in (None, np.arange(8))
    )
    assert proven.rank.tolist() == proven.rank_low.tolist() == proven.rank_high.tolist() == list(range(1, 9))
    assert (proven.score_high - proven.score_low).mean() < 0.95 * (guessed.score_high - guessed.score_low).mean()
    assert np.all(np.diff(proven.score) < 0)


@pytest.mark.parametrize("name", ["certified", "panel", "guess", "iir"])
def test_before_the_first_answer_all_items_are_alike_and_no_score_is_sure(name):
    found = build(name).ranking.estimates.items
    assert len({(guess.rank, guess.best, guess.top, guess.score) for guess in found}) == 1
    assert all(guess.score_low < -5 and guess.score_high > 5 and not guess.known for guess in found)

"""The ranker without a promise: better than asking at random, never certified, and it says so."""

import numpy as np
import pytest
from benchmarks.peers.world import Jury, kendall_tau, make_world

from juryrank.errors import BadInput
from juryrank.rankers import make_ranker
from juryrank.report import result_text
from juryrank.types import TIE
from tests.conformance.rankers import better, play


def wrong_pairs(seed, budget, *, items=14, judges=6):
    """Share of pairs in the wrong order: asking by itself, and about random pairs of random judges."""
    world, rng = make_world("gaps", seed, items=items, judges=judges), np.random.default_rng(seed)
    asking, random = (
        make_ranker("guess", range(items), judges=range(judges), budget=budget, seed=seed) for _ in range(2)
    )
    jury = Jury(world)
    while (question := asking.ask()) is not None:
        i, j = question.left, question.right
        asking.tell(question, i if jury.ask(question.judge, i, j) else j)
    jury = Jury(world)
    for _ in range(budget):
        u, (i, j) = int(rng.integers(judges)), map(int, rng.choice(items, size=2, replace=False))
        random.heard.add(u, first=i, second=j, preferred=i if jury.ask(u, i, j) else j)
    return [(1 - kendall_tau(world, np.array(ranker.ranking.order))) / 2 for ranker in (asking, random)]


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(12), marks=pytest.mark.slow)], ids=len)
def test_it_asks_better_than_chance(seeds):
    asked, random = np.mean([wrong_pairs(seed, 70) for seed in seeds], axis=0)
    assert asked < 0.75 * random


@pytest.mark.parametrize(
    ("judges", "per_item", "few"), [(1, 8, False), (3, 1, False), (3, 2, False), (3, 3, True), (3, 8, True)]
)
def test_a_few_of_many_items_come_first_only_where_that_finds_better_judges(judges, per_item, few):
    ranker, seen = make_ranker("guess", range(64), judges=range(judges), budget=64 * per_item, seed=1), set()
    for _ in range(32):
        question = ranker.ask()
        seen |= {question.left, question.right}
        ranker.tell(question, better(question))
    assert len(seen) == 16 if few else len(seen) > 48


def test_nothing_is_ever_certified_and_it_says_so():
    ranker = make_ranker("guess", "abcdef", judges=["ann", "bob"], seed=1)
    play(ranker, better)
    result = ranker.ranking
    assert result.order == tuple("abcdef") and not (result.certified or result.proven)
    assert "No promise" in result_text(result) and all(span == (1, 6) for span in result.ranges)
    assert not any(link.settled for link in result.links)


def test_without_a_budget_it_ends_all_the_same():
    ranker = make_ranker("guess", "abc", judges=["ann"], seed=1)
    asked = play(ranker, lambda q: TIE)  # nothing ever gets clear
    assert len(asked) == 90 and ranker.spent


def test_a_pair_is_asked_a_judge_as_often_as_allowed():
    ranker = make_ranker("guess", "abcd", judges=["ann", "bob"], seed=1, repeats=1)
    asked = play(ranker, better)
    seen = [(q.judge, *sorted((q.left, q.right))) for q in asked]
    assert len(seen) == len(set(seen)) <= 12
    with pytest.raises(BadInput, match="how often a judge"):
        make_ranker("guess", "abc", judges=["ann"], repeats=0)


def test_two_open_questions_are_about_two_pairs():
    ranker = make_ranker("guess", "abcd", judges=["ann"], seed=1)
    out = [ranker.ask() for _ in range(6)]
    assert len({frozenset((q.left, q.right)) for q in out}) == 6 and ranker.ask() is None


def test_items_that_join_do_not_change_how_questions_are_chosen():
    ranker = make_ranker("guess", range(500), judges=["ann"], seed=1)
    ranker.add_items([500])
    assert ranker.posterior().variance.shape == (501,) and not ranker.ranking.warnings


def test_a_refused_withdrawal_does_not_speak_of_proofs():
    ranker = make_ranker("guess", ["a", "b", "c"], judges=["ann"])
    with pytest.raises(BadInput, match="guesses the order of all the items it began with"):
        ranker.withdraw_items(["a"])

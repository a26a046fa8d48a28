"""More items than a table of pairs has room for: the same claims from the same answers, and quick questions."""

import random
import time
from dataclasses import fields

import pytest

from juryrank.errors import BadInput
from juryrank.rankers import make_ranker
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.panel import state
from juryrank.types import SKIP, TIE

LISTS = ("circles", "tied")  # in an order that hangs on the guess
BY_GUESS = {"groups", "open_pairs", "forecast", "settled_pairs", "top", "cycles", "finished", *LISTS}


def both_ways(monkeypatch, items, *, people, judges, **options):
    """One ranker with tables and one without, for the same ranking."""
    rankers = []
    for most in (1000, 0):
        monkeypatch.setattr(state, "TABLES_UP_TO", most)
        monkeypatch.setattr(state, "SEVERAL_UP_TO", most)
        names = [] if people else "abc"[:judges]
        rankers.append(make_ranker("panel", range(items), judges=names, error=0.4, seed=1, **options))
    assert [ranker.state.large is None for ranker in rankers] == [True, False]
    return rankers


def play_both(asking, other, *, people, answers, noise, seed):
    rng, person = random.Random(seed), None
    for number in range(answers):
        question = asking.ask(person) if person or not people else None
        if question is None and people:
            person = f"person {number}"
            asking.add_judge(person), other.add_judge(person)
            question = asking.ask(person)
        if question is None:
            return
        other.replay(question)
        luck = rng.random()
        answer = TIE if luck < noise / 4 else SKIP if luck < noise / 3 else None
        if answer is None:
            answer = (min if rng.random() > noise else max)(question.left, question.right)
        asking.tell(question, answer), other.tell(question, answer)


@pytest.mark.parametrize("large_asks", [True, False], ids=["the large one asks", "the small one asks"])
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize(
    ("people", "judges", "options"),
    [
        (False, 1, {"about": "panel", "objective": "order"}),
        (False, 3, {"about": "panel", "objective": "order"}),
        (False, 2, {"about": "panel", "objective": "ranges"}),
        (False, 3, {"about": "panel", "objective": "top-3"}),
        (False, 3, {"about": "panel", "objective": "tiers"}),
        (True, 0, {"objective": "ranges", "sitting": 6}),
        (True, 0, {"objective": "best", "sitting": 6, "joining": False}),
        (True, 0, {"objective": "tiers", "sitting": 6}),
    ],
)
def test_the_same_answers_give_the_same_claims(monkeypatch, people, judges, options, noise, large_asks):
    for items, answers in ((6, 120), (12, 90)):
        small, large = both_ways(monkeypatch, items if "3" not in options["objective"] else 6, people=people,
                                 judges=judges, **options)  # fmt: skip
        play_both(
            *((large, small) if large_asks else (small, large)),
            people=people, answers=answers, noise=noise, seed=items,
        )  # fmt: skip
        one, two = small.ranking, large.ranking
        assert dict(zip(one.order, one.ranges, strict=True)) == dict(zip(two.order, two.ranges, strict=True))
        assert sorted(one.details.settled_pairs) == sorted(two.details.settled_pairs)
        assert [set(group) for group in one.details.groups] == [set(group) for group in two.details.groups]
        assert one.statement == two.statement and one.certified == two.certified
        assert type(one.details) is type(two.details)
        for key in {field.name for field in fields(one.details)} - BY_GUESS:
            assert getattr(one.details, key) == getattr(two.details, key), key
        for key in LISTS:
            assert set(map(frozenset, getattr(one.details, key))) == set(map(frozenset, getattr(two.details, key)))
        assert [len(cycle) for cycle in one.details.cycles] == [len(cycle) for cycle in two.details.cycles]
        again = Ranker.restore(large.snapshot_text())
        assert again.snapshot_text() == large.snapshot_text() and again.ranking.details == two.details


def test_a_log_takes_up_the_same_items_whoever_looked_meanwhile():
    first, second = (
        make_ranker("panel", range(1500), judges="ab", about="panel", objective="order", seed=3) for _ in range(2)
    )
    for _ in range(200):
        question = first.ask()
        first.status("a"), first.preview("b"), first.progress
        second.replay(question)
        for ranker in (first, second):
            ranker.tell(question, min(question.left, question.right))
    assert first.snapshot_text() == second.snapshot_text()


def test_ten_thousand_items_the_first_ten_come_first():
    ranker = make_ranker("panel", range(10_000), judges=["you"], about="panel", objective="order", seed=1)
    began = time.process_time()
    for _ in range(400):
        question = ranker.ask()
        ranker.tell(question, min(question.left, question.right))
        assert ranker.progress.expected > 100_000
    assert time.process_time() - began < 400 * 0.005
    seen = {item for row in ranker.ranking.details.settled_pairs for item in row[:2]}
    assert list(ranker.ranking.order[:10]) == sorted(seen)[:10] and len(seen) > 250


def test_joined_items_keep_the_way_of_counting():
    ranker = make_ranker("panel", range(290), judges=["you"], objective="ranges", seed=1)
    ranker.add_items(range(290, 310))
    assert ranker.state.large is None and Ranker.restore(ranker.snapshot_text()).state.large is None
    ranker = make_ranker("panel", range(1010), judges=["you"], about="panel", objective="order", seed=1)
    ranker.add_items([1010])
    while (question := ranker.ask()) is not None and 1010 not in (question.left, question.right):
        ranker.tell(question, min(question.left, question.right))
        assert ranker.questions < 5
    assert Ranker.restore(ranker.snapshot_text()).state.large is not None


def test_one_judge_has_many_questions_open_at_once():
    one_by_one, together = (
        make_ranker("panel", range(400), judges=["model"], about="panel", objective="order", seed=1, budget=10_000)
        for _ in range(2)
    )
    while (question := one_by_one.ask()) is not None:
        one_by_one.tell(question, min(question.left, question.right))
    rounds = 0
    while not together.done:
        rounds += 1
        batch = [question for _ in range(8) if (question := together.ask()) is not None]
        for question in reversed(batch):
            together.tell(question, min(question.left, question.right))
    assert one_by_one.ranking.proven and together.ranking.proven
    assert together.questions < 1.1 * one_by_one.questions and rounds < 1.1 * together.questions / 8


def test_people_see_one_order_with_the_estimates():
    ranker, rng = (
        make_ranker("panel", range(320), judges=[], objective="ranges", sitting=20, seed=1),
        random.Random(1),
    )
    for person in range(20):
        ranker.add_judge(person)
        while (question := ranker.ask(person)) is not None:
            ranker.tell(question, (min if rng.random() < 0.85 else max)(question.left, question.right))
    ranks = [guess.rank for guess in ranker.ranking.estimates.items]
    assert ranker.state.large is not None and ranks == sorted(ranks)


def test_too_many_scores_are_refused():
    with pytest.raises(BadInput, match="at most 2,000, or leave relation out"):
        make_ranker("panel", range(2001), judges=["you"], relation="field-share")


def test_many_items_are_guessed_one_by_one_and_the_result_says_so():
    ranker = make_ranker("guess", range(600), judges=["ann", "bob"], seed=1, budget=3000)
    second = make_ranker("guess", range(600), judges=["ann", "bob"], seed=1, budget=3000)
    for _ in range(900):
        question = ranker.ask()
        second.replay(question)
        for one in (ranker, second):
            one.tell(question, min(question.left, question.right))
    assert ranker.snapshot_text() == second.snapshot_text()
    assert Ranker.restore(ranker.snapshot_text()).ask() == ranker.ask()
    result = ranker.ranking
    assert "With more than 500 items" in result.warnings[0] and not result.certified
    place = {item: at for at, item in enumerate(result.order)}
    wrong = sum(place[a] > place[b] for a in range(0, 600, 7) for b in range(a + 1, 600, 5))
    assert wrong < 0.3 * sum(len(range(a + 1, 600, 5)) for a in range(0, 600, 7))

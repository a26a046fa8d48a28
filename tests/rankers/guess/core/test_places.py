"""Estimates given what is promised: in every range, and still one item for every place."""

from itertools import permutations

import numpy as np
import pytest

from juryrank.rankers import make_ranker
from juryrank.rankers.guess.core.chances import Promised, kept_places, within_promises
from tests.quick import quick


def drawn(items, draws=200, seed=0):
    return np.linspace(1, -1, items) + np.random.default_rng(seed).standard_normal((draws, items))


@pytest.mark.parametrize("seed", range(12))
def test_every_draw_is_an_order_in_which_every_item_is_in_its_range(seed):
    rng, items = np.random.default_rng(seed), 3 + seed
    true = rng.permutation(items) + 1
    best = np.maximum(true - rng.integers(0, items, items), 1)
    worst = np.minimum(true + rng.integers(0, 3, items), items)
    places = kept_places(drawn(items, seed=seed), best, worst)
    assert (np.sort(places, axis=1) == np.arange(1, items + 1)).all()
    assert (places >= best).all() and (places <= worst).all()


def test_the_order_kept_has_the_highest_scores_first():
    best, worst = np.array([2, 1, 1, 1]), np.array([4, 4, 2, 4])
    scores = drawn(4)
    for score, places in zip(scores, kept_places(scores, best, worst), strict=True):
        orders = [o for o in permutations(range(4)) if all(best[x] <= k + 1 <= worst[x] for k, x in enumerate(o))]
        assert tuple(np.argsort(places)) == max(orders, key=lambda order: [score[x] for x in order])


def test_where_no_order_keeps_the_promise_there_is_no_answer():
    two = np.array([2, 2, 2])
    scores = drawn(3)
    assert within_promises(scores, np.ones((200, 3)), Promised(np.arange(3), two, two, own=False)) is None


def test_places_are_those_of_the_items_and_not_of_the_rows():
    order = np.array([2, 0, 1])
    promised = Promised(order, np.array([1, 2, 2]), np.array([1, 3, 3]), own=False)
    found = within_promises(drawn(3), np.ones((200, 3)), promised)
    assert (found[:, 2] == 1).all() and found[:, 0].mean() < found[:, 1].mean()


def test_long_lists_take_no_longer_than_people_wait():
    best, worst = np.ones(1000, np.int64), np.full(1000, 1000)
    best[100:] = 2
    promised = Promised(np.arange(1000), best, worst, own=False)
    found = within_promises(drawn(1000, 1000), np.ones((1000, 1000)), promised)
    assert len(found) == 100 and (found[:, 100:] > 1).all()


@pytest.mark.parametrize(
    ("name", "options", "judges"),
    quick(
        [
            ("certified", {"objective": "top-2"}, 3),
            ("certified", {"objective": "best"}, 12),
            ("certified", {}, 3),
            ("panel", {}, 12),
            ("panel", {"about": "panel"}, 12),
        ]
    ),
)
def test_chances_sum_to_what_there_is_to_have_while_only_a_part_is_proven(name, options, judges):
    ranker = make_ranker(name, range(6), judges=[f"j{u}" for u in range(judges)], error=0.1, seed=1, **options)
    rng, partly = np.random.default_rng(3), 0
    for asked in range(150):
        question = ranker.ask()
        if question is None:
            break
        better, worse = sorted((question.left, question.right))
        ranker.tell(question, better if rng.random() < 0.95 else worse)
        ranges = ranker.ranking.ranges if asked % 5 == 0 else ()
        if any(span != (1, 6) for span in ranges) and any(low < high for low, high in ranges):
            partly += 1
            found = ranker.ranking.estimates
            assert sum(guess.best for guess in found.items) == pytest.approx(1.0, abs=0.01)
            assert sum(guess.top for guess in found.items) == pytest.approx(found.k, abs=0.02)
            assert sum(guess.rank for guess in found.items) == pytest.approx(21.0, abs=0.05)
    assert partly

"""Walks from rival to rival give what a walk through every position gives; growing tables lose nothing."""

import math
import random

import numpy as np
import pytest

from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.max_tree import max_tree, put, rebuild
from juryrank.rankers.certified.core.pair_answers import (
    HEAD,
    NONE,
    PAIRS,
    RIVALS,
    chain,
    empty,
    grown,
    log_odds,
    node_for,
    pair_of,
)
from juryrank.rankers.certified.core.search.moves import (
    NEGLIGIBLE,
    STAY_PUT,
    best_shift,
    far_rival,
    improve,
    move_doubt,
    relocate,
    swap,
    weigh_all,
)
from juryrank.rankers.certified.core.search.repair import look_again
from juryrank.rankers.certified.ranker import Certified


def in_repair(seed, items=25):
    """A ranker whose items are all placed, among judges who err a lot."""
    ranker, rng = Certified(range(items), judges=range(4), error=0.1, seed=seed), random.Random(seed)
    while ranker._machine.cursor.phase == phases.INSERT:
        question = ranker.ask()
        ranker.tell(question, (min if rng.random() < 0.75 else max)(question.left, question.right))
    rng.shuffle(order := list(ranker._machine.order))
    for k, item in enumerate(order):  # in a list that is far from settled there is more to walk
        ranker._machine.order[k], ranker._machine.place[item] = item, k
    return ranker._views


def log_odds_along(s, item, positions):
    """W after each step of an item past these positions."""
    w = 0.0
    for position in positions:
        odds = log_odds(s.tallies, s.jury, item, s.order[position])
        w += odds if position > s.place[item] else -odds
        yield position, w


def doubt_step_by_step(s, k):
    """T of a link: the swap, and the moves beyond it."""
    cut = NEGLIGIBLE + 2 * math.log(len(s.order))
    step = log_odds(s.tallies, s.jury, s.order[k], s.order[k + 1])
    beyond = 0.0
    for item, positions in ((s.order[k], range(k + 2, len(s.order))), (s.order[k + 1], range(k - 1, -1, -1))):
        for _, w in log_odds_along(s, item, positions):
            beyond += math.exp(min(-w, 50.0))
            if w > cut:
                break
    return math.exp(min(-step, 50.0)) * (1 + beyond if step <= cut else 1)


def shift_step_by_step(s, k):
    best, shift = -1e-9, 0
    for positions in (range(k + 1, len(s.order)), range(k - 1, -1, -1)):
        for position, w in log_odds_along(s, s.order[k], positions):
            if w < best:
                best, shift = w, position - k
    return shift


@pytest.mark.parametrize("seed", range(5))
def test_from_rival_to_rival_as_step_by_step(seed):
    s = in_repair(seed)
    weigh_all(s)
    for k in range(len(s.order) - 1):
        assert s.doubt.value[k] == pytest.approx(doubt_step_by_step(s, k), rel=1e-9)
        assert best_shift(s, k) == shift_step_by_step(s, k)


def test_moves_are_made_until_none_is_left():
    s = in_repair(8)
    improve(s)
    assert [best_shift(s, k) for k in range(len(s.order))] == [0] * len(s.order)
    assert sorted(s.order) == list(range(len(s.order))) and all(s.order[s.place[k]] == k for k in s.order)


@pytest.mark.parametrize("seed", range(5))
def test_what_follows_from_a_swap_is_as_all_weighed_anew(seed, monkeypatch):
    monkeypatch.setattr(
        "juryrank.rankers.certified.core.search.moves.NEGLIGIBLE", 1e9
    )  # a swap changes what is left out
    s = in_repair(seed)
    improve(s)
    weigh_all(s)
    for k in range(len(s.order) - 1):
        swap(s, k)
        near = range(max(0, k - 1), min(len(s.order) - 2, k + 1) + 1)
        followed = [move_doubt(s, e) for e in near]
        weigh_all(s)
        assert followed == pytest.approx([s.doubt.value[e] for e in near], rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_what_follows_from_a_move_is_as_all_weighed_anew_beside_the_item(seed, monkeypatch):
    monkeypatch.setattr("juryrank.rankers.certified.core.search.moves.NEGLIGIBLE", 1e9)
    s, rng = in_repair(seed), random.Random(seed)
    weigh_all(s)
    for _ in range(20):
        k, to = rng.sample(range(len(s.order)), 2)
        if abs(to - k) > 1:
            relocate(s, k, to)
            near = [e for e in (k - 1, k, to - 1, to) if 0 <= e < len(s.order) - 1]
            followed = [move_doubt(s, e) for e in near]
            weigh_all(s)
            assert followed == pytest.approx([s.doubt.value[e] for e in near], rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_who_is_asked_splits_the_chances_of_a_mover_most_evenly(seed):
    s = in_repair(seed)
    weigh_all(s)
    asked_far = 0
    for k in range(len(s.order) - 1):
        for down in (True, False):
            item, here = (s.order[k], k) if down else (s.order[k + 1], k + 1)
            way = range(here + 1, len(s.order)) if down else range(here - 1, -1, -1)
            chances = [1.0] + [math.exp(min(-w, 50.0)) for _, w in log_odds_along(s, item, way)]
            half = sum(chances) / 2
            uneven = [abs(sum(chances[: n + 1]) - half) for n in range(len(way))]  # by where it stops
            far = far_rival(s, k, down)
            chosen = 0 if far == STAY_PUT else abs(far - here) - 1
            assert uneven[chosen] == pytest.approx(min(uneven), rel=1e-3, abs=1e-3)
            asked_far += far != STAY_PUT
    assert asked_far > 5


def test_an_item_far_from_home_is_found_in_few_questions():
    """Its neighbours would take about 150 questions: one for each place on its way."""
    ranker, rng = Certified(range(300), judges=range(3), error=0.1, seed=2), random.Random(2)

    def ask():
        question = ranker.ask()
        ranker.tell(question, (min if rng.random() < 0.98 else max)(question.left, question.right))
        return question

    while ranker._machine.cursor.phase != phases.PROVE:
        ask()
    s = ranker._machine
    item, k = s.order[200], 200
    moved = [*s.order[:50], item, *np.delete(s.order, k)[50:]]
    for at, other in enumerate(moved):
        s.order[at], s.place[other] = other, at
    for row in range(s.tallies.used[PAIRS]):  # nothing is known of it
        if item in s.tallies.pair[row, :2]:
            s.tallies.pair[row, HEAD] = NONE
    s.cursor.phase = phases.REPAIR
    look_again(ranker._views)
    asked = 0
    while abs(s.place[item] - k) > 1:
        ask()
        asked += 1
    assert asked < 60


def test_a_grown_table_finds_every_pair_and_chain():
    rng, tallies, nodes = random.Random(3), empty(60), {}
    for _ in range(900):
        (x, y), judge = rng.sample(range(60), 2), rng.randrange(2)
        if tallies.used[PAIRS] + 1 > len(tallies.pair) or len(nodes) + 2 > len(tallies.node):
            tallies = grown(tallies)
        nodes[min(x, y), max(x, y), judge] = node_for(tallies, x, y, judge)
    for (x, y, judge), node in nodes.items():
        assert node_for(tallies, y, x, judge) == node
        assert chain(tallies, x, y) == tallies.pair[pair_of(tallies, x, y), HEAD]
    pairs = {(x, y) for x, y, _ in nodes}
    assert tallies.used[PAIRS] == len(pairs) == np.count_nonzero(tallies.table != NONE)
    assert tallies.item[:, RIVALS].sum() == 2 * len(pairs)


def test_a_contest_changed_one_by_one_is_as_rebuilt():
    rng, tree, other = random.Random(5), max_tree(13), max_tree(13)
    for _ in range(200):
        k, value = rng.randrange(13), rng.choice([0.0, 1.5, rng.random()])
        put(tree, k, value)
        other.value[k] = value
    rebuild(other)
    assert np.array_equal(tree.winner, other.winner) and np.array_equal(tree.total, other.total)

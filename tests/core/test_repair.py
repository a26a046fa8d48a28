"""Walks from rival to rival give what a walk through every position gives; growing tables lose nothing."""

import math
import random

import numpy as np
import pytest

from juryrank.core import state as st
from juryrank.core.contest import contest, put, rebuild
from juryrank.core.doubt import log_odds
from juryrank.core.repair import NEGLIGIBLE, best_shift, improve, weigh_links
from juryrank.core.tallies import HEAD, NONE, PAIRS, RIVALS, chain, empty, grown, node_for, pair_of
from juryrank.rankers.certified import Certified


def in_repair(seed, items=25):
    """A ranker whose items are all placed, among judges who err a lot."""
    ranker, rng = Certified(range(items), judges=range(4), error=0.1, seed=seed), random.Random(seed)
    while ranker._machine.numbers[st.PHASE] == st.INSERT:
        question = ranker.ask()
        ranker.tell(question, (min if rng.random() < 0.75 else max)(question.left, question.right))
    rng.shuffle(order := list(ranker._machine.order))
    for k, item in enumerate(order):  # in a list that is far from settled there is more to walk
        ranker._machine.order[k], ranker._machine.place[item] = item, k
    return ranker._hand


def log_odds_along(s, item, positions):
    """W after each step of an item past these positions."""
    w = 0.0
    for position in positions:
        odds = log_odds(s.tallies, s.jury, item, s.order[position])
        w += odds if position > s.place[item] else -odds
        yield position, w


def doubt_step_by_step(s, k):
    cut = NEGLIGIBLE + 2 * math.log(len(s.order))
    total, first = 0.0, True
    for item, positions in ((s.order[k], range(k + 1, len(s.order))), (s.order[k + 1], range(k, -1, -1))):
        before = -math.inf
        for position, w in log_odds_along(s, item, positions):
            if before > cut:
                break
            if first or position not in (k, k + 1):  # both walks share the step across the link
                total += math.exp(min(-w, 50.0))
            before, first = w, False
    return total


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
    weigh_links(s, 0, len(s.order) - 2, True)
    for k in range(len(s.order) - 1):
        assert s.doubt.value[k] == pytest.approx(doubt_step_by_step(s, k), rel=1e-9)
        assert best_shift(s, k) == shift_step_by_step(s, k)


def test_moves_are_made_until_none_is_left():
    s = in_repair(8)
    improve(s)
    assert [best_shift(s, k) for k in range(len(s.order))] == [0] * len(s.order)
    assert sorted(s.order) == list(range(len(s.order))) and all(s.order[s.place[k]] == k for k in s.order)


def test_some_links_weighed_anew_are_as_all_weighed_at_once():
    s = in_repair(4)
    weigh_links(s, 0, len(s.order) - 2, True)
    rebuild(s.doubt)
    everything = (list(s.doubt.value), list(s.doubt.total))
    for k in range(len(s.order)):
        put(s.doubt, k, 0.5)
    for first in range(0, len(s.order) - 1, 5):
        weigh_links(s, first, min(first + 4, len(s.order) - 2), False)
    put(s.doubt, len(s.order) - 1, 0.0)
    assert (list(s.doubt.value), list(s.doubt.total)) == everything


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
    rng, tree, other = random.Random(5), contest(13), contest(13)
    for _ in range(200):
        k, value = rng.randrange(13), rng.choice([0.0, 1.5, rng.random()])
        put(tree, k, value)
        other.value[k] = value
    rebuild(other)
    assert np.array_equal(tree.winner, other.winner) and np.array_equal(tree.total, other.total)

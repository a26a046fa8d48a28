"""Invariants of the interval tree and of the walk on it, whatever the verdicts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juryrank.rankers.paper.core import thresholds
from juryrank.rankers.paper.core import walk as walks
from juryrank.rankers.paper.core.constants import PAPER, RELEASED
from juryrank.rankers.paper.core.elimination import NODE_ERROR, lead_table, longest
from juryrank.rankers.paper.core.interval_tree import descend, height, middle
from juryrank.rankers.paper.core.state import live, start
from juryrank.verify.paper.pseudocode import build_pit


def leaves_below(left, right):
    """The leaves of the product's implicit tree under one interval."""
    if right - left == 1:
        return [(left, right)]
    mid = middle(left, right)
    return leaves_below(left, mid) + leaves_below(mid, right)


@pytest.mark.parametrize("n", range(1, 40))
def test_the_tree_is_the_papers(n):
    """Same leaves, left to right, as Build PIT; one gap each; no path longer than the height."""
    assert leaves_below(-1, n) == [(leaf.left, leaf.right) for leaf in build_pit(n).leaves]
    assert leaves_below(-1, n) == [(k - 1, k) for k in range(n + 1)]
    path = np.zeros((64, 2), np.int64)
    path[0] = -1, n
    depth = 0
    while path[depth, 1] - path[depth, 0] > 1:
        descend(path, depth, True)
        depth += 1
    assert depth + 1 <= height(n) + 1


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(2, 12),
    verdicts=st.lists(st.booleans(), min_size=1, max_size=60),
    truthful=st.booleans(),
    released=st.booleans(),
)
def test_whatever_the_verdicts_the_walk_stays_in_the_tree(n, verdicts, truthful, released):
    constants = RELEASED if released else PAPER
    walk = live(start(n, constants))
    tables = thresholds.tables(n, 0.2 / (n - 1), constants, attempts=6)
    walks.begin(walk, tables, 1)
    c = walk.cursor
    for k in range(600):
        left, right = walk.path[c.depth]
        assert -1 <= left < right <= c.n_ranked
        assert 0 <= walks.position(walk) < c.n_ranked
        assert 1 <= c.step <= c.max_steps
        assert sorted(walk.ranked[: c.n_ranked].tolist()) == list(range(c.n_ranked))
        won = c.newcomer > walks.opponent(walk) if truthful else verdicts[k % len(verdicts)]
        place = walks.verdict(walk, tables, bool(won))
        if place == walks.UNSURE:
            if c.attempt == 6:
                return
            walks.begin(walk, tables, c.attempt + 1)
        elif place >= 0:
            assert place <= c.n_ranked
            walks.insert(walk, place)
            if c.finished:
                break
            walks.begin(walk, tables, 1)
    if truthful and c.finished:
        assert walk.ranked.tolist() == list(range(n))


def test_a_duel_is_the_papers_to_the_last_answer():
    """The integer table says what |p̂ - 1/2| ≥ c_r says, for every tally."""
    for constants in (PAPER, RELEASED):
        for epsilon, error in ((0.25, NODE_ERROR[0]), (0.125, NODE_ERROR[2])):
            lead = lead_table(epsilon, error, constants)
            assert len(lead) == longest(epsilon, error, constants) + 1
            for r in range(1, len(lead) - 1):
                radius = np.sqrt(constants.log(np.pi**2 * r**2 / (3 * error)) / (2 * r))
                for w in range(r + 1):
                    assert (abs(w / r - 0.5) >= radius) == (abs(2 * w - r) >= lead[r])
            assert lead[-1] == 0


def test_a_draw_at_the_end_counts_against_the_newcomer():
    walk = live(start(2, PAPER))
    tables = thresholds.tables(2, 0.1, PAPER, attempts=1)
    walks.begin(walk, tables, 1)
    longest_now = walks.longest_duel(walk, tables)
    assert longest_now % 2 == 0
    for k in range(longest_now):
        assert walk.cursor.duel == 1
        walks.answer(walk, tables, k % 2 == 0)
    assert walk.cursor.duel > 1
    assert tuple(walk.path[walk.cursor.depth]) == (-1, 0)


def test_sentinels_are_never_asked():
    """With one ranked item every leaf has a sentinel on one side: only the item itself is ever met."""
    walk = live(start(2, PAPER))
    tables = thresholds.tables(2, 0.1, PAPER, attempts=1)
    walks.begin(walk, tables, 1)
    for _ in range(50):
        assert walks.opponent(walk) == 0
        if walks.verdict(walk, tables, True) >= 0:
            break
    else:
        pytest.fail("never placed")


@pytest.mark.parametrize(("n", "h"), [(1, 2), (3, 3), (7, 4), (8, 5), (100, 8)])
def test_steps_follow_the_papers_formula(n, h):
    assert height(n) == h
    error = 0.05
    tables = thresholds.tables(n, error, PAPER, attempts=2)
    for t in (1, 2):
        own = 6 * error / (np.pi**2 * t**2)
        assert tables.base_steps[t] == np.ceil(512 / 25 * np.log(2 / own))
    assert tables.min_steps[n] == 4 * h

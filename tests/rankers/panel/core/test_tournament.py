"""What follows from settled pairs, against brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from juryrank.rankers.panel.core.tournament import (
    consistent_order,
    groups,
    impossible_lines,
    knots,
    ranges_from_lines,
    rank_ranges,
    reaches,
    settled_lines,
    shortest_cycle,
)


def random_settled(n, rng, share, *, acyclic=False):
    settled = np.zeros((n, n), dtype=bool)
    for i, j in combinations(range(n), 2):
        if rng.random() < share:
            flip = not acyclic and rng.random() < 0.4
            settled[(j, i) if flip else (i, j)] = True
    return settled


@pytest.mark.parametrize("seed", range(30))
def test_lines_are_found_exactly(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    settled = random_settled(n, rng, rng.choice([0.7, 0.9, 1.0]))
    order = consistent_order(settled, rng.normal(size=n))
    lines = settled_lines(settled, order)
    sets = {
        size
        for size in range(1, n)
        for inside in combinations(range(n), size)
        if all(settled[a, b] for a in inside for b in set(range(n)) - set(inside))
    }
    assert set(lines) == sets
    assert [item for group in groups(order, lines) for item in group] == order


@pytest.mark.parametrize("seed", range(20))
def test_an_order_without_circles_respects_every_range(seed):
    rng = np.random.default_rng(seed)
    settled = random_settled(8, rng, 0.5, acyclic=True)
    order = consistent_order(settled, rng.normal(size=8))
    ranges = rank_ranges(settled)
    assert all(ranges[item][0] <= place <= ranges[item][1] for place, item in enumerate(order, 1))


@pytest.mark.parametrize("seed", range(30))
def test_a_line_called_impossible_is_impossible(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 7))
    settled = random_settled(n, rng, 0.8)
    for k in impossible_lines(settled):
        for inside in combinations(range(n), k):
            outside = set(range(n)) - set(inside)
            assert any(settled[b, a] for a in inside for b in outside)


def test_a_circle_of_three_is_found_and_shown():
    settled = np.zeros((4, 4), dtype=bool)
    for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
        settled[a, b] = True
    assert knots(settled) == [[0, 1, 2]]
    assert sorted(shortest_cycle(settled, [0, 1, 2])) == [0, 1, 2]
    assert impossible_lines(settled) == {1, 2}
    assert rank_ranges(settled) == [(1, 3), (1, 3), (1, 3), (4, 4)]


def test_without_circles_nothing_is_impossible():
    settled = random_settled(7, np.random.default_rng(1), 0.6, acyclic=True)
    assert knots(settled) == [] and impossible_lines(settled) == set()


def test_ranges_from_lines_alone():
    assert ranges_from_lines([2, 0, 1], [1]) == [(2, 3), (2, 3), (1, 1)]


def test_chains_reach():
    settled = np.zeros((3, 3), dtype=bool)
    settled[0, 1] = settled[1, 2] = True
    assert reaches(settled)[0, 2]

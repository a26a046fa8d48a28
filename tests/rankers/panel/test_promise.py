"""The promise by simulation: any statement, at any moment, is false in at most δ of the runs."""

from __future__ import annotations

import numpy as np
import pytest

from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.worlds.people import false_claims, play
from tests.rankers.panel.promise import WORLDS, shaken
from tests.rankers.panel.promise_cells import PEOPLE, labels, play_cells
from tests.statistics import surely_above


def any_false(world, n, options, seed, *, people, at_once, leave, error):
    """Does one run ever show something false?"""
    rng = np.random.default_rng([seed, n])
    population = shaken(WORLDS[world](n, rng), leave=leave)
    theta = population.theta()
    panel = Panel(range(n), error=error, seed=seed, **options)
    seen, wrong = -1, False

    def look(panel):
        nonlocal seen, wrong
        if panel.state.version != seen:
            seen = panel.state.version
            wrong = wrong or false_claims(panel, theta) > 0

    play(panel, population, people=people, rng=rng, at_once=at_once, after=look)
    return wrong


OBJECTIVES = [
    {"objective": "ranges"},
    {"objective": "tiers"},
    {"objective": "best"},
    {"objective": "tiers", "relation": "field-share"},
]


@pytest.mark.parametrize("options", OBJECTIVES, ids=lambda o: "-".join(o.values()))
@pytest.mark.parametrize("world", ["thin", "circle, coins", "clusters"])
def test_the_promise_holds_in_small(world, options):
    runs, error = 25, 0.2
    n = 3 if world == "thin" else 5
    wrong = sum(
        any_false(world, n, options, seed, people=40, at_once=1 + seed % 5, leave=0.05, error=error)
        for seed in range(runs)
    )
    assert not surely_above(wrong, runs, error)


def test_the_order_is_promised_where_there_is_no_cycle():
    runs, error = 40, 0.2
    options = {"objective": "order"}
    wrong = sum(
        any_false("thin", 3, options, seed, people=60, at_once=1 + seed % 4, leave=0.05, error=error)
        for seed in range(runs)
    )
    assert not surely_above(wrong, runs, error)


@pytest.mark.slow
@pytest.mark.parametrize("n", list(PEOPLE))
@pytest.mark.parametrize("world", list(WORLDS))
def test_the_promise_holds_at_large(world, n):
    """2,000 runs per cell, each objective and δ a cell of its own; where the real Panel plays too, both agree."""
    cells = play_cells(world, n, labels(world))
    assert [cell for cell in cells if cell["broken"] or cell["differ"]] == []

"""The promise by simulation: any statement, at any moment, is false in at most δ of the runs."""

from __future__ import annotations

import numpy as np
import pytest

from juryrank.rankers.panel.ranker import Panel
from tests.rankers.panel.promise import OPTIONS, WORLDS, ever_false, label, shaken
from tests.rankers.panel.promise_cells import PEOPLE, play_cells, wrong
from tests.statistics import surely_above


def any_false(world, n, options, seed, *, leave, error, **how):
    rng = np.random.default_rng([seed, n])
    population = shaken(WORLDS[world](n, rng), leave=leave)
    return ever_false(Panel(range(n), error=error, seed=seed, **options), population, rng=rng, **how)


OBJECTIVES = ["ranges", "tiers", "best", "field-share tiers"]
SMALL = {"thin": "ranges", "circle, coins": "tiers", "clusters": "field-share tiers"}
IN_EVERY_WORLD = ("field-share ranges",)


def unless(first, *values):
    """A parameter of the slow tests, unless it is one of the first."""
    return pytest.param(*values, marks=() if first else pytest.mark.slow)


@pytest.mark.parametrize(
    ("world", "options"),
    [
        unless(world == "thin" and SMALL[world] == label(options), world, options)
        for world in SMALL
        for options in OPTIONS
        if label(options) in OBJECTIVES
    ],
)
def test_the_promise_holds_in_small(world, options):
    runs, error = 25, 0.2
    n = 3 if world == "thin" else 5
    found = sum(
        any_false(world, n, options, seed, people=40, at_once=1 + seed % 5, leave=0.05, error=error)
        for seed in range(runs)
    )
    assert not surely_above(found, runs, error)


@pytest.mark.parametrize("options", [unless(label(o) in IN_EVERY_WORLD, o) for o in OPTIONS], ids=label)
def test_the_promise_holds_in_every_world(options):
    """Two panels in each world, with up to 30 people at once; the slow tests play more, and more items."""
    runs = [(world, seed) for world in WORLDS for seed in (0, 7)]
    found = sum(wrong(world, 5, options, 0.2, seed) for world, seed in runs)
    assert not surely_above(found, len(runs), 0.2)


def test_withdrawing_what_is_in_the_way_makes_nothing_false():
    runs, error = 25, 0.2
    how = {"people": 40, "leave": 0.05, "error": error, "withdraw": (8, 16, 24)}
    options = {"objective": "ranges"}
    found = sum(any_false("thin", 5, options, seed, at_once=1 + seed % 5, **how) for seed in range(runs))
    assert not surely_above(found, runs, error)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["ranges", "tiers", "best"])
@pytest.mark.parametrize("world", ["thin", "normal", "normal, coins", "ties, coins"])
def test_withdrawing_makes_nothing_false_at_length(world, objective):
    runs, error = 400, 0.1
    how = {"people": 60, "leave": 0.05, "error": error, "withdraw": (8, 16, 24, 32)}
    options = {"objective": objective}
    found = sum(any_false(world, 6, options, seed, at_once=1 + seed % 5, **how) for seed in range(runs))
    assert not surely_above(found, runs, error)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("n", list(PEOPLE))
@pytest.mark.parametrize("world", list(WORLDS))
def test_the_promise_holds_at_large(world, n, where):
    """Each objective and δ is a cell of its own."""
    assert [cell for cell in play_cells(world, n, where=where) if cell["broken"]] == []

"""The best item and the k best: proven and wrong in at most δ of runs, whatever the search proposes."""

import math
from dataclasses import astuple

import numpy as np
import pytest

from tests.quick import quick
from tests.statistics import surely_above

from . import promise_cells
from .promise_cells import Cell, cells, failures, hostile_search, misled

DELTA, RUNS = 0.25, 20
ALL = [
    ("best", "steady"),
    pytest.param("top-2", "better-than-chance", marks=pytest.mark.slow),
    pytest.param("best", "better-than-chance", marks=pytest.mark.slow),
    pytest.param("top-2", "steady", marks=pytest.mark.slow),
]


def wrong(seed, objective, *, accuracy, assume="better-than-chance"):
    """Is something false proven? Smaller numbers are better; `accuracy` of a pair, or one for all."""
    right = accuracy if callable(accuracy) else lambda better, worse: accuracy
    return misled(seed, Cell("", objective, 4, 2, DELTA, assume), accuracy=right)


@pytest.mark.parametrize(("objective", "assume"), ALL)
def test_where_nobody_knows_anything(objective, assume):
    false = sum(wrong(seed, objective, accuracy=0.5, assume=assume) for seed in range(RUNS))
    assert not surely_above(false, RUNS, DELTA)


@pytest.mark.parametrize("objective", quick(["best", "top-2"]))
def test_a_pair_that_nobody_can_tell_at_the_border(objective):
    border = 0 if objective == "best" else 1

    def accuracy(better, worse):
        return 0.5 if (better, worse) == (border, border + 1) else 0.9

    false = sum(wrong(seed, objective, accuracy=accuracy) for seed in range(RUNS))
    assert not surely_above(false, RUNS, DELTA)


@pytest.mark.parametrize(("objective", "assume"), ALL)
def test_a_search_that_proposes_the_wrong_ones_on_purpose(objective, assume):
    with hostile_search():
        false = sum(wrong(seed, objective, accuracy=0.55, assume=assume) for seed in range(RUNS))
    assert not surely_above(false, RUNS, DELTA)


def test_the_best_is_ruled_out_at_about_the_level_and_no_more():
    """The check can see: one item that every answer accuses at a fixed bet, and judges who toss a coin."""
    rng = np.random.default_rng(3)
    won = rng.random((400, 300)) < 0.5
    evidence = np.where(won, math.log1p(-0.5), math.log1p(0.5)).cumsum(axis=1).max(axis=1)
    reached = int((evidence >= math.log(1 / DELTA)).sum())
    assert not surely_above(reached, 400, DELTA) and reached > 0.6 * DELTA * 400


def test_evidence_by_opponent_would_break_the_promise():
    """The rule switched off: a separate E per opponent, and whichever is proven counts."""
    rng = np.random.default_rng(4)
    won = rng.random((200, 9, 120)) < 0.5  # the best of ten items, against each other one
    evidence = np.where(won, math.log1p(-0.5), math.log1p(0.5)).cumsum(axis=2).max(axis=2)
    assert surely_above(int((evidence >= math.log(1 / 0.1)).any(axis=1).sum()), 200, 0.1)


# ---------------------------------------------------------------------- the slow suite: 2,000 runs per cell
@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("cell", list(cells()), ids=lambda cell: "-".join(map(str, astuple(cell))))
def test_every_cell(cell, where):
    assert not surely_above(failures(cell, where=where), promise_cells.RUNS, cell.delta)

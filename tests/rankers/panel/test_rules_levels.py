"""How δ is shared, and whom items meet: each rule as it is, and switched off. See `test_rules.py`."""

from __future__ import annotations

import numpy as np
import pytest

from juryrank.core.levels import Objective
from juryrank.rankers.panel.core import head_to_head as ballot_module
from juryrank.rankers.panel.core.field_share import FieldShare
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.plans import Asked
from tests.quick import quick
from tests.statistics import surely_above

ERROR = 0.2


def wrong_runs(make, runs):
    return sum(bool(make(np.random.default_rng([seed, 8]))) for seed in range(runs)), runs


def holds(outcome):
    return not surely_above(*outcome, ERROR)


def breaks(outcome):
    """Beyond chance: the 99 % lower bound of the failure rate is above δ."""
    return surely_above(*outcome, ERROR)


def as_expected(outcome, *, fine):
    return holds(outcome) if fine else breaks(outcome)


# ---------------------------------------------------------------------- items that join
@pytest.mark.parametrize("fine", quick([True, False]))
def test_every_epoch_has_its_own_share_of_the_error(fine, monkeypatch):
    """Items join one by one; of each pair 49.5 % prefer the older one. Off: each epoch has the whole δ."""
    if not fine:
        monkeypatch.setattr(ballot_module, "epoch_error", lambda error, epoch, joining: error)

    def run(rng):
        ballot = HeadToHead(2, error=ERROR, objective=Objective.RANGES)
        for newest in range(1, 9):
            if newest > 1:
                ballot.join(1)
            for older in range(newest):
                for newer_wins in rng.random(100) < 0.505:
                    ballot.count(*((newest, older) if newer_wins else (older, newest)))
                if ballot.settled[older, newest]:
                    return True
        return False

    assert as_expected(wrong_runs(run, 50), fine=fine)


# ---------------------------------------------------------------------- the level of ranges
@pytest.mark.parametrize(("objective", "fine"), quick([(Objective.RANGES, True), (Objective.TOP, False)]))
def test_single_pairs_need_the_level_of_ranges(objective, fine):
    """Twelve items that are all nearly tied. Off: pairs settled at the level of one line are read as promised."""
    items, k = 12, None if fine else 1

    def run(rng):
        ballot = HeadToHead(items, error=ERROR, objective=objective, k=k, joining=False)
        for i, j in zip(*ballot.pairs, strict=True):
            for first in rng.random(100) < 0.495:
                ballot.count(*((i, j) if first else (j, i)))
            if ballot.settled[i, j]:
                return True
        return False

    assert as_expected(wrong_runs(run, 30 if fine else 120), fine=fine)


# ---------------------------------------------------------------------- field-share: random opponents
@pytest.mark.parametrize("fine", [True, False])
def test_opponents_are_drawn_at_random(fine):
    """Everybody has the order 0 1 2 3 4 5. Off: 3 meets only 4 and 5, 2 only 0 and 1, and 3 seems to be above."""

    def run(rng):
        field = FieldShare(6, error=ERROR, objective=Objective.RANGES, k=None, joining=False, size=2)
        for person in range(1, 60):
            plan = field.plan(2, Asked.nothing(6), rng)
            if not fine:
                plan = [(int(rng.integers(2)), 2), (3, int(rng.integers(4, 6)))]
            field.count_person(person, [(min(pair), max(pair)) for pair in plan])
        return field.settled[3, 2]

    assert as_expected(wrong_runs(run, 20), fine=fine)

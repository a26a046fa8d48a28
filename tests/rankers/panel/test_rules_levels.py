"""How δ is shared, and what an order needs: each rule as it is, and switched off. See `test_rules.py`."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from juryrank.core.lead_table import log_evidence
from juryrank.core.levels import Objective
from juryrank.core.panel import head_to_head as ballot_module
from juryrank.core.panel.exact_order import ExactOrder
from juryrank.core.panel.field_share import FieldShare
from juryrank.core.panel.head_to_head import HeadToHead
from juryrank.core.panel.plans import Asked
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
@pytest.mark.parametrize("fine", [True, False])
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

    assert as_expected(wrong_runs(run, 120), fine=fine)


# ---------------------------------------------------------------------- the level of ranges
@pytest.mark.parametrize(("objective", "fine"), [(Objective.RANGES, True), (Objective.TOP, False)])
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

    assert as_expected(wrong_runs(run, 120), fine=fine)


# ---------------------------------------------------------------------- order: attempts' levels
class SameLevelAgain(ExactOrder):
    """Off: every list is tested at the whole δ, as if it were the only one."""

    def _set_level(self, attempt):
        super()._set_level(1)


@pytest.mark.parametrize(("count", "fine"), [(ExactOrder, True), (SameLevelAgain, False)])
def test_every_list_has_its_own_share_of_the_error(count, fine):
    """Two items, 49.9 % prefer the first: the tally turns again and again, and with it the list."""

    def run(rng):
        attempts = count(2, error=ERROR)
        for person, first in enumerate(rng.random(600) < 0.499, 1):
            attempts.count_person(person, [(0, 1) if first else (1, 0)], arrived=person)
        return attempts.claimed[0, 1]

    assert as_expected(wrong_runs(run, 100), fine=fine)


# ---------------------------------------------------------------------- order: the list before its evidence
class Stubborn(ExactOrder):
    """Never gives a list up, so that one list is looked at alone; no promise rests on giving up."""

    def _turned(self):
        return False


class ProvesWithTheSearch(Stubborn):
    """Off: the answers that chose the list prove it too."""

    def adopt(self, attempt, order, claim_order, from_sitting):
        super().adopt(attempt, order, claim_order, from_sitting)
        for link, (a, b) in enumerate(pairwise(order)):
            self.tally[link] = self.wins[a, b], self.wins[b, a]


class ClaimsWhatIsProven(Stubborn):
    """Off: a link is claimed as soon as it is proven, not in the order fixed with the list."""

    def _prove(self, preferences):
        super()._prove(preferences)
        for link in np.flatnonzero(self.proven):
            self.claimed[self.list[link], self.list[link + 1]] = True


@pytest.mark.parametrize(
    ("count", "fine"), [(Stubborn, True), (ProvesWithTheSearch, False), (ClaimsWhatIsProven, False)]
)
def test_a_list_is_fixed_before_its_evidence_and_claimed_in_an_order_fixed_with_it(count, fine):
    """Sixteen items, every link of the list denied by 50.5 %; fixed when one link looks as good as proven."""
    items = 16
    links = list(pairwise(range(items)))

    def said(rng):
        return [(a, b) if agrees else (b, a) for (a, b), agrees in zip(links, rng.random(15) < 0.495, strict=True)]

    def run(rng):
        attempts = count(items, error=ERROR)
        for person in range(1, 160):
            preferences = said(rng)
            if attempts.list:
                attempts.count_person(person, preferences, arrived=person)
                continue
            attempts.wins[tuple(np.transpose(preferences))] += 1
            evidence = [log_evidence(int(attempts.wins[a, b]), int(attempts.wins[b, a])) for a, b in links]
            if max(evidence) >= math.log(1 / attempts.level) or person == 60:
                surest = [int(link) for link in np.argsort(evidence)[::-1]]
                attempts.adopt(1, list(range(items)), surest, person + 1)
        return attempts.claimed.any()

    assert as_expected(wrong_runs(run, 40), fine=fine)


# ---------------------------------------------------------------------- order: no bets on types of people
class LearnsTypes(Stubborn):
    """Off: whoever agreed with the list so far in this sitting is bet on, as a more accurate judge would be."""

    def _search(self):
        super()._search()
        self.capital = np.zeros(len(self.proven))

    def _prove(self, preferences):
        place = {item: k for k, item in enumerate(self.list)}
        agreed = seen = 0
        for better, worse in preferences:
            right = place[better] < place[worse]
            trust = max(0.5, (agreed + 1) / (seen + 2))
            self.capital[min(place[better], place[worse])] += math.log(2 * (trust if right else 1 - trust))
            agreed, seen = agreed + right, seen + 1
        self.proven |= self.capital >= math.log(1 / self.level)
        super()._prove([])


@pytest.mark.parametrize(("count", "fine"), [(Stubborn, True), (LearnsTypes, False)])
def test_no_factor_depends_on_who_answers(count, fine):
    """45 % have the order of the list, 0 to 5; the others say 1 over 0, asked last, and toss coins otherwise."""

    def run(rng):
        attempts = count(6, error=ERROR)
        attempts.adopt(1, list(range(6)), list(range(5)), 1)
        for person in range(1, 80):
            fan = rng.random() < 0.45
            said = [(k, k + 1) if fan or rng.random() < 0.5 else (k + 1, k) for k in range(4, 0, -1)]
            attempts.count_person(person, [*said, (0, 1) if fan else (1, 0)], arrived=person)
        return attempts.claimed[0, 1]

    assert as_expected(wrong_runs(run, 40), fine=fine)


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
            field.count_person(person, [(min(pair), max(pair)) for pair in plan], arrived=person)
        return field.settled[3, 2]

    assert as_expected(wrong_runs(run, 20), fine=fine)

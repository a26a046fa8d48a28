"""Every rule of the panel has a counter-example: with the rule the promise holds, without it it breaks.

Each test plays the same population twice, with the ranker as it is and with one rule switched off.
"""

from __future__ import annotations

import numpy as np
import pytest

from juryrank.core.levels import Objective
from juryrank.rankers.panel import sittings
from juryrank.rankers.panel.core.field_share import BETS, FieldShare, matching_plan
from juryrank.rankers.panel.core.sittings import Sittings
from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.worlds.people import Population, clusters, false_claims, play
from juryrank.types import TIE
from tests.quick import quick
from tests.statistics import surely_above

ERROR = 0.2


def wrong_share(make, runs):
    return sum(bool(make(seed)) for seed in range(runs)), runs


def holds(outcome):
    return not surely_above(*outcome, ERROR)


def breaks(outcome):
    """Far above δ, and beyond chance: so few runs are enough to see that a rule is gone."""
    wrong, runs = outcome
    return wrong > 2 * ERROR * runs and surely_above(wrong, runs, ERROR)


def as_expected(outcome, *, fine):
    """With the rule the promise holds; without it, it breaks."""
    return holds(outcome) if fine else breaks(outcome)


# ---------------------------------------------------------------------- 1. a plan is fixed before its answers
class AsksWhoSaidSo(Panel):
    """Off: (a, c) is asked only of those who have just said a over b and b over c."""

    def _choose(self, judge):
        draft = super()._choose(judge)
        sitting = None if judge is None else self.state.book.of(judge)
        if draft is None or sitting is None or sitting.asked < 2:
            return draft
        said = sitting.preferences()
        return draft if (0, 1) in said and (1, 2) in said else None


@pytest.mark.parametrize(("kind", "fine"), quick([(Panel, True), (AsksWhoSaidSo, False)]))
def test_a_pair_is_not_chosen_from_the_persons_own_answers(kind, fine, monkeypatch):
    """Everybody has an order; most prefer c to a (weights .3 for a > b > c, the rest have c first)."""
    monkeypatch.setattr(sittings, "next_plan", lambda _: [(0, 1), (1, 2), (0, 2)])
    scores = np.array([[40.0, 20.0, 0.0], [20.0, 0.0, 40.0], [0.0, 20.0, 40.0]])
    world = Population("orders", scores, np.array([0.3, 0.35, 0.35]))

    def run(seed):
        panel = kind(range(3), error=ERROR, seed=seed)
        rng = np.random.default_rng(seed)
        for person in range(120):
            panel.add_judge(person)
            somebody = world.person(rng)
            while (question := panel.ask(person)) is not None:
                panel.tell(question, somebody.answer(question.left, question.right))
            if (sitting := panel.state.book.of(person)) is not None and not sitting.closed:
                panel.lapse(sitting.number)
        return false_claims(panel, world.theta())

    assert as_expected(wrong_share(run, 7 if fine else 15), fine=fine)


# ---------------------------------------------------------------------- 2. counting in order of arrival
class ByClosing(Sittings):
    """Off: whoever is finished first is counted first."""

    def due(self):
        for sitting in self.sittings:
            if sitting.closed and sitting.number not in self.__dict__.setdefault("done", set()):
                self.done.add(sitting.number)
                yield sitting


@pytest.mark.parametrize(("book", "fine"), [(Sittings, True), (ByClosing, False)])
def test_sittings_count_in_order_of_arrival(book, fine):
    """45 % prefer the first, and they answer at once; the others take their time; 30 people are there at once."""

    def run(seed):
        rng = np.random.default_rng(seed)
        panel = Panel([0, 1], error=ERROR, seed=seed, sitting=1)
        panel.state.book = book()
        slow = []
        for person in range(150):
            panel.add_judge(person)
            question = panel.ask(person)
            if question is None:
                break
            if rng.random() < 0.45:
                panel.tell(question, 0)
            else:
                slow.append(question)
            if len(slow) >= 30:
                panel.tell(slow.pop(0), 1)
            if panel.state.counted.settled[0, 1]:
                return True
        return False

    assert as_expected(wrong_share(run, 10 if fine else 20), fine=fine)


# ---------------------------------------------------------------------- 3. plans are blind to who arrives
@pytest.mark.parametrize("fine", [True, False])
def test_a_plan_does_not_know_the_person(fine, monkeypatch):
    """Two camps; 60 % prefer 1 to 0. Off: the pair (0, 1) is asked only of people from the smaller camp."""

    def run(seed):
        rng = np.random.default_rng(seed)
        panel = Panel([0, 1, 2], error=ERROR, seed=seed, sitting=1)
        for person in range(120):
            fan = rng.random() < 0.4
            panel.add_judge(person)
            planned = [(0, 1)] if fine or fan else [(0, 2)]
            monkeypatch.setattr(sittings, "next_plan", lambda _, planned=planned: planned)
            question = panel.ask(person)
            if question is not None:
                panel.tell(question, (0 if fan else 1) if {question.left, question.right} == {0, 1} else 2)
            if panel.state.counted.settled[0, 1]:
                return True
        return False

    assert as_expected(wrong_share(run, 12 if fine else 25), fine=fine)


# ---------------------------------------------------------------------- 4. one plan per person
class ComesAgain(Sittings):
    """Off: the same person may sit down again and again."""

    def of(self, judge):
        sitting = super().of(judge)
        return None if sitting is None or sitting.closed else sitting


@pytest.mark.parametrize(("book", "fine"), quick([(Sittings, True), (ComesAgain, False)]))
def test_one_plan_a_person(book, fine):
    """40 % prefer the first; two people in ten come back as often as they may, and say the same again."""

    def run(seed):
        rng = np.random.default_rng(seed)
        panel = Panel([0, 1], error=ERROR, seed=seed, sitting=1)
        panel.state.book = book()
        for person in range(60):
            panel.add_judge(person)
            choice = int(rng.random() < 0.6)
            visits = 15 if rng.random() < 0.2 else 1
            for _ in range(visits):
                if (question := panel.ask(person)) is not None:
                    panel.tell(question, choice)
                if panel.state.counted.settled[0, 1]:
                    return True
        return False

    assert as_expected(wrong_share(run, 15 if fine else 30), fine=fine)


# ---------------------------------------------------------------------- 5. field-share: one factor per judge
class AnswerByAnswer(FieldShare):
    """Off: every answer of a person is a factor of its own."""

    def count_person(self, number, preferences):
        for better, worse in preferences:
            balance = np.zeros(self.items)
            balance[better], balance[worse] = 1, -1
            self.logs += np.log1p(BETS[:, None, None] * (balance[:, None] - balance[None, :]) / 2)
        self._settled |= self.evidence >= np.log(1 / self.level)


@pytest.mark.parametrize(("count", "fine"), quick([(FieldShare, True), (AnswerByAnswer, False)]))
def test_one_factor_a_person(count, fine):
    """Two camps that disagree about everything, 49 to 51: each person's answers hang together."""
    items = 10

    def run(seed):
        rng = np.random.default_rng(seed)
        field = count(items, error=ERROR, objective=Objective.TOP, k=1, joining=True, size=45)
        for person in range(60):
            first_camp = rng.random() < 0.49
            plan = matching_plan(items, 45, rng)
            said = [(min(pair), max(pair)) if first_camp else (max(pair), min(pair)) for pair in plan]
            field.count_person(person + 1, said)
        return np.triu(field.settled, 1).any()  # 49 % prefer the smaller number: any such claim is false

    assert as_expected(wrong_share(run, 10 if fine else 20), fine=fine)


# ---------------------------------------------------------------------- 6. ties say nothing
@pytest.mark.parametrize("fine", quick([True, False]))
def test_ties_are_no_votes(fine):
    """Off: a tie is counted as a win for the first. Of those who choose, 42 % prefer it; half are undecided."""

    def run(seed):
        rng = np.random.default_rng(seed)
        panel = Panel([0, 1], error=ERROR, seed=seed, sitting=1)
        for person in range(80):
            panel.add_judge(person)
            if (question := panel.ask(person)) is None:
                break
            tie = rng.random() < 0.5
            panel.tell(question, (TIE if fine else 0) if tie else int(rng.random() < 0.58))
        return panel.state.counted.settled[0, 1]

    assert as_expected(wrong_share(run, 10 if fine else 20), fine=fine)


# ---------------------------------------------------------------------- 7. settled pairs are not promised by lines
def spans(order, lines, place):
    """The ranks that the group around a place covers: what lines alone promise."""
    above = max((line for line in lines if line <= place), default=0)
    below = min((line for line in lines if line > place), default=len(order))
    return above + 1, below


def test_lines_promise_lines_only():
    """At the lines' cheap level single pairs go wrong more often than δ; the statement does not show them."""
    rng = np.random.default_rng(3)
    kept_back = 0
    for seed in range(4):
        world = clusters(8, rng)
        panel = Panel(range(8), error=ERROR, seed=seed, objective="tiers")
        play(panel, world, people=40, rng=rng)
        covered = panel.claims()
        inner = panel.state.counted.settled & ~covered
        kept_back += int(inner.sum())
        ranking = panel.ranking
        details, order = ranking.details, list(ranking.order)
        assert details.settled_count == int(covered.sum()) <= int(panel.state.counted.settled.sum())
        assert not [row for row in details.settled_pairs if inner[row[0], row[1]]]
        assert not [link for link in ranking.links if link.settled and inner[link.better, link.worse]]
        assert list(ranking.ranges) == [tuple(spans(order, details.lines, k)) for k in range(8)]
    assert kept_back > 0  # there was something not to show

"""Asking and replaying what was asked lead to the same state, whatever questions are open meanwhile."""

import random

import pytest

from juryrank.rankers.certified.ranker import Certified
from juryrank.types import SKIP
from tests.quick import quick

from .worlds import better, worse


def asked_and_replayed(seed, accuracies, *, items, most_open, **options):
    """One ranker that chooses, and one that is told what the first one chose; they must never differ."""
    rng = random.Random(f"open {seed}")
    judges = range(len(accuracies))
    live, replayed = (Certified(range(items), judges=judges, seed=seed, **options) for _ in range(2))
    while True:
        while len(live.open_questions) < most_open and (question := live.ask()) is not None:
            replayed.replay(question)
        if not live.open_questions:
            return live, replayed
        question = rng.choice(live.open_questions)
        answer = better(question) if rng.random() < accuracies[question.judge] else worse(question)
        for ranker in (live, replayed):
            ranker.tell(question.id, answer)
        live.status()  # looks for the next question, and must change nothing
        assert live._machine.cursor.phase == replayed._machine.cursor.phase, (
            f"phases differ after {live.questions}"
        )


@pytest.mark.parametrize("repeats", quick([None, 1]))
def test_search_answers_that_come_after_the_list_was_fixed(repeats):
    """They must not make a replay weigh the links anew at the attempt's first question."""
    for seed in range(25):
        options = {"error": 0.3, "repeats": repeats, "budget": 60, "trust_repeats": True}
        live, replayed = asked_and_replayed(seed, [0.6, 0.8, 0.95, 0.6], items=5, most_open=12, **options)
        assert live.snapshot_text() == replayed.snapshot_text(), seed


@pytest.mark.parametrize("seeds", [range(16), pytest.param(range(16, 60), marks=pytest.mark.slow)], ids=len)
def test_a_change_of_leader_changes_what_the_money_pays_for(seeds):
    """At once, and not only when somebody looks for the next question."""
    for seed in seeds:
        rng = random.Random(f"prices {seed}")
        prices = {judge: rng.choice([1.0, 3.0, 9.0]) for judge in range(4)}
        accuracies = [rng.choice([0.6, 0.8, 0.95]) for _ in range(4)]
        options = {"error": 0.2, "prices": prices, "money": rng.choice([150.0, 300.0]), "trust_repeats": True}
        live, replayed = asked_and_replayed(seed, accuracies, items=8, most_open=6, **options)
        assert live.snapshot_text() == replayed.snapshot_text(), seed


@pytest.mark.parametrize("assume", quick(["better-than-chance", "steady"]))
def test_a_recorded_attempt_counts_although_its_list_would_not_be_complete_now(assume):
    """As after an upgrade that places items later, or an answer taken back: no certificate is lost by it."""
    options = {"judges": range(3), "error": 0.1, "assume": assume, "trust_repeats": True}
    followed = 0
    for seed in range(10):
        rng = random.Random(f"recorded {seed}")
        live, replayed = (Certified(range(8), seed=seed, **options) for _ in range(2))
        while (question := live.ask()) is not None:
            replayed.replay(question)
            answer = better(question) if rng.random() < 0.9 else worse(question)
            live.tell(question, answer)
            unread = question.terms["phase"] == "insert" and question.id % 3 == 0
            replayed.tell(question.id, SKIP if unread else answer)
        one, other = live.ranking, replayed.ranking
        assert one.certified and other.details.unplaced == []
        if len(one.details.attempts) == len(other.details.attempts) == 1:  # else: ended by what was read
            assert other.certified and other.order == one.order, seed
            followed += 1
    assert followed >= 5

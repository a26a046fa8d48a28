"""`insert="breadth"`: all newcomers are inserted in parallel. Nothing changes but what is asked next."""

import random

import numpy as np
import pytest

import juryrank
from juryrank.defaults import NEWCOMERS
from juryrank.errors import BadInput
from juryrank.judges import simulated
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.max_tree import OUT
from juryrank.rankers.certified.core.search.gaps import ITEM, WIDE, claim_of
from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.certified.result import flights_of
from juryrank.verify import verify

from .test_replay import asked_and_replayed
from .worlds import better, worse


def made(items, seed=0, **options):
    given = {"judges": range(3), "error": 0.1, "insert": "breadth", "trust_repeats": True, **options}
    return Certified(range(items), seed=seed, **given)


def answered(ranker, questions, *, accuracy=1.0, seed=0):
    """So many answers more, or as many as it wants."""
    rng = random.Random(f"breadth {seed}")
    for _ in range(questions):
        question = ranker.ask()
        if question is None:
            break
        ranker.tell(question, better(question) if rng.random() < accuracy else worse(question))
    return ranker


@pytest.mark.parametrize("repeats", [None, 2])
def test_who_asks_and_who_replays_have_the_same_state(repeats):
    for seed in range(5):
        options = {"error": 0.3, "repeats": repeats, "budget": 150, "trust_repeats": True, "insert": "breadth"}
        live, replayed = asked_and_replayed(seed, [0.7, 0.9, 0.95], items=14, most_open=9, **options)
        assert live.snapshot_text() == replayed.snapshot_text(), seed


@pytest.mark.parametrize("more", [{}, {"objective": "top-3", "assume": "steady"}, {"repeats": 4}])
def test_every_row_claims_the_next_question_by_how_open_it_is(more):
    ranker = made(20, judges=range(9), **more)
    seen = set()
    while ranker._machine.cursor.phase == phases.INSERT and (question := ranker.ask()) is not None:
        s = ranker._views
        claims = [s.unsure.value[row] for row in range(s.cursor.rows)]
        assert claims == [claim_of(s, row) for row in range(s.cursor.rows)]
        if s.cursor.placed >= 7 and s.cursor.in_flight:
            seen |= {"wide" if max(claims) > WIDE else "near" if max(claims) > OUT else "out"}
        ranker.tell(question, better(question))
    assert {"wide", "near"} <= seen and ranker._machine.cursor.placed == 20


def test_nobody_is_asked_about_twice_before_everybody_was_asked_about_once():
    ranker = made(30)
    while ranker._machine.cursor.placed < 7:
        answered(ranker, 1)
    newcomers = [ranker.ask().terms["item"] for _ in range(23)]
    assert len(set(newcomers)) == 23


def test_only_the_leader_is_asked_about_items_that_are_wide_open():
    tried = {True: 0, False: 0}  # questions to others than the leader, by: was the item wide open?
    for seed in range(3):
        ranker, wide = made(30, seed, judges=range(9)), {}
        while ranker._machine.cursor.phase == phases.INSERT:
            question, s = ranker.ask(), ranker._views
            if s.cursor.placed >= 7:
                tried[wide.get(question.terms["item"], True)] += question.judge != s.cursor.leader
            right = random.Random(f"{seed} {question.id}").random() < 0.6 + 0.04 * question.judge
            ranker.tell(question, better(question) if right else worse(question))
            wide = {s.slots.row[row, ITEM]: claim_of(s, row) > 0 for row in range(s.cursor.rows)}
    assert tried[True] == 0 and tried[False] > 0


def test_the_order_is_better_early_and_as_right_in_the_end():
    wrong = {}
    for insert in ("depth", "breadth"):
        rankers = [answered(made(30, seed, insert=insert), 90, accuracy=0.9, seed=seed) for seed in range(3)]
        orders = np.array([ranker.ranking.order for ranker in rankers])
        wrong[insert] = (np.sign(orders[:, None, :] - orders[:, :, None])[:, *np.triu_indices(30, 1)] < 0).mean()
    assert wrong["breadth"] < 0.75 * wrong["depth"]
    done = answered(rankers[0], 5_000, accuracy=0.9)
    assert done.ranking.certified and done.ranking.order == tuple(range(30))


def test_items_join_while_others_find_their_places_and_after_all_is_proven():
    ranker = answered(made(12), 40)
    ranker.add_items([20, 21])
    assert answered(ranker, 3_000).ranking.certified
    ranker.add_items([14, 15, 16])
    assert answered(ranker, 3_000).ranking.order == (*range(12), 14, 15, 16, 20, 21)
    assert ranker.ranking.certified


def test_more_are_in_flight_than_depth_first_has_room_for():
    items = 4 * NEWCOMERS // 3 + 60
    ranker = made(items)
    while ranker._machine.cursor.placed < items // 4:
        answered(ranker, 1)
    for _ in range(NEWCOMERS + 20):
        assert ranker.ask() is not None
    assert len(flights_of(ranker._machine)) == NEWCOMERS + 20


def test_the_certificate_is_checked_and_played_again():
    items = [f"{k:02}" for k in range(10)]
    judges = simulated(items, {"ann": 0.95, "bob": 0.8}, seed=2)
    result = juryrank.rank(
        items, judges, fresh=True, ranker="certified", error=0.1, seed=2, options={"insert": "breadth"}
    )
    report = verify(result.certificate(), rerun=True)
    assert result.certified and report.true and all(check.ok for check in report.checks)


def test_another_word_is_refused():
    with pytest.raises(BadInput, match="insert is 'wide'; it is one of: depth, breadth"):
        made(3, insert="wide")

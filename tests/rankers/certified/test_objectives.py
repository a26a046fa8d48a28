"""The best item and the k best: proven as asked for, whoever is asked and whatever they answer."""

import math
import random

import pytest

from juryrank.errors import BadInput, CannotJoin, UnknownName
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.eliminate import crossing_odds, off_pivot
from juryrank.rankers.certified.core.pair_answers import log_odds
from juryrank.rankers.certified.ranker import Certified
from juryrank.types import TIE

ITEMS = [f"i{k:02}" for k in range(10)]
ALL = [(objective, assume) for objective in ("best", "top-3") for assume in ("better-than-chance", "steady")]


def build(objective, assume="better-than-chance", *, items=ITEMS, seed=1, judges=4, **options):
    return Certified(
        items, judges=range(judges), error=0.1, seed=seed, objective=objective, assume=assume, **options
    )


def play(ranker, *, seed=1, accuracy=0.9, lag=0, ties=0.0):
    """To the end, with `lag` questions open; answers come back in any order."""
    rng, out = random.Random(seed), []
    while True:
        question = ranker.ask()
        if question is not None:
            out.append(question)
        if out and (question is None or len(out) > lag):
            back = out.pop(rng.randrange(len(out)))
            both = sorted((back.left, back.right))
            ranker.tell(back, TIE if rng.random() < ties else both[rng.random() >= accuracy])
        elif question is None:
            return ranker.ranking


@pytest.mark.parametrize(("objective", "assume"), ALL)
@pytest.mark.parametrize("lag", [0, 7])
def test_what_was_asked_for_is_found_and_proven(objective, assume, lag):
    ranking = play(build(objective, assume), lag=lag, ties=0.02)
    k = 1 if objective == "best" else 3
    assert ranking.proven and not ranking.certified
    assert sorted(ranking.order[:k]) == ITEMS[:k]
    assert all(worst <= k for _, worst in ranking.ranges[:k])
    assert all(best > k for best, _ in ranking.ranges[k:])
    assert ("is the best item" if k == 1 else "the 3 best items are") in ranking.statement
    assert len(ranking.links) == len(ITEMS) - 1 and all(link.settled for link in ranking.links)


def test_fewer_questions_than_the_whole_order():
    asked = {what: play(build(what, items=[f"i{k:02}" for k in range(30)])).questions
             for what in ("order", "best", "top-3")}  # fmt: skip
    assert asked["best"] < 0.6 * asked["order"] and asked["top-3"] < 0.9 * asked["order"]


@pytest.mark.parametrize(("objective", "assume"), ALL)
def test_a_snapshot_goes_on_as_if_nothing_had_happened(objective, assume):
    one, two = build(objective, assume), build(objective, assume)
    rng = random.Random(3)
    for turn in range(400):
        if turn in (5, 40, 90):
            state = two.snapshot()
            two = build(objective, assume)
            two.load(state)
        first, second = one.ask(), two.ask()
        assert first == second
        if first is None:
            break
        both = sorted((first.left, first.right))
        answer = both[rng.random() >= 0.9]
        one.tell(first, answer)
        two.tell(second, answer)
    assert one.ranking == two.ranking and one.ranking.proven


def test_until_all_but_one_are_ruled_out_only_that_is_said():
    ranking = play(build("best", budget=30, trust_repeats=True))
    out = ranking.details.eliminated
    assert 0 < len(out) < len(ITEMS) - 1 and not ranking.proven
    assert f"the best item is one of {len(ITEMS) - len(out)}" in ranking.statement
    ranges = dict(zip(ranking.order, ranking.ranges, strict=True))
    assert all(ranges[item] == ((2, 10) if item in out else (1, 10)) for item in ITEMS)


def test_joining_items_need_the_next_level():
    ranker = build("best", items=ITEMS[1:])
    assert play(ranker).proven
    before = ranker._machine.cursor.threshold
    ranker.add_items(ITEMS[:1])
    assert ranker._machine.cursor.phase == phases.ELIMINATE
    assert ranker._machine.cursor.threshold > before and not ranker.ranking.proven
    ranking = play(ranker, seed=2)
    assert ranking.proven and ranking.order[0] == ITEMS[0]


def test_all_of_the_error_is_for_those_who_are_there_if_nobody_may_join():
    ranker = build("best", joining=False)
    assert ranker._machine.cursor.threshold < build("best")._machine.cursor.threshold
    with pytest.raises(CannotJoin, match="joining=False"):
        ranker.add_items(["new"])


def test_equal_items_at_the_top_are_given_up():
    ranker, rng = build("best", items=["a", "b", "c"], patience=200), random.Random(1)
    while (question := ranker.ask()) is not None:
        both = sorted((question.left, question.right))
        ranker.tell(question, both[rng.random() >= (0.5 if both == ["a", "b"] else 0.9)])
    assert ranker.gave_up and not ranker.ranking.proven
    assert "cannot be told apart" in ranker.ranking.warnings[0]


@pytest.mark.parametrize(("objective", "assume"), ALL)
def test_a_judge_who_only_repeats_itself_proves_nothing(objective, assume):
    ranking = play(build(objective, assume, judges=1), accuracy=1.0)
    assert not ranking.proven and "never gave another answer" in " ".join(ranking.warnings)
    assert play(build(objective, assume, judges=1, trust_repeats=True), accuracy=1.0).proven


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"objective": "tiers"}, "it has: order, best, top-k"),
        ({"objective": "top-10"}, "k goes from 1 to 9"),
        ({"objective": "top-k"}, "top of how many"),
        ({"objective": "top-3", "k": 4}, "contradict"),
        ({"objective": "top-k", "k": True}, "1 or more"),
        ({"objective": "best", "joining": 1}, "joining is 1"),
    ],
)
def test_what_cannot_be_is_refused_in_words(options, words):
    with pytest.raises((BadInput, UnknownName), match=words):
        build(options.pop("objective"), **options)


def test_the_doubt_of_an_item_weighs_every_place_on_both_sides_of_the_pivot():
    """Against a plain sum over all places, from all answers so far."""
    ranker, rng = build("top-3"), random.Random(5)
    while ranker._views.cursor.phase in (phases.INSERT, phases.REPAIR):
        question = ranker.ask()
        both = sorted((question.left, question.right))
        ranker.tell(question, both[rng.random() >= 0.8])
    s, looked = ranker._views, 0
    for k in range(len(ITEMS) - 1):
        item = int(off_pivot(s, k))
        others = [int(other) for other in s.order[: len(ITEMS)] if other != item]
        pivot = others.index(int(s.order[2]))
        odds = [log_odds(s.tallies, s.jury, item, other) for other in others]
        weights = [math.exp(math.fsum(odds[place:])) for place in range(len(ITEMS))]
        inside, outside = math.fsum(weights[: pivot + 1]), math.fsum(weights[pivot + 1 :])
        expected = outside / inside if s.place[item] < 2 else inside / outside
        assert crossing_odds(s, k) == pytest.approx(expected, rel=1e-9)
        looked += any(odds)
    assert looked > 6


@pytest.mark.parametrize("objective", ["best", "top-1", "top-3"])
def test_a_list_that_begins_with_one_item_has_a_result_and_takes_others(objective):
    ranker = build(objective, items=["i00"])
    assert ranker.ask() is None and ranker.ranking.links == () and ranker.ranking.order == ("i00",)
    ranker.add_items(ITEMS[1:5])
    assert not ranker.ranking.proven and play(ranker).order[0] == "i00"

"""The panel ranker: sittings, objectives, words, and input that goes wrong."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from juryrank.errors import BadInput, CannotJoin, UnknownName
from juryrank.rankers import Ranker
from juryrank.rankers.panel import Panel
from juryrank.types import SKIP, TIE, Wait

ITEMS = ["a", "b", "c", "d", "e"]


def better(question):
    return min(question.left, question.right)


def sit(panel, name, answer=better, most=None):
    """One person comes and answers; the questions they got."""
    if name not in panel.judge_names:
        panel.add_judge(name)
    asked = []
    while (most is None or len(asked) < most) and (question := panel.ask(name)) is not None:
        asked.append(question)
        panel.tell(question, answer(question))
    return asked


def crowd(panel, people, answer=better):
    for person in range(people):
        sit(panel, f"p{person}", answer)
    return panel


# ---------------------------------------------------------------------- sittings
def test_the_first_question_carries_the_whole_plan_and_the_others_their_place():
    panel = Panel(ITEMS, sitting=4)
    asked = sit(panel, "ann")
    assert [q.terms["place"] for q in asked] == [0, 1, 2, 3]
    assert {q.terms["sitting"] for q in asked} == {1}
    assert len(asked[0].terms["plan"]) == 4 and "plan" not in asked[1].terms
    assert [{q.left, q.right} for q in asked] == [set(pair) for pair in asked[0].terms["plan"]]


def test_a_plan_does_not_depend_on_who_arrives_nor_on_answers_not_yet_counted():
    plans = []
    for name, answer in (("ann", lambda q: q.left), ("zoe", lambda q: q.right)):
        panel = Panel(ITEMS, sitting=4, seed=3)
        sit(panel, "first", most=2)  # open, so it blocks
        sit(panel, f"{name}-before", answer)  # told, not counted
        panel.add_judge(name)
        plans.append(panel.ask(name).terms["plan"])
    assert plans[0] == plans[1]


def test_sittings_count_in_order_of_arrival_and_nobody_waits():
    panel = Panel(ITEMS, sitting=3)
    sit(panel, "slow", most=2)
    for person in ("ann", "bob"):
        assert len(sit(panel, person)) == 3
    assert panel.ranking.details["answers"] == 0
    assert "sitting 1 is still open" in " ".join(panel.ranking.warnings)
    sit(panel, "slow")
    assert panel.ranking.details["answers"] == 9 and panel.ranking.details["people"] == 3


def test_a_deadline_counts_what_was_answered_in_time_and_frees_the_others():
    panel = Panel(ITEMS, sitting=3)
    sit(panel, "slow", most=2)
    third = panel.ask("slow")
    sit(panel, "ann")
    panel.lapse(1)
    assert panel.ranking.details["answers"] == 5
    panel.tell(third, third.left)  # late: kept, not counted
    assert panel.ranking.details["answers"] == 5
    assert panel.ask("slow") is None
    status = panel.status("slow")
    assert status.state is Wait.DONE and "ended" in status.reason
    with pytest.raises(UnknownName, match="no sitting 7"):
        panel.lapse(7)


def test_who_leaves_in_the_middle_and_comes_back_goes_on_with_the_same_plan():
    panel = Panel(ITEMS, sitting=4)
    first = sit(panel, "ann", most=2)
    sit(panel, "bob")
    rest = sit(panel, "ann")
    assert [q.terms["place"] for q in first + rest] == [0, 1, 2, 3]
    assert sit(panel, "ann") == []  # one plan a person
    assert panel.status("ann").state is Wait.DONE and "Thank you" in panel.status("ann").reason
    pairs = [frozenset((q.left, q.right)) for q in first + rest]
    assert len(set(pairs)) == len(pairs)


def test_a_person_with_an_open_last_question_is_told_to_answer_it():
    panel = Panel(["a", "b"], sitting=1)
    panel.add_judge("ann")
    panel.ask("ann")
    assert panel.ask("ann") is None
    assert "answer the question you have" in panel.status("ann").reason


def test_a_log_replays_to_the_same_state_and_the_same_next_plan():
    panel = crowd(Panel(ITEMS, sitting=4, seed=2), 6)
    twin = Panel(ITEMS, sitting=4, seed=2)
    copy = crowd(Panel(ITEMS, sitting=4, seed=2), 0)
    for person in range(6):
        name = f"p{person}"
        twin.add_judge(name), copy.add_judge(name)
        while (question := copy.ask(name)) is not None:
            recorded = json.loads(json.dumps(dict(question.terms)))
            twin.replay(type(question)(question.id, question.judge, question.left, question.right, recorded))
            twin.tell(question.id, better(question))
            copy.tell(question, better(question))
    assert twin.snapshot() == panel.snapshot()
    for one in (panel, twin):
        one.add_judge("next")
    assert panel.ask("next") == twin.ask("next")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"objective": "tiers"},
        {"objective": "order"},
        {"objective": "best", "relation": "field-share"},
        {"about": "panel", "judges": ["p0", "p1", "p2"]},
    ],
)
def test_a_snapshot_goes_on_alike(options):
    panel = crowd(Panel(ITEMS, sitting=4, **options), 3)
    twin = Ranker.restore(json.dumps(panel.snapshot()))
    assert twin.snapshot() == panel.snapshot() and twin.ranking == panel.ranking
    if options.get("about") != "panel":
        assert [q.terms for q in sit(panel, "new")] == [q.terms for q in sit(twin, "new")]
    assert twin.ranking == panel.ranking


# ---------------------------------------------------------------------- results
def test_unanimous_people_settle_the_ranges():
    panel = crowd(Panel(ITEMS, error=0.1), 60)
    ranking = panel.ranking
    assert panel.done and ranking.certified
    assert ranking.order == tuple(ITEMS) and ranking.ranges == tuple((k, k) for k in range(1, 6))
    details = ranking.details
    assert details["settled_count"] == details["pairs_count"] == 10
    assert details["groups"] == [[item] for item in ITEMS] and details["lines"] == [1, 2, 3, 4]
    assert details["top"][2] == {"in": ["a", "b"], "out": ["c", "d", "e"], "open": []}
    assert details["open_pairs"] == [] and details["forecast"]["pairs"] == 0
    assert all(link.settled for link in ranking.links)
    assert "all rank ranges hold at once" in ranking.statement and "not about the truth" in ranking.statement


def test_the_details_have_exactly_the_agreed_keys():
    details = crowd(Panel(ITEMS), 3).ranking.details
    assert set(details) == {
        "objective", "about", "relation", "k", "groups", "lines", "top", "settled_count", "pairs_count",
        "settled_pairs", "open_pairs", "forecast", "cycles", "people", "answers", "ties", "skips", "level",
    }  # fmt: skip
    assert set(details["open_pairs"][0]) == {
        "first", "second", "first_preferred", "answers", "people_needed", "note",
    }  # fmt: skip
    assert set(details["forecast"]) == {"people", "sitting", "pairs", "low", "high", "likely"}
    json.dumps(Panel(ITEMS).ranking.to_dict())


@pytest.mark.parametrize("objective", ["best", "top-3", "tiers", "order"])
def test_each_objective_is_reached_and_says_only_its_own(objective):
    panel = crowd(Panel(ITEMS, objective=objective, error=0.1), 80)
    ranking = panel.ranking
    assert panel.done and ranking.details["objective"] == objective
    expected = {"best": [1], "top-3": [3], "tiers": [1, 2, 3, 4], "order": [1, 2, 3, 4]}[objective]
    assert ranking.details["lines"] == expected
    if objective in ("best", "top-3"):
        k = expected[0]
        assert ranking.ranges == ((1, k),) * k + ((k + 1, 5),) * (5 - k)
        assert ranking.details["settled_count"] == k * (5 - k)
        assert not ranking.certified
    else:
        assert ranking.certified


def test_fewer_answers_settle_the_best_than_all_ranges():
    asked = {}
    for objective in ("best", "ranges"):
        panel = Panel(ITEMS, objective=objective, error=0.1, sitting=4)
        for person in range(200):
            if panel.done:
                break
            sit(panel, person)
        asked[objective] = panel.questions
    assert asked["best"] < 0.7 * asked["ranges"]


def test_a_circle_is_found_shown_and_stops_the_search_for_a_line():
    beats = {("a", "b"), ("b", "c"), ("c", "a")}

    def answer(q):
        return q.left if (q.left, q.right) in beats else q.right

    panel = crowd(Panel(["a", "b", "c"], objective="best", error=0.1), 60, answer)
    ranking = panel.ranking
    assert panel.done and ranking.details["lines"] == [] and ranking.details["settled_count"] == 0
    assert sorted(ranking.details["cycles"][0]) == ["a", "b", "c"]
    assert any("circle" in words and "rank 1" in words for words in ranking.warnings)
    assert not ranking.certified
    ranges = crowd(Panel(["a", "b", "c"], error=0.1), 60, answer).ranking
    assert ranges.ranges == ((2, 2), (2, 2), (2, 2)) and not ranges.certified


def test_the_majority_of_these_judges_is_counted():
    judges = {"m1": "abcde", "m2": "abcde", "m3": "edcba"}
    panel = Panel(ITEMS, judges=judges, about="panel")
    pairs = set()
    while (question := panel.ask()) is not None:
        key = (question.judge, frozenset((question.left, question.right)))
        assert key not in pairs  # each is asked a pair once
        pairs.add(key)
        order = judges[question.judge]
        panel.tell(question, min(question.left, question.right, key=order.index))
    ranking = panel.ranking
    assert panel.done and ranking.certified and ranking.order == tuple("abcde")
    assert "exactly these 3 judges" in ranking.statement
    assert 20 <= panel.questions <= 30
    with pytest.raises(CannotJoin, match="exactly 3 judges"):
        panel.add_judge("m4")
    assert panel.judge_names == ["m1", "m2", "m3"]


def test_an_exact_tie_of_these_judges_is_called_that():
    panel = Panel(["a", "b"], judges=["m1", "m2"], about="panel")
    for _ in range(2):
        question = panel.ask()
        panel.tell(question, "a" if question.judge == "m1" else "b")
    ranking = panel.ranking
    assert panel.done and ranking.ranges == ((1, 2), (1, 2)) and not ranking.certified
    assert ranking.details["open_pairs"][0]["note"] == "exact tie"


def test_field_share_settles_scores_of_many_items():
    items = [f"{k:02}" for k in range(12)]
    panel = crowd(Panel(items, relation="field-share", objective="tiers", error=0.1), 120)
    ranking = panel.ranking
    assert "share of comparisons with a random other item" in ranking.statement
    assert len(ranking.details["groups"]) > 1
    assert all(group == sorted(group) for group in [[min(g) for g in ranking.details["groups"]]])


def test_the_forecast_speaks_of_people():
    panel = crowd(Panel(ITEMS, error=0.1), 6)
    soon, later = panel.forecast(people=3), panel.forecast(people=40)
    assert soon["people"] == 3 and soon["sitting"] == 10
    assert soon["low"] <= soon["pairs"] <= soon["high"]
    assert later["pairs"] > soon["pairs"]
    assert all(0 < likely["chance"] <= 1 for likely in later["likely"])
    with pytest.raises(BadInput, match="number of people"):
        panel.forecast(people=-1)
    assert "also" not in panel.ranking.details["forecast"]
    for name in ("yet", "to", "come"):
        panel.add_judge(name)
    also = panel.ranking.details["forecast"]["also"]
    assert also["people"] == 3 and also["label"] == "all 3 not yet asked"


def test_the_forecast_of_an_order_speaks_of_links():
    panel = crowd(Panel(ITEMS, objective="order", error=0.1, sitting=4), 6)
    seen = panel.forecast(people=30)
    assert seen["low"] <= seen["links"] <= seen["high"] <= 4 and seen["high"] > 0
    assert {frozenset(pair) for pair in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"))} >= {
        frozenset((maybe["better"], maybe["worse"])) for maybe in seen["likely"]
    }
    assert panel.forecast(people=0)["high"] == 0


def test_an_orders_open_pairs_begin_with_its_links():
    panel = crowd(Panel(ITEMS, objective="order", error=0.1, sitting=4), 5)
    order, rows = panel.ranking.order, panel.ranking.details["open_pairs"]
    assert {(row["first"], row["second"]) for row in rows[:4]} == set(pairwise(order))


def test_field_share_forecasts_from_the_people_heard():
    panel = Panel(ITEMS, relation="field-share", error=0.1)
    assert "needs 8 people" in panel.forecast()["words"]
    crowd(panel, 12)
    seen = panel.forecast(people=40)
    assert 0 <= seen["low"] <= seen["pairs"] <= seen["high"] and seen["pairs"] > 0
    assert all(maybe["better"] < maybe["worse"] for maybe in seen["likely"])  # as everybody says


def test_these_judges_are_all_there_are():
    panel = Panel(["a", "b", "c"], judges=["m1", "m2", "m3"], about="panel")
    assert panel.forecast()["words"] == "These judges are all there are: 6 to 9 more answers of theirs end it."
    while (question := panel.ask()) is not None:
        panel.tell(question, better(question))
    assert "nothing more will change" in panel.forecast()["words"]


def test_a_finished_panel_needs_nobody():
    assert "no more people are needed" in crowd(Panel(ITEMS, error=0.1), 60).ranking.details["forecast"]["words"]


def test_open_pairs_say_how_many_people_or_why_not():
    panel = crowd(Panel(ITEMS, error=0.1), 8)
    rows = panel.ranking.details["open_pairs"]
    assert any(isinstance(row["people_needed"], int) for row in rows)
    assert all((row["people_needed"] is None) == bool(row["note"]) for row in rows)


def test_careless_people_weigh_less_in_the_best_guess():
    import numpy as np

    from juryrank.core.guide import weighted_strengths

    rng = np.random.default_rng(1)
    rows = []
    for judge in range(30):
        for _ in range(12):
            i, j = sorted(rng.choice(8, 2, replace=False))
            honest = judge < 20 or rng.random() < 0.5
            rows.append((judge, i, j) if honest else (judge, j, i))
    s, gaps = weighted_strengths(8, np.array(rows), 30)
    assert list(np.argsort(-s)) == list(range(8))
    assert len(gaps) == len(rows)


# ---------------------------------------------------------------------- items that join
def test_items_join_with_the_next_epochs_level_and_nothing_settled_is_lost():
    panel = crowd(Panel(["a", "b", "c"], error=0.1), 40)
    assert panel.done
    level = panel.ranking.details["level"]
    panel.add_items(["d"])
    assert not panel.done and panel.ranking.details["settled_count"] == 3
    assert panel.ranking.details["level"] < level / 10
    for person in range(100, 160):
        sit(panel, person)
    assert panel.done and panel.ranking.order == ("a", "b", "c", "d")
    fixed = Panel(["a", "b"], joining=False)
    with pytest.raises(CannotJoin, match="joining=False"):
        fixed.add_items(["c"])
    assert fixed.items == ["a", "b"]


@pytest.mark.parametrize("options", [{"objective": "tiers"}, {"objective": "order"}, {"relation": "field-share"}])
def test_joining_works_for_every_way_of_counting(options):
    panel = crowd(Panel(["a", "b", "c"], error=0.2, **options), 30)
    panel.add_items(["d"])
    for person in range(100, 180):
        sit(panel, person)
    assert panel.ranking.order == ("a", "b", "c", "d")


# ---------------------------------------------------------------------- bad input
def test_one_person_is_too_few_and_is_told_how_many_would_do():
    panel = crowd(Panel(ITEMS, error=0.1), 1)
    ranking = panel.ranking
    assert ranking.details["settled_count"] == 0 and ranking.ranges == ((1, 5),) * 5
    assert any("Too few people" in words and "at least" in words for words in ranking.warnings)
    status = panel.status()
    assert status.state is Wait.WAIT and "invite more people" in status.reason


def test_nobody_has_come_yet():
    panel = Panel(ITEMS)
    assert panel.ask() is None and panel.ranking.details["people"] == 0
    assert set(panel.ranking.order) == set(ITEMS)


@pytest.mark.parametrize("objective", ["ranges", "tiers", "best", "order"])
def test_two_items(objective):
    panel = crowd(Panel(["a", "b"], objective=objective, error=0.1), 20)
    assert panel.done and panel.ranking.order == ("a", "b") and panel.ranking.ranges == ((1, 1), (2, 2))


@pytest.mark.parametrize("word", [SKIP, TIE])
def test_everybody_skips_or_ties(word):
    panel = crowd(Panel(ITEMS), 30, lambda q: word)
    ranking = panel.ranking
    assert ranking.details["settled_count"] == 0 and ranking.details["answers"] == 0
    assert ranking.details["ties"] + ranking.details["skips"] == 300
    assert any("ties or skips" in words for words in ranking.warnings)


def test_a_plan_longer_than_the_pairs_there_are():
    panel = Panel(["a", "b", "c"], sitting=50)
    asked = sit(panel, "ann")
    assert len(asked) == 3 and panel.status("ann").state is Wait.DONE
    assert "all your 3 questions" in panel.status("ann").reason


@pytest.mark.parametrize(("objective", "k"), [("top-5", None), ("top-9", None), ("top-k", 0), ("top-k", 5)])
def test_an_objective_k_outside_the_items(objective, k):
    with pytest.raises(BadInput, match="k goes from 1 to 4"):
        Panel(ITEMS, objective=objective, k=k)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"about": "everyone"}, "population, panel"),
        ({"relation": "taste"}, "head-to-head"),
        ({"sitting": 0}, "1 or more"),
        ({"about": "panel"}, "fixed list of judges"),
        ({"relation": "field-share", "objective": "order"}, "field-share"),
    ],
)
def test_options_that_cannot_be(options, words):
    with pytest.raises(BadInput, match=words):
        Panel(ITEMS, **options)


def test_of_an_exact_tie_only_the_first_direction_is_ever_settled():
    from juryrank.core.ballot import Ballot
    from juryrank.core.levels import Objective

    ballot = Ballot(2, error=0.2, objective=Objective.RANGES)
    for _ in range(10):
        ballot.count(0, 1)
    for _ in range(60):
        ballot.count(1, 0)
    assert ballot.settled[0, 1] and not ballot.settled[1, 0]
    ballot.join(1)
    assert ballot.settled[0, 1] and not ballot.settled[1, 0]


@pytest.mark.parametrize("objective", ["best", "tiers", "order"])
def test_an_exact_tie_of_these_judges_stands_in_the_way_of_no_line(objective):
    """Two judges disagree about (a, b) only: each side has at least half."""
    panel = Panel(["a", "b", "c"], judges=["m1", "m2"], about="panel", objective=objective)
    while (question := panel.ask()) is not None:
        swapped = question.judge == "m2" and {question.left, question.right} == {"a", "b"}
        panel.tell(question, max(question.left, question.right) if swapped else better(question))
    assert panel.done and 1 in panel.ranking.details["lines"]
    assert "at least half" in panel.ranking.statement

"""The panel ranker: one plan per person, counted in the order of arrival; replays and snapshots."""

from __future__ import annotations

import json

import pytest

from juryrank.errors import UnknownName
from juryrank.rankers import Ranker
from juryrank.rankers.panel.ranker import Panel
from juryrank.types import Wait
from tests.rankers.panel.crowds import ITEMS, better, crowd, sit


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
    assert panel.ranking.details.answers == 0
    assert "somebody before them is still answering" in " ".join(panel.ranking.warnings)
    sit(panel, "slow")
    assert panel.ranking.details.answers == 9 and panel.ranking.details.people == 3


def test_a_deadline_counts_what_was_answered_in_time_and_frees_the_others():
    panel = Panel(ITEMS, sitting=3)
    sit(panel, "slow", most=2)
    third = panel.ask("slow")
    sit(panel, "ann")
    panel.lapse(1)
    assert panel.ranking.details.answers == 5
    panel.tell(third, third.left)  # late: kept, not counted
    assert panel.ranking.details.answers == 5
    assert panel.ask("slow") is None
    status = panel.status("slow")
    assert status.state is Wait.DONE and "time is over" in status.reason
    with pytest.raises(UnknownName, match="no sitting 7"):
        panel.lapse(7)


def test_who_leaves_in_the_middle_and_comes_back_goes_on_with_the_same_plan():
    panel = Panel(ITEMS, sitting=4)
    first = sit(panel, "ann", most=2)
    sit(panel, "bob")
    rest = sit(panel, "ann")
    assert [q.terms["place"] for q in first + rest] == [0, 1, 2, 3]
    assert sit(panel, "ann") == []  # one plan per person
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
        {"objective": "best", "relation": "field-share"},
        {"about": "panel", "judges": ["p0", "p1", "p2"]},
        {"about": "panel", "judges": ["p0", "p1", "p2"], "objective": "order"},
    ],
)
def test_a_snapshot_goes_on_alike(options):
    panel = crowd(Panel(ITEMS, sitting=4, **options), 3)
    twin = Ranker.restore(json.dumps(panel.snapshot()))
    assert twin.snapshot() == panel.snapshot() and twin.ranking == panel.ranking
    if options.get("about") != "panel":
        assert [q.terms for q in sit(panel, "new")] == [q.terms for q in sit(twin, "new")]
    assert twin.ranking == panel.ranking

"""Every registered ranker keeps the contract; a new one is found by its registry line and tested here."""

import copy
import json
import random

import pytest

from juryrank.errors import (
    AnsweredTwice,
    BadAnswer,
    BadInput,
    BadSnapshot,
    CannotJoin,
    UnknownName,
    UnknownQuestion,
)
from juryrank.log import Event, fold, settings
from juryrank.rankers import Ranker, make_ranker, ranker_class, ranker_names
from juryrank.rankers.contract.limits import RecordedUse
from juryrank.rankers.contract.roster import side_of
from juryrank.types import SKIP, TIE, Wait
from tests.conformance.rankers import (
    ITEMS,
    JUDGES,
    ask_anyone,
    better,
    build,
    needed_options,
    noisy,
    play,
    play_until_lanes,
)
from tests.quick import quick

pytestmark = pytest.mark.parametrize("name", ranker_names())


def test_registered_under_its_own_name(name):
    assert ranker_class(name).name == name
    assert ranker_class(name).title


def test_says_what_others_must_know(name):
    """Attributes without a default: nobody is given another ranker's assumptions."""
    kind = ranker_class(name)
    assert isinstance(kind.recorded, RecordedUse)
    assert isinstance(kind.true_order, bool) and isinstance(kind.any_order, bool)
    assert all(isinstance(words, str) and words and not words.endswith(".") for words in kind.assumptions({}))


def test_perfect_judges_give_the_order_best_first(name):
    """And the ranker says on the way how far it is."""
    ranker = build(name)
    start = ranker.progress
    assert ranker.status().state in (Wait.READY, Wait.WAIT)
    play(ranker, better, most=60_000)
    ranking = ranker.ranking
    assert list(ranking.order) == sorted(ITEMS)
    assert ranking.ranker == name and ranking.error == 0.2
    assert ranking.questions == ranker.questions == sum(j.asked for j in ranking.judges)
    assert len(ranking.ranges) == len(ITEMS)
    assert all(low <= rank <= high for rank, (low, high) in enumerate(ranking.ranges, 1))
    status, end = ranker.status(), ranker.progress
    assert status.reason.endswith(".") and len(status.reason) > 20
    assert (start.questions, start.items, start.judges) == (0, len(ITEMS), len(JUDGES))
    assert end.questions == ranker.questions > 0 and end.placed == len(ITEMS)


def test_questions_are_well_formed(name):
    ranker = build(name)
    for expected_id, question in enumerate(play(ranker, noisy(1), most=120), 1):
        assert question.id == expected_id
        assert question.judge in JUDGES
        assert {question.left, question.right} <= set(ITEMS) and question.left != question.right
        json.dumps(dict(question.terms))


def test_both_sides_are_shown(name):
    asked = play(build(name, items=[f"{k:02}" for k in range(12)]), noisy(2), most=100)
    lefts = sum(question.left < question.right for question in asked)
    assert 0.25 < lefts / len(asked) < 0.75


def test_same_seed_same_questions(name):
    first, second = (play(build(name, seed=9), noisy(3), most=80) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("after", quick([60, 0, 1, 7]))
def test_snapshot_goes_on_alike(name, after):
    ranker = build(name)
    play(ranker, noisy(4), most=after)
    open_question = ask_anyone(ranker)
    twin = Ranker.restore(json.dumps(ranker.snapshot()))
    assert twin.snapshot() == ranker.snapshot()
    for one in (ranker, twin):
        if open_question is not None:
            one.tell(open_question, better(open_question))
    assert play(twin, noisy(4), most=50) == play(ranker, noisy(4), most=50)
    assert twin.ranking == ranker.ranking and twin.judges == ranker.judges


def test_snapshot_with_many_open_goes_on_alike(name):
    ranker = build(name)
    play(ranker, noisy(4), most=20)
    questions = [q for q in (ask_anyone(ranker) for _ in range(8)) if q]
    for question in questions[1::2]:  # held back, as earlier ones are still out
        ranker.tell(question, better(question))
    twin = Ranker.restore(ranker.snapshot())
    for one in (ranker, twin):
        for question in questions[::2]:
            one.tell(question, better(question))
    assert twin.snapshot() == ranker.snapshot()


def test_a_log_folds_to_the_same_ranker(name):
    options = needed_options(name)
    ranker = build(name, **options)
    events = [Event(1, "created", settings(ITEMS, judges=JUDGES, ranker=name, error=0.2, seed=5, options=options))]
    rng = random.Random(1)
    waiting = []
    for _ in range(150):
        question = ask_anyone(ranker)
        if question is not None:
            data = {"q": question.id, "judge": question.judge, "left": question.left, "right": question.right}
            data |= {} if question.case is None else {"case": question.case}
            events.append(Event(len(events) + 1, "asked", {**data, "terms": dict(question.terms)}))
            waiting.append(question)
        if waiting and (question is None or rng.random() < 0.7):
            told = waiting.pop(rng.randrange(len(waiting)))
            if rng.random() < 0.1:
                ranker.expire(told)
                events.append(Event(len(events) + 1, "expired", {"q": told.id}))
            else:
                answer = noisy(6)(told)
                ranker.tell(told, answer)
                events.append(Event(len(events) + 1, "told", {"q": told.id, "answer": side_of(told, answer)}))
        elif question is None:
            break
    again = fold(events).ranker
    assert again.snapshot() == ranker.snapshot()
    assert ask_anyone(again) == ask_anyone(ranker)


def test_answers_in_any_order_count_alike(name):
    """With the same questions out, the order in which answers come back changes nothing.

    Where a ranker says that its search uses answers as they come, this holds from its first lane on.
    """
    outcomes = []
    for shuffle in (1, 2, 3):
        ranker = build(name)
        if not ranker.any_order:
            play_until_lanes(ranker)
        for _ in range(12):
            questions = [q for q in (ask_anyone(ranker) for _ in range(6)) if q]
            random.Random(shuffle).shuffle(questions)
            for question in questions:
                ranker.tell(question, noisy(7)(question))
        outcomes.append(ranker.ranking)
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_an_unknown_or_repeated_answer_changes_nothing(name):
    ranker = build(name)
    first = ask_anyone(ranker)
    before = ranker.snapshot()
    with pytest.raises(UnknownQuestion, match="never asked"):
        ranker.tell(999, first.left)
    with pytest.raises(BadAnswer, match="TIE or SKIP"):
        ranker.tell(first, "something else")
    assert ranker.snapshot() == before
    ranker.tell(first, first.left)
    after = ranker.snapshot()
    with pytest.raises(AnsweredTwice):
        ranker.tell(first, first.right)
    assert ranker.snapshot() == after


def test_ties_and_skips_are_kept_and_decide_nothing(name):
    ranker = build(name, budget=200)
    answers = iter([TIE, SKIP] * 200)
    asked = play(ranker, lambda _: next(answers))
    assert not ranker.ranking.certified
    assert sum(judge.answered for judge in ranker.judges) == len(asked)
    assert not any(link.answers_for + link.answers_against for link in ranker.ranking.links)


def test_an_expired_question_goes_to_somebody_else_and_a_late_answer_is_kept(name):
    ranker = build(name)
    question = ask_anyone(ranker)
    ranker.expire(question)
    ranker.expire(question)  # twice is once
    assert question not in ranker.open_questions
    assert ask_anyone(ranker) is not None
    ranker.tell(question, question.left)
    with pytest.raises(AnsweredTwice):
        ranker.tell(question, question.left)


def test_chance_ends_at_the_budget_without_a_certificate(name):
    runs, budget = (5, 300) if ranker_class(name).promises else (1, 60)  # without a promise there is none to break
    wrong = 0
    for seed in range(runs):
        ranker = build(name, budget=budget, seed=seed, error=0.05)
        asked = play(ranker, noisy(seed, accuracy=0.5))
        assert len(asked) <= budget and ranker.questions <= budget
        assert ask_anyone(ranker) is None
        ranking = ranker.ranking
        wrong += ranking.certified and list(ranking.order) != sorted(ITEMS)
    assert wrong <= 2  # 5 runs at δ = 0.05: more than 2 has a chance of 1 in 800


def test_a_budget_of_nothing_asks_nothing(name):
    ranker = build(name, budget=0)
    assert ask_anyone(ranker) is None
    assert ranker.status().state is Wait.DONE and "budget" in ranker.status().reason
    assert not ranker.ranking.certified


def test_money_is_a_budget_too(name):
    prices = dict(zip(JUDGES, [0.5, 1.0, 2.0, 4.0], strict=True))
    ranker = build(name, prices=prices, money=20.0)
    asked = play(ranker, noisy(1))
    assert asked and sum(prices[question.judge] for question in asked) == pytest.approx(ranker.cost)
    assert ranker.cost <= 20.0


@pytest.mark.parametrize("items", [[], ["only"]])
def test_nothing_to_rank_is_done_at_once(name, items):
    ranker = build(name, items=items)
    assert ranker.done and ask_anyone(ranker) is None
    assert list(ranker.ranking.order) == items


def test_two_items_and_one_judge(name):
    ranker = build(name, items=["a", "b"], judges=["ann"])
    play(ranker, better, most=60_000)
    assert list(ranker.ranking.order) == ["a", "b"]


def test_a_named_judge_gets_the_question(name):
    ranker = build(name, judges=["ann"])
    question = ranker.ask("ann")
    assert question is not None and question.judge == "ann"
    with pytest.raises(UnknownName, match="not in this ranking"):
        ranker.ask("nobody")


def test_a_paused_judge_is_not_asked(name):
    ranker = build(name)
    ranker.pause_judge("ann")
    assert ranker.ask("ann") is None
    assert ranker.status("ann").state is Wait.DROPPED
    asked = play(ranker, better, most=200)
    assert all(question.judge != "ann" for question in asked)
    ranker.resume_judge("ann")
    assert ranker.done or ranker.status("ann").state is not Wait.DROPPED


@pytest.mark.parametrize("error", [0, 1, -0.1, 1.5, float("nan"), "0.1"])
def test_error_must_be_a_probability(name, error):
    with pytest.raises(BadInput, match="between 0 and 1"):
        build(name, error=error)


def test_bad_input_says_what_and_what_to_do(name):
    with pytest.raises(BadInput, match="twice"):
        build(name, items=["a", "b", "a"])
    with pytest.raises(BadInput, match="twice"):
        build(name, judges=["ann", "ann"])
    with pytest.raises(BadInput, match="not hashable"):
        build(name, items=[["list"], "b"])
    with pytest.raises(BadInput, match="whole number"):
        build(name, budget=-1)
    with pytest.raises(BadInput, match="price"):
        build(name, prices={"ann": 1.0})
    with pytest.raises(BadInput, match="price"):
        build(name, prices=dict.fromkeys(JUDGES, -1.0))
    with pytest.raises((BadInput, TypeError)):
        make_ranker(name, ITEMS, judges=JUDGES, nonsense=1, **needed_options(name))


def test_a_broken_snapshot_is_refused(name):
    snapshot = build(name).snapshot()
    with pytest.raises(BadSnapshot):
        Ranker.restore(json.dumps(snapshot)[:-20])
    with pytest.raises(BadSnapshot, match="schema"):
        Ranker.restore({**snapshot, "schema": 999})
    broken = copy.deepcopy(snapshot)
    del broken["state"]
    with pytest.raises(BadSnapshot):
        Ranker.restore(broken)


def test_joining_items_join_or_are_refused(name):
    ranker = build(name)
    play(ranker, better, most=20)
    before = ranker.snapshot()
    try:
        ranker.add_items(["item-9"])
    except CannotJoin:
        assert ranker.snapshot() == before
        return
    play(ranker, better, most=60_000)
    assert list(ranker.ranking.order) == [*sorted(ITEMS), "item-9"]


def test_a_foreign_question_promises_nothing(name):
    """A recorded question that does not fit the present state is kept; its answer settles nothing."""
    ranker = build(name)
    question = ask_anyone(ranker)
    foreign = (
        copy.replace(question, id=50, terms={})
        if hasattr(copy, "replace")
        else type(question)(50, question.judge, question.left, question.right, {})
    )
    ranker.replay(foreign)
    ranker.tell(foreign, foreign.left)
    assert not any(link.evidence and link.evidence > 1 for link in ranker.ranking.links)
    with pytest.raises(BadInput, match="replay each event once"):
        ranker.replay(foreign)

"""What the paper's rankers add to the common contract."""

import random

import pytest

from juryrank.defaults import DEFAULT_BUDGET_PER_ITEM
from juryrank.errors import BadInput
from juryrank.rankers import make_ranker
from juryrank.types import Wait
from tests.conformance.rankers import better, build, noisy, play


def judged_by(accuracy, seed=0):
    """Answers by judges of these accuracies."""
    rng = random.Random(seed)

    def answer(question):
        right = rng.random() < accuracy[question.judge]
        return better(question) if right else max(question.left, question.right)

    return answer


def test_ada_iir_drops_the_bad_judges_and_says_when_and_why():
    accuracy = {"ann": 0.97, "bob": 0.6, "cem": 0.62, "dee": 0.96}
    ranker = build("ada-iir", items=[f"{k:02}" for k in range(10)])
    play(ranker, judged_by(accuracy), most=200_000)
    assert ranker.ranking.certified and list(ranker.ranking.order) == sorted(ranker.items)
    reports = {report.name: report for report in ranker.judges}
    assert {name for name, report in reports.items() if report.active} == {"ann", "dee"}
    assert 0 < reports["bob"].dropped_at < ranker.questions
    assert "less often right" in reports["bob"].note
    assert all(abs(reports[name].accuracy - accuracy[name]) < 0.1 for name in accuracy)
    assert all(report.low <= report.accuracy <= report.high for report in ranker.judges)


def test_a_dropped_judge_is_told_so():
    ranker = build("ada-iir", items=[f"{k:02}" for k in range(10)])
    answer = judged_by({"ann": 0.97, "bob": 0.55, "cem": 0.55, "dee": 0.96})
    while all(report.active for report in ranker.judges):
        question = ranker.ask()
        ranker.tell(question, answer(question))
    gone = next(report for report in ranker.judges if not report.active)
    assert ranker.ask(gone.name) is None
    status = ranker.status(gone.name)
    assert (status.state, status.since) == (Wait.DROPPED, gone.dropped_at)


def test_iir_asks_everybody_alike():
    ranker = build("iir", items=[f"{k:02}" for k in range(10)])
    asked = play(ranker, judged_by({"ann": 0.97, "bob": 0.6, "cem": 0.6, "dee": 0.97}), most=8000)
    for judge in ranker.judge_names:
        assert abs(sum(q.judge == judge for q in asked) / len(asked) - 0.25) < 0.03


def test_two_stage_ranks_with_one_judge_and_released_with_all_survivors():
    accuracy = {"ann": 0.97, "bob": 0.6, "cem": 0.6, "dee": 0.97}
    answer = judged_by(accuracy)
    ranker = build("two-stage")
    asked = play(ranker, answer, most=100_000)
    ranking_judges = {q.judge for q in asked if q.terms["stage"] == "rank"}
    assert len(ranking_judges) == 1 and ranking_judges <= {"ann", "dee"}
    assert {q.judge for q in asked if q.terms["stage"] == "pair"} == set(accuracy)
    released = build("two-stage", constants="released")
    asked = play(released, answer, most=100_000)
    assert {q.judge for q in asked if q.terms["stage"] == "rank"} == {"ann", "dee"}


def test_median_elimination_never_loops_on_equal_judges():
    ranker = build("two-stage", selection="median", alpha=0.4, items=["a", "b", "c"])
    play(ranker, better, most=200_000)
    assert ranker.done and len([r for r in ranker.judges if r.active]) == 1


def test_subset_selection_stays_in_its_subset():
    judges = [f"j{k}" for k in range(30)]
    ranker = build("subset-two-stage", judges=judges, subset=4)
    asked = play(ranker, noisy(3, accuracy=0.95), most=100_000)
    chosen = {q.judge for q in asked if q.terms["stage"] != "pair"}
    assert chosen == {judges[k] for k in ranker.subset} and len(chosen) == 4


def test_an_answer_after_the_verdict_is_late_and_not_used():
    ranker = build("iir", items=["a", "b"], judges=["ann"])
    questions = [ranker.ask() for _ in range(28)]
    for question in questions:
        ranker.tell(question, better(question))
    late = ranker.ranking.details.late
    verdict_after = 28 - late  # a duel of agreeing answers ends before its longest
    assert 5 < verdict_after < 28
    assert sum(n for n in ranker._tallies.values()) == verdict_after


def test_a_duel_has_at_most_as_many_open_as_it_can_need():
    ranker = build("iir", items=["a", "b"], judges=["ann"])
    count = 0
    while ranker.ask() is not None:
        count += 1
    assert count == ranker._insertion.longest
    assert ranker.status("ann").state is Wait.WAIT


def test_answers_that_are_not_fresh_are_never_certified():
    ranker = build("iir", items=["a", "b"], fresh=False)
    play(ranker, better)
    assert ranker.done and not ranker.ranking.certified
    assert any("drawn anew" in warning for warning in ranker.ranking.warnings)


def test_the_default_budget_ends_judges_at_chance():
    assert make_ranker("iir", range(3), judges=[1]).budget == 3 * DEFAULT_BUDGET_PER_ITEM


def test_the_oracle_must_be_told():
    with pytest.raises(BadInput, match="best judge"):
        make_ranker("oracle", "abc", judges=["ann", "bob"])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("iir", {"constants": "mine"}),
        ("two-stage", {"selection": "none"}),
        ("two-stage", {"alpha": 0.7}),
        ("subset-two-stage", {"subset": 0}),
        ("oracle", {"best": "zoe"}),
    ],
)
def test_bad_options_are_refused(name, options):
    with pytest.raises(BadInput):
        make_ranker(name, "abc", judges=["ann", "bob"], **options)

"""The panel ranker about exactly these judges: their majority, and their ties."""

from __future__ import annotations

import pytest

from juryrank.errors import CannotJoin
from juryrank.rankers.panel.ranker import Panel
from juryrank.types import SKIP
from tests.rankers.panel.crowds import ITEMS, better


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
    with pytest.raises(CannotJoin, match="the judges it began with"):
        panel.add_judge("m4")
    assert panel.judge_names == ["m1", "m2", "m3"]


def test_an_exact_tie_of_these_judges_is_called_that():
    panel = Panel(["a", "b"], judges=["m1", "m2"], about="panel")
    for _ in range(2):
        question = panel.ask()
        panel.tell(question, "a" if question.judge == "m1" else "b")
    ranking = panel.ranking
    assert panel.done and ranking.ranges == ((1, 2), (1, 2)) and not ranking.certified
    assert ranking.details.open_pairs[0]["note"] == "exact tie"


@pytest.mark.parametrize(("objective", "lines"), [("best", []), ("tiers", [2]), ("order", [2])])
def test_no_line_runs_between_items_that_these_judges_tie(objective, lines):
    """Two judges disagree about (a, b) only."""
    panel = Panel(["a", "b", "c"], judges=["m1", "m2"], about="panel", objective=objective)
    while (question := panel.ask()) is not None:
        swapped = question.judge == "m2" and {question.left, question.right} == {"a", "b"}
        panel.tell(question, max(question.left, question.right) if swapped else better(question))
    assert panel.done and panel.ranking.details.lines == lines and not panel.ranking.proven
    assert "more than half" in panel.ranking.statement


def test_a_circle_leaves_ranks_open_below_what_is_settled():
    """One judge says t over a, b and c, which go in a circle, and skips x, so that every pair is asked."""
    beats = {("a", "b"), ("b", "c"), ("c", "a"), ("t", "a"), ("t", "b"), ("t", "c")}
    panel = Panel("abctx", judges=["you"], about="panel", objective="order")
    while (question := panel.ask()) is not None:
        pair = question.left, question.right
        panel.tell(question, SKIP if "x" in pair else pair[0] if pair in beats else pair[1])
    ranking = panel.ranking
    assert panel.done and not ranking.proven and not ranking.certified
    ranges = dict(zip(ranking.order, ranking.ranges, strict=True))
    assert ranges == {"t": (1, 2), "a": (2, 5), "b": (2, 5), "c": (2, 5), "x": (1, 5)}


def test_silence_is_kept_in_a_snapshot_and_when_items_join():
    panel = Panel(["a", "b"], judges=["m1"], about="panel")
    panel.expire(panel.ask())
    assert panel.done and not panel.ranking.proven
    again = Panel.restore(panel.snapshot())
    assert not again.ranking.proven and again.ranking.details.open_pairs[0]["note"] == "no answer came"
    again.add_items(["c"])
    while (question := again.ask()) is not None:
        again.tell(question, better(question))
    assert again.done and not again.ranking.proven


def test_one_judge_is_spoken_of_as_one():
    panel = Panel("ab", judges=["you"], about="panel")
    assert "asked: 1 more answer settles all" in panel.ranking.details.forecast["words"]
    panel.tell(panel.ask(), SKIP)
    ranking = panel.ranking
    said = " ".join((ranking.statement, *ranking.warnings, ranking.details.forecast["words"]))
    assert "exactly this one judge" in said and "The only answer so far is a tie or a skip" in said
    assert "This judge has said all" in said and "majority" not in said and "these judges" not in said
    assert "assumes" not in said  # a count assumes nothing about who skips
    assert ranking.details.open_pairs[0]["note"] == "nobody chose"


def test_a_circle_of_one_judge_is_the_judges_own():
    panel = Panel("abc", judges=["you"], about="panel")
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    while (question := panel.ask()) is not None:
        panel.tell(question, question.left if (question.left, question.right) in beats else question.right)
    assert panel.ranking.warnings[0].startswith("This judge's answers go in a circle: a over b over c over a.")


def test_estimates_beside_a_circle_say_that_they_suppose_one_order():
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    panel = Panel("abc", judges=["m1", "m2", "m3"], about="panel")
    while (question := panel.ask()) is not None:
        assert "circle" not in panel.ranking.estimates.note
        panel.tell(question, question.left if (question.left, question.right) in beats else question.right)
    assert "beat each other in a circle" in panel.ranking.details.forecast["words"]
    assert panel.ranking.details.cycles and "suppose one order" in panel.ranking.estimates.note


@pytest.mark.parametrize("given", ["sorted", "reversed", "shuffled"])
def test_an_order_takes_about_as_many_pairs_as_sorting_whatever_order_the_items_come_in(given):
    """log2(20!) is 61; all pairs are 190."""
    items = [f"item {number:02}" for number in range(20)]
    listed = items if given == "sorted" else items[::-1] if given == "reversed" else items[7:] + items[:7]
    panel = Panel(listed, judges=["you"], about="panel", objective="order")
    while (question := panel.ask()) is not None:
        panel.tell(question, better(question))
    assert panel.ranking.order == tuple(items) and panel.ranking.certified and panel.questions <= 80


def test_an_order_goes_on_the_same_from_a_snapshot():
    def play(panel, answers):
        while answers and (question := panel.ask()) is not None:
            panel.tell(question, SKIP if "c" in (question.left, question.right) else better(question))
            answers -= 1
        return panel

    whole = play(Panel("gbfdaceh", judges=["x", "y"], about="panel", objective="order", seed=3), 1000)
    half = play(Panel("gbfdaceh", judges=["x", "y"], about="panel", objective="order", seed=3), 20)
    again = play(Panel.restore(half.snapshot()), 1000)
    assert again.done and again.ranking == whole.ranking


def test_a_judge_that_never_answers_is_not_counted_away():
    """One of two judges fails on everything: the other one alone is no majority of these two."""
    panel = Panel(["a", "b", "c"], judges=["works", "fails"], about="panel")
    while (question := panel.ask()) is not None:
        if question.judge == "fails":
            panel.expire(question)
        else:
            panel.tell(question, better(question))
    ranking = panel.ranking
    assert panel.done and not ranking.proven and ranking.ranges == ((1, 3),) * 3
    assert {row["note"] for row in ranking.details.open_pairs} == {"no answer came"}


def test_a_judge_whose_answers_could_not_turn_it_may_be_silent():
    panel = Panel(["a", "b"], judges=["x", "y", "fails"], about="panel")
    for _ in range(3):
        if (question := panel.ask()) is not None:
            panel.expire(question) if question.judge == "fails" else panel.tell(question, better(question))
    assert panel.done and panel.ranking.certified

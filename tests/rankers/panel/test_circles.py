"""Circles: order, ranges, lines, groups and tops agree, the headline says it, `verify` finds the same."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from click import unstyle

from juryrank import SKIP, TIE, make_ranker, rank
from juryrank.cli.verify import report_text
from juryrank.report import result_text, view_of
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.types import Ranking
from juryrank.verify import verify
from tests.agreement import contradictions
from tests.quick import quick
from tests.ranking import rank_with

GOALS = ("ranges", "tiers", "best", "top-2", "order")
CIRCLE = ("fabcde", "fcdeab", "feabcd")  # f first, the others in a circle


def by_list(order: str) -> Any:
    return lambda left, right: min(left, right, key=order.index)


def random_judges(rng: random.Random, items: str, judges: int, *, ties: bool) -> dict[str, Any]:
    """Judges who say anything about each pair, always the same: circles everywhere."""
    said = {
        (judge, pair): rng.choice([*pair, *((TIE, SKIP) if ties else ())])
        for judge in range(judges)
        for pair in combinations(items, 2)
    }

    def answers(judge: int) -> Any:
        return lambda left, right: said[judge, (min(left, right), max(left, right))]

    return {f"judge {judge}": answers(judge) for judge in range(judges)}


def agreed(ranking: Ranking, certificate: dict[str, Any]) -> Ranking:
    """The result, of which no part contradicts another, and which the checker finds as well."""
    assert not contradictions(ranking), (ranking.order, ranking.ranges, ranking.details)
    report = verify(certificate)
    assert report.true and report.ranges == tuple(ranking.ranges)
    assert report.statement.startswith(ranking.statement)  # it also says who skipped how much
    return ranking


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 24), marks=pytest.mark.slow)], ids=len)
@pytest.mark.parametrize("goal", quick(GOALS, "ranges", "order"))
def test_parts_of_a_counted_result_never_contradict_each_other(goal, seeds):
    """Random tournaments of a few judges, with ties and skips, stopped early or played to the end."""
    circles = 0
    for seed in seeds:
        rng = random.Random(f"{goal} {seed}")
        items = "abcdefg"[: rng.randint(3, 7)]
        judges = random_judges(rng, items, rng.randint(1, 5), ties=seed % 2 == 0)
        budget = None if seed % 3 else rng.randint(3, 40)
        result = rank(
            list(items), judges, ranker="panel", goal=goal, seed=seed, budget=budget, options={"about": "panel"}
        )
        agreed(result, result.certificate())
        circles += bool(result.details.circles)
        assert ("in a circle (counted)" in view_of(result).title) is (len(result.details.circles) == 1)
    assert circles


@pytest.mark.parametrize("goal", quick(GOALS, "best"))
def test_parts_never_contradict_each_other_while_a_study_goes_on(goal):
    rng = random.Random(goal)
    judges = random_judges(rng, "abcdef", 3, ties=True)
    study = create_study(
        list("abcdef"), name="circles", ranker="panel", judges=list(judges), storage=MemoryStorage(), seed=3,
        options={"about": "panel", "objective": goal},
    )  # fmt: skip
    asked = 0
    while (question := next(filter(None, map(study.ask, judges)), None)) is not None:
        answer = judges[str(question.judge)](question.left, question.right)
        study.tell(question.id, side=answer.value) if answer in (TIE, SKIP) else study.tell(question.id, answer)
        asked += 1
        if asked % 6 == 0:
            agreed(study.ranking(), study.certificate())
    agreed(study.ranking(), study.certificate())


@pytest.mark.parametrize(
    ("goal", "options", "known"),
    [
        ("ranges", {}, "proven"),
        ("tiers", {}, "estimated"),
        ("best", {}, "estimated"),
        ("ranges", {"relation": "field-share"}, ""),
    ],
)
def test_a_population_in_a_circle(goal, options, known):
    """a over b over c over a, d last, by nine people in ten."""
    rng = random.Random(7)
    panel: Any = make_ranker("panel", list("dcba"), judges=(), objective=goal, error=0.3, seed=2, **options)
    beats = {("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("b", "d"), ("c", "d")}
    for person in range(90):
        panel.add_judge(person)
        while (question := panel.ask(person)) is not None:
            agrees = ((question.left, question.right) in beats) == (rng.random() < 0.9)
            panel.tell(question, question.left if agrees else question.right)
        if person % 30 == 29:
            assert not contradictions(panel.ranking)
    ranking = panel.ranking
    assert (f"a circle ({known})" in view_of(ranking).title) if known else not ranking.details.circles
    if goal == "ranges" and known:
        assert sorted(ranking.order[:3]) == ["a", "b", "c"] and ranking.ranges == ((1, 3),) * 3 + ((4, 4),)
        assert ranking.details.lines == [3] and ranking.details.top[2]["in"] == []


def test_a_circle_among_fixed_judges_is_said_first_and_shares_its_ranks():
    judges = {f"judge {number}": by_list(order) for number, order in enumerate(CIRCLE)}
    result = rank(list("abcdef"), judges, goal="ranges", seed=1)
    agreed(result, result.certificate())
    assert result.order[0] == "f" and result.ranges == ((1, 1),) + ((2, 6),) * 5
    assert result.details.groups == [["f"], list(result.order[1:])]
    text = result_text(result)
    assert "go in a circle (counted)" in text.splitlines()[0]
    assert "top 1: f" in text and "top 4" not in text


def test_nobody_stands_before_somebody_settled_above_them():
    """x loses to a member of a circle and to nobody else, and is liked best otherwise."""
    said = {("a", "b"), ("b", "c"), ("c", "a"), ("a", "x"), ("x", "y"), ("x", "z"), ("y", "z"), ("b", "y")}
    judge = {"ann": lambda left, right: left if (left, right) in said else right if (right, left) in said else TIE}
    result = rank(list("xyzabc"), judge, ranker="panel", goal="ranges", seed=4, options={"about": "panel"})
    agreed(result, result.certificate())
    assert sorted(result.order[:3]) == ["a", "b", "c"]


def test_an_order_speaks_of_its_neighbours_where_the_judges_go_in_a_circle():
    """The pair that closes the circle is not asked; what is counted must not be said of it."""

    def by(order):
        return lambda left, right: min(left, right, key=order.index)

    judges = {"x": by("ABCDE"), "y": by("BCADE"), "z": by("CABDE")}
    result = rank(list("ABCDE"), judges, seed=1, goal="order")
    report = verify(result.certificate())
    assert report.true and result.statement == report.statement
    assert "for settled neighbours in the order, more than half" in result.statement
    assert "only if the majority's preferences, ties included, do not go in a circle" in result.statement
    compared = {frozenset(row[:2]) for row in result.details.settled_pairs}
    assert len(compared) < 10 and len(report.result["claims"]) == len(compared)
    assert view_of(result).title == "the order is settled, each item over the next"


OPPOSITE = {"x": by_list("ABC"), "y": by_list("CBA")}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("seed", quick(range(3)))
def test_judges_who_tie_exactly_give_nobody_a_rank_whatever_the_seed(goal, seed):
    result = rank(list("BAC"), OPPOSITE, goal=goal, seed=seed)
    agreed(result, result.certificate())
    assert result.order == ("B", "A", "C") and result.ranges == ((1, 3),) * 3
    assert not result.certified and result.proven is (goal == "ranges")
    assert all(said == {"in": [], "out": [], "open": ["B", "A", "C"]} for said in result.details.top.values())
    title = view_of(result).title
    assert result.statement.startswith("This is the majority of exactly these 2 judges")
    shown = report_text(verify(result.certificate()))
    assert ("Verdict: TRUE, AND COUNTED: NOTHING SEPARATES THE ITEMS" in unstyle(shown)) is (goal == "ranges")
    assert ("Verdict: TRUE, BUT NO PAIR IS SETTLED" in unstyle(shown)) is (goal != "ranges")
    assert "exact tie" in result.statement and "NOTHING IS PROVEN" not in shown
    assert "3 exactly tied" in title if goal == "ranges" else "exact ties among B, A, C (counted)" in title
    assert goal == "ranges" or title.startswith(("there is no", "no line can stand"))


def test_a_tie_at_the_top_leaves_the_rest_of_an_order_as_it_is():
    """Two judges who differ about the first two only: they share the first ranks, the others have their own."""
    judges = {"x": by_list("ABCDEFGHIJKL"), "y": by_list("BACDEFGHIJKL")}
    result = rank(list("GCBKALDHEIFJ"), judges, goal="order", seed=5)
    agreed(result, result.certificate())
    assert result.order == tuple("BACDEFGHIJKL")
    assert result.ranges == ((1, 2), (1, 2), *((place, place) for place in range(3, 13)))
    assert "there is no order of all items; exact ties among B, A (counted)" in result_text(result)
    assert result.questions < 100  # of 132: not every pair is asked for the sake of one tie


@pytest.mark.parametrize("seeds", [2, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("goal", quick(GOALS, "order"))
def test_what_is_counted_does_not_depend_on_the_seed(goal, seeds):
    """Few judges with ties and skips; an order only where their majority is one (it is not asked for circles)."""
    compared = 0
    for world in range(16):
        rng = random.Random(f"{goal} seeds {world}")
        items = "abcdef"[: rng.randint(3, 6)]
        lists = ["".join(rng.sample(items, len(items))) for _ in range(rng.randint(1, 4))]
        judges = {order: by_list(order) for order in lists}
        if world % 2:
            judges = random_judges(rng, items, rng.randint(1, 4), ties=True)

        def told_by(objective, seed, items=items, judges=judges):
            return rank(list(items), judges, ranker="panel", goal=objective, seed=seed, options={"about": "panel"})

        if goal == "order" and not weakly_ordered(told_by("ranges", 1)):
            continue
        compared += 1
        results = [told_by(goal, seed) for seed in range(seeds)]
        told = {
            (r.proven, *sorted(zip(r.order, r.ranges, strict=True)), r.details.impossible_lines == [])
            for r in results
        }
        assert len(told) == 1, told
    assert compared > 4


@pytest.mark.parametrize("worlds", quick([range(1, 61, 8), range(1, 61, 2)]), ids=len)
@pytest.mark.parametrize("goal", quick(["tiers", "best", "top-2"]))
def test_circles_that_are_named_are_circles_of_all_answers_whatever_the_seed(goal, worlds):
    """Asking ends with the line, or where there is none: the seed decides which pairs are compared."""
    found = partial = 0
    for world in worlds:
        rng = random.Random(f"{goal} seeds {world}")
        items = "abcdef"[: rng.randint(3, 6)]
        rng.sample(items, len(items))
        judges = random_judges(rng, items, rng.randint(1, 4), ties=True)
        how = {"ranker": "panel", "about": "panel"}
        whole = [set(c) for c in rank_with(list(items), judges, goal="ranges", seed=1, **how).details.circles]
        for seed in range(2):
            result = rank_with(list(items), judges, goal=goal, seed=seed, **how)
            circles, words = result.details.circles, result.details.forecast["words"]
            assert all(any(set(circle) <= each for each in whole) for circle in circles)
            found += bool(circles)
            partial += "Pairs that were not compared may make circles longer" in words
            short = sum(map(len, circles)) < sum(map(len, whole))
            assert not (circles and short) or "Pairs that were not compared may make circles longer" in words
    assert found and partial


def weakly_ordered(ranking: Ranking) -> bool:
    """Are the items in groups, tied within and settled between?"""
    over = {(better, worse) for better, worse, *_ in ranking.details.settled_pairs}
    losses = {item: sum(worse == item for _, worse in over) for item in ranking.order}
    return all(((a, b) in over) is (losses[a] < losses[b]) for a in losses for b in losses)


@pytest.mark.parametrize("goal", ["best", "order"])
def test_a_tie_in_words_is_a_tie_and_a_skip_is_not(goal):
    """One judge, as at the keyboard: a and b are called a tie, then skipped."""

    def judge(word):
        return {"you": lambda left, right: word if {left, right} == {"a", "b"} else min(left, right)}

    tied, skipped = (rank(list("abc"), judge(word), goal=goal, seed=1) for word in (TIE, SKIP))
    for result in (tied, skipped):
        agreed(result, result.certificate())
        assert (not result.proven and result.ranges == ((1, 2), (1, 2), (3, 3))) or goal == "best"
    assert "exact ties among a, b (counted)" in view_of(tied).title
    assert "tie" not in view_of(skipped).title and skipped.details.tied_count == 0


def test_a_full_top_leaves_nobody_open():
    """One judge who ties everything but neighbours: four are in the top 4, so the fifth is not open."""
    near = {("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")}
    judge = {"ann": lambda left, right: left if (left, right) in near else right if (right, left) in near else TIE}
    result = rank(list("abcde"), judge, ranker="panel", goal="ranges", seed=1, options={"about": "panel"})
    agreed(result, result.certificate())
    assert result.details.top[4] == {"in": ["a", "b", "c", "d"], "out": [], "open": []}
    assert "top 4: a, b, c, d\n" in result_text(result)

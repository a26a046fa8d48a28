"""The panel ranker: the result of each objective, and its wording."""

from __future__ import annotations

import json

import numpy as np
import pytest

from juryrank.core.levels import Objective
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.ranker import Panel
from juryrank.report.view import view_of
from tests.rankers.panel.crowds import ITEMS, better, crowd, sit


def test_unanimous_people_settle_the_ranges():
    panel = crowd(Panel(ITEMS, error=0.1), 60)
    ranking = panel.ranking
    assert panel.done and ranking.certified
    assert ranking.order == tuple(ITEMS) and ranking.ranges == tuple((k, k) for k in range(1, 6))
    details = ranking.details
    assert details.settled_count == details.pairs_count == 10
    assert details.groups == [[item] for item in ITEMS] and details.lines == [1, 2, 3, 4]
    assert details.top[2] == {"in": ["a", "b"], "out": ["c", "d", "e"], "open": []}
    assert details.open_pairs == [] and details.forecast["pairs"] == 0
    assert all(link.settled for link in ranking.links)
    assert "all rank ranges hold at once" in ranking.statement and "not about the truth" in ranking.statement


def test_the_details_have_exactly_the_agreed_keys():
    details = crowd(Panel(ITEMS), 3).ranking.details
    assert set(details.to_json()) == {
        "objective", "about", "relation", "k", "groups", "lines", "top", "settled_count", "pairs_count",
        "settled_pairs", "open_pairs", "forecast", "cycles", "circles", "circles_are", "people", "answers", "ties",
        "skips", "level",
    }  # fmt: skip
    assert set(details.open_pairs[0]) == {
        "first", "second", "first_preferred", "answers", "people_needed", "note",
    }  # fmt: skip
    assert set(details.forecast) == {"people", "sitting", "pairs", "low", "high", "likely"}
    json.dumps(Panel(ITEMS).ranking.to_dict())


@pytest.mark.parametrize("objective", ["best", "top-3", "tiers"])
def test_each_objective_is_reached_and_says_only_its_own(objective):
    panel = crowd(Panel(ITEMS, objective=objective, error=0.1), 80)
    ranking = panel.ranking
    assert panel.done and ranking.details.objective == objective
    expected = {"best": [1], "top-3": [3], "tiers": [1, 2, 3, 4]}[objective]
    assert ranking.details.lines == expected
    if objective in ("best", "top-3"):
        k = expected[0]
        assert ranking.ranges == ((1, k),) * k + ((k + 1, 5),) * (5 - k)
        assert ranking.details.settled_count == k * (5 - k)
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
    assert panel.done and ranking.details.lines == [] and ranking.details.settled_count == 0
    assert sorted(ranking.details.cycles[0]) == ["a", "b", "c"]
    assert any("circle" in words and "rank 1" in words for words in ranking.warnings)
    assert "suppose one order" in ranking.estimates.note
    assert not ranking.certified
    ranges = crowd(Panel(["a", "b", "c"], error=0.1), 60, answer).ranking
    assert ranges.ranges == ((1, 3), (1, 3), (1, 3)) and not ranges.certified


def test_field_share_settles_scores_of_many_items():
    items = [f"{k:02}" for k in range(12)]
    panel = crowd(Panel(items, relation="field-share", objective="tiers", error=0.1), 120)
    ranking = panel.ranking
    assert "share of comparisons with a random other item" in ranking.statement
    assert len(ranking.details.groups) > 1
    assert all(group == sorted(group) for group in [[min(g) for g in ranking.details.groups]])


def test_agreement_tells_who_answers_at_random():
    """By everybody else's answers, so that nobody agrees with themselves."""
    rng, panel = np.random.default_rng(2), Panel(range(8), objective="ranges", seed=1, sitting=12)
    for judge in range(30):
        panel.add_judge(judge)
        while (question := panel.ask(judge)) is not None:
            honest = judge < 20 or rng.random() < 0.5
            panel.tell(question, (min if honest else max)(question.left, question.right))
    shares = [row.right / row.answered for row in panel.judges]
    assert np.mean(shares[:20]) > 0.9 and np.mean(shares[20:]) < 0.7


def later(question):
    """What everybody prefers here: the order of the list is the wrong one."""
    return max(question.left, question.right)


@pytest.mark.parametrize("objective", ["ranges", "tiers", "top-2", "best"])
@pytest.mark.parametrize("people", [3, 20])
def test_a_result_and_its_estimates_have_one_order(objective, people):
    """On the page, in the table, in the certificate: whoever is first in one is first in all of them."""
    rng = np.random.default_rng(people)

    def noisy(question):
        return later(question) if rng.random() < 0.8 else better(question)

    panel = crowd(Panel(ITEMS, seed=4, objective=objective, sitting=6), people, noisy)
    result = panel.ranking
    by_rank = sorted(result.estimates.items, key=lambda one: (one.rank, -one.score))
    assert [one.item for one in by_rank] == list(result.order) == [row["item"] for row in result.rows()]
    assert [row.item for row in view_of(result).estimates.rows] == list(result.order)
    assert [one.item for one in result.estimates.items] == list(result.order)


def test_the_order_is_from_all_answers_where_promises_still_wait():
    panel = Panel(ITEMS, seed=4, sitting=6)
    sit(panel, "goes away", later, most=1)
    panel.ask("goes away")
    result = crowd(panel, 5, later).ranking
    assert result.details.people == 0 and result.order == ("e", "d", "c", "b", "a")


def test_what_is_settled_stands_first_whatever_the_estimates_say():
    panel = crowd(Panel(ITEMS, seed=4, sitting=6), 40, later)
    settled = panel.ranking.details.settled_pairs
    assert len(settled) == 10
    reverse = panel.state.view().ordered(panel.state.counted, -np.arange(5.0))  # a guess that is all wrong
    assert [panel.items[i] for i in reverse.order] == ["e", "d", "c", "b", "a"]


def test_of_an_exact_tie_only_the_first_direction_is_ever_settled():
    ballot = HeadToHead(2, error=0.2, objective=Objective.RANGES)
    for _ in range(10):
        ballot.count(0, 1)
    for _ in range(60):
        ballot.count(1, 0)
    assert ballot.settled[0, 1] and not ballot.settled[1, 0]
    ballot.join(1)
    assert ballot.settled[0, 1] and not ballot.settled[1, 0]


@pytest.mark.parametrize(("objective", "met"), [("best", True), ("top-2", False), ("ranges", True)])
def test_proven_is_the_objective_with_its_promise(objective, met):
    """One item beats all others, and those go in a circle: the best is proven, a top two never can be."""
    panel = Panel(["a", "b", "c", "d"], objective=objective, error=0.1, sitting=6)
    after = {"b": "c", "c": "d", "d": "b"}
    for person in range(120):
        if panel.done:
            break
        panel.add_judge(person)
        while (question := panel.ask(person)) is not None:
            pair = (question.left, question.right)
            panel.tell(question, "a" if "a" in pair else next(x for x in pair if after[x] in pair))
    result = panel.ranking
    assert (result.proven, result.certified) == (met, False)

"""A fixed list of judges: circles, exact ties, nothing to rank. Terminal, notebook, report and page agree."""

from __future__ import annotations

import html

import pytest

from juryrank import TIE, create_study, rank
from juryrank.errors import BadInput
from juryrank.report import certificate_report, result_html, result_text
from juryrank.server.dashboard.overview import Overview
from juryrank.server.dashboard.reading import LogSoFar
from juryrank.storage import MemoryStorage
from juryrank.types import Ranking
from juryrank.verify import verify
from tests.ranking import rank_with

NAMES = ("ann", "bob", "cid")


def round_and_round(left: str, right: str) -> str:
    """a over b over c over a, and all of them over d."""
    if "d" in (left, right):
        return min(left, right)
    return left if (ord(right) - ord(left)) % 3 == 1 else right


def circling(objective: str) -> Ranking:
    judges = dict.fromkeys(NAMES, round_and_round)
    return rank(list("abcd"), judges, ranker="panel", goal=objective, seed=1, options={"about": "panel"})


def said(result: Ranking) -> list[str]:
    """The same words from the terminal, a notebook and the report."""
    shown = result_text(result), result_html(result), certificate_report(result.certificate(), format="md")
    return [" ".join(html.unescape(text).split()) for text in shown]


@pytest.mark.parametrize(("objective", "none"), [("best", "there is no best one"), ("top-2", "there is no top 2")])
def test_where_a_circle_leaves_no_best_nobody_may_be_it(objective, none):
    result = circling(objective)
    assert not result.proven
    for text in said(result):
        assert f"{none}; a, b, c go in a circle (counted)" in text.replace(f"{none[0].upper()}{none[1:]}", none)
        assert "Nothing yet" not in text and "may be" not in text and "open between" not in text
        assert "very likely" not in text
        assert "Still open" not in text  # nobody will be asked about the other pairs
    assert "No rank: a, b, c go in a circle (counted)." in said(result)[0]


def test_the_dashboard_says_the_same():
    study = create_study(
        list("abcd"), name="s", judges=NAMES, ranker="panel", seed=1, storage=MemoryStorage(),
        options={"about": "panel", "objective": "best"},
    )  # fmt: skip
    for judge in NAMES:
        while (question := study.ask(judge)) is not None:
            study.tell(question, round_and_round(str(question.left), str(question.right)))
    shown = Overview.of(study, LogSoFar(), {})
    assert shown.headline == "There is no best one; a, b, c go in a circle (counted)"
    assert shown.view.nothing_proven == "No rank: a, b, c go in a circle (counted)."
    assert shown.promise == verify(study.certificate()).statement == study.ranking().statement


@pytest.mark.parametrize("judges", [{"ann": min, "bob": max}, dict.fromkeys(NAMES, lambda left, right: TIE)])
def test_exact_ties_are_counted_not_missing(judges):
    result = rank(list("abc"), judges, ranker="panel", seed=1, options={"about": "panel"})
    assert result.proven
    text = result_text(result)
    assert text.startswith("0 of 3 pairs settled, 3 exactly tied\n") and "Without a majority" in text


@pytest.mark.parametrize("objective", ["best", "tiers", "order", "top-2"])
def test_a_finished_count_without_a_rank_does_not_sound_unfinished(objective):
    """b and c tie with everything that matters; a over d is counted."""
    judge = {"ann": lambda left, right: "a" if {left, right} == {"a", "d"} else TIE}
    result = rank(list("abcd"), judge, ranker="panel", goal=objective, seed=1, options={"about": "panel"})
    text = " ".join(result_text(result).split())
    assert not result.proven and "nothing more will change" in text and "No rank:" in text
    assert "No rank yet" not in text and "settled yet" not in text


def test_pairs_that_are_counted_are_not_nothing():
    how = {"ranker": "panel", "about": "panel", "objective": "tiers"}
    result = rank_with(list("abcd"), dict.fromkeys(NAMES, min), seed=1, budget=4, **how)
    assert "No rank yet; 2 of 6 pairs counted." in result_text(result)


@pytest.mark.parametrize("how", [{}, {"ranker": "certified"}, {"cases": ["1"]}], ids=str)
def test_an_empty_list_is_refused(how):
    with pytest.raises(BadInput, match="there are no items, so there is nothing to rank; give"):
        rank_with([], {"ann": lambda left, right, *_: left}, **how)


def jury_circling(objective: str, *, lead: int) -> Ranking:
    """The same of one judge on 100 cases: within the circle `lead` cases for, the others against."""
    names = [f"q{k}" for k in range(100)]
    outputs = {system: {case: f"{system} {case}" for case in names} for system in "abcd"}

    def judge(left: str, right: str, case: str) -> str:
        chosen = round_and_round(left[0], right[0])
        wins = "d" in (left[0], right[0]) or int(case[1:]) < lead
        return next(text for text in (left, right) if (text[0] == chosen) == wins)

    return rank(outputs, {"j": judge}, cases={case: case for case in names}, goal=objective, seed=1)


@pytest.mark.parametrize(
    ("objective", "k", "lead", "proven"),
    [
        pytest.param("best", 1, 100, False, marks=pytest.mark.slow),
        ("top-2", 2, 51, True),
        pytest.param("best", 1, 51, True, marks=pytest.mark.slow),
        pytest.param("top-2", 2, 100, False, marks=pytest.mark.slow),
    ],
)
def test_where_it_is_counted_that_there_is_no_best_nobody_has_a_chance_of_it(objective, k, lead, proven):
    """Also where the best is proven at a coarse resolution: exactly, there is none."""
    result = jury_circling(objective, lead=lead)
    assert result.details.jury["none_exists"] and result.proven == proven
    assert [guess.top for guess in result.estimates] == [0.0] * 4 and result.estimates.k == k
    for text in said(result):
        ahead = text[text.index("Who is ahead") :][:1500]
        assert "very likely" not in ahead and "open between" not in ahead
        exactly = "exactly " if proven else ""
        assert f"No item is {exactly}the best" in ahead or f"No 2 items are {exactly}the top 2" in ahead
        assert ahead.count("none") >= 4


@pytest.mark.parametrize("objective", ["best", "top-2"])
def test_a_fixed_list_of_judges_says_the_same_in_its_estimates(objective):
    result = circling(objective)
    assert [guess.top for guess in result.estimates] == [0.0] * 4


def test_a_settled_order_lists_nothing_as_open():
    """Pairs that nobody had to be asked about follow from the others; the promise says under which condition."""
    text = result_text(rank(list("abcd"), {"m": min}, seed=4))
    assert "if no circle" in text
    assert "the order is settled" in text and "nothing more will change" in text and "Still open" not in text

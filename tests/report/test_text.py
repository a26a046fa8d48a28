"""Terminal text: every result fits 80 columns and says what is promised."""

from dataclasses import replace

import pytest

import juryrank
from juryrank.judges import simulated
from juryrank.report import result_text, view_of
from juryrank.report.text import judge_lines
from juryrank.report.words.formats import columns
from juryrank.types import JudgeReport
from tests.ranking import rank_with
from tests.report.results import EVERY, PROMISE, certified, panel


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("width", [80, 60])
def test_every_result_fits_the_terminal(name, width):
    text = result_text(EVERY[name], title="A study", width=width)
    assert max(columns(line) for line in text.splitlines()) <= width
    assert "\x00" not in text


def test_a_panel_says_ranges_lines_open_pairs_forecast_and_promise():
    text = result_text(panel(warnings=("A cycle was found.",)), title="Presidents")
    lines = text.splitlines()
    assert lines[0] == "Presidents: 30 of 45 pairs settled"
    assert lines[1] == "900 answers from 90 people (12 ties, 1 skip kept apart)."
    washington, first_line = lines.index(next(x for x in lines if "Washington" in x)), lines[5]
    assert lines[washington].endswith("  1") and first_line.endswith(" settled ──")
    assert text.count(" settled ──") == 2
    assert "4 to 9" in next(line for line in lines if "6  T. Roosevelt" in line)
    assert "28 of 38         ~20" in text and "hardly asked" in text
    assert "20 more people, 10 questions each, would settle about 1 of the open pairs" in text
    assert "60 % chance to prove Jackson above F. Roosevelt" in text
    assert " ".join(PROMISE.split()) in " ".join(text.split())
    assert "- A cycle was found." in text


def test_nothing_is_forecast_while_nobody_counts():
    """All begin alike then: the chances would be those of coins, for some pairs in both directions."""
    waiting = replace(panel(), details=replace(panel().details, people=0))
    assert view_of(waiting).forecasts == () and "chance to prove" not in result_text(waiting)


def test_the_dot_stands_in_its_bar():
    row = next(line for line in result_text(panel()).splitlines() if "T. Roosevelt " in line and "●" in line)
    assert row.index("╺") < row.index("●") < row.index("╸")


def test_a_settled_order_needs_no_lines_and_shows_its_judges():
    text = result_text(certified())
    assert "the whole order is settled" in text and "─" not in text
    assert "judge 8        29      92 %  55 to 99 %" in text


def test_open_links_come_with_their_evidence_nearest_first():
    text = result_text(certified(settled=3))
    assert "3 of 7 links settled" in text
    assert text.index("9 of 25") < text.index("4.5 of 25")


def test_post_hoc_results_promise_nothing():
    text = result_text(panel(post_hoc=("answers of judge x discarded at event 9",), statement=""))
    assert "post-hoc: it promises nothing" in text and "judge x discarded" in text
    assert "confidence" not in text and "The promise" not in text


def test_who_is_surely_in_the_top_k():
    top = {k: {"in": ["Washington"] * (k > 1), "out": ["x"] * (10 - k), "open": ["y"]} for k in range(1, 10)}
    text = result_text(panel(details=replace(panel().details, top=top)))
    assert "In the top k\n  top 2: Washington (8 out, 1 open)" in text and "top 1:" not in text


@pytest.mark.parametrize(
    ("objective", "lines", "headline"),
    [
        ("tiers", [1, 3], "3 groups among 10 items"),
        ("tiers", [], "no line is settled yet"),
        ("best", [1], "the best is settled"),
        ("top-3", [], "the top 3 are not settled yet"),
        ("ranges", [], "30 of 45 pairs settled"),
    ],
)
def test_the_headline_speaks_of_the_objective(objective, lines, headline):
    details = replace(panel().details, objective=objective, lines=lines)
    assert result_text(panel(details=details)).startswith(headline)


def test_a_fixed_list_of_judges_is_called_judges():
    details = replace(panel().details, about="panel")
    assert "900 answers from 90 judges" in result_text(panel(details=details))


def test_plain_letters():
    assert result_text(panel(), plain=True).isascii()


def test_a_line_says_what_is_proven_there():
    """A majority where people were asked pair by pair, shares of the field, or the order itself."""
    share = replace(panel().details, relation="field-share")
    for result, words in (
        (panel(), "a majority prefers everything above it to everything below it, pair by pair"),
        (panel(details=share), "everything above it is preferred to the other items more often"),
        (certified(), "everything above it ranks before everything below it"),
    ):
        assert words in view_of(result).line_legend


@pytest.mark.parametrize("objective", ["best", "top-2", "ranges"])
def test_one_item_alone_is_never_said_to_be_unsettled(objective):
    alone = juryrank.rank(["tea"], {"ann": min}, ranker="certified", fresh=True, goal="best")
    details = replace(alone.details, objective=objective)
    assert result_text(replace(alone, details=details)).startswith("nothing to compare")


@pytest.mark.parametrize("objective", ["best", "top-2"])
def test_a_proven_best_is_no_opinion_of_people(objective):
    """`certified` promises what is true under its assumption; a panel, what most people would say."""
    items = [f"item {k}" for k in range(6)]
    jury = simulated(items, {"good": 0.9, "fair": 0.85}, seed=1)
    how = {"fresh": True, "ranker": "certified", "objective": objective, "seed": 3}
    for found in (rank_with(items, jury, **how), rank_with(items, jury, budget=25, **how)):
        view = view_of(found)
        words = (view.footer, view.line_legend, view.forecast_title, *view.open_columns)
        said = " ".join((result_text(found), *words))
        assert not any(wrong in said for wrong in ("people", "majority", "joined", "whole order"))
        assert "more questions (between" in said or found.proven


def test_what_these_judges_must_still_say_is_counted_in_answers():
    ranker = juryrank.make_ranker("panel", ["a", "b", "c"], judges=["you"], about="panel")
    text = result_text(ranker.ranking)
    assert "answers needed" in text and "people" not in text


def test_a_guess_settles_nothing_and_says_so():
    result = juryrank.rank(list("abcd"), {"you": min}, ranker="guess", budget=3, seed=1)
    text = result_text(result)
    assert text.startswith("a best guess, without a promise\n") and "No promise: this is a best guess" in text
    assert "settled" not in text and "still open" not in text and "What is proven" not in text


def test_ranks_that_follow_from_neighbours_say_so():
    cases = [f"case {k}" for k in range(20)]
    for resolution, rank in ((0, "rank, if transitive"), (0.1, "rank")):
        result = juryrank.rank(
            list("abc"),
            {"m": lambda left, right, case: min(left, right)},
            cases=cases,
            goal="order",
            within=resolution,
            seed=1,
        )
        text = result_text(result)
        assert any(line.endswith(f"3  {rank}") for line in text.splitlines())
        assert text.startswith("each of these 3 gets at least" if resolution else "the whole order is")
        assert "With probability at least 95 %: in the order" in text


def test_a_long_note_about_a_judge_goes_on_in_the_next_line():
    note = "seldom asked: 0 % of its answers flip with the side, and it prefers longer answers more than chance"
    lines = judge_lines((JudgeReport("gpt-4o-mini", 9, 9, 7.0, 0.78, 0.5, 0.934, True, note=note),))
    assert max(map(len, lines)) <= 80 and note in " ".join(" ".join(lines).split())


def test_a_notebook_says_the_promise_once():
    order = list("abcd")
    result = juryrank.rank(order, simulated(order, [0.9, 0.8], seed=1), about="truth", seed=1)
    assert result.proven and result._repr_html_().count("With probability at least") == 1

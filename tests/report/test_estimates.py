"""Estimates are shown first, in their own words and colours, and never look like a promise."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import juryrank
from juryrank.rankers import make_ranker
from juryrank.report import picture_svg, result_text, view_of
from juryrank.report.words.estimates import HELD, estimate_view
from juryrank.report.words.formats import columns
from juryrank.simulation.worlds.people import normal_scores

IDEAS = [f"idea number {k + 1}" for k in range(25)]


def meeting(people=15, objective="top-3"):
    """Fifteen people, ten questions each."""
    rng = np.random.default_rng(3)
    world = normal_scores(25, rng, spread=1.6)
    panel = make_ranker("panel", IDEAS, judges=[], objective=objective, error=0.1, seed=4)
    for k in range(people):
        panel.add_judge(k)
        person = world.person(rng)
        while (question := panel.ask(k)) is not None:
            i, j = IDEAS.index(question.left), IDEAS.index(question.right)
            panel.tell(question, question.left if person.prefers(i, j) else question.right)
    return panel.ranking


MEETING = meeting()


@pytest.mark.parametrize("width", [80, 60])
def test_the_terminal_says_who_is_ahead_what_is_proven_and_what_is_next(width):
    text = result_text(MEETING, title="Roadmap", width=width)
    assert max(columns(line) for line in text.splitlines()) <= width
    places = [
        text.index(words) for words in ("Who is ahead (estimate", "What is proven (promise)", "If more people")
    ]
    assert places == sorted(places)
    assert "Most likely in the top 3: idea number 1" in " ".join(text.split()) and "1 to 25" not in text
    assert "promise nothing" in text and result_text(MEETING, plain=True).isascii()


def test_the_picture_of_a_meeting_shows_more_than_that_nothing_is_settled():
    found = estimate_view(MEETING)
    assert found.rows[0].item == "idea number 1" and found.rows[0].top > 0.8
    assert found.rows[-1].top < 0.05 and not found.promised
    drawn = picture_svg(MEETING, title="Roadmap")
    assert "chance of the top 3" in drawn and "1 to 25" not in drawn and "promised rank" not in drawn


def test_what_is_promised_stands_apart():
    result = meeting(people=70, objective="ranges")
    found = estimate_view(result)
    assert found.promised and "promised rank" in picture_svg(result)
    spans = zip(
        result.order, result.ranges, strict=True
    )  # a range is shown once it is narrower than half the list
    narrow = {str(item) for item, (best, worst) in spans if worst - best + 1 <= 25 / 2}
    assert {row.item for row in found.rows if row.promised} == narrow != set()


def test_a_proven_order_needs_no_guess_unless_it_was_edited():
    ranker = make_ranker("certified", "abc", judges=["ann", "bob"], error=0.1)
    while (question := ranker.ask()) is not None:
        ranker.tell(question, min(question.left, question.right))
    assert ranker.ranking.certified and view_of(ranker.ranking).estimates is None
    edited = replace(ranker.ranking, certified=False, proven=False, post_hoc=("somebody was left out",))
    assert view_of(edited).estimates is not None


def test_notebooks_show_both_and_run_nothing():
    shown = MEETING._repr_html_()
    assert "estimate" in shown and "promise" in shown and "<script" not in shown
    named = replace(MEETING.estimates.items[0], item="<b>x</b>")
    order = tuple("<b>x</b>" if item == named.item or k == 0 else item for k, item in enumerate(MEETING.order))
    guesses = (named, *MEETING.estimates.items[1:])
    sly = replace(MEETING, order=order, estimates=replace(MEETING.estimates, items=guesses))
    assert "<b>x</b>" not in sly._repr_html_()


def test_printing_a_result_shows_what_the_terminal_shows():
    assert str(MEETING) == result_text(MEETING) and "estimate" in str(MEETING).lower()


def test_the_coverage_that_is_shown_is_the_one_that_was_measured():
    path = Path(__file__).parents[2] / "benchmarks" / "results" / "estimates.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    held = np.average([(float(row["score"]) + float(row["rank"])) / 2 for row in rows])
    checked = sum(2 * int(row["size"].split()[0]) for row in rows)
    assert HELD == (round(held, 2), round(checked, -2))


def test_in_a_circle_nobody_is_said_to_have_a_small_chance_yet():
    """Every majority is counted: that no item is the best is known, and no matter of more answers."""
    beats = {"a": "b", "b": "c", "c": "a"}
    jury = dict.fromkeys(("ann", "bob", "cid"), lambda left, right: left if beats[left] == right else right)
    said = result_text(juryrank.rank(list("abc"), jury, goal="ranges", seed=1))
    assert "No item is the best: by what is proven, none of them comes before all others." in " ".join(
        said.split()
    )
    assert "stands out yet" not in said

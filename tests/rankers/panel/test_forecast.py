"""The panel ranker: what more people would settle, and how many an open pair still needs."""

from __future__ import annotations

import pytest

from juryrank.errors import BadInput
from juryrank.rankers.panel.ranker import Panel
from juryrank.rankers.panel.status import NOBODY_YET
from juryrank.report import result_text
from juryrank.types import SKIP
from tests.rankers.panel.crowds import ITEMS, better, crowd


def test_the_forecast_speaks_of_people():
    panel = crowd(Panel(ITEMS, error=0.1), 6)
    soon, later = panel.forecast(people=3), panel.forecast(people=40)
    assert soon["people"] == 3 and soon["sitting"] == 10
    assert soon["low"] <= soon["pairs"] <= soon["high"]
    assert later["pairs"] > soon["pairs"]
    assert all(0 < likely["chance"] <= 1 for likely in later["likely"])
    with pytest.raises(BadInput, match="number of people"):
        panel.forecast(people=-1)
    assert "also" not in panel.ranking.details.forecast
    for name in ("yet", "to", "come"):
        panel.add_judge(name)
    also = panel.ranking.details.forecast["also"]
    assert also["people"] == 3 and also["label"] == "the 3 who have not begun"


def test_field_share_forecasts_from_the_people_heard():
    panel = Panel(ITEMS, relation="field-share", error=0.1)
    assert "that takes 8 people" in panel.forecast()["words"]
    crowd(panel, 12)
    seen = panel.forecast(people=40)
    assert 0 <= seen["low"] <= seen["pairs"] <= seen["high"] and seen["pairs"] > 0
    assert all(maybe["better"] < maybe["worse"] for maybe in seen["likely"])  # as everybody says


def test_these_judges_are_all_there_are():
    panel = Panel(["a", "b", "c"], judges=["m1", "m2", "m3"], about="panel")
    assert (
        panel.forecast()["words"]
        == "No other judges are asked: 6 to 9 more answers settle all that can be settled."
    )
    while (question := panel.ask()) is not None:
        panel.tell(question, better(question))
    assert "nothing more will change" in panel.forecast()["words"]


def test_a_finished_panel_needs_nobody():
    assert "no more people are needed" in crowd(Panel(ITEMS, error=0.1), 60).ranking.details.forecast["words"]


def test_open_pairs_say_how_many_people_or_why_not():
    panel = crowd(Panel(ITEMS, error=0.1), 8)
    rows = panel.ranking.details.open_pairs
    assert any(isinstance(row["people_needed"], int) for row in rows)
    assert all((row["people_needed"] is None) == bool(row["note"]) for row in rows)


def test_withdrawn_items_are_no_part_of_a_forecast():
    panel = Panel(range(30), error=0.1, seed=1, spread=True)
    panel.withdraw_items(list(range(8, 30)))
    for person in range(30):
        panel.add_judge(person)
        while (question := panel.ask(person)) is not None:
            panel.tell(question, min(question.left, question.right))
    seen = panel.forecast(20)
    assert seen["low"] > 0 and all(max(pair["better"], pair["worse"]) < 8 for pair in seen["likely"])


def test_nothing_is_forecast_from_answers_that_do_not_count():
    """An open sitting holds up the others: before, chances of pairs were named that nobody had answered."""
    panel = Panel("abcd", judges=["p1", "p2"], objective="best")
    assert panel.forecast()["words"] == NOBODY_YET
    panel.tell(panel.ask("p1"), SKIP)
    while (question := panel.ask("p2")) is not None:
        panel.tell(question, min(question.left, question.right))
    ranking = panel.ranking
    assert ranking.details.people == 0 and ranking.details.forecast["words"] == NOBODY_YET
    assert "0 answers from 0 people; 6 more not counted yet." in result_text(ranking)
    while (question := panel.ask("p1")) is not None:
        panel.tell(question, min(question.left, question.right))
    assert panel.forecast()["sitting"] == 6 and "not counted yet" not in result_text(panel.ranking)
    panel.withdraw_items(["d"])
    assert panel.forecast()["sitting"] == 3  # the pairs that are left

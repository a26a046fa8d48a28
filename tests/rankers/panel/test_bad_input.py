"""The panel ranker: few people, few items, odd answers, and impossible options."""

from __future__ import annotations

import pytest

from juryrank.errors import BadInput
from juryrank.rankers.panel.ranker import Panel
from juryrank.types import SKIP, TIE, Wait
from tests.rankers.panel.crowds import ITEMS, crowd, sit


def test_one_person_is_too_few_and_is_told_how_many_would_do():
    panel = crowd(Panel(ITEMS, error=0.1), 1)
    ranking = panel.ranking
    assert ranking.details.settled_count == 0 and ranking.ranges == ((1, 5),) * 5
    assert any("Too few people" in words and "at least" in words for words in ranking.warnings)
    status = panel.status()
    assert status.state is Wait.WAIT and "invite more people" in status.reason


def test_nobody_has_come_yet():
    panel = Panel(ITEMS)
    assert panel.ask() is None and panel.ranking.details.people == 0
    assert set(panel.ranking.order) == set(ITEMS)


@pytest.mark.parametrize("objective", ["ranges", "tiers", "best"])
def test_two_items(objective):
    panel = crowd(Panel(["a", "b"], objective=objective, error=0.1), 20)
    assert panel.done and panel.ranking.order == ("a", "b") and panel.ranking.ranges == ((1, 1), (2, 2))


@pytest.mark.parametrize("word", [SKIP, TIE])
def test_everybody_skips_or_ties(word):
    panel = crowd(Panel(ITEMS), 30, lambda q: word)
    ranking = panel.ranking
    assert ranking.details.settled_count == 0 and ranking.details.answers == 0
    assert ranking.details.ties + ranking.details.skips == 300
    assert any("ties or skips" in words for words in ranking.warnings)


def test_a_plan_longer_than_the_pairs_there_are():
    panel = Panel(["a", "b", "c"], sitting=50)
    asked = sit(panel, "ann")
    assert len(asked) == 3 and panel.status("ann").state is Wait.DONE
    assert "everything that is still open" in panel.status("ann").reason


@pytest.mark.parametrize(("objective", "k"), [("top-5", None), ("top-9", None), ("top-0", None), ("top-k", 5)])
def test_an_objective_k_outside_the_items(objective, k):
    with pytest.raises(BadInput, match="k goes from 1 to 4"):
        Panel(ITEMS, objective=objective, k=k)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"about": "everyone"}, "population, panel"),
        ({"relation": "taste"}, "head-to-head"),
        ({"sitting": 0}, "1 or more"),
        ({"about": "panel"}, "majority of exactly these judges is counted: name all of them at the start"),
        ({"objective": "order"}, "for people use objective='ranges', which leaves an order where it settles one"),
        ({"relation": "field-share", "objective": "order"}, "for people use objective='ranges'"),
        ({"relation": "field-share", "about": "panel", "judges": ["ann"]}, "field-share"),
    ],
)
def test_options_that_cannot_be(options, words):
    with pytest.raises(BadInput, match=words):
        Panel(ITEMS, **options)

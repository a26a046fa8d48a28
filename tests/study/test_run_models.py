"""Language models answer for judges of a study: paid once, told once, resumed."""

from __future__ import annotations

import pytest

from juryrank.judges.models.settings import Price
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from tests.judges.models.endpoint import Endpoint
from tests.quick import quick
from tests.ranking import rank_with
from tests.run.test_models import models, shorter

pytest.importorskip("httpx")
ITEMS = ["a", "bb", "ccc", "dddd"]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))


def made(**more):
    options = {"options": {"about": "panel"}, "ranker": "panel", **more}
    return create_study(ITEMS, name="s", judges=["m", "n", "o"], storage=MemoryStorage(), seed=1, **options)


def test_a_study_run_by_models():
    with Endpoint(verdict=shorter, faults={"500": 0.1, "cut": 0.1}, seed=3) as endpoint:
        report = made().run(models(endpoint), first_pause=0.001)
    assert report.state == "done" and report.ranking.order == tuple(ITEMS)
    assert sum(each["questions"] for each in report.models.values()) == report.answered


def test_a_run_that_goes_on_takes_no_draw_for_another():
    """Fresh draws of one question are new answers, also in the next run of the same study."""
    with Endpoint(verdict=shorter) as endpoint:
        study = made(ranker="certified", options={}, fresh=True, error=0.2)
        study.run(models(endpoint), budget=8, concurrency=1)
        first = len(endpoint.seen)
        study.run(models(endpoint), budget=8, concurrency=1)
        assert (first, len(endpoint.seen)) == (8, 16)


def test_the_money_of_a_run_ends_it():
    with Endpoint(verdict=shorter) as endpoint:
        judges = models(endpoint, price=Price(input=1000.0, output=1000.0), max_tokens=20)
        report = made().run(judges, money=2.0)
    assert report.state == "money" and sum(each["cost"] for each in report.models.values()) <= 2.0


def test_a_refusal_is_told_as_a_skip_with_its_reason_and_a_wrong_key_pauses_at_once():
    with Endpoint(faults={"refusal": 1.0}) as endpoint:
        study = made()
        study.run(models(endpoint))
    told = [event.data for event in study.events() if event.kind == "told"]
    assert told and all(each["answer"] == "skip" and each["source"] == "refused" for each in told)
    with Endpoint(key="k") as endpoint:
        report = made().run(models(endpoint))
    assert set(report.failed) == {"m", "n", "o"} and all("key is wrong" in why for why in report.failed.values())


@pytest.mark.parametrize("ranker", quick(["panel", "certified", "jury"], "certified", "jury"))
def test_a_scale_is_taken_by_degree_or_by_its_side(ranker):
    """Five words instead of two: rankers that take no grades count the side."""
    words = ["much better", "better", "equal", "worse", "much worse"]

    def graded(first, second):
        return words[max(-2, min(2, len(first) - len(second))) + 2]

    with Endpoint(verdict=graded) as endpoint:
        judges = models(endpoint, answers=words)
        if ranker == "panel":
            report = made().run(judges, gold=[("x", "yy", "x")])
            assert report.state == "done" and not report.failed and report.ranking.order == tuple(ITEMS)
            assert report.ranking.details.gold["m"]["right"] == 1
        how = {"panel": {}, "certified": {"ranker": "certified", "fresh": True}, "jury": {"fresh": True}}[ranker]
        result = rank_with(ITEMS, models(endpoint, answers=words), seed=1, budget=60, **how)
    told = [event.data for event in result.events if event.kind == "told"]
    assert result.ranker == ranker and not any("failed" in warning for warning in result.warnings)
    assert told and all(("grade" in each) == (ranker == "jury") for each in told)

"""A real model answers six questions: whatever it thinks, everything it says is read and counted."""

from __future__ import annotations

import asyncio
from itertools import combinations

import pytest

from juryrank.errors import JudgeFailed
from juryrank.judges.models import openai
from juryrank.judges.models.probe import probe
from juryrank.report.material import material_of
from juryrank.report.page.compose import compose, report_markdown
from juryrank.run.cases.catalogue import case_catalogue, orders_of
from juryrank.run.items import Catalogue
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.verify import verify

from .real import RealModel

pytestmark = pytest.mark.xdist_group("real model")
NUMBERS = ["17", "240", "930", "4"]


@pytest.fixture(scope="module")
def model():
    with RealModel() as running:
        yield running


def test_six_questions(model):
    judge = openai(
        "smollm2", url=model.url, ask="Which number is larger?", reason=False, max_tokens=12, concurrency=2
    )

    async def play():
        pairs = [pair for a, b in combinations(NUMBERS[:3], 2) for pair in ((a, b), (b, a))]
        try:
            return pairs, await asyncio.gather(*(judge(a, b) for a, b in pairs), return_exceptions=True)
        finally:
            await judge.close()

    pairs, answers = asyncio.run(play())
    assert len(answers) == 6
    for pair, answer in zip(pairs, answers, strict=True):
        assert answer in (*pair, *[answer] * isinstance(answer, JudgeFailed)) or answer.name == "TIE"
    assert judge.usage.input_tokens > 6 * 50 and judge.client.calls >= 6


@pytest.mark.slow
def test_a_probe_names_what_a_small_model_is(model):
    """Shown numbers to compare, it leans to a side or flips; the probe must say that it knows little."""
    judge = openai(
        "smollm2", url=model.url, ask="Which number is larger?", reason=False, max_tokens=12, temperature=1.0
    )
    gold = [(a, b, max(a, b, key=int)) for a, b in combinations(NUMBERS, 2)]
    found = asyncio.run(probe(judge, Catalogue(NUMBERS).samples(8), gold=gold))
    assert found.usable and found.gold.whole > 0
    assert found.remarks


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_probe_says_what_the_orders_of_a_small_model_are_worth(model):
    """Whatever it thinks of four numbers, each order is read, and compared with its opposite and with pairs."""
    how = {"ask": "Which number is larger?", "reason": False, "max_tokens": 40, "temperature": 0.0}
    judge = openai("smollm2", url=model.url, **how)
    systems = {f"s{k}": {case: str(100 * k + n) for n, case in enumerate("ab")} for k in range(4)}
    catalogue = case_catalogue(systems, list("ab"))
    pairs = catalogue.samples(2)
    found = asyncio.run(probe(judge, pairs, draws=2, together=orders_of(catalogue, {"m": judge}, 2)))
    assert found.usable and found.orders == 4
    assert found.to_dict()["orders"] == 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_whole_small_study(model, tmp_path, monkeypatch):
    """Three prompts as judges, probed, tested with gold pairs, ranked; what is preferred is not called true."""
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path))
    how = {"url": model.url, "reason": False, "max_tokens": 12, "temperature": 0.0, "concurrency": 2}
    asks = {
        "plain": "Which number is larger?",
        "rather": "Which would you rather have?",
        "odd": "Which is warmer?",
    }
    judges = {name: openai("smollm2", name=name, ask=ask, **how) for name, ask in asks.items()}
    gold = [{"left": a, "right": b, "better": max(a, b, key=int)} for a, b in combinations(["2", "71", "480"], 2)]
    study = create_study(
        NUMBERS, name="numbers", judges=list(judges), ranker="panel", options={"about": "panel"},
        storage=MemoryStorage(), seed=1, settings={"gold": gold},
    )  # fmt: skip
    remarks = []
    for name, judge in judges.items():
        found = asyncio.run(probe(judge, Catalogue(NUMBERS).samples(4), draws=4, gold=gold))
        study.judge(name).note_probe(found.to_dict())
        remarks += found.remarks
    assert any("turn round with the side shown" in remark for remark in remarks)
    assert any("do not tell it from a coin" in remark for remark in remarks)
    report = study.run(judges)
    assert report.state == "done" and set(report.ranking.details.gold) == set(judges)
    assert "says nothing about other judges or the truth" in report.ranking.statement
    page = report_markdown(compose(material_of(study.events(), report.ranking)))
    assert "turn round with the side shown" in page and "more certain, not more true" in page
    document = study.certificate()
    assert verify(document, rerun=True).true and document["result"]["aside"]

"""Gold pairs and models beside people in studies: kept in the log, never counted, after any restart."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.defaults import GOLD_AT_START
from juryrank.errors import BadInput
from juryrank.judges.models.settings import Price
from juryrank.report.material import material_of
from juryrank.report.page.compose import compose, report_markdown
from juryrank.report.tallies import all_agreement, busiest, model_rows
from juryrank.storage import MemoryStorage
from juryrank.study import create_study, open_study
from juryrank.study.state import StudyState
from juryrank.verify import verify
from tests.judges.models.endpoint import Endpoint
from tests.run.test_models import models, shorter
from tests.verify.logs import reforge

pytest.importorskip("httpx")
ITEMS = ["a", "bb", "ccc", "dddd"]
GOLD = [("x" * k, "y" * (k + 3), "x" * k) for k in range(1, 21)]
PRICE = Price(input=1.0, output=1.0)


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))


def longer(first, second):
    return {"first": "second", "second": "first"}[shorter(first, second)]


def made(*, judges=("m", "n", "o"), **more):
    options = {"options": {"about": "panel"}, "ranker": "panel", **more}
    return create_study(ITEMS, name="s", judges=judges, storage=MemoryStorage(), seed=1, **options)


def asides(study):
    return [event.data for event in study.events() if event.kind == "aside"]


def people(study, count=12):
    """So many people prefer the shorter one."""
    for k in range(count):
        study.add_judge(f"person {k}")
        while (question := study.ask(f"person {k}")) is not None:
            study.tell(question.id, min(question.left, question.right, key=len))


def test_a_run_asks_gold_pairs_of_its_settings_first_and_the_next_run_does_not_ask_them_again():
    study = made(settings={"gold": [{"left": a, "right": b, "better": c} for a, b, c in GOLD]})
    with Endpoint(verdict=shorter) as endpoint:
        report = study.run(models(endpoint, price=PRICE), budget=5)
        first = len(asides(study))
        study.run(models(endpoint, price=PRICE))
    assert first == report.aside == 3 * GOLD_AT_START and report.state == "budget"
    assert len(asides(study)) < first + 5  # now and then, not from the start
    assert {each["answer"] == each["better"] for each in asides(study)} == {True}
    assert study.ranking().details.gold["m"]["right"] >= GOLD_AT_START
    told = [event.data for event in study.events() if event.kind == "told"]
    assert all(each["cost"] > 0 for each in told) and all(each["cost"] > 0 for each in asides(study))
    paid = sum(each["cost"] for each in told + asides(study))
    rows = study.progress().judges
    assert sum(row.cost for row in rows) == pytest.approx(paid)
    assert verify(study.certificate(), rerun=True).true


def test_a_model_that_is_wrong_about_gold_pairs_is_set_aside_in_the_log_and_stays_so(tmp_path):
    study = made(ranker="certified", options={}, fresh=True, error=0.2)
    with Endpoint(verdict=shorter) as good, Endpoint(verdict=longer) as bad:
        judges = models(good, names=("m", "n")) | models(bad, names=("o",))
        report = study.run(judges, gold=GOLD, budget=60)
    assert "gold pairs" in report.failed["o"] and study.progress().judges[2].paused
    assert not any(e.data["judge"] == "o" for e in study.events() if e.kind == "asked")
    reason = next(e.data["reason"] for e in study.events() if e.kind == "judge_paused")
    assert "0 of 8 gold pairs" in reason or "gold pairs" in reason
    assert any("paused judge 'o': right on 0 of" in act.words for act in study.log.history())
    study.judge("o").resume()  # the owner may, but the promise has no room for it
    assert study.ask("o") is None


def test_gold_pairs_from_before_joining_count_against_a_judge_who_joins():
    study = made(judges=("m",), ranker="certified", options={}, error=0.2)
    for k in range(8):
        study.judge("o").put_aside(purpose="gold", left=f"l{k}", right=f"r{k}", answer="left", better="right")
    study.add_judge("o")
    assert study.ask("o") is None and study.progress().judges[1].paused
    study.judge("o").resume()
    assert study.ask("o") is None and study.ask("m") is not None
    report = verify(study.certificate(), rerun=True)
    assert report.true and report.result["aside"][0]["refuted_at"] == 10


def test_a_snapshot_keeps_what_gold_pairs_said():
    study = made(ranker="certified", options={}, fresh=True, error=0.2)
    for k in range(9):
        study.judge("m").put_aside(purpose="gold", left=f"g{k}", right="h", answer="right", better="left")
    state = study._keeper.known()
    again = StudyState.from_json(state.to_json())
    assert again.settle().ranking() == state.settle().ranking() and again.settle().gold == study.log.gold
    assert again.to_json() == state.to_json()
    assert study.ranking().judges[0].note.startswith("set aside: right on 0 of 8 gold pairs")


def test_models_in_a_study_about_people_stand_beside_and_never_count():
    alone, mixed = made(judges=(), options={}), made(judges=(), options={})
    people(alone), people(mixed)
    with Endpoint(verdict=longer) as endpoint:
        report = mixed.run(models(endpoint, names=("m",), price=PRICE), gold=GOLD)
    assert report.state == "beside" and report.answered == 0
    beside = [each for each in asides(mixed) if each["purpose"] == "beside"]
    assert len(beside) == 6 and all(len(each[each["answer"]]) > 1 for each in beside)  # the longer one
    assert mixed.judges == alone.judges and mixed.progress().answers == alone.progress().answers
    one, other = mixed.ranking(), alone.ranking()
    assert (one.order, one.ranges, one.statement, one.proven) == (
        other.order,
        other.ranges,
        other.statement,
        other.proven,
    )
    document = mixed.certificate()
    assert verify(document, rerun=True).true
    assert document["result"]["claims"] == alone.certificate()["result"]["claims"]
    with Endpoint(verdict=longer) as endpoint:
        again = mixed.run(models(endpoint, names=("m",)))
    assert again.aside == 0  # each pair once


def test_the_checker_refuses_a_models_opinion_that_is_passed_off_as_a_persons():
    study = made(judges=(), options={})
    people(study)
    with Endpoint(verdict=longer) as endpoint:
        study.run(models(endpoint, names=("m",)))
    document = json.loads(json.dumps(study.certificate()))
    forged = json.loads(json.dumps(document))
    event = next(event for event in forged["events"] if event["kind"] == "aside")
    event["data"]["judge"] = "person 1"
    assert not verify(reforge(forged)).true
    gap = json.loads(json.dumps(document))
    k = next(k for k, event in enumerate(gap["events"]) if event["kind"] == "aside")
    model = next(event for event in gap["events"] if event["kind"] == "asked")
    last = max(event["data"]["q"] for event in gap["events"] if event["kind"] == "asked")
    said = gap["events"].pop(k)
    gap["events"] += [
        {**said, "kind": "judge_added", "data": {"judge": "m", "price": 1.0}},
        {**said, "kind": "asked", "data": {**model["data"], "q": last + 1, "judge": "m"}},
        {**said, "kind": "told", "data": {"q": last + 1, "answer": "left"}},
    ]
    assert not verify(reforge(gap)).true


def test_a_model_among_the_judges_of_a_study_about_people_is_refused():
    study = made(judges=("m",), options={})
    with Endpoint(verdict=shorter) as endpoint, pytest.raises(BadInput, match="counted as a person"):
        study.run(models(endpoint, names=("m",)))


def test_in_a_panel_of_these_judges_a_model_and_a_person_have_one_vote_each():
    study = made(judges=("m", "ann", "bob"))
    for name in ("ann", "bob"):
        while (question := study.ask(name)) is not None:
            study.tell(question.id, max(question.left, question.right, key=len))
    with Endpoint(verdict=shorter) as endpoint:
        report = study.run(models(endpoint, names=("m",)))
    assert report.state == "done" and report.ranking.order == tuple(reversed(ITEMS))
    assert verify(study.certificate(), rerun=True).true


def test_money_and_faults_beside_the_ranking():
    with Endpoint(verdict=shorter, faults={"refusal": 0.2, "empty": 0.3}, seed=2) as endpoint:
        study = made()
        report = study.run(models(endpoint, price=PRICE), gold=GOLD, money=1e-9)
        assert report.state == "money" and not asides(study)
        study.run(models(endpoint, price=PRICE), gold=GOLD, cache=False)
    skipped = [each for each in asides(study) if each["answer"] == "skip"]
    assert skipped and all(each["comment"] for each in skipped)
    records = study.ranking().details.gold
    assert sum(record["none"] for record in records.values()) == len(skipped)


def test_a_probe_is_kept_and_a_model_that_repeats_itself_is_not_taken_for_fresh(tmp_path):
    (tmp_path / "items.txt").write_text("\n".join(ITEMS))
    storage = f"sqlite:///{tmp_path / 's.db'}"
    for name, fresh in (("fresh", True), ("once", False)):
        options = {} if fresh else {"about": "panel"}
        create_study(
            ITEMS, name=name, judges=["m"], ranker="certified" if fresh else "panel", storage=storage, fresh=fresh,
            options=options,
        )  # fmt: skip
    with Endpoint(verdict=shorter) as endpoint:
        row = f'[[judge]]\nname = "m"\napi = "openai"\nmodel = "x"\nurl = "{endpoint.url}"\n'
        (tmp_path / "judges.toml").write_text(row)
        files = [str(tmp_path / "judges.toml"), str(tmp_path / "items.txt")]
        for name in ("fresh", "once"):
            done = CliRunner().invoke(
                build_app(),
                ["judges", "probe", *files, "--pairs", "2", "--draws", "2", "--study", name, "--storage", storage],
            )
            assert done.exit_code == 0, done.output
        with pytest.raises(BadInput, match="repeats itself"):
            open_study("fresh", storage=storage).run(models(endpoint, names=("m",)))
        study = open_study("once", storage=storage)
        assert study.run(models(endpoint, names=("m",))).state == "done"
    probed = [event.data for event in study.events() if event.kind == "probed"]
    assert probed[0]["found"]["fresh"] is False and probed[0]["model"] == "openai:x"
    assert any("tried out judge 'm' (openai:x)" in act.words for act in study.log.history())
    assert verify(study.certificate(), rerun=True).true


def test_the_report_says_what_models_did_and_whether_they_agree_with_people():
    study = made(judges=(), options={}, settings={"gold": [{"left": "x", "right": "yyy", "better": "x"}]})
    people(study)
    with (
        Endpoint(verdict=shorter) as good,
        Endpoint(verdict=longer) as bad,
        Endpoint(faults={"refusal": 1.0}) as mute,
    ):
        judges = models(good, names=("m",), price=PRICE) | models(bad, names=("n",)) | models(mute, names=("o",))
        study.run(judges)
    paid = study.progress().model_cost
    found = {"fresh": True, "remarks": ["It leans to the one shown first."]}
    study.judge("m").note_probe(found, model="openai:m", cost=0.5)
    assert study.progress().model_cost == pytest.approx(paid + 0.5)
    assert study.progress().to_dict()["model_cost"] == study.progress().model_cost
    material = material_of(study.events(), study.ranking())
    rows = {row.name: row for row in model_rows(material)}
    assert (rows["m"].with_people.part, rows["n"].with_people.part) == (6, 0) and rows["m"].with_people.whole == 6
    assert rows["m"].cost > 0 and rows["n"].cost is None and "1 of 1 gold" in rows["m"].gold
    table = all_agreement(material, busiest(material, 4))
    assert table.judges[:2] == ("m", "n") and table.share[0, 1] == 0.0
    page = report_markdown(compose(material))
    assert "6 pairs" in page and "nothing of it counts in the promise" in page and "leans to the one" in page
    assert "gave no answer to 100 % of 7 questions (0 failed, 7 refused)" in page
    assert f"Models cost {sum(material.models.cost.values()):,.6g}" in page


def test_a_closed_study_asks_no_model_anything():
    study = made(judges=(), options={})
    people(study, count=2)
    study.close()
    with Endpoint(verdict=shorter) as endpoint:
        report = study.run(models(endpoint, names=("m",)), gold=GOLD)
    assert report.state == "closed" and not endpoint.seen and not asides(study)

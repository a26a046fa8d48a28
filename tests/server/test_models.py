"""Models attached to studies on the server: chosen by name, asked in the background, stopped, resumed."""

from __future__ import annotations

import logging
import time

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.server.studies import models as runs
from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.server.web.render import Content, Kind
from juryrank.verify import verify
from tests.judges.models.endpoint import Endpoint
from tests.server.conftest import MakeStudy, form_token
from tests.server.test_dashboard import confirmed

ITEMS = "abcd"
CHECKS = tuple(AttentionCheck(f"{k}", f"longer {k}") for k in range(4))


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(runs, "LOOK_AGAIN", 0.05)


def first_letter(first, second):
    return "first" if first <= second else "second"


@pytest.fixture
def endpoint():
    with Endpoint(verdict=first_letter, key="sk-planted-55") as found:
        yield found


@pytest.fixture
def served_models(client, endpoint, tmp_path, monkeypatch):
    """A server whose operator allows two models."""
    monkeypatch.setenv("THE_KEY", "sk-planted-55")
    file = tmp_path / "judges.toml"
    row = '[[judge]]\nname = "{}"\napi = "openai"\nmodel = "m"\nurl = "{}"\nkey_env = "THE_KEY"\nreason = false\n'
    price = "price = { input = 1.0, output = 1.0 }\n"
    file.write_text(row.format("small", endpoint.url) + price + row.format("large", endpoint.url))
    context = Context.open(ServerSettings(judges=str(file)), client.app.state.context.storage)
    client.app.state.context = context
    yield context
    context.models.close()


@pytest.fixture
def owner(served_models, client):
    from juryrank.server.access.vault import Scope
    from tests.server.conftest import login

    _, token = served_models.vault.issue_token(Scope.ADMIN)
    login(client, token)
    return client


def until(holds, *, seconds=30.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def people_study(context, **setup):
    study, _ = MakeStudy(context)(items=ITEMS, judges=3, ranker="panel")
    context.open_studies.change_setup(study.id, lambda _: Setup(question="Which is warmer?", **setup))
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, min(question.left, question.right))
    return study


def post(client, path, **data):
    page = client.get(path.removesuffix("/pause"))
    data["form_token"] = form_token(page.text)
    return client.post(path, data=data)


def opinions(study):
    return [e.data for e in study.events() if e.kind == "aside" and e.data["purpose"] == "beside"]


def test_an_owner_attaches_a_model_which_answers_beside_the_people(owner, served_models, endpoint, caplog):
    caplog.set_level(logging.DEBUG)
    endpoint.echo = True
    study = people_study(served_models, checks=CHECKS, contents={"d": Content("a warm day", Kind.TEXT)})
    before = study.ranking()
    path = f"/admin/studies/{study.id}/models"
    assert "small" in owner.get(path).text and "sk-planted" not in owner.get(path).text
    page = post(owner, path, model=["small"], money="5")
    assert "asked from now on" in page.text
    until(lambda: len(opinions(study)) == 6)
    until(lambda: served_models.models.state(study.id) == "up to date with the people")
    after = study.ranking()
    assert (after.order, after.ranges, after.statement) == (before.order, before.ranges, before.statement)
    shown = owner.get(path).text
    assert "100 % of 6 pairs" in shown and "4 of 4 gold pairs" in shown and "never count" in shown
    asked = [seen.body["messages"][-1]["content"] for seen in endpoint.seen]
    assert any("Which is warmer?" in text for text in asked) and any("a warm day" in text for text in asked)
    kinds = [event.kind for event in study.events()]
    assert kinds.count("probed") == 1 and study.progress().model_cost > 0
    assert verify(study.certificate(), rerun=True).true
    everything = [repr([event.data for event in study.events()]), caplog.text]
    for page in ("", "/models", "/judges", "/data", "/settings", "/report", "/certificate"):
        everything.append(owner.get(f"/admin/studies/{study.id}{page}").raise_for_status().text)
    everything += [owner.get(page).raise_for_status().text for page in ("/admin", "/admin/activity")]
    assert not any("sk-planted-55" in text for text in everything)


def test_models_go_on_with_new_answers_stop_when_paused_and_go_on_after_a_restart(owner, served_models):
    study = people_study(served_models)
    path = f"/admin/studies/{study.id}/models"
    post(owner, path, model=["small", "large"])
    until(lambda: len(opinions(study)) == 12)
    post(owner, f"{path}/pause")
    assert served_models.models.state(study.id) == "paused"
    study.add_items(["e"])
    time.sleep(0.2)
    assert len(opinions(study)) == 12
    post(owner, path, model=["small", "large"])
    until(lambda: len(opinions(study)) == 20)
    served_models.models.close()  # as at the end of a server
    again = Context.open(served_models.settings, served_models.storage)
    study.add_items(["f"])
    again.models.go_on()
    until(lambda: len(opinions(study)) == 30)
    again.models.close()


def test_the_money_holds_over_restarts(owner, served_models, endpoint):
    study = people_study(served_models)
    post(owner, f"/admin/studies/{study.id}/models", model=["small"], money="0.002")
    until(lambda: served_models.models.state(study.id).startswith("stopped: the money"))
    spent = study.progress().model_cost
    assert 0 < spent <= 0.002
    paid = len(endpoint.seen)
    again = Context.open(served_models.settings, served_models.storage)
    again.models.go_on()
    until(lambda: again.models.state(study.id).startswith("stopped: the money"))
    assert study.progress().model_cost <= 0.002 and len(endpoint.seen) <= paid + 2
    really = sum(each.tokens for each in endpoint.seen) * 1e-6  # as the endpoint counts, what was tried out too
    assert really <= study.progress().model_cost + 1e-9
    again.models.close()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({}, "no model is chosen"),
        ({"model": ["http://169.254.169.254/latest"]}, "has no model"),
        ({"model": ["large"], "money": "1"}, "no price"),
        ({"model": ["small"], "money": "-1"}, "above 0"),
        ({"model": ["small"], "money": "lots"}, "not a number"),
    ],
)
def test_what_is_not_in_the_operators_file_cannot_be_asked(owner, served_models, endpoint, data, complaint):
    study = people_study(served_models)
    page = post(owner, f"/admin/studies/{study.id}/models", **data)
    assert page.status_code == 422 and complaint in page.text.lower()
    assert not endpoint.seen and not runs.Attached.of(study).running


def test_pictures_are_not_shown_to_models_and_judges_names_stay_free(owner, served_models):
    path = "/admin/studies/{}/models"
    study = people_study(served_models, contents={"a": Content("https://x.test/a.png", Kind.IMAGE)})
    assert "text only" in post(owner, path.format(study.id), model=["small"]).text
    study.add_judge("small")
    assert "name of a judge" in post(owner, path.format(study.id), model=["small"]).text


def test_a_server_without_models_says_how_to_get_some(admin, make):
    study, _ = make()
    page = admin.get(f"/admin/studies/{study.id}/models").text
    assert "juryrank serve --judges" in page and "<form class" not in page.split("attach-title")[1]


def test_a_study_that_is_deleted_ends_its_models(owner, served_models, endpoint):
    study = people_study(served_models)
    endpoint.delay = 0.05
    post(owner, f"/admin/studies/{study.id}/models", model=["small"])
    until(lambda: len(endpoint.seen) > 2)
    served_models.open_studies.delete(study.id)
    until(lambda: not served_models.models._threads[study.id].is_alive())
    assert not served_models.models.state(study.id)
    assert owner.get("/admin").status_code == 200


def test_only_one_process_asks():
    with runs.alone("x") as first, runs.alone("x") as second:
        assert first and not second
    with runs.alone("x") as again:
        assert again


def test_an_engineer_makes_a_study_of_systems_on_cases_in_the_form(owner, served_models):
    rows = ["system,case,output,input"]
    rows += [f"{name},q{k},{word} {k},Ask {k}" for name, word in (("old", "z"), ("new", "a")) for k in range(12)]
    sent = {
        "name": "Prompts",
        "question": "Which answers better?",
        "reach": "named",
        "ties": "yes",
        "about": "people",
    }
    sent["form_token"] = form_token(owner.get("/admin/new").text)
    look = owner.post("/admin/new", data=sent, files={"file": ("outputs.csv", "\n".join(rows).encode())})
    assert look.status_code == 200 and "2 systems on 12 cases" in look.text and "Ask 0" in look.text
    assert served_models.open_studies.rows() == []
    nobody = confirmed(owner, look)
    assert nobody.status_code == 422 and "nobody judges yet" in nobody.text.lower()
    assert confirmed(owner, nobody, model="elsewhere").status_code == 422
    made = confirmed(owner, nobody, model=["small"])
    (row,) = served_models.open_studies.rows()
    path = f"/admin/studies/{row.id}/models"
    assert (
        made.url.path == path
        and "24 questions for each model" in made.text
        and "all questions: about" in made.text
    )
    assert "Ask 11" in owner.get(f"/admin/studies/{row.id}/items").text
    study = served_models.open_studies.study(row.id)
    assert study.progress().answers == 0 and list(study.judges) == ["small"]
    post(owner, path, model=["small"], money="1")
    until(lambda: study.done or served_models.models.state(row.id).startswith(("finished", "stopped")))
    assert study.ranking().order[0] == "new"
    badges = owner.get(path).text
    assert "finished" in badges and "Pause the models" not in badges


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["a,1,x", "b,2,y"], "no output"),
        (["a,1,x", "a,1,y", "b,1,z"], "second output"),
        (["a,1,x"], "system"),
        (["a,,x", "b,1,y"], "nothing under"),
    ],
)
def test_tables_of_outputs_that_cannot_be_compared_are_refused_in_words(owner, served_models, rows, words):
    sent = {"name": "Prompts", "question": "Which?", "form_token": form_token(owner.get("/admin/new").text)}
    table = "\n".join(["System,Case,Output", *rows]).encode()
    look = owner.post("/admin/new", data=sent, files={"file": ("outputs.csv", table)})
    if look.status_code == 200:
        look = confirmed(owner, look, model=["small"])
    assert look.status_code == 422 and words in look.text
    assert served_models.open_studies.rows() == []

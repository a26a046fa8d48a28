"""Systems compared on cases over HTTP: outputs and inputs are shown, names never; grades and refusals count."""

from __future__ import annotations

import json
from typing import Any

import pytest
from httpx import Client

from juryrank.run.cases import Case
from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.studies.setup import Setup
from juryrank.study import create_study
from juryrank.verify import verify
from tests.server.conftest import JSON, MakeStudy

CASES = [f"case-{k}" for k in range(25)]
OUTPUTS = {
    name: {case: "alike" if k % 6 == 0 else f"{word} {k}" for k, case in enumerate(CASES)}
    for name, word in (("sys-new", "good"), ("sys-old", "bad"))
}
SENT: dict[str, Any] = {
    "name": "prompts",
    "items": list(OUTPUTS),
    "cases": [{"id": case, "input": f"Ask {case}", "group": "ab"[k % 2]} for k, case in enumerate(CASES)],
    "outputs": OUTPUTS,
    "judges": [{"name": "m"}],
    "within": 0.05,
    "error": 0.05,
}


@pytest.fixture
def api(client: Client, context: Context) -> Client:
    client.headers["authorization"] = f"Bearer {context.vault.issue_token(Scope.ADMIN)[1]}"
    return client


@pytest.fixture(autouse=True)
def nobody_stays(client: Client) -> Any:
    yield
    client.headers.pop("authorization", None)


def test_a_program_judges_cases_over_the_api(api: Client, context: Context) -> None:
    made = api.post("/api/v1/studies", json=SENT)
    assert made.status_code == 201, made.text
    number, token = made.json()["study"]["id"], made.json()["judges"][0]["token"]
    assert made.json()["study"]["ranker"] == "jury"
    path, mine = f"/api/v1/studies/{number}", {"authorization": f"Bearer {token}"}
    turn = 0
    while (question := api.post(f"{path}/ask", headers=mine).json()["question"]) is not None:
        assert question["case"]["input"] == f"Ask {question['case']['id']}"
        assert {question["left"].split()[0], question["right"].split()[0]} == {"good", "bad"}
        assert "sys-" not in json.dumps(question)
        lead = 1 if question["left"].startswith("good") else -1
        said = {"grade": 0.9 * lead} if turn % 2 else {"answer": "left" if lead > 0 else "right"}
        said = {"answer": ("tie", "skip")[turn]} if turn < 2 else said
        told = api.post(f"{path}/tell", json={"question": question["id"], **said}, headers=mine)
        assert told.status_code == 200, told.text
        turn += 1
    study = context.open_studies.study(number)
    ranking = study.ranking()
    assert ranking.proven and ranking.order[0] == "sys-new"
    jury = ranking.details.jury
    assert jury["refused"] == 1 and [row["group"] for row in jury["by_group"]] == ["a", "b"]
    assert verify(study.certificate()).proven
    rows = api.get(f"{path}/export/csv").text.splitlines()
    assert "case" in rows[0].split(",") and "case-" in rows[1]


@pytest.mark.parametrize(
    ("said", "status"),
    [({}, 422), ({"grade": 1.5}, 422), ({"grade": 0.1, "answer": "left"}, 422), ({"grade": "NaN"}, 422)],
)
def test_what_is_no_answer_is_refused(api: Client, said: dict[str, Any], status: int) -> None:
    number = api.post("/api/v1/studies", json=SENT).json()["study"]["id"]
    question = api.post(f"/api/v1/studies/{number}/ask").json()["question"]["id"]
    sent = api.post(f"/api/v1/studies/{number}/tell", json={"question": question, **said})
    assert sent.status_code == status, sent.text


def test_a_grade_needs_a_ranker_that_takes_it(api: Client, make: MakeStudy) -> None:
    study, _ = make()
    question = api.post(f"/api/v1/studies/{study.id}/ask").json()["question"]
    assert question["case"] is None
    sent = api.post(f"/api/v1/studies/{study.id}/tell", json={"question": question["id"], "grade": 0.5})
    assert sent.status_code == 422 and "takes no grades" in sent.text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outputs": {"sys-new": OUTPUTS["sys-new"]}}, "not those of the items"),
        ({"outputs": {**OUTPUTS, "sys-old": {"case-1": "x"}}}, "no output for case"),
        ({"ranker": "panel"}, "knows no cases"),
        ({"cases": [{"id": "c", "weight": 0}, "d"], "outputs": None}, "weight"),
        ({"cases": ["c", "c"], "outputs": None}, "listed twice"),
        ({"setup": {"own_work": True}}, "never see"),
        ({"setup": {"checks": [{"better": "sys-new", "worse": "sys-old"}]}}, "never see"),
    ],
)
def test_what_cannot_be_compared_is_refused_whole(api: Client, changes: dict[str, Any], words: str) -> None:
    sent = api.post("/api/v1/studies", json={**SENT, **changes})
    assert sent.status_code == 422 and words in sent.text, sent.text
    assert api.get("/api/v1/studies").json() == []


def test_people_see_the_input_above_both_outputs_and_no_name(client: Client, make: MakeStudy) -> None:
    study, links = make_cases(make)
    client.post(f"{links[0]}/begin")
    page = client.get(links[0]).text
    assert "sys-" not in page and "Ask case-" in page and 'id="case"' in page
    card = client.post(f"{links[0]}/next", json={}, headers=JSON).json()
    assert "sys-" not in json.dumps(card) and "Ask case-" in card["question"]["case"]
    for _ in range(200):
        question = card["question"]
        if question is None:
            break
        said = "left" if "good" in question["left"]["html"] else "right"
        sent = {"question": question["id"], "answer": said}
        card = client.post(f"{links[0]}/answer", json=sent, headers=JSON).json()
    assert card["state"] == "done" and study.ranking().proven


def test_the_owner_cannot_give_names_away_later(client: Client, context: Context, make: MakeStudy) -> None:
    study, _ = make_cases(make)
    client.headers["authorization"] = f"Bearer {context.vault.issue_token(Scope.ADMIN)[1]}"
    changed = client.patch(f"/api/v1/studies/{study.id}/setup", json={"own_work": True})
    assert changed.status_code == 422 and "never see" in changed.text
    assert context.open_studies.setup(study.id).own_work is False


def test_markup_in_outputs_cannot_run(client: Client, make: MakeStudy) -> None:
    bad = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    for kind in ("text", "markdown"):
        outputs = {"a": {"c": bad}, "b": {"c": f"{bad} more"}}
        _, links = make(
            items="ab", judges=1, ranker="jury", cases=[Case("c", bad)], outputs=outputs,
            setup=Setup(case_kind=kind), goal="best",
        )  # fmt: skip
        card = client.post(f"{links[0]}/next", json={}, headers=JSON).json()
        shown = json.dumps(card["question"])
        assert "<script" not in shown and "<img" not in shown and "alert(1)" in shown


def make_cases(make: MakeStudy) -> tuple[Any, list[str]]:
    cases = [Case(case, f"Ask {case}") for case in CASES]
    return make(
        items=list(OUTPUTS),  # type: ignore[arg-type]
        judges=1,
        ranker="jury",
        cases=cases,
        outputs=OUTPUTS,
        within=0.05,
        goal="best",
    )


def test_a_system_that_joins_is_shown_and_strangers_do_not_join(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, links = make_cases(make)
    client.post(f"{links[0]}/begin")  # the outputs are read now
    study.add_items({"sys-third": {case: f"third {case}" for case in CASES}})
    seen: set[str] = set()
    card = client.post(f"{links[0]}/next", json={}, headers=JSON).json()
    for _ in range(60):
        if card["question"] is None or "third" in str(card["question"]):
            break
        sent = {"question": card["question"]["id"], "answer": "tie"}
        card = client.post(f"{links[0]}/answer", json=sent, headers=JSON).json()
        seen.add(str(card["state"]))
    assert "third case-" in str(card["question"]) and seen <= {"question", "wait"}
    link = context.open_links.make(study.id)
    before = list(study.judges)
    client.post(f"/s/{link.code}/begin", data={})
    assert study.judges == before


def test_the_owner_looks_at_a_question_of_a_study_where_outputs_are_missing(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study = create_study(
        {"a": {"c1": "x", "c2": "y"}, "b": {"c2": "z"}}, cases=["c1", "c2"], missing="leave out", name="few",
        judges=["m"], storage=context.open_studies.storage,
    )  # fmt: skip
    shown = context.judging.sample(study.id, 0).question
    assert shown is not None and "y" in shown.left.html + shown.right.html

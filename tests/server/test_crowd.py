"""People whom a crowd platform sends: known by their id, paid at the end, asked a little about themselves."""

from __future__ import annotations

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.errors import BadInput
from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.crowd.platforms import Platform, of_preset
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.study import Study
from tests.server.conftest import ADDRESS, JSON, MakeStudy, bearer, form_token
from tests.server.test_going_on_pages import through

PROLIFIC = of_preset("prolific", code="C1A2", failed_code="NOPE")
HOSTILE = [
    "<script>alert(1)</script>",
    "\"' onmouseover=alert(1) x='",
    "=HYPERLINK(1)",
    "مرحبا\u202eevil",
    "x" * 10_000,
    "a\0b",
    "{{7*7}}",
]


def opened(context: Context, make: MakeStudy, platform: Platform = PROLIFIC, **more: Any) -> tuple[Study, str]:
    study, _ = make(
        ranker="panel", judges=0, items=more.pop("items", "abcdef"), sitting=4, setup=more.pop("setup", None)
    )
    context.platforms.save(study.id, platform)
    return study, f"/s/{context.open_links.make(study.id, **more).code}"


def begin(client: Client, link: str, pid: str, **more: Any) -> Any:
    return client.post(f"{link}/begin", data={"PROLIFIC_PID": pid, **more})


def done(client: Client, link: str) -> dict[str, Any]:
    return through(client, link, client.get(f"{link}/next", headers=JSON).json())[0]


# ---------------------------------------------------------------------------- coming, going on, going back
def test_somebody_from_prolific_from_the_first_click_to_the_code(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make)
    page = client.get(f"{link}?PROLIFIC_PID=5f0&STUDY_ID=s1&SESSION_ID=x9&utm=spy").text
    assert 'name="PROLIFIC_PID" value="5f0"' in page and "spy" not in page and study.judges == []
    client.post(f"{link}/begin", data={"PROLIFIC_PID": "5f0", "STUDY_ID": "s1", "SESSION_ID": "x9"})
    (judge,) = study.judges
    assert context.arrivals.about(study.id).of(judge)["parameters"] == {
        "PROLIFIC_PID": "5f0", "STUDY_ID": "s1", "SESSION_ID": "x9",
    }  # fmt: skip
    assert "C1A2" not in client.get(link).text  # not before the end
    end = done(client, link)
    assert end["finish"] == "https://app.prolific.com/submissions/complete?cc=C1A2"
    assert f'href="{end["finish"]}"' in client.get(link).text and "back to Prolific" in end["finish_words"]
    log = "".join(str(event.data) for event in study.events())
    assert "5f0" not in log and "C1A2" not in log


def test_who_has_begun_goes_on_although_the_study_is_full(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make, capacity=1)
    begin(client, link, "ann")
    first = client.get(f"{link}/next", headers=JSON).json()["question"]["id"]
    assert 'id="choose-left"' in client.get(f"{link}?PROLIFIC_PID=ann").text
    assert client.get(f"{link}/next", headers=JSON).json()["question"]["id"] == first
    client.cookies.clear()  # on another device an id says little: tests/server/test_hostile_crowds.py
    assert "You have begun elsewhere" in client.get(f"{link}?PROLIFIC_PID=ann").text
    assert len(study.judges) == 1


def test_an_id_alone_does_not_get_round_a_pass_phrase(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    made = context.open_links.of(study.id)
    assert made is not None
    context.open_links.save(study.id, made.with_phrase("blue whale"))
    begin(client, link, "ann", phrase="Blue Whale")
    client.cookies.clear()
    page = client.get(f"{link}?PROLIFIC_PID=bob").text
    device = re.findall(r'name="device" value="([^"]+)"', page)[0]
    assert 'name="phrase"' in page and begin(client, link, "bob", device=device).status_code == 422
    begin(client, link, "bob", device=device, phrase="blue whale")
    assert client.get(f"{link}/next", headers=JSON).json()["question"] and len(study.judges) == 2
    client.cookies.clear()
    assert begin(client, link, "bob", device=device).status_code == 422
    assert client.get(f"{link}/next", headers=JSON).status_code == 403


def test_the_link_of_a_deleted_study_says_so(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    begin(client, link, "ann")
    context.open_studies.delete(study.id)
    for path in (link, f"{link}?PROLIFIC_PID=ann", f"{link}/next"):
        reply = client.get(path)
        assert reply.status_code == 404 and "its study is gone" in reply.text
    assert begin(client, link, "bob").status_code == 404


def test_another_person_at_the_same_computer_is_another_judge(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make)
    begin(client, link, "ann")
    assert "Start</button>" in client.get(f"{link}?PROLIFIC_PID=bob").text
    begin(client, link, "bob")
    assert len(study.judges) == 2
    assert 'id="choose-left"' in client.get(f"{link}?PROLIFIC_PID=bob").text
    begin(client, link, "bob")
    assert len(study.judges) == 2


def test_two_tabs_that_start_at_once_are_one_person(tmp_path: Path) -> None:
    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db"))
    context: Context = app.state.context
    study, link = opened(context, MakeStudy(context))
    with TestClient(app, base_url=ADDRESS) as client, ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(_start_alone, client, link, pid) for pid in ["ann", "bob"] * 4]
        assert {reply.result() for reply in sent} <= {303, 200}  # 200: the other tab has begun
    assert len(context.open_studies.study(study.id).judges) == 2


def _start_alone(client: Client, link: str, pid: str) -> int:
    data = {"PROLIFIC_PID": pid}
    return client.post(f"{link}/begin", data=data, cookies={}, follow_redirects=False).status_code


@pytest.mark.parametrize(
    "query",
    ["", "?STUDY_ID=1", "?PROLIFIC_PID=a&PROLIFIC_PID=b", "?PROLIFIC_PID=", "?prolific_pid=a", "?PROLIFIC_PID=%00",
     "?PROLIFIC_PID={{%25PROLIFIC_PID%25}}", f"?PROLIFIC_PID={'x' * 201}", "?participantId=5"],
)  # fmt: skip
def test_without_a_usable_id_nobody_begins_and_the_page_says_why(
    client: Client, context: Context, make: MakeStudy, query: str
) -> None:
    study, link = opened(context, make)
    page = client.get(link + query).text
    assert "This address is incomplete" in page and "from Prolific" in page and "PROLIFIC_PID" in page
    client.post(f"{link}/begin", data={})
    assert study.judges == []


def test_where_the_owner_allows_it_people_without_an_id_take_part(
    client: Client, context: Context, make: MakeStudy
) -> None:
    platform = Platform("free", ("who",), "who", required=False, code="THANKS")
    study, link = opened(context, make, platform)
    client.get(link)
    client.post(f"{link}/begin")
    assert len(study.judges) == 1
    end = done(client, link)
    assert end["code"] == "THANKS" and not end["finish"] and "page where you found it" in end["code_words"]
    assert ">THANKS</code>" in client.get(link).text


def test_failed_checks_bring_another_code(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make, setup=Setup(checks=(AttentionCheck("better", "worse"),)))
    for pid, honest in (("ann", True), ("bob", False)):
        client.cookies.clear()
        begin(client, link, pid)
        card = client.get(f"{link}/next", headers=JSON).json()
        while card["question"]:
            side = "left" if (card["question"]["left"]["item"] == "better") == honest else "right"
            sent = {"question": card["question"]["id"], "answer": side}
            card = client.post(f"{link}/answer", json=sent, headers=JSON).json()
        assert card["finish"].endswith("cc=C1A2" if honest else "cc=NOPE")
    assert [row["flags"] for row in rows_of(client, context, study)] == ["", "checks failed"]


def test_nobody_is_paid_for_nothing(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    begin(client, link, "ann")
    study.close()
    assert client.get(f"{link}/next", headers=JSON).json()["finish"] == ""
    study.close(reopen=True)
    question = client.post(f"{link}/next", json={}, headers=JSON).json()["question"]["id"]
    client.post(f"{link}/answer", json={"question": question, "answer": "left"}, headers=JSON)
    study.close()  # the owner's doing, not theirs
    assert client.get(f"{link}/next", headers=JSON).json()["finish"].endswith("C1A2")
    study.close(reopen=True)
    study.judge(study.judges[0]).remove()
    assert client.get(f"{link}/next", headers=JSON).json().get("finish", "") == ""


def test_named_judges_see_nothing_of_the_platform(client: Client, context: Context, make: MakeStudy) -> None:
    study, links = make(ranker="panel", judges=1, items="abcdef", sitting=2)
    context.platforms.save(study.id, PROLIFIC)
    end, _ = through(client, links[0], client.post(f"{links[0]}/next", json={}, headers=JSON).json())
    assert end["state"] == "done" and end["finish"] == "" and end["code"] == ""


def test_places_of_those_who_leave_are_free_again(
    client: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, link = opened(context, make, capacity=2)
    begin(client, link, "ann")
    done(client, link)
    client.cookies.clear()
    begin(client, link, "bob")  # and goes away
    client.cookies.clear()
    assert "This study is full" in client.get(f"{link}?PROLIFIC_PID=cy").text
    now = context.storage.now()
    monkeypatch.setattr(context.storage, "now", lambda: now + 20 * 60)
    before = study.log.seq
    assert "Start</button>" in client.get(f"{link}?PROLIFIC_PID=cy").text
    assert study.log.seq == before  # looking closes nothing
    begin(client, link, "cy")
    assert len(study.judges) == 3
    client.cookies.clear()
    assert "This study is full" in client.get(f"{link}?PROLIFIC_PID=di").text  # ann's place is taken for good
    begin(client, link, "di")
    assert len(study.judges) == 3


# ---------------------------------------------------------------------------- parameters are data
@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_parameters(client: Client, context: Context, make: MakeStudy, value: str) -> None:
    free = Platform("free", ("who",), "who", finish="https://x.test/back?who={who}&c={code}", code="C")
    study, link = opened(context, make, free)
    page = client.get(link, params={"who": value})
    assert "<script>alert" not in page.text and "' onmouseover" not in page.text
    client.post(f"{link}/begin", data={"who": value})
    if not study.judges:
        assert "incomplete" in page.text
        return
    end = done(client, link)
    assert re.fullmatch(r"https://x\.test/back\?who=[A-Za-z0-9%_.~-]*&c=C", end["finish"])
    cells = [cell for row in rows_of(client, context, study) for cell in row.values()]
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"finish": "javascript:alert(1)"}, "web address"),
        ({"finish": "//evil.test/"}, "web address"),
        ({"finish": "https://good.test@evil.test/"}, "web address"),
        ({"finish": "https://{who}.evil.test/?a=1"}, "behind the question mark"),
        ({"finish": "https://x.test/?a={nobody}"}, "a place that is none of"),
        ({"finish": "https://x.test/?a={code}"}, "give the code"),
        ({"finish": "https://x.test/?a=b c"}, "web address"),
        ({"finish": "https://x.test/?" + "a" * 10_000}, "web address"),
        ({"parameters": ("a b",)}, "the name of a parameter"),
        ({"parameters": ("<b>",)}, "the name of a parameter"),
        ({"parameters": ("a", "a")}, "twice"),
        ({"parameters": tuple(f"p{k}" for k in range(20))}, "at most"),
        ({"identity": "else"}, "not among"),
        ({"code": "x" * 10_000}, "at most"),
        ({"code": "a\nb"}, "printable"),
    ],
)
def test_a_platform_that_cannot_work_is_refused(wishes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        of_preset("free", **{"parameters": ("who",), **wishes})


def test_presets() -> None:
    sona = of_preset("sona", finish="https://s.test/webstudy_credit.aspx?experiment_id=1&survey_code=XXXX")
    back = sona.address({"survey_code": "77"}, failed=False)
    assert back == "https://s.test/webstudy_credit.aspx?experiment_id=1&survey_code=77"
    assert sona.link("https://j.test/s/c") == "https://j.test/s/c?survey_code=%SURVEY_CODE%"
    connect = of_preset("connect", finish="https://connect.cloudresearch.com/participant/project/1/complete")
    assert connect.who({"participantId": "p"}) == "p" and connect.address({}, failed=True) == connect.finish
    with pytest.raises(BadInput, match="give the code"):
        of_preset("prolific")
    with pytest.raises(BadInput, match="there are"):
        of_preset("mturk<b>")


# ---------------------------------------------------------------------------- about the person
def test_a_questionnaire_before_and_after(client: Client, context: Context, make: MakeStudy) -> None:
    before = questions_from_text("How old are you? [number] *\nYour city\nDo you cook? [never / daily] *")
    after = questions_from_text("Anything else?")
    setup = Setup(consent=True, before=before, after=after)
    study, link = opened(context, make, setup=setup)
    age, city, cook = (one.field for one in before)
    good = {age: "41,5", city: "=cmd()", cook: "daily", "consent": "yes"}
    for wrong, words in (
        ({age: ""}, "Please answer “How old are you?”"),
        ({age: "old"}, "please give a number"),
        ({age: "1e999"}, "please give a number"),
        ({cook: "sometimes"}, "please choose one"),
        ({city: "x" * 10_000}, "at most 1000"),
    ):
        page = begin(client, link, "ann", **{**good, **wrong})
        assert page.status_code == 422 and words in page.text and study.judges == []
    assert (
        'value="41,5"' in page.text and 'value="daily" dir="auto" selected' in page.text
    )  # nothing typed is lost
    begin(client, link, "ann", **good)
    end = done(client, link)
    assert end["about"] and not end["finish"]
    sent = client.post(f"{link}/about", data={after[0].field: "<b>no</b>"})
    assert "C1A2" in sent.text and "A few last questions" in sent.text
    assert client.get(f"{link}/next", headers=JSON).json()["finish"].endswith("C1A2")
    (row,) = rows_of(client, context, study)
    assert (row["How old are you?"], row["Your city"], row["Do you cook?"]) == ("41.5", "'=cmd()", "daily")
    assert row["Anything else?"] == "<b>no</b>" and row["consent_at"] and row["PROLIFIC_PID"] == "ann"
    assert row["answered"] == "4" and row["state"] == "started" and row["left_share"] == "1.0"
    log = "".join(str(event.data) for event in study.events())
    assert "41.5" not in log and "cmd()" not in log


def test_named_judges_answer_it_too_and_cannot_go_round_it(client: Client, make: MakeStudy) -> None:
    asked = questions_from_text("Age? [number] *")
    study, links = make(ranker="panel", judges=1, sitting=2, setup=Setup(before=asked))
    assert client.post(f"{links[0]}/next", json={}, headers=JSON).json()["state"] == "intro"
    assert client.post(f"{links[0]}/begin", data={}).status_code == 422 and study.progress().answers == 0
    client.post(f"{links[0]}/begin", data={asked[0].field: "30"})
    assert 'id="choose-left"' in client.get(links[0]).text


def test_erasing_forgets_everything_about_the_person(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make, setup=Setup(before=questions_from_text("City")))
    begin(client, link, "ann", **{questions_from_text("City")[0].field: "Rome"})
    (judge,) = study.judges
    assert study.judge(judge).erase() and not study.judge(judge).erase()
    kept = str(context.storage.notes("", study=study.id))
    assert "ann" not in kept and "Rome" not in kept and context.arrivals.about(study.id).judge_of("ann") is None
    (row,) = rows_of(client, context, study)
    assert row["participant"] == judge and row["name"] == "" and "PROLIFIC_PID" not in row
    context.open_studies.delete(study.id)
    assert context.storage.notes("person", study=study.id) == {}


def test_excluding_is_an_edit_and_says_so(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    begin(client, link, "ann")
    done(client, link)
    assert rows_of(client, context, study)[0]["state"] == "started" and not study.ranking().post_hoc
    study.judge(study.judges[0]).remove(discard_answers=True)
    assert rows_of(client, context, study)[0]["state"] == "excluded" and study.ranking().post_hoc


@pytest.mark.parametrize("text", ["a [b]", "[number]", "x\n" * 25, "a [b / b]", "a\na", "z" * 400, "a [ / b]"])
def test_questions_that_cannot_be_asked_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        questions_from_text(text)


# ---------------------------------------------------------------------------- owners' forms, programs
def test_the_forms_of_the_owner(admin: Client, context: Context, make: MakeStudy) -> None:
    study, _ = opened(context, make, Platform())
    base = f"/admin/studies/{study.id}"
    token = form_token(admin.get(f"{base}/share").text)
    sent = {"form_token": token, "preset": "prolific", "code": "C9"}
    page = admin.post(f"{base}/share/platform", data=sent).text
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in page and context.platforms.of(study.id).code == "C9"
    sent |= {"preset": "sona", "finish": context.platforms.of(study.id).finish,
             "parameters": "PROLIFIC_PID, STUDY_ID, SESSION_ID", "identity": "PROLIFIC_PID"}  # fmt: skip
    admin.post(f"{base}/share/platform", data=sent)  # another platform: what was the first one's does not stay
    assert context.platforms.of(study.id).parameters == ("survey_code",)
    assert context.platforms.of(study.id).finish == ""
    assert admin.post(f"{base}/share/platform", data={"preset": "sona"}).status_code == 403
    assert admin.post(f"{base}/about", data={"form_token": token, "before": "Age? [number] *"}).status_code == 200
    assert context.open_studies.setup(study.id).before[0].required
    shown = admin.get(f"{base}/settings").text
    assert "Age? [number] *" in shown
    for value in HOSTILE:
        for field in ("finish", "code", "failed_code", "parameters", "identity", "preset"):
            reply = admin.post(f"{base}/share/platform", data={**sent, field: value})
            assert reply.status_code in (200, 422) and "<script>alert" not in reply.text, (field, value[:20])
        for field in ("before", "after"):
            reply = admin.post(f"{base}/about", data={"form_token": token, field: value})
            assert reply.status_code in (200, 422) and "<script>alert" not in reply.text, (field, value[:20])
        for field in ("capacity", "opens", "closes", "phrase", "per_address"):
            reply = admin.post(f"{base}/share", data={"form_token": token, "on": "yes", field: value})
            assert reply.status_code in (200, 422) and "<script>alert" not in reply.text, (field, value[:20])


def test_programs_do_the_same(client: Client, context: Context, make: MakeStudy) -> None:
    study, _ = make(ranker="panel", judges=0)
    _, token = context.vault.issue_token(Scope.ADMIN)
    base, headers = f"/api/v1/studies/{study.id}", bearer(token)
    assert client.get(f"{base}/open-link", headers=headers).json() is None
    wrong = client.put(
        f"{base}/open-link", headers=headers, json={"opens_at": "2030-01-02", "closes_at": "2030-01-01"}
    )
    assert wrong.status_code == 422 and context.open_links.of(study.id) is None  # nothing half-made
    made = client.put(f"{base}/open-link", headers=headers, json={"capacity": 30, "phrase": "blue"}).json()
    assert made["capacity"] == 30 and made["has_phrase"] and made["link"].startswith(f"{ADDRESS}/s/")
    off = client.put(f"{base}/open-link", headers=headers, json={"on": False, "phrase": ""}).json()
    assert not off["on"] and not off["has_phrase"] and off["link"] == made["link"] and off["capacity"] == 30
    assert client.post(f"{base}/open-link/new", headers=headers).json()["link"] != made["link"]
    sent = {"preset": "prolific", "code": "C1"}
    shown = client.put(f"{base}/platform", headers=headers, json=sent).json()
    assert shown["link"].endswith("SESSION_ID={{%SESSION_ID%}}") and shown["identity"] == "PROLIFIC_PID"
    assert client.get(f"{base}/platform", headers=headers).json() == shown
    questions = [{"label": "Age?", "kind": "number", "required": True}]
    setup = client.patch(f"{base}/setup", headers=headers, json={"before": questions}).json()
    assert setup["before"][0]["label"] == "Age?"
    bad = client.patch(f"{base}/setup", headers=headers, json={"before": [{"label": "A", "kind": "choice"}]})
    assert bad.status_code == 422
    found = client.get(f"{base}/participants/json", headers=headers).json()
    assert found["participants"] == []
    reader = bearer(context.vault.issue_token(Scope.READ)[1])
    assert client.get(f"{base}/participants/csv", headers=reader).status_code == 403


def rows_of(client: Client, context: Context, study: Study) -> list[dict[str, str]]:
    _, token = context.vault.issue_token(Scope.ADMIN)
    reply = client.get(f"/api/v1/studies/{study.id}/participants/csv", headers=bearer(token))
    assert reply.headers["content-disposition"].endswith('-participants.csv"')
    return list(csv.DictReader(io.StringIO(reply.text)))

"""The dashboard over HTTP: making studies, judges, settings, exports, and everything that can go wrong there."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from httpx import Client, Response

from juryrank.errors import BadInput
from juryrank.rankers.contract import estimates
from juryrank.rankers.guess.core.estimate import estimate
from juryrank.report import result_text
from juryrank.run.cases.case import Case
from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.dashboard import overview_cache
from juryrank.server.dashboard.overview import Overview
from juryrank.server.dashboard.reading import LogSoFar
from juryrank.server.studies import advice as advising
from juryrank.server.studies.intake import NewItem
from juryrank.server.studies.items import add_to_study, correct
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, Kind
from juryrank.simulation.planning.people import PeoplePlan
from juryrank.verify import verify
from tests.quick import quick
from tests.report.logs import asked_in_turn
from tests.server.conftest import MakeStudy, bearer, form_token


def send(admin: Client, path: str, **data: object) -> Response:
    token = form_token(admin.get("/admin").text)
    files = {"file": data.pop("file")} if "file" in data else None
    return admin.post(path, data={"form_token": token, **data}, files=files)


def new(admin: Client, **data: object) -> Response:
    filled = {
        "name": "teas",
        "question": "Which?",
        "items": "green\nblack\nwhite",
        "error": "0.1",
        "reach": "named",
    }
    return send(admin, "/admin/new", **{**filled, **data})


def confirmed(admin: Client, page: Response, **changes: str) -> Response:
    """Send the look at an uploaded list on, as a browser would."""
    form = page.text[page.text.index('id="columns"') :]
    fields = {
        name: html.unescape(value)
        for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    }
    if 'name="header" value="yes" checked' in form:
        fields["header"] = "yes"
    for name, options in re.findall(r'<select id="\w+" name="(\w+)">(.*?)</select>', form):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = html.unescape(chosen[1]) if chosen else ""
    return admin.post("/admin/new", data={**fields, **changes})


def links_in(html: str) -> list[str]:
    return re.findall(r"<code[^>]*>(?:<bdi[^>]*>)?[^<]*(/j/[\w-]+)<", html)


def test_paste_a_list_and_get_links(admin: Client, context: Context) -> None:
    reply = new(admin, judges="Ann Lee <ann@a.org>\nbob@b.org")
    assert reply.status_code == 200 and "The study is made" in reply.text
    assert admin.get(reply.url.path).text.count("/j/") == reply.text.count("/j/")  # reloading makes nothing anew
    found = links_in(reply.text)
    assert len(found) == 2 and "ann@a.org" in reply.text
    assert admin.get(found[0]).status_code == 200
    study = context.open_studies.study(context.open_studies.rows()[0].id)
    assert study.items == ["green", "black", "white"]
    assert all(judge.startswith("person-") for judge in study.judges)


def test_a_small_panel_is_told_what_to_expect_and_never_refused(admin: Client, context: Context) -> None:
    """The advice arrives when it arrives: before or after Create, or never where no script runs."""
    asked = {"items": 3, "judges": 2, "error": 0.1, "goal": "best"}
    words = admin.get("/admin/advice", params=asked).json()["advice"]
    start = "2 people give you an estimate of the best one."
    assert words == f"{start} Proving anything takes at least 8 who answer the same pair."
    reply = new(admin, judges="ann\nbob", goal="best")
    assert reply.status_code == 200 and "The study is made" in reply.text
    assert len(context.open_studies.rows()) == 1


@pytest.mark.parametrize(
    ("people", "items", "sitting", "objective"),
    quick([(14, 5, 4, "best"), (20, 4, 3, "top-1"), (12, 3, 3, "ranges")]),
)
def test_the_forms_advice_is_what_plan_computes(
    admin: Client, people: int, items: int, sitting: int, objective: str, few_runs: Callable[..., PeoplePlan]
) -> None:
    """One computation: the same panel, the same numbers, about the aim that was chosen."""
    plan = few_runs(people, items, objective=objective, error=0.1, sitting=sitting)
    here, most = next(size for size in plan.sizes if size.people == people), plan.sizes[-1]
    asked = {"items": items, "judges": people, "error": 0.1, "goal": objective, "sitting": sitting}
    words = admin.get("/admin/advice", params=asked).json()["advice"]
    aim = {"best": "the best one", "ranges": "every rank"}
    assert words.startswith(f"{people} people give you an estimate of {aim.get(objective, 'the top 1')}. ")
    enough = next((size for size in plan.sizes if size.people > people and size.reached >= 0.5), None)
    if objective == "ranges":
        expected = f"{most.people} people leave an item about {most.width:.0f} of {items} ranks."
    elif here.reached >= 0.5:
        expected = f"likely to prove it too: {100 * here.reached:.0f} % of simulated panels did."
    elif enough is not None:
        expected = f"Proving it takes about {enough.people}."
    else:
        expected = f"Proving it takes more than {most.people}."
    assert words.endswith(expected), words


@pytest.mark.usefixtures("few_runs")
def test_advice_that_takes_too_long_gives_up_with_a_plain_word(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the simulation would hold the form up for half a minute, and Create of a program, too."""
    asked = {"items": 5, "judges": 14, "goal": "best", "error": 0.1, "sitting": 4}
    start = "14 people give you an estimate of the best one."
    plan = "juryrank plan --people 14 --items 5 --goal best."
    assert admin.get("/admin/advice", params={**asked, "quick": "yes"}).json() == {"advice": start, "more": True}
    monkeypatch.setattr(advising, "FORECAST_SECONDS", 0.0)
    for _ in range(2):  # giving up is not remembered as a result
        given = admin.get("/admin/advice", params=asked).json()
        assert given["advice"] == f"{start} {advising.TOO_LONG} {plan}"
    monkeypatch.setattr(advising, "FORECAST_SECONDS", 600.0)
    assert "Proving it takes" in admin.get("/admin/advice", params=asked).json()["advice"]
    many = {**asked, "items": 200, "judges": 900}
    said = admin.get("/admin/advice", params=many).json()["advice"]
    assert said == "900 people give you an estimate of the best one."


def test_owners_are_told_when_reading_takes_longer_than_the_limit(admin: Client, context: Context) -> None:
    """While the form is filled in, when a list is looked at, and once the study is made."""
    words = "Reading takes a person about 30 minutes, and they have 20"
    asked = {"items": 14, "words": 14 * 600, "minutes": 20, "sitting": 10}
    assert words in admin.get("/admin/advice", params=asked).json()["advice"]
    assert words not in admin.get("/admin/advice", params={**asked, "minutes": 40}).json()["advice"]
    essays = "\n---\n".join(f"{k} " + "word " * 599 for k in range(14))
    made = new(admin, items=essays, reach="open", minutes="20")
    assert "The study is made" in made.text and words in made.text
    table = "id,content\n" + "".join(f"{k},{'word ' * 600}\n" for k in range(14))
    look = new(admin, items="", name="b", reach="open", minutes="20", file=("a.csv", table.encode()))
    assert "Nothing is made yet" in look.text and words in look.text
    made = new(admin, items=essays, name="c", reach="open", minutes="40")
    assert "The study is made" in made.text and "Reading takes" not in made.text


def test_pasted_texts_that_begin_alike_are_taken(admin: Client, context: Context) -> None:
    """Their first words are their names; that of a later one gets a number. The same text twice is a slip."""
    task = "The task was to write about the summer holidays and what we did there. " * 3
    texts = [f"{task}I swam {k} times." for k in range(3)]
    pasted = {"blocks": "\n---\n".join(texts), "lines": "\n".join(f"{one} {'word ' * 100}" for one in texts)}
    for name, items in pasted.items():
        assert "The study is made" in new(admin, name=name, items=items, reach="open").text
        number = context.open_studies.rows()[0].id
        names, setup = context.open_studies.study(number).items, context.open_studies.setup(number)
        assert [name.endswith((" (2)", " (3)")) for name in names] == [False, True, True]
        assert len({setup.contents[name].body for name in names}) == 3
        context.open_studies.change_setup(number, lambda setup: setup.changed(own_work=True))
        first = admin.get(f"/s/{context.open_links.of(number).code}").text  # type: ignore[union-attr]
        assert all(f"I swam {k} times" in first for k in range(3))
    assert "is listed twice" in new(admin, items="\n---\n".join([*texts, texts[0]]), reach="open").text


def test_names_that_look_alike_are_named_where_they_can_be_corrected(admin: Client, context: Context) -> None:
    made = new(admin, items="pay\np\u0430y\nplay", reach="open")
    assert made.status_code == 200 and "Some names look alike: see Items" in made.text
    number = context.open_studies.rows()[0].id
    assert "tell these apart: “pay” and “p\u0430y”" in admin.get(f"/admin/studies/{number}/items").text


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (("a.csv", b"\xff\xfa\x00binary"), "UTF-8 was tried, and byte 1 does not fit"),
        (("a.csv", "Käse,Brot".encode("latin-1")), "UTF-8 was tried, and byte 2 does not fit"),
        (("a.csv", b"\xff\xfet\x00\x00\xd8x\x00"), "UTF-16, as its first bytes say so, was tried"),
        (("a.csv", "tea\nmilk".encode("utf-16-le")), "binary"),
        (("a.png", b"\x89PNG\r\n\x1a\n\x00\x00"), "UTF-8 was tried"),
        (("a.bin", b"a\x00b\nc"), "binary"),
        (("a.csv", b"id\ntea\ntea\n"), "listed twice"),
        (("a.csv", b"id\ntea\n"), "at least two"),
        (("a.csv", b""), "is empty"),
        (("a.json", b"{nonsense"), "neither JSON"),
        (("a.json", b'{"a": 1}'), "list of items"),
        (("a.csv", b"id,content,kind\na,notaurl,image\nb,x,text"), "web address"),
        (("a.csv", b"id,content,kind\na,x,hologram\nb,x,text"), "not a way to show"),
        (("a.csv", b"id\n" + b"x" * 400 + b"\ny"), "short id"),
    ],
)
def test_bad_uploads_say_why_and_make_nothing(admin: Client, context: Context, file: object, words: str) -> None:
    reply = new(admin, items="", file=file)
    assert reply.status_code == 422 and words in reply.text
    assert context.open_studies.rows() == []
    assert 'value="teas"' in reply.text  # what was typed is still there


def test_an_uploaded_list_gets_the_same_advice_before_anything_is_made(admin: Client, context: Context) -> None:
    look = new(admin, items="", judges="ann\nbob", file=("a.csv", b"id\ntea\nmilk\ncoffee\n"))
    assert look.status_code == 200 and "Nothing is made yet" in look.text and context.open_studies.rows() == []
    assert "2 people give you an estimate of every rank" in look.text
    made = confirmed(admin, look)
    assert made.status_code == 200 and len(links_in(made.text)) == 2


def test_columns_are_looked_at_and_mapped(admin: Client, context: Context) -> None:
    """A table headed Student, Essay: the essays are what judges see."""
    essays = "".join(
        f'{name},"{name} wrote: {"word " * 80}",{group}\n' for name, group in (("Ann", "A"), ("Bob", "B"))
    )
    look = new(admin, items="", reach="open", file=("a.csv", f"Student,Essay,Class\n{essays}".encode()))
    assert "Ann wrote: word" in look.text and "The first 2 of 2 items" in look.text
    assert confirmed(admin, look).status_code == 200
    number = context.open_studies.rows()[0].id
    setup = context.open_studies.setup(number)
    assert context.open_studies.study(number).items == ["Ann", "Bob"]
    assert setup.contents["Ann"].body.startswith("Ann wrote") and setup.groups == {"Ann": "A", "Bob": "B"}
    other = new(
        admin, items="", name="other", reach="open", file=("a.csv", f"Student,Essay,Class\n{essays}".encode())
    )
    confirmed(admin, other, role_id="Class", role_content="Student", role_group="")
    assert context.open_studies.study(context.open_studies.rows()[0].id).items == ["A", "B"]
    bad = confirmed(
        admin, new(admin, items="", name="third", file=("a.csv", b"a,b\nx,y\nx,z\n")), role_id="nothing"
    )
    assert bad.status_code in (200, 422) and len(context.open_studies.rows()) == 2


def test_huge_uploads_are_refused(admin: Client) -> None:
    reply = new(admin, items="", file=("a.csv", b"x\n" * 6_000_000))
    assert reply.status_code == 422 and "at most 10 MB are accepted" in reply.text


@pytest.mark.parametrize(
    "file",
    [
        ("a.csv", "id;content;kind\ntea;*Tee*;markdown\nmilk;Käse;text\n".encode()),
        ("a.csv", "tea\nmilk\n".encode("utf-16")),
        ("a.tsv", b"name\ttext\ntea\tGreen\nmilk\tWhite"),
        ("a.json", b'[{"id": "tea", "content": "x"}, "milk"]'),
        ("a.jsonl", b'{"id": "tea"}\n{"id": "milk"}\n'),
        ("a.txt", b"\xef\xbb\xbftea\nmilk\n"),
    ],
)
def test_good_uploads(admin: Client, context: Context, file: object) -> None:
    reply = new(admin, items="", file=file)
    assert reply.status_code == 200, re.findall(r'role="alert"[^/]*', reply.text)
    if 'id="columns"' in reply.text:
        reply = confirmed(admin, reply)
    assert context.open_studies.study(context.open_studies.rows()[0].id).items == ["tea", "milk"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"name": ""}, "empty; give it at least one visible character"),
        ({"name": "x" * 300}, "at most 200"),
        ({"error": "2"}, "strictly between 0 and 1"),
        ({"error": "much"}, "is not a number"),
        ({"question": " "}, "question is empty"),
        ({"judges": "ann\nann"}, "listed twice"),
        ({"goal": "nonsense"}, "no goal"),
        ({"goal": "order"}, "goal=&#39;ranges&#39;"),
        ({"about": "oracle"}, "not offered"),
    ],
)
def test_bad_forms_say_why(admin: Client, context: Context, data: dict[str, str], words: str) -> None:
    reply = new(admin, **data)
    assert reply.status_code == 422 and words in reply.text
    assert context.open_studies.rows() == []


def test_two_studies_of_one_name(admin: Client) -> None:
    assert new(admin).status_code == 200
    assert "already" in new(admin).text


def test_every_tab_shows(admin: Client, make: MakeStudy) -> None:
    study, _ = make(ranker="panel", items="abcdef", judges=3)
    for judge in study.judges[:2]:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, side="left", response_time=2.0)
    base = f"/admin/studies/{study.id}"
    result = admin.get(base).text
    assert "<svg" in result and "Still open" in result and "Who is ahead" in result and "What is certain" in result
    assert "2.0 s" in admin.get(f"{base}/judges").text
    assert "Fixed when the study began" in admin.get(f"{base}/settings").text
    assert (
        "chosen after the answers were seen</h3>"
        in admin.get(f"{base}/data", params={"ranker": "certified", "error": 0.1}).text
    )
    assert "no ranker" in admin.get(f"{base}/data", params={"ranker": "nonsense"}).text
    part = admin.get(f"{base}/part").text
    assert "data-live" in part and f"answers over time, {study.progress().answers} so far" in part
    assert part.count('class="jr-wide"') == part.count('class="jr-narrow"') == 2 and "from 2 judges" in part


def test_what_judges_left_out_is_shown_and_part_of_the_promise(
    admin: Client, make: MakeStudy, context: Context
) -> None:
    study, _ = make(ranker="panel", items="abc", judges=30)
    silent, wavering = study.judges[:2]
    for question in asked_in_turn(study):
        if question.judge == silent:
            study.tell(question.id, side="skip")
            continue
        study.tell(question.id, min(question.left, question.right))
        if question.judge == wavering:
            study.undo(wavering, by="judge")
            study.tell(question.id, min(question.left, question.right))
    base = f"/admin/studies/{study.id}"
    assert "3 skipped" in admin.get(f"{base}/judges").text and "3 changed" in admin.get(f"{base}/judges").text
    promise = Overview.of(study, LogSoFar(), {}).promise
    assert "most by one judge: 3 of 3) were skipped" in promise and "what they said last counts" in promise
    code = context.public_pages.switch_on(study.id)
    public = html.unescape(admin.get(f"/r/{code}").text)
    assert promise in public and silent not in public and "judge 0" not in public
    data = f'{base}/data">Data</a>'
    assert "the certificate is under <a" in admin.get(base).text and data not in public  # visitors have no tabs
    own = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    rows = admin.get(f"/api/v1/studies/{study.id}/judges", headers=own).json()
    row = next(one for one in rows if one["judge"] == wavering)
    assert (row["undone"], row["expired"], row["skips"]) == (3, 0, 0)


def test_names_that_try_to_be_code(admin: Client, make: MakeStudy, context: Context) -> None:
    nasty = "<script>alert(1)</script>"
    reply = new(admin, name=nasty, items=f"{nasty}\n<img src=x onerror=alert(1)>", judges=nasty)
    assert reply.status_code == 200
    link = links_in(reply.text)[0]
    base = f"/admin/studies/{context.open_studies.rows()[0].id}"
    for path in ("/admin", base, f"{base}/judges", f"{base}/settings", link):
        assert "<script>alert" not in admin.get(path).text and "<img src=x" not in admin.get(path).text


def test_judges_paused_removed_discarded_erased(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    judge = study.judges[0]
    question = study.ask(judge)
    assert question is not None
    study.tell(question.id, side="left")
    base = f"/admin/studies/{study.id}/judges"
    assert "Paused" in send(admin, f"{base}/pause", judge=judge).text
    assert "Resumed" in send(admin, f"{base}/resume", judge=judge).text
    assert "Taken back" in send(admin, f"{base}/undo", judge=judge).text
    assert "pseudonym" in send(admin, f"{base}/erase", judge=judge).text
    assert "judge 0" not in admin.get(base).text
    replaced = send(admin, f"{base}/link", judge=judge)
    assert admin.get(links[0]).status_code == 404
    fresh = links_in(replaced.text)[-1]
    assert admin.get(fresh).status_code == 200
    assert "Removed" in send(admin, f"{base}/remove", judge=judge).text
    assert admin.get(fresh).status_code == 404
    assert "post-hoc" in send(admin, f"{base}/discard", judge=judge).text
    assert study.ranking().post_hoc
    assert send(admin, f"{base}/pause", judge="nobody").status_code == 404
    assert send(admin, f"{base}/promote", judge=judge).status_code == 404


def test_add_judges_by_a_list(admin: Client, make: MakeStudy) -> None:
    study, _ = make(ranker="panel")
    reply = send(admin, f"/admin/studies/{study.id}/judges/add", judges="cy@c.org, Dee <dee@d.org>")
    assert len(links_in(reply.text)) == 4  # those from before, then theirs
    assert {person.address for person in study.people().values()} >= {"cy@c.org", "dee@d.org"}
    assert send(admin, f"/admin/studies/{study.id}/judges/add", judges=" ").status_code == 422


def test_settings_checks_and_items(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(ranker="panel", setup=Setup(question="Old?"))
    base = f"/admin/studies/{study.id}"
    assert "Old?" in admin.get(links[0]).text
    assert "Saved" in send(admin, f"{base}/settings", question="New?", lease="60").text
    page = admin.post(f"{links[0]}/begin").text
    assert "New?" in page and 'id="tie" hidden' in page
    assert "between 10 seconds" in send(admin, f"{base}/settings", question="New?", lease="1").text
    assert "Saved" in send(admin, f"{base}/checks", checks="a cat > a stone\n").text
    assert "a cat > a stone" in admin.get(f"{base}/settings").text
    assert "better &gt; worse" in send(admin, f"{base}/checks", checks="a cat").text
    assert "Added" in send(admin, f"{base}/items", items="zebra").text
    assert study.items[-1] == "zebra"
    assert "already" in send(admin, f"{base}/items", items="zebra").text


def test_close_open_delete(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    base = f"/admin/studies/{study.id}"
    assert "Reopen" in send(admin, f"{base}/close").text and study.closed
    assert "Close" in send(admin, f"{base}/open").text and not study.closed
    above, _, form = send(admin, f"{base}/delete", confirm="wrong").text.partition('id="delete" open')
    assert "nothing was deleted" in form and "alert" not in above  # where the form is, not at the top of the page
    assert send(admin, f"{base}/delete", confirm=study.name).url.path == "/admin"
    assert admin.get(base).status_code == 404
    assert admin.get(links[0]).status_code == 404


def test_exports(admin: Client, make: MakeStudy) -> None:
    study, _ = make()
    question = study.ask(study.judges[0])
    assert question is not None
    study.tell(question.id, side="left")
    base = f"/admin/studies/{study.id}"
    table = admin.get(f"{base}/export/csv")
    assert "attachment" in table.headers["content-disposition"] and table.text.startswith("vote_id,")
    first = json.loads(admin.get(f"{base}/export/jsonl").text.splitlines()[0])
    assert first["kind"] == "created"
    assert admin.get(f"{base}/export/nonsense").status_code == 404
    assert admin.get(f"{base}/certificate").status_code == 200
    assert admin.get(f"{base}/report").status_code == 200


def test_tokens_are_shown_for_a_while_and_revoked(
    admin: Client, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = send(admin, "/admin/tokens", scope="read", study="0", label="my script")
    token = re.findall(r"<code>([\w-]{32})</code>", made.text)[0]
    assert admin.get("/api/v1/studies", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert token in admin.get("/admin/tokens").text  # reloading shows it again, and makes no other
    assert token not in str(context.storage.notes())
    monkeypatch.setattr("juryrank.server.access.cookies.SHOWN_SECONDS", -1)
    listed = admin.get("/admin/tokens").text
    assert "my script" in listed and token not in listed
    number = next(one.id for one, label in context.vault.tokens() if label == "my script")
    assert "Revoked" in send(admin, "/admin/tokens/revoke", credential=str(number)).text
    assert admin.get("/api/v1/studies", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_unknown_pages_say_so(admin: Client) -> None:
    for path in ("/admin/studies/99", "/nowhere", "/admin/studies/x"):
        reply = admin.get(path)
        assert reply.status_code in (404, 422) and "<h1>" in reply.text


def test_however_many_look_a_study_is_read_and_drawn_once(
    make: MakeStudy, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = make()
    read: list[int] = []
    drawn: list[int] = []
    whole = Overview.of.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(Overview, "of", classmethod(lambda cls, *args: read.append(1) or whole(cls, *args)))

    def draw(view: Overview) -> str:
        drawn.append(view.progress.seq)
        return str(view.progress.seq)

    for _ in range(5):
        context.overviews.drawn(study.id, "part", draw)
        context.overviews.get(study.id, fresh=True)  # nothing happened: what is known is still true
    assert len(read) == len(drawn) == 1
    question = study.ask(study.judges[0])
    assert question is not None
    context.overviews.get(study.id, fresh=True)
    assert context.overviews.drawn(study.id, "part", draw) == str(study.log.seq)
    study.judge(study.judges[0]).set_person("Ann Other")
    assert context.overviews.get(study.id, fresh=True).judges[0]["name"] == "Ann Other"
    assert len(read) == 3


def test_estimates_are_fitted_once_for_each_new_answer(
    admin: Client, make: MakeStudy, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions that are only asked, other pages and results asked for again fit nothing."""
    fits = []
    monkeypatch.setattr(estimates, "estimate", lambda *a, **k: fits.append(1) or estimate(*a, **k))
    study, _ = make(judges=2, ranker="panel")
    for heard in (1, 2):
        question = study.ask(study.judges[0])
        assert question is not None
        study.tell(question.id, question.left)
        for _ in range(2):
            assert context.overviews.get(study.id, fresh=True).ranking.estimates.answers == heard  # type: ignore[union-attr]
            study.ask(study.judges[1])
            study.ranking()
            assert admin.get(f"/admin/studies/{study.id}").status_code == 200
        assert len(fits) == heard


def test_the_ranking_as_a_table(admin: Client, make: MakeStudy, context: Context) -> None:
    import csv
    import io

    study, _ = make(ranker="panel", items="abc", judges=2)
    context.open_studies.change_setup(study.id, lambda _: Setup(groups={"a": "=group"}))
    judge = study.judges[0]
    for _ in range(3):
        question = study.ask(judge)
        assert question is not None
        study.tell(question.id, side="left" if question.left < question.right else "right")
    study.undo(judge, post_hoc=True)
    base = f"/admin/studies/{study.id}/ranking"
    rows = list(csv.DictReader(io.StringIO(admin.get(f"{base}/csv").text)))
    assert {row["item"] for row in rows} == set("abc") and {row["group"] for row in rows} == {"'=group", ""}
    assert sum(int(row["wins"]) for row in rows) == 2 and sum(int(row["comparisons"]) for row in rows) == 4
    plain = admin.get(f"{base}/json").json()
    assert [row["item"] for row in plain["items"]] == [row["item"] for row in rows]
    assert admin.get(f"{base}/xlsx").status_code == 404


def test_the_table_counts_the_answers_that_the_estimates_rest_on(
    admin: Client, make: MakeStudy, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Late ones too, but none of somebody who was left out."""
    study, _ = make(ranker="panel", items="abcd", judges=3)
    for judge in study.judges[:2]:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, question.left)
    late, now = study.ask(study.judges[2]), context.storage.now()
    assert late is not None
    monkeypatch.setattr(context.storage, "now", lambda: now + 61 * 60)
    assert study.tell(late.id, late.left).late
    study.judge(study.judges[0]).remove(discard_answers=True)
    study.withdraw_items(["d"])
    rows = admin.get(f"/admin/studies/{study.id}/ranking/json").json()["items"]
    heard = study.ranking().estimates
    assert heard is not None and heard.answers == 7
    assert sum(row["wins"] for row in rows) == 7 and sum(row["comparisons"] for row in rows) == 14
    assert [row["item"] for row in rows if row["withdrawn"]] == ["d"]


def test_hasty_and_one_sided_judges_are_flagged_and_nothing_is_forecast_from_nothing(
    admin: Client, make: MakeStudy, context: Context
) -> None:
    study, _ = make(ranker="panel", items="abcdefgh", judges=2)
    assert context.overviews.get(study.id, fresh=True).forecast == []
    for _ in range(15):
        question = study.ask(study.judges[0])
        assert question is not None
        study.tell(question.id, side="left", response_time=0.8)
    assert "mostly one side" not in admin.get(f"/admin/studies/{study.id}/judges").text  # chance does that, too
    for _ in range(3):
        question = study.ask(study.judges[0])
        assert question is not None
        study.tell(question.id, side="left", response_time=0.8)
    page = admin.get(f"/admin/studies/{study.id}/judges").text
    assert "too fast" in page and "mostly one side" in page
    assert study.progress().answers == 18  # shown, never dropped


def test_one_judge_one_answer_and_one_pair_are_one(admin: Client, make: MakeStudy) -> None:
    study, _ = make(ranker="panel", items="ab", judges=1)
    question = study.ask(study.judges[0])
    assert question is not None
    study.tell(question.id, question.left)
    assert "2 items, 1 judge, 1 answer ·" in admin.get("/admin").text
    assert "by 1 person<" in admin.get(f"/admin/studies/{study.id}").text


def test_a_report_for_the_owner_has_names_and_contents_and_one_to_share_has_none(
    admin: Client, make: MakeStudy, context: Context
) -> None:
    contents = {"a": Content("Once upon a time <b>"), "b": Content("https://x.test/b.png", Kind.IMAGE, "a boat")}
    study, _ = make(ranker="panel", judges=2, items="abcd")
    context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))
    study.judge(study.judges[0]).set_person("Ann Lee")
    question = study.ask(study.judges[0])
    assert question is not None
    study.tell(question.id, question.left)
    base = f"/admin/studies/{study.id}"
    shared, own = admin.get(f"{base}/report").text, admin.get(f"{base}/report?names=yes").text
    assert "Ann Lee" not in shared and "Once upon" not in shared and study.judges[0] in shared
    assert "Ann Lee" in own and "Once upon a time &lt;b&gt;" in own and "a boat (https://x.test/b.png)" in own
    assert max(len(shared), len(own)) < 2_200_000


def test_reliability_in_words_for_schools(
    admin: Client, make: MakeStudy, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("juryrank.votes.fitting.judges.SPLITS", 4)
    study, _ = make(ranker="panel", judges=6, items="abcdef", sitting=8)
    base = f"/admin/studies/{study.id}/data"
    assert (
        "Would another group of judges" in admin.get(base).text and "Krippendorff" not in admin.get(base).text
    )  # not computed unasked
    assert "too few answers" in admin.get(f"{base}?reliability=yes").text
    for judge in study.judges:
        while (question := study.ask(judge)) is not None and study.judge(judge).seat().answered < 8:
            study.tell(question.id, min(question.left, question.right))
    shown = admin.get(f"{base}?reliability=yes").text
    assert "Separation reliability (SSR): 0." in shown and "Split-half correlation of judges: 0.9" in shown
    _, token = context.vault.issue_token(Scope.READ)
    found = admin.get(f"/api/v1/studies/{study.id}/reliability", headers=bearer(token)).json()
    assert found["separation"] > 0.3 and found["split_half"] > 0.8 and found["misfits"] == []


def test_methods_are_named_in_words(admin: Client, make: MakeStudy) -> None:
    study, _ = make()
    page = admin.get(f"/admin/studies/{study.id}/data").text
    options = re.findall(r'<option value="([^"]+)"[^>]*>([^<]+)</option>', page)
    assert len(options) > 5 and all(len(words) > len(name) + 10 for name, words in options), options


def test_a_dashboard_counts_everybody_once_the_time_of_whoever_went_away_is_over(
    admin: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = make(ranker="panel", judges=3, sitting=4)
    for judge in study.judges[1:]:
        study.ask(study.judges[0], again=True)  # and goes away
        while (question := study.ask(judge)) is not None:
            study.tell(question, question.left)
    study.close()
    page = f"/admin/studies/{study.id}"
    assert "from 0 people" in admin.get(page).text
    now, seen = context.storage.now(), study.log.seq
    monkeypatch.setattr(context.storage, "now", lambda: now + 61 * 60)
    assert context.live._seq(study.id, seen) > seen  # a page that is open learns of it
    assert "from 0 people" not in admin.get(page).text


def test_a_dashboard_that_waited_for_a_lock_shows_new_answers_as_soon_as_any_other(
    context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = make(ranker="panel", judges=2, sitting=4)
    clock, waits = [1000.0], [60.0]  # once: it is only read then

    def waiting() -> None:
        clock[0] += waits.pop() if waits else 0.0

    monkeypatch.setattr(
        overview_cache, "time", SimpleNamespace(monotonic=lambda: clock[0], thread_time=time.thread_time)
    )
    monkeypatch.setattr(study.log, "follow_clock", waiting)
    monkeypatch.setattr(context.open_studies, "study", lambda number: study)
    assert context.overviews.get(study.id).progress.answers == 0
    question = study.ask(study.judges[0])
    assert question is not None
    study.tell(question.id, question.left)
    clock[0] += 2.0
    assert context.overviews.get(study.id).progress.answers == 1


def test_two_people_who_change_a_study_at_once_both_get_theirs(
    client: Client, context: Context, make: MakeStudy
) -> None:
    """Another worker, or another browser, has read the study before: what it saves must not undo the other's."""
    study, _ = make(items="abc", ranker="panel", judges=1)
    other = Context.open(context.settings, context.storage)
    assert other.open_studies.setup(study.id).contents == {}  # read, and kept for a second
    text = Content("An essay", Kind.TEXT)
    add_to_study(context, study.id, [NewItem("d", text, "9a")])
    other.open_studies.change_setup(study.id, lambda setup: setup.changed(question="Which is warmer?"))
    correct(other, study.id, "a", body="alpha", alt="", group="")
    now = Setup.from_dict(study.settings["setup"])
    assert (now.question, now.contents["d"], now.groups) == ("Which is warmer?", text, {"d": "9a"})
    assert now.contents["a"].body == "alpha" and context.open_studies.setup(study.id) == now


def test_items_join_with_what_judges_see_of_them_or_not_at_all(context: Context, make: MakeStudy) -> None:
    study, _ = make(items="abc", ranker="panel", judges=1)
    seen, append = [], context.storage.turn

    @contextmanager
    def counted(*args: Any, **named: Any) -> Iterator[Any]:
        seen.append(args)
        with append(*args, **named) as turn:
            yield turn

    context.storage.turn = counted  # type: ignore[method-assign]
    add_to_study(context, study.id, [NewItem("d", Content("An essay", Kind.TEXT))])
    assert len(seen) == 1  # one visit to the log: nobody is asked about it in between
    with pytest.raises(BadInput, match="already"):
        add_to_study(context, study.id, [NewItem("d", Content("Another", Kind.TEXT))])
    assert context.open_studies.setup(study.id).contents["d"].body == "An essay"


def test_sentences_run_from_left_to_right_whatever_stands_in_them(admin: Client, make: MakeStudy) -> None:
    """A name from right to left is set apart within a line; it must not turn the line: which one is first?"""
    study, _ = make(items="שאבגד", ranker="panel", judges=4, error=0.4)
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, max(question.left, question.right))
    page = html.unescape(admin.get(f"/admin/studies/{study.id}").text)
    assert "\u2068ש\u2069" in page and "first preferred" in page.lower()
    assert not re.search('dir="auto"[^<]*>[^<]*\u2068', page)


def test_every_page_and_file_of_a_study_tells_the_same(
    admin: Client, make: MakeStudy, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page, public page, table, report, terminal, interface, certificate: one order, one number of answers."""
    import csv
    import io
    from random import Random

    rng, now = Random(5), [context.storage.now()]
    monkeypatch.setattr(context.storage, "now", lambda: now[0])
    study, _ = make(ranker="panel", items="abcdef", judges=14, name="mess", sitting=6)

    def sit(judge: str, most: int = 6) -> None:
        for _ in range(most):
            question = study.ask(judge, again=True)
            assert question is not None
            better = max if rng.random() < 0.8 else min
            study.tell(question.id, better(question.left, question.right))

    people = study.judges
    sit(people[0], 2)
    study.ask(people[0])  # and goes away
    for judge in people[1:8]:
        sit(judge)
    study.add_items(["g"])
    study.withdraw_items(["c"])
    for judge in people[8:12]:
        sit(judge)
    study.undo(people[11], by="judge")
    for later in (0, 61 * 60):  # while promises wait for who went away, and when they do no longer
        now[0] += later
        said = study.ranking()
        order, heard = list(said.order), said.estimates.answers  # type: ignore[union-attr]
        assert order != sorted(order) and said.details.people == (12 if later else 0)
        view = context.overviews.get(study.id, fresh=True)
        shown = ["c (withdrawn)" if item == "c" else item for item in order]
        assert [row.item for row in view.estimates.rows] == [row["item"] for row in view.order] == shown  # type: ignore[union-attr]
        base, api = f"/admin/studies/{study.id}", f"/api/v1/studies/{study.id}"
        key = bearer(context.vault.issue_token(Scope.READ)[1])
        rows = list(csv.DictReader(io.StringIO(admin.get(f"{base}/ranking/csv").text)))
        assert [row["item"] for row in rows] == order and [row["rank"] for row in rows] == list("1234567")
        assert sum(int(row["comparisons"]) for row in rows) == 2 * heard
        assert admin.get(f"{api}/ranking", headers=key).json()["order"] == order
        certificate = admin.get(f"{base}/certificate").json()
        assert certificate["estimates"]["order"] == order and verify(certificate, rerun=True).true
        public = f"/r/{context.public_pages.switch_on(study.id)}"
        for page in (base, public, f"{base}/report"):
            text = html.unescape(admin.get(page).text)
            assert f"Estimates from {heard:,} answers" in text, page
        text = html.unescape(admin.get(public).text)
        assert [text.index(f">{name}<") for name in shown] == sorted(text.index(f">{name}<") for name in shown)
        at_the_terminal = re.findall(r"^ *\d+  (\w(?: \(withdrawn\))?) ", result_text(said), re.M)
        assert at_the_terminal[:7] == shown


def test_a_page_names_a_confidence_once_something_is_promised(
    admin: Client, context: Context, make: MakeStudy
) -> None:
    """The dashboard and the public page: not before, and then as the certificate has it."""
    study, _ = make(ranker="panel", judges=0, items="ab", error=0.025)
    code = context.public_pages.switch_on(study.id)
    for number in range(12):
        study.add_judge(f"p{number}")
        while (question := study.ask(f"p{number}")) is not None:
            study.tell(question.id, min(question.left, question.right))
        pages = [admin.get(path).text for path in (f"/admin/studies/{study.id}", f"/r/{code}")]
        settled = study.ranking().details.settled_count > 0
        assert all(("probability at least 97.5 %" in page) is settled for page in pages), number
        assert settled or not any("97.5 %" in page or "confidence" in page for page in pages), number
    assert settled and "at least 97.5 %" in verify(study.certificate()).statement


@pytest.mark.parametrize(
    "how",
    [
        {"ranker": "certified", "error": 0.025, "judges": 30, "repeats": 1},
        {"ranker": "panel", "error": 0.025, "judges": 12, "goal": "best"},
        {"ranker": "panel", "error": 1 / 3, "judges": 12, "goal": "ranges"},
        {
            "ranker": "jury",
            "error": 0.025,
            "judges": 2,
            "goal": "best",
            "cases": [Case(c, c) for c in "0123"],
        },
    ],
    ids=str,
)
def test_the_page_says_what_the_certificate_says(admin: Client, make: MakeStudy, how: dict[str, Any]) -> None:
    study, _ = make(items="ab", **how)
    for _ in range(40):
        for judge in study.judges:
            if (question := study.ask(judge)) is not None:
                study.tell(question, min(question.left, question.right))
    said = verify(study.certificate()).statement
    assert study.ranking().proven and study.ranking().statement == said
    page = " ".join(html.unescape(admin.get(f"/admin/studies/{study.id}").text).split())
    assert said in page

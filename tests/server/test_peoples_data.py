"""What is kept about people: comments, a day on which all of it goes, and the key of network addresses."""

from __future__ import annotations

import re

from httpx import Client

from juryrank.server.context import Context
from juryrank.server.studies.setup import Setup
from juryrank.study.people import NETWORK_KEY, AboutPeople
from tests.server.conftest import JSON, MakeStudy
from tests.server.test_dashboard import send

BOX = Setup(comment="What made the difference?")


def answered(client: Client, link: str, **more: object) -> dict[str, object]:
    client.post(f"{link}/begin", data={"consent": "yes"})
    card = client.post(f"{link}/next", json={}, headers=JSON).json()
    said = {"question": card["question"]["id"], "answer": "left", **more}
    return dict(client.post(f"{link}/answer", json=said, headers=JSON).json())


def test_a_comment_reaches_the_owner_and_nobody_else(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(setup=BOX, ranker="panel")
    words = "It <b>rhymes</b>, =1+1 " + "\u202e" + "x" * 2000
    card = answered(admin, links[0], comment=words)
    page = admin.get(f"/admin/studies/{study.id}/data").text
    assert "It &lt;b&gt;rhymes&lt;/b&gt;" in page and "<b>rhymes" not in page
    assert BOX.comment in admin.post(f"{links[1]}/begin", data={}).text
    everything = [admin.get(links[1]).text, str(list(study.events())), admin.get(f"/heads/{study.id}").text]
    assert not [one for one in everything if "rhymes" in one]
    table = admin.get(f"/admin/studies/{study.id}/comments").text
    assert table.splitlines()[0] == "comment,chosen,other,person" and len(table) < 1200
    admin.post(f"{links[0]}/undo", json={"question": card["undo"]}, headers=JSON)
    assert AboutPeople(context.storage, study.id).comments() == []  # taken back with its answer


def test_no_box_no_comment(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(ranker="panel")
    answered(admin, links[0], comment="unasked")
    assert AboutPeople(context.storage, study.id).comments() == []


def test_comments_are_erased_with_the_person(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(setup=BOX, ranker="panel")
    for link in links:
        answered(admin, link, comment="because")
    send(admin, f"/admin/studies/{study.id}/judges/erase", judge=study.judges[0])
    left = AboutPeople(context.storage, study.id).comments()
    assert [one["judge"] for one in left] == [study.judges[1]]


def test_on_its_day_a_study_forgets_its_people(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(setup=BOX, ranker="panel")
    answered(admin, links[0], comment="because")
    path = f"/admin/studies/{study.id}/settings"
    assert "is not a day" in send(admin, path, question="Which?", keep_until="soon").text
    fields = {"question": "Which?", "comment": "Why?", "keep_until": "2030-01-31"}
    assert send(admin, path, **fields).status_code == 200
    assert "2030-01-31" in admin.get(links[1]).text  # judges read it before they start
    assert context.retention.forget_due(today="2030-01-30") == 0 and len(study.people()) == 2
    assert context.retention.forget_due(today="2030-01-31") == 2
    assert study.people() == {} and AboutPeople(context.storage, study.id).comments() == []
    assert admin.get(links[1]).status_code == 404
    assert study.progress().answers == 1  # what was chosen stays
    assert context.retention.forget_due(today="2030-02-01") == 0


def test_the_key_of_addresses_goes_when_the_study_closes(admin: Client, make: MakeStudy, context: Context) -> None:
    study, _ = make(ranker="panel")
    mark = context.networks.mark(study.id, "203.0.113.9")
    assert mark == context.networks.mark(study.id, "203.0.113.9") != context.networks.mark(study.id, "203.0.113.8")
    assert context.storage.note(NETWORK_KEY, study=study.id)
    send(admin, f"/admin/studies/{study.id}/close")
    assert context.storage.note(NETWORK_KEY, study=study.id) is None
    assert context.networks.mark(study.id, "203.0.113.9") != mark


def test_a_studys_link_shows_its_name_and_question_in_a_chat(
    admin: Client, make: MakeStudy, context: Context
) -> None:
    study, _ = make(name='Wines "and" <teas>', setup=Setup(question="Which & why?"))
    link = context.open_links.make(study.id).code
    admin.cookies.clear()
    page = admin.get(f"/s/{link}").text
    shown = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page))
    assert shown["description"] == "Which &amp; why?" and shown["title"] == "Wines &#34;and&#34; &lt;teas&gt;"


def test_problems_and_the_reference_have_the_menu(admin: Client) -> None:
    for path in ("/nowhere", "/admin/studies/99", "/api/docs"):
        assert 'aria-label="Main"' in admin.get(path).text, path
    admin.cookies.clear()
    for path in ("/nowhere", "/api/docs"):
        assert 'aria-label="Main"' not in admin.get(path).text, path


def test_look_as_a_judge_begins_with_the_first_page(admin: Client, make: MakeStudy) -> None:
    study, _ = make(setup=Setup(intro="Who asks, and **what for**"), ranker="panel")
    base = f"/admin/studies/{study.id}/preview"
    assert "what for" in admin.get(base).text and "Start" in admin.get(base).text
    begun = admin.post(f"{base}/begin", data={})
    assert begun.url.path == f"{base}/question" and "Choose this one" in begun.text
    assert study.log.seq == 1 and study.progress().answers == 0


def test_a_doubled_line_says_so_in_words(admin: Client) -> None:
    from tests.server.test_dashboard import new

    assert "listed twice, in places 1 and 3: take one out" in new(admin, items="tea\nmilk\ntea", reach="open").text

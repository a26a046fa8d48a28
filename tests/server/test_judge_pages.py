"""The judge's side over HTTP: every answer counts once, whatever the browser does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from httpx import Client

from juryrank.server.context import Context
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.server.studies.setup import Setup, question_names
from juryrank.server.web.render import Content, Kind
from tests.server.conftest import JSON, MakeStudy


def card(client: Client, link: str) -> dict[str, Any]:
    reply = client.post(f"{link}/next", json={}, headers=JSON)
    assert reply.status_code == 200, reply.text
    return reply.json()  # type: ignore[no-any-return]


def answer(client: Client, link: str, question: str, said: str, **more: Any) -> dict[str, Any]:
    reply = client.post(f"{link}/answer", json={"question": question, "answer": said, **more}, headers=JSON)
    assert reply.status_code == 200, reply.text
    return reply.json()  # type: ignore[no-any-return]


def told(study: Any) -> list[dict[str, Any]]:
    return [dict(event.data) for event in study.events() if event.kind == "told"]


def test_an_answer_brings_the_next_question(client: Client, make: MakeStudy) -> None:
    study, links = make()
    first = card(client, links[0])
    following = answer(client, links[0], first["question"]["id"], "left", response_time=1.25)
    assert following["says"] == "Saved."
    assert following["question"]["id"] != first["question"]["id"]
    assert told(study) == [{"q": 1, "answer": "left", "response_time": 1.25, "source": "page"}]


def test_the_same_answer_twice_is_recorded_once(client: Client, make: MakeStudy) -> None:
    study, links = make()
    question = card(client, links[0])["question"]["id"]
    answer(client, links[0], question, "left")
    assert "already" in answer(client, links[0], question, "left")["says"]
    assert "first answer stands" in answer(client, links[0], question, "right")["says"]
    assert [one["answer"] for one in told(study)] == ["left"]


def test_two_tabs_see_the_same_question(client: Client, make: MakeStudy) -> None:
    _, links = make()
    assert card(client, links[0])["question"] == card(client, links[0])["question"]


def test_undo_opens_the_same_question_again(client: Client, make: MakeStudy) -> None:
    study, links = make(fresh=None)
    question = card(client, links[0])["question"]["id"]
    after = answer(client, links[0], question, "left")
    assert after["undo"] == question
    back = client.post(f"{links[0]}/undo", json={"question": question}, headers=JSON).json()
    assert back["question"]["id"] == question and back["undo"] == ""
    again = client.post(f"{links[0]}/undo", json={"question": question}, headers=JSON).json()
    assert "Nothing to take back" in again["says"]
    answer(client, links[0], question, "right")
    assert study.judge(study.judges[0]).seat().last.answer == "right"  # type: ignore[union-attr]


def test_judges_who_answer_anew_are_offered_no_undo(client: Client, make: MakeStudy) -> None:
    """Another answer would be a second draw: nothing is offered, and who asks all the same changes nothing."""
    study, links = make(fresh=True)
    question = card(client, links[0])["question"]["id"]
    after = answer(client, links[0], question, "left")
    assert after["undo"] == "" and re.search(r'id="undo"[^>]* disabled', client.get(links[0]).text)
    reply = client.post(f"{links[0]}/undo", json={"question": question}, headers=JSON)
    assert reply.status_code == 200 and "Nothing to take back" in reply.json()["says"]
    assert study.judge(study.judges[0]).seat().answered == 1


def test_it_works_without_scripts(client: Client, make: MakeStudy) -> None:
    study, links = make(fresh=None)
    first = client.get(links[0])
    assert first.status_code == 200 and ">Start</button>" in first.text and told(study) == []
    page = client.post(f"{links[0]}/begin")
    assert page.status_code == 200 and page.url.path == links[0] and 'value="left"' in page.text
    asked = re.findall(r'name="question" id="question-id" value="([a-z2-7]+)"', page.text)[0]
    reply = client.post(f"{links[0]}/answer", data={"question": asked, "answer": "right"}, follow_redirects=False)
    assert reply.status_code == 303 and reply.headers["location"] == links[0]
    assert [one["answer"] for one in told(study)] == ["right"]
    client.post(f"{links[0]}/undo", data={"question": "the one that is open"})
    assert study.judge(study.judges[0]).seat().answered == 0


def test_wrong_answers_and_questions_change_nothing(client: Client, make: MakeStudy) -> None:
    study, links = make()
    question = card(client, links[0])["question"]["id"]
    theirs = card(client, links[1])["question"]
    for sent, status in [
        ({"question": question, "answer": "up"}, 422),
        ({"question": "999", "answer": "left"}, 404),
        ({"question": "x" * 50, "answer": "left"}, 404),
        ({}, 404),
        ([], 422),
    ]:
        reply = client.post(f"{links[0]}/answer", json=sent, headers=JSON)
        assert reply.status_code == status, (sent, reply.text)
        assert set(reply.json()) == {"code", "detail"}
    if theirs:
        reply = client.post(f"{links[0]}/answer", json={"question": theirs["id"], "answer": "left"}, headers=JSON)
        assert reply.status_code == 403
    assert told(study) == []


def test_no_tie_where_the_study_offers_none(client: Client, make: MakeStudy) -> None:
    _, links = make(setup=Setup(ties=False))
    shown = card(client, links[0])
    assert shown["ties"] is False
    sent = {"question": shown["question"]["id"], "answer": "tie"}
    assert client.post(f"{links[0]}/answer", json=sent, headers=JSON).status_code == 422


def test_a_sitting_ends_friendly_and_never_repeats_a_pair(client: Client, make: MakeStudy) -> None:
    _, links = make(ranker="panel", judges=1, items="abcd")
    shown, pairs = card(client, links[0]), []
    assert shown["planned"] == 6
    while shown["question"]:
        pairs.append(frozenset((shown["question"]["left"]["item"], shown["question"]["right"]["item"])))
        shown = answer(client, links[0], shown["question"]["id"], "left")
    assert len(pairs) == len(set(pairs)) == 6
    assert shown["state"] == "done" and shown["heading"] == "You are done"


def test_closed_paused_and_reopened(client: Client, make: MakeStudy) -> None:
    study, links = make()
    study.judge(study.judges[0]).pause()
    assert card(client, links[0])["state"] == "dropped"
    study.judge(study.judges[0]).resume()
    assert card(client, links[0])["state"] == "question"
    study.close()
    assert card(client, links[1])["state"] == "closed"
    study.close(reopen=True)
    assert card(client, links[1])["state"] in ("question", "wait")


def test_not_the_same_pair_twice_in_a_row_when_another_exists(client: Client, make: MakeStudy) -> None:
    study, links = make(judges=3, items="abcdef")
    order = {name: k for k, name in enumerate("abcdef")}
    shown, repeats, turns = card(client, links[0]), 0, 0
    before: frozenset[str] = frozenset()
    while shown["question"] and turns < 60:
        left, right = (shown["question"][side]["item"] for side in ("left", "right"))
        pair = frozenset((left, right))
        if pair == before:
            repeats += 1
            judge = study.judges[0]
            others = [q for q in study.judge(judge).seat().open if {q.left, q.right} != pair]
            assert not others
        before = pair
        said = "left" if order[left] < order[right] else "right"
        shown = answer(client, links[0], shown["question"]["id"], said)
        turns += 1
    assert repeats < turns / 2


def test_first_page_consent_and_own_work(client: Client, make: MakeStudy) -> None:
    study, links = make(
        ranker="panel", judges=1, setup=Setup(intro="Hello **you**", consent=True, own_work=True), items="abcdef"
    )
    page = client.get(links[0])
    assert "<strong>you</strong>" in page.text and "I have read this" in page.text
    assert card(client, links[0])["state"] == "intro"
    assert client.post(f"{links[0]}/begin", data={"own": ["a"]}).status_code == 422
    assert client.post(f"{links[0]}/begin", data={"own": ["nothing"], "consent": "yes"}).status_code == 422
    assert client.post(f"{links[0]}/begin", data={"own": ["a"], "consent": "yes"}).status_code == 200
    shown, seen = card(client, links[0]), set()
    while shown["question"]:
        seen |= {shown["question"]["left"]["item"], shown["question"]["right"]["item"]}
        shown = answer(client, links[0], shown["question"]["id"], "left")
    assert seen and "a" not in seen
    skipped = [one for one in told(study) if one.get("source") == "own-work"]
    assert all(one["answer"] == "skip" for one in skipped)


def test_every_kind_of_item_is_shown_as_what_it_is(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(ranker="panel", judges=1, items="abcd")
    kinds = {"a": Kind.AUDIO, "b": Kind.VIDEO, "c": Kind.IMAGE, "d": Kind.LINK}
    contents = {item: Content(f"https://media.example/{item}", kind) for item, kind in kinds.items()}
    context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))
    page = client.get(links[0])
    assert "media-src 'self' https://media.example;" in page.headers["content-security-policy"]
    shown, seen = card(client, links[0]), set()
    while shown["question"]:
        seen |= {shown["question"][side]["html"] for side in ("left", "right")}
        shown = answer(client, links[0], shown["question"]["id"], "left")
    for item, sign in {"a": "<audio controls", "b": "<video controls", "c": "<img", "d": "<a href"}.items():
        assert any(sign in html and f"https://media.example/{item}" in html for html in seen)


def test_nobody_is_told_that_no_more_answers_are_needed_while_they_are(client: Client, make: MakeStudy) -> None:
    """Of two or three items a person has soon answered every pair; the study needs more people all the same."""
    for items, pairs in (("ab", 1), ("abc", 3)):
        study, links = make(ranker="panel", judges=2, items=items, error=0.1)
        client.post(f"{links[0]}/begin")
        shown = card(client, links[0])
        while shown["question"]:
            shown = answer(client, links[0], shown["question"]["id"], "left")
        for end in (shown, client.get(f"{links[0]}/next", headers=JSON).json()):
            assert end["state"] == "done" and end["more"] == "" and "needed" not in end["words"]
        assert study.progress().answers == pairs and not study.done
        assert card(client, links[1])["question"]


def test_whose_work_it_is_stands_nowhere_in_the_page(client: Client, context: Context) -> None:
    """Not even where only a curious judge looks: in the source, or in what the server sends."""
    items = [NewItem(f"Pupil {k}", Content(f"Essay {k}", Kind.TEXT)) for k in range(4)]
    made = make_study(context.open_studies, StudyDraft("essays", items, [NewJudge("Ann")]))
    link = f"/j/{context.vault.issue_link(made.id, made.judges[0])}"
    sent = [client.get(link), client.post(f"{link}/begin"), client.get(f"{link}/next", headers=JSON)]
    shown = sent[-1].json()
    while shown["question"]:
        said = {"question": shown["question"]["id"], "answer": "left"}
        sent.append(client.post(f"{link}/answer", json=said, headers=JSON))
        shown = sent[-1].json()
    assert len(sent) > 6 and all("Pupil" not in reply.text for reply in sent)
    assert "Essay 0" in "".join(reply.text for reply in sent)


def test_consent_comes_before_anything_that_is_asked_about_the_person(client: Client, make: MakeStudy) -> None:
    about = questions_from_text("How old are you? [number] *")
    _, links = make(ranker="panel", judges=1, setup=Setup(consent=True, own_work=True, before=about))
    page = client.get(links[0]).text
    places = [page.index(words) for words in ("I have read this", "your own work?", "How old are you?", ">Start<")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "10 comparisons, about 30 minutes of reading."),
        ("de", "10 Vergleiche, etwa 30 Minuten Lesezeit."),
        ("fr", "10 comparaisons, environ 30 minutes de lecture."),
        ("es", "10 comparaciones, alrededor de 30 minutos de lectura."),
        ("ar", "10 مقارنات، نحو 30 دقيقة من القراءة."),
    ],
)
def test_long_texts_are_announced_as_what_they_are(
    client: Client, make: MakeStudy, context: Context, language: str, words: str
) -> None:
    study, links = make(ranker="panel", judges=1, items="abcdefghijklmn")
    essays = {item: Content("word " * 600) for item in study.items}
    context.open_studies.change_setup(study.id, lambda setup: setup.changed(contents=essays, language=language))
    assert words in client.get(links[0]).text
    pictures = {item: Content(f"https://a.example/{item}.png", Kind.IMAGE) for item in study.items}
    context.open_studies.change_setup(study.id, lambda setup: setup.changed(contents=pictures, language="en"))
    page = client.get(links[0]).text
    assert "10 comparisons. You can stop and come back" in page  # nothing to read


def test_reading_that_takes_longer_than_the_limit_is_said(
    client: Client, make: MakeStudy, context: Context
) -> None:
    study, links = make(ranker="panel", judges=1, items="abcdefghijklmn", sitting_minutes=20)
    for words, longer in ((600, True), (300, False)):
        essays = {item: Content("word " * words) for item in study.items}
        context.open_studies.change_setup(study.id, lambda setup, shown=essays: setup.changed(contents=shown))
        assert ("Reading everything takes longer than that" in client.get(links[0]).text) == longer


def test_nobody_waits_for_somebody_who_went_away(
    client: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page only looks while it waits, and looking closes nothing: it must learn that asking would help."""
    study, (gone, here) = make()
    card(client, gone)
    client.post(f"{here}/begin")
    assert card(client, here)["state"] == "wait"
    now = context.storage.now()
    monkeypatch.setattr(context.storage, "now", lambda: now + study.created["lease"] + 1)
    before = study.log.seq
    assert client.get(f"{here}/next", headers=JSON).json()["state"] == "ready"  # the page's script then asks
    assert study.log.seq == before
    assert card(client, here)["state"] == "question"


def test_late_answers_are_kept_and_said_to_be_late(client: Client, make: MakeStudy) -> None:
    study, links = make(judges=1)
    question = study.ask(study.judges[0], lease=0.01)
    assert question is not None
    import time

    time.sleep(0.05)
    name = question_names(study, Setup.from_dict(study.settings["setup"])).of_question(
        study.judges[0], question.id
    )
    assert "after its time" in answer(client, links[0], name, "left")["says"]
    assert study.progress().late == 1


def test_a_study_deleted_under_a_judge(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    question = card(client, links[0])["question"]["id"]
    context.open_studies.delete(study.id)
    reply = client.post(f"{links[0]}/answer", json={"question": question, "answer": "left"}, headers=JSON)
    assert reply.status_code == 404 and "new one" in reply.json()["detail"]
    assert client.get(links[0]).status_code == 404


def test_deleted_behind_the_servers_back(client: Client, make: MakeStudy, context: Context) -> None:
    """By another process: the log is gone, the link's row with it."""
    study, links = make()
    card(client, links[0])
    context.storage.delete(study.id)
    assert client.get(f"{links[0]}/next").status_code == 404

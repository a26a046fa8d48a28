"""One link for everybody: who may begin, when and how many; looking at it makes nobody a judge."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.setup import Setup
from juryrank.storage import MemoryStorage
from juryrank.storage.values import utc
from juryrank.study import Study
from tests.server.conftest import ADDRESS, JSON, MakeStudy
from tests.serving import serving


def opened(context: Context, make: MakeStudy, **more: object) -> tuple[Study, str]:
    study, _ = make(
        ranker="panel", judges=0, setup=more.pop("setup", None), items=str(more.pop("items", "abcdef"))
    )  # type: ignore[arg-type]
    return study, f"/s/{context.open_links.make(study.id, **more).code}"


def test_whoever_presses_start_becomes_a_judge(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    for _ in range(3):
        assert "Start</button>" in client.get(link).text
    assert study.judges == []
    page = client.post(f"{link}/begin")
    assert page.url.path == link and 'id="choose-left"' in page.text and len(study.judges) == 1
    shown = client.get(f"{link}/next").json()
    sent = {"question": shown["question"]["id"], "answer": "left"}
    assert client.post(f"{link}/answer", json=sent, headers=JSON).json()["says"] == "Saved."
    client.post(f"{link}/begin")  # again: the same judge
    assert len(study.judges) == 1 and study.judge(study.judges[0]).seat().answered == 1
    client.cookies.clear()
    client.post(f"{link}/begin")  # another browser: another judge
    assert len(study.judges) == 2
    assert all(judge.startswith("person-") for judge in study.judges)


def test_a_stranger_sees_no_results_and_cannot_pass_for_another(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make)
    client.post(f"{link}/begin")
    question = client.get(f"{link}/next").json()["question"]["id"]
    client.cookies.clear()
    assert (
        client.post(f"{link}/answer", json={"question": question, "answer": "left"}, headers=JSON).status_code
        == 403
    )
    client.post(f"{link}/begin")
    assert (
        client.post(f"{link}/answer", json={"question": question, "answer": "left"}, headers=JSON).status_code
        == 404
    )
    assert client.get(f"/admin/studies/{study.id}", follow_redirects=False).status_code == 303
    assert study.progress().answers == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"on": False}, "This study is closed"),
        ({"opens_at": utc(4e9)}, "opens on 2096-10-02 at 07:06 UTC"),
        ({"closes_at": utc(1e9)}, "It closed on 2001-09-09"),
    ],
)
def test_when_it_is_not_open_the_page_says_why(
    client: Client, context: Context, make: MakeStudy, more: dict[str, object], words: str
) -> None:
    study, link = opened(context, make, **more)
    assert words in client.get(link).text
    assert words in client.post(f"{link}/begin").text and study.judges == []


def test_closed_deleted_and_replaced(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    client.post(f"{link}/begin")
    study.close()
    assert "This study is closed" in client.get(link).text
    client.cookies.clear()
    assert "This study is closed" in client.get(link).text
    study.close(reopen=True)
    context.open_links.make(study.id)
    assert client.get(link).status_code == 404
    other, their = opened(context, make)
    context.open_studies.delete(other.id)
    assert client.get(their).status_code == 404 and client.post(f"{their}/begin").status_code == 404


def test_never_more_than_there_is_room_for(tmp_path: Path) -> None:
    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db"))
    study, link = opened(app.state.context, MakeStudy(app.state.context), capacity=5)
    with serving(app) as address, ThreadPoolExecutor(12) as pool:
        pages = list(pool.map(lambda _: httpx.post(f"{address}{link}/begin", timeout=60).status_code, range(12)))
    assert pages.count(303) == 5 and len(study.judges) == 5
    assert context_words(app, link) == "This study is full"


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow])]
)
def test_twenty_who_start_at_once_have_twenty_names(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Their names are all that the owner has to tell them apart, in a chart and under Discard answers."""
    place = f"sqlite:///{tmp_path}/jury.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    app = create_app(ServerSettings(storage=place))
    context: Context = app.state.context
    study, link = opened(context, MakeStudy(context))
    study.add_judge("Visitor 8", person=True)  # by the owner's hand
    with serving(app) as address, ThreadPoolExecutor(20) as pool:
        pages = list(pool.map(lambda _: httpx.post(f"{address}{link}/begin", timeout=60).status_code, range(20)))
    names = sorted(person.name for person in study.people().values())
    assert pages == [303] * 20 and len(names) == 21
    assert len(set(names)) == 21 and all(name.startswith("Visitor ") for name in names)


def context_words(app: object, link: str) -> str:
    with TestClient(app, base_url=ADDRESS) as client:  # type: ignore[arg-type]
        text = client.get(link).text
    return text.partition("<h1>")[2].partition("</h1>")[0]


def test_a_pass_phrase_in_any_spelling_and_slowly_guessed(settings: ServerSettings) -> None:
    app = create_app(replace(settings, wrong_per_minute=3), storage=MemoryStorage())
    context: Context = app.state.context
    study, link = opened(context, MakeStudy(context))
    context.open_links.save(study.id, context.open_links.of(study.id).with_phrase("Blue Whale"))  # type: ignore[union-attr]
    assert "blue" not in str(context.storage.notes(study=study.id)).lower()
    with TestClient(app, base_url=ADDRESS) as client:
        assert 'name="phrase"' in client.get(link).text
        wrong = [client.post(f"{link}/begin", data={"phrase": f"guess {k}"}).status_code for k in range(5)]
        assert wrong == [422, 422, 422, 429, 429] and study.judges == []
        assert client.post(f"{link}/begin", data={"phrase": "  blue   WHALE "}).status_code == 200
    assert len(study.judges) == 1


def test_consent_first_and_nobody_is_half_made(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make, setup=Setup(consent=True, own_work=True))
    for data in ({}, {"consent": "yes", "own": "nothing"}, {"consent": "yes", "own": list("abcdef")}):
        assert client.post(f"{link}/begin", data=data).status_code == 422
        assert study.judges == []
    assert client.post(f"{link}/begin", data={"consent": "yes", "own": "a"}).status_code == 200
    assert len(study.judges) == 1


def test_the_owner_switches_and_shows_it(admin: Client, context: Context, make: MakeStudy) -> None:
    from tests.server.test_dashboard import send

    study, _ = make(ranker="panel")
    base = f"/admin/studies/{study.id}"
    assert admin.get(f"{base}/share/code.svg").status_code == 404
    made = send(admin, f"{base}/share", on="yes", capacity="30")
    link = context.open_links.of(study.id)
    assert link is not None and f"/s/{link.code}" in made.text and link.capacity == 30
    code = admin.get(f"{base}/share/code.svg")
    assert code.headers["content-type"] == "image/svg+xml" and b"<svg" in code.content
    assert f"/s/{link.code}" in admin.get(f"{base}/share/sheet").text
    for bad in ({"capacity": "0"}, {"capacity": "many"}, {"opens": "soon"}, {"phrase": "x" * 300}):
        assert send(admin, f"{base}/share", **{"on": "yes", "capacity": "30", **bad}).status_code == 422, bad
    late = {"opens": "2030-01-02T03:04", "closes": "2030-01-01T00:00"}
    assert "close before it opens" in send(admin, f"{base}/share", on="yes", capacity="30", **late).text
    send(admin, f"{base}/share", capacity="30", phrase="whale")
    changed = context.open_links.of(study.id)
    assert changed is not None and not changed.on and changed.phrase and changed.code == link.code
    before = study.log.seq
    preview = admin.get(f"{base}/preview/question")
    assert 'id="choose-left"' in preview.text and "nothing is saved" in preview.text
    sent = {"question": "preview-0", "answer": "left"}
    following = admin.post(f"{base}/preview/answer", json=sent, headers=JSON).json()
    assert following["question"]["id"] == "preview-1" and study.log.seq == before


def test_a_browser_without_cookies_is_told_instead_of_asked_again(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make)
    began = client.post(f"{link}/begin", follow_redirects=False)
    client.cookies.clear()
    told = client.get(began.headers["location"])
    assert told.status_code == 403 and "keeps no cookies" in told.text and len(study.judges) == 1
    client.post(f"{link}/begin")
    assert str(client.get(f"{link}?juryrank-begun").url).endswith(link)


def test_a_new_link_stops_newcomers_at_the_old_one_and_nobody_who_has_begun(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make)
    begun = client.post(f"{link}/begin").url.path
    first = context.open_links.of(study.id)
    assert first is not None and begun == link
    terms = replace(first, capacity=7, closes_at=utc(4e9), per_address=3).with_phrase("blue whale")
    context.open_links.save(study.id, terms)
    made = context.open_links.make(study.id)
    assert made.code != terms.code and made.lets_in("Blue Whale") and not made.lets_in("")  # as open as before
    assert (made.capacity, made.closes_at, made.per_address) == (7, utc(4e9), 3)
    again = context.open_links.make(study.id)
    assert again.lets_in("blue whale") and again.with_phrase("red").lets_in("red")
    assert not again.with_phrase("").phrase
    shown = client.get(f"{link}/next").json()["question"]["id"]
    sent = {"question": shown, "answer": "left"}
    assert client.post(f"{link}/answer", json=sent, headers=JSON).json()["says"] == "Saved."
    assert client.get(link).status_code == 200 and study.progress().answers == 1
    client.cookies.clear()
    for reply in (client.get(link), client.post(f"{link}/begin"), client.get(f"/s/{made.code}")):
        assert reply.status_code == 404 and "does not work" in reply.text
    assert "Start</button>" in client.get(f"/s/{again.code}").text and len(study.judges) == 1

"""The REST interface: a whole study by programs, problems as JSON, news as a stream."""

from __future__ import annotations

import asyncio

import pytest
from httpx import Client

from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.dashboard.news import Live
from tests.server.conftest import MakeStudy, bearer

STUDY = {
    "name": "teas",
    "items": ["a", "b", {"id": "c", "content": "c, *you see*", "kind": "markdown"}, "d"],
    "judges": [{"name": "one"}, {"name": "two", "address": "two@b.org"}],
    "about": "truth",
    "fresh": True,
    "error": 0.25,
    "seed": 1,
    "setup": {"question": "Which?", "ties": False},
}


@pytest.fixture
def token(context: Context) -> dict[str, str]:
    return bearer(context.vault.issue_token(Scope.ADMIN)[1])


def test_programs_judge_a_study_to_its_certificate(client: Client, token: dict[str, str]) -> None:
    made = client.post("/api/v1/studies", json=STUDY, headers=token)
    assert made.status_code == 201, made.text
    number, judges = made.json()["study"]["id"], made.json()["judges"]
    base = f"/api/v1/studies/{number}"
    for _ in range(400):
        state = "wait"
        for judge in judges:
            asked = client.post(f"{base}/ask", headers=bearer(judge["token"])).json()
            state = asked["state"]
            if asked["question"]:
                question = asked["question"]
                side = "left" if question["left"] < question["right"] else "right"
                sent = {"question": question["id"], "answer": side, "response_time": 0.5}
                assert client.post(f"{base}/tell", json=sent, headers=bearer(judge["token"])).status_code == 200
        if state == "done":
            break
    ranking = client.get(f"{base}/ranking", headers=token).json()
    assert ranking["proven"] and ranking["order"] == ["a", "b", "c", "d"]
    assert client.get(base, headers=token).json()["state"] == "done"
    assert client.get(f"{base}/certificate", headers=token).json()
    assert client.get(f"{base}/progress", headers=token).json()["answers"] > 3
    assert client.get(f"{base}/refold", params={"error": 0.1}, headers=token).json()["post_hoc"]


def test_of_people_no_order_is_asked_and_nothing_assumed(client: Client, token: dict[str, str]) -> None:
    people = {key: value for key, value in STUDY.items() if key not in ("about", "fresh")}
    refused = client.post("/api/v1/studies", json={**people, "goal": "order"}, headers=token)
    assert refused.status_code == 422 and "goal='ranges'" in refused.text
    assert client.post("/api/v1/studies", json={**people, "assume": "winner"}, headers=token).status_code == 422


def test_asking_and_telling_twice_is_harmless(client: Client, make: MakeStudy, token: dict[str, str]) -> None:
    study, _ = make(fresh=None, repeats=9)
    base, judge = f"/api/v1/studies/{study.id}", {"judge": study.judges[0]}
    first = client.post(f"{base}/ask", json=judge, headers=token).json()["question"]
    assert client.post(f"{base}/ask", json=judge, headers=token).json()["question"] == first
    sent = {"question": first["id"], "answer": "left", **judge}
    assert client.post(f"{base}/tell", json=sent, headers=token).json()["repeated"] is False
    assert client.post(f"{base}/tell", json=sent, headers=token).json()["repeated"] is True
    other = client.post(f"{base}/tell", json={**sent, "answer": "right"}, headers=token)
    assert other.status_code == 409 and other.json()["code"] == "answered_already"
    refused = client.post(f"{base}/undo", json=judge, headers=token)
    assert refused.status_code == 422 and "Only the judge" in refused.json()["detail"]
    own = client.post("/api/v1/tokens", json={"scope": "judge", "study": study.id, **judge}, headers=token).json()
    program = client.post(f"{base}/undo", headers=bearer(own["token"]))
    assert program.status_code == 422 and "A program cannot take an answer back" in program.json()["detail"]
    assert client.post(f"{base}/undo", json={"person": True}, headers=bearer(own["token"])).status_code == 200
    assert client.post(f"{base}/tell", json={**sent, "answer": "right"}, headers=token).status_code == 200


def test_problems_are_json_with_words(client: Client, token: dict[str, str]) -> None:
    cases = [
        ("POST", "/api/v1/studies", {"name": "x", "items": ["a"]}, 422),
        ("POST", "/api/v1/studies", {"name": "x", "items": ["a", "a"]}, 422),
        ("POST", "/api/v1/studies", {"name": "x", "items": ["a", "b"], "rankr": "x"}, 422),
        ("POST", "/api/v1/studies", {"name": "x", "items": ["a", "b"], "ranker": "nonsense"}, 404),
        ("GET", "/api/v1/studies/77", None, 404),
        ("GET", "/api/v1/studies/x", None, 422),
        ("POST", "/api/v1/tokens", {"scope": "judge"}, 422),
        ("DELETE", "/api/v1/tokens/999", None, 404),
        ("GET", "/api/v1/nowhere", None, 404),
    ]
    for method, path, body, status in cases:
        reply = client.request(method, path, json=body, headers=token)
        assert reply.status_code == status, (path, reply.text)
        assert set(reply.json()) == {"code", "detail"} and reply.json()["detail"]
    assert client.get("/api/v1/studies", headers=token).json() == []


def test_names_are_for_admins(client: Client, make: MakeStudy, context: Context, token: dict[str, str]) -> None:
    study, _ = make()
    path = f"/api/v1/studies/{study.id}/judges"
    reader = bearer(context.vault.issue_token(Scope.READ)[1])
    assert client.get(path, headers=token).json()[0]["name"] == "judge 0"
    assert client.get(path, headers=reader).json()[0]["name"] is None


def test_setup_by_program(client: Client, make: MakeStudy, token: dict[str, str]) -> None:
    study, links = make()
    path = f"/api/v1/studies/{study.id}/setup"
    sent = {"question": "Hm?", "checks": [{"better": "x", "worse": "y"}]}
    changed = client.patch(path, json=sent, headers=token)
    assert changed.json()["question"] == "Hm?" and changed.json()["ties"] is True
    assert "Hm?" in client.get(links[0]).text
    assert client.patch(path, json={"lease": 1}, headers=token).status_code == 422


def test_the_stream_tells_of_changes_and_of_the_end(context: Context, make: MakeStudy) -> None:
    study, _ = make()
    live = Live(context.open_studies)

    async def listen() -> list[str]:
        stream = live.stream(study.id)
        first = await anext(stream)
        study.ask(study.judges[0])
        second = await asyncio.wait_for(anext(stream), 5)
        context.open_studies.delete(study.id)
        third = await asyncio.wait_for(anext(stream), 5)
        await stream.aclose()  # type: ignore[attr-defined]
        return [first, second, third]

    said = asyncio.run(listen())
    assert [one.splitlines()[0] for one in said] == [b"event: change", b"event: change", b"event: gone"]
    assert live.listeners == 0


def test_a_hundred_listeners_cost_one_look_and_one_message(
    context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = make()
    live, looks, changes = Live(context.open_studies), [], 3
    look = live._seq

    def counted(number: int, before: int | None) -> int:
        looks.append(number)
        return look(number, before)

    monkeypatch.setattr(live, "_seq", counted)

    async def listen() -> list[tuple[bytes, ...]]:
        streams = [live.stream(study.id) for _ in range(100)]
        heard = [await asyncio.gather(*(anext(one) for one in streams))]  # all of them arrive at once
        for _ in range(changes):
            study.edit(note=len(heard))
            heard.append(await asyncio.wait_for(asyncio.gather(*(anext(one) for one in streams)), 20))
        assert live.listeners == 100
        for one in streams:
            await one.aclose()  # type: ignore[attr-defined]
        await asyncio.sleep(0.05)
        assert not [task for task in asyncio.all_tasks() if "Live._look" in repr(task)]  # nobody looks for nobody
        return heard

    heard = asyncio.run(listen())
    assert all(len({id(one) for one in same}) == 1 for same in heard)  # the very same bytes for everybody
    assert len(looks) <= 2 * (1 + changes)  # a look a change, and perhaps one in vain
    assert live.listeners == 0


def test_every_field_says_what_it_means(client: Client) -> None:
    shapes = client.get("/api/openapi.json").json()["components"]["schemas"]
    silent = [
        f"{name}.{key}"
        for name, shape in shapes.items()
        for key, field in shape.get("properties", {}).items()
        if not field.get("description")
    ]
    assert not silent, "say it in src/juryrank/server/api/meanings.py"

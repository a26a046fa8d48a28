"""When a credential ends, everything that it opened ends: pages, streams, and what judges may do by a token."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from httpx import Client

from juryrank.server.access.cookies import form_token
from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.storage import MemoryStorage
from juryrank.study import Study
from tests.server.conftest import JSON, PASSWORD, MakeStudy, bearer
from tests.server.test_routes import ROUTES, Who, filled
from tests.serving import serving

S = "/api/v1/studies/{study}"
PATIENCE = 30.0


# ---------------------------------------------------------------------------- streams
class Listening:
    """A server with one study, and somebody who listens to its stream."""

    def __init__(self, address: str, context: Context, study: Study) -> None:
        self.address, self.context, self.study = address, context, study
        self.admin = bearer(context.vault.issue_token(Scope.ADMIN)[1])

    def session(self, *, by_token: bool = False) -> tuple[dict[str, str], str, int]:
        vault, parent = self.context.vault, None
        made, secret = vault.issue_token(Scope.ADMIN)
        if by_token:
            parent = vault.holder("token", secret)
        cookie = vault.begin_session(parent)[1]
        return {"cookie": f"juryrank={cookie}"}, cookie, made.id

    def heard(self, path: str, headers: dict[str, str], then: Callable[[], Any]) -> str:
        """What the stream said until it ended, which it does after `then`."""
        with httpx.stream("GET", f"{self.address}{path}", headers=headers, timeout=PATIENCE) as stream:
            assert stream.status_code == 200 and "text/event-stream" in stream.headers["content-type"]
            lines = stream.iter_text()
            said = next(lines)
            then()
            for more in lines:  # until the server ends it; the time-out fails the test
                said += more
        return said

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        return httpx.request(method, f"{self.address}{path}", timeout=PATIENCE, **more)


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    for name, seconds in (("ALLOWED_SECONDS", 0.1), ("HEARTBEAT_SECONDS", 0.2), ("LOOK_SECONDS", 0.3)):
        monkeypatch.setattr(f"juryrank.server.dashboard.news.{name}", seconds)
    app = create_app(ServerSettings(), storage=MemoryStorage())
    context: Context = app.state.context
    study, _ = MakeStudy(context)()
    with serving(app) as address:
        yield Listening(address, context, study)


def test_a_stream_ends_with_the_log_in(listening: Listening) -> None:
    path = f"/admin/studies/{listening.study.id}/events"
    headers, cookie, _ = listening.session()
    logout = {"form_token": form_token(cookie)}
    listening.heard(path, headers, lambda: listening.send("POST", "/logout", headers=headers, data=logout))
    assert listening.send("GET", path, headers=headers).status_code == 303
    headers, _, token = listening.session(by_token=True)
    delete = f"/api/v1/tokens/{token}"
    listening.heard(path, headers, lambda: listening.send("DELETE", delete, headers=listening.admin))
    assert listening.send("GET", path, headers=headers).status_code == 303
    headers, _, _ = listening.session()
    listening.heard(path, headers, lambda: listening.context.vault.set_password(PASSWORD))
    assert listening.send("GET", path, headers=headers).status_code == 303


def test_a_stream_ends_with_the_token_and_with_the_study(listening: Listening) -> None:
    path, vault = f"/api/v1/studies/{listening.study.id}/events", listening.context.vault
    for scope, study in ((Scope.READ, 0), (Scope.READ, listening.study.id), (Scope.ADMIN, listening.study.id)):
        made, secret = vault.issue_token(scope, study=study)
        delete = f"/api/v1/tokens/{made.id}"
        listening.heard(
            path, bearer(secret), lambda gone=delete: listening.send("DELETE", gone, headers=listening.admin)
        )
        assert listening.send("GET", path, headers=bearer(secret)).status_code == 401
    _, short = vault.issue_token(Scope.READ, days=2 / 86_400)
    listening.heard(path, bearer(short), lambda: None)  # it ends by itself
    gone = path.removesuffix("/events")
    said = listening.heard(path, listening.admin, lambda: listening.send("DELETE", gone, headers=listening.admin))
    assert said.endswith("event: gone\ndata: {}\n\n")
    assert listening.send("GET", path, headers=listening.admin).status_code == 404


def test_a_stream_tells_only_how_long_the_log_is(listening: Listening) -> None:
    study, vault = listening.study, listening.context.vault
    made, secret = vault.issue_token(Scope.READ)

    def answered_then_revoked() -> None:
        question = study.ask()
        assert question is not None
        study.tell(question.id, side="left")
        time.sleep(1.0)
        vault.revoke(made.id)

    said = listening.heard(f"/api/v1/studies/{study.id}/events", bearer(secret), answered_then_revoked)
    data = [json.loads(line.removeprefix("data: ")) for line in said.splitlines() if line.startswith("data: ")]
    assert data[0] == {"seq": 1} and data[-1] == {"seq": 3} and all(set(one) == {"seq"} for one in data)


# ---------------------------------------------------------------------------- a deleted study
def test_nothing_of_a_deleted_study_opens_anything(client: Client, context: Context, make: MakeStudy) -> None:
    study, links = make(ranker="panel")
    vault, gone, judge = context.vault, study.id, study.judges[0]
    code = context.open_links.make(gone).code
    tokens = [vault.issue_token(scope, study=gone)[1] for scope in (Scope.ADMIN, Scope.READ)]
    tokens.append(vault.issue_token(Scope.JUDGE, study=gone, judge=judge)[1])
    cookies = {"cookie": f"juryrank_judge={vault.begin_judge_session(gone, judge)}"}
    back = f"/j/{vault.issue_return_link(gone, study.judges[1])}"
    admin = bearer(vault.issue_token(Scope.ADMIN)[1])
    for wrong in (*tokens[1:], "x"):  # who may not delete it does not
        assert client.delete(f"/api/v1/studies/{gone}", headers=bearer(wrong)).status_code in (401, 403)
    assert client.delete(f"/api/v1/studies/{gone}", headers=bearer(tokens[0])).status_code == 200
    following, _ = make(ranker="panel", name="the next one")
    assert following.id != gone
    for (method, path), who in ROUTES.items():
        if isinstance(who.value, frozenset):
            for token in tokens:
                for number in (gone, following.id):
                    reply = client.request(method, filled(path, number), headers=bearer(token))
                    assert reply.status_code == 401, (method, path)
        elif who in (Who.LINK, Who.COOKIE):
            for link in (*links, back):
                place = filled(path, gone, secret=link.removeprefix("/j/"), code=code)
                reply = client.request(method, place, headers={**cookies, **JSON}, follow_redirects=False)
                assert reply.status_code == 404, (method, path)
    assert client.get(f"/heads/{gone}").status_code == 404
    assert client.delete(f"/api/v1/studies/{gone}", headers=admin).status_code == 404
    assert following.log.seq == 1 and context.storage.count().deleted == 1


def test_deleting_a_token_deletes_no_other_credential(client: Client, context: Context, make: MakeStudy) -> None:
    _, links = make(ranker="panel")
    admin = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    session = {"cookie": f"juryrank={context.vault.begin_session()[1]}"}
    others = [one.id for one in context.storage.credentials() if one.kind != "token"]
    assert len(others) == 3
    for number in (*others, 99_999, 0, -1):
        assert client.delete(f"/api/v1/tokens/{number}", headers=admin).status_code in (404, 422)
    assert client.get(links[0]).status_code == 200
    assert client.get("/admin", headers=session, follow_redirects=False).status_code == 200
    mine = client.get("/api/v1/tokens", headers=admin).json()[0]["id"]
    assert client.delete(f"/api/v1/tokens/{mine}", headers=admin).status_code == 200
    assert client.get("/api/v1/me", headers=admin).status_code == 401


# ---------------------------------------------------------------------------- a judge's token on its own study
def asked(client: Client, study: Study, token: str) -> dict[str, Any]:
    reply = client.post(S.format(study=study.id) + "/ask", headers=bearer(token))
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def told(client: Client, study: Study, token: str, question: str, **more: Any) -> int:
    sent = {"question": question, "answer": "left", **more}
    return client.post(S.format(study=study.id) + "/tell", json=sent, headers=bearer(token)).status_code


def test_a_judges_token_does_what_that_judge_may_and_no_more(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, _ = make(ranker="panel", judges=3)
    ann, bob, _ = study.judges
    base = S.format(study=study.id)
    tokens = [context.vault.issue_token(Scope.JUDGE, study=study.id, judge=one)[1] for one in study.judges]
    undo: dict[str, Any] = {"headers": bearer(tokens[0]), "json": {"person": True}}
    assert client.post(f"{base}/undo", **undo).status_code == 422  # nothing to take back
    first = asked(client, study, tokens[0])["question"]
    assert first["judge"] == ann and asked(client, study, tokens[0])["question"]["id"] == first["id"]
    theirs = asked(client, study, tokens[1])["question"]["id"]
    before = study.log.seq
    assert told(client, study, tokens[0], theirs) == 403 and told(client, study, tokens[1], first["id"]) == 403
    for number in ("0", "-1", "999999", "x", "1e9", "9" * 40):
        assert told(client, study, tokens[0], number) in (404, 422), number
    for more in (
        {"answer": "both"},
        {"response_time": -1},
        {"response_time": "NaN"},
        {"judge": bob},
        {"by": "owner"},
    ):
        assert told(client, study, tokens[0], first["id"], **more) in (403, 422), more
    assert client.get(f"{base}/receipt", params={"judge": bob}, headers=bearer(tokens[0])).status_code == 403
    assert study.log.seq == before
    assert told(client, study, tokens[0], first["id"]) == 200
    assert told(client, study, tokens[0], first["id"]) == 200  # the same again is fine
    assert told(client, study, tokens[0], first["id"], answer="right") == 409
    assert client.post(f"{base}/undo", **undo).status_code == 200
    assert client.post(f"{base}/undo", **undo).status_code == 422
    assert study.progress().judges[0].undone == 1


def test_a_judges_token_ends_with_the_judge_and_rests_with_the_study(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, links = make(ranker="certified", judges=3)
    base, admin = S.format(study=study.id), bearer(context.vault.issue_token(Scope.ADMIN)[1])
    ann, bob, cy = study.judges
    tokens = {one: context.vault.issue_token(Scope.JUDGE, study=study.id, judge=one)[1] for one in study.judges}
    held = asked(client, study, tokens[ann])["question"]["id"]
    client.post(f"{base}/judges/{ann}/pause", headers=admin)
    assert told(client, study, tokens[ann], held) == 200  # what was asked before may be answered
    assert asked(client, study, tokens[ann])["question"] is None
    client.post(f"{base}/judges/{ann}/resume", headers=admin)
    held = asked(client, study, tokens[ann])["question"]["id"]
    for act, judge in (("remove", bob), ("discard", cy)):
        client.post(f"{base}/judges/{judge}/{act}", headers=admin)
        for path in ("ask", "tell", "undo"):
            assert client.post(f"{base}/{path}", headers=bearer(tokens[judge])).status_code == 401, (act, path)
        assert (
            client.get(links[study.judges.index(judge)] if judge in study.judges else links[1]).status_code == 404
        )
    client.post(f"{base}/close", headers=admin)
    assert asked(client, study, tokens[ann])["state"] == "closed"
    assert told(client, study, tokens[ann], held) == 200  # closing takes nobody's time away, welcome answer or not
    before = study.log.seq
    assert told(client, study, tokens[ann], held, answer="right") == 409
    assert asked(client, study, tokens[ann])["question"] is None and study.log.seq == before


def test_log_ins_at_once_with_a_revoked_token_begin_nothing(client: Client, context: Context) -> None:
    made, secret = context.vault.issue_token(Scope.ADMIN)
    context.vault.revoke(made.id)
    page = client.get("/login").text
    token = page.partition('name="form_token" value="')[2].partition('"')[0]
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(client.post, "/login", data={"secret": secret, "form_token": token}) for _ in range(4)]
        assert {one.result().status_code for one in sent} == {403}
    assert context.storage.credentials("session") == []

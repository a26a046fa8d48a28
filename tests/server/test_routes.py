"""One table: who may use which route, tried with every kind of credential. A route without a row fails."""

from __future__ import annotations

import enum
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from fastapi.routing import APIRoute
from httpx import Client, Response

from juryrank.server.access.audit import ACTS
from juryrank.server.access.cookies import form_token
from juryrank.server.access.vault import INVITATION, LINK, SESSION, TOKEN, Scope, hash_secret, new_secret
from juryrank.server.context import Context
from juryrank.server.dashboard.news import Live
from juryrank.storage.values import utc
from juryrank.study import Study
from tests.server.conftest import JSON, PASSWORD, MakeStudy, bearer

PAST = utc(1e9)
SCOPES = ("admin", "read", "judge")


class Who(enum.Enum):
    """Whom a route lets in."""

    ANYBODY = "anybody"
    INSIDE = "a browser that is logged in"
    OPERATOR = "an owner of everything"
    UPLOADER = "an owner of everything, or of any one study"
    OWNER = "an owner of everything, or of this study"
    VIEWER = "owners, and viewers of this study"
    INVITED = "whoever has an invitation that waits"
    LINK = "the judge whose link it is"
    PUBLIC = "whoever has the link of a public page"
    COOKIE = "whoever pressed Start on an open link"
    ALL = frozenset({"admin", "read", "judge"})  # tokens, by their scopes
    READERS = frozenset({"admin", "read"})
    ADMINS = frozenset({"admin"})
    JUDGES = frozenset({"admin", "judge"})


S, P = "/api/v1/studies/{study}", "/admin/studies/{study}"
ROUTES: dict[tuple[str, str], Who] = {
    ("GET", "/"): Who.ANYBODY,
    ("GET", "/healthz"): Who.ANYBODY,
    ("GET", "/healthz/write"): Who.ANYBODY,
    ("GET", "/login"): Who.ANYBODY,
    ("POST", "/login"): Who.ANYBODY,
    ("GET", "/api/docs"): Who.ANYBODY,
    ("GET", "/heads/{study}"): Who.ANYBODY,
    ("GET", "/heads/{study}/all"): Who.ANYBODY,
    ("POST", "/logout"): Who.INSIDE,
    ("GET", "/admin"): Who.INSIDE,
    ("GET", "/admin/new"): Who.OPERATOR,
    ("POST", "/admin/new"): Who.OPERATOR,
    ("GET", "/admin/advice"): Who.OPERATOR,
    ("GET", "/admin/activity"): Who.OPERATOR,
    ("GET", "/admin/tokens"): Who.OPERATOR,
    ("POST", "/admin/tokens"): Who.OPERATOR,
    ("POST", "/admin/tokens/revoke"): Who.OPERATOR,
    ("GET", P): Who.VIEWER,
    ("GET", f"{P}/text"): Who.VIEWER,
    ("GET", f"{P}/picture.svg"): Who.VIEWER,
    ("GET", f"{P}/picture.png"): Who.VIEWER,
    ("GET", f"{P}/marks"): Who.OWNER,
    ("POST", f"{P}/marks"): Who.OWNER,
    ("GET", f"{P}/marks/csv"): Who.OWNER,
    ("GET", f"{P}/board"): Who.OWNER,
    ("POST", f"{P}/board/freeze"): Who.OWNER,
    ("POST", f"{P}/board/go-on"): Who.OWNER,
    ("GET", f"{P}/part"): Who.VIEWER,
    ("GET", f"{P}/events"): Who.VIEWER,
    ("GET", f"{P}/judges"): Who.OWNER,
    ("GET", f"{P}/settings"): Who.OWNER,
    ("GET", f"{P}/data"): Who.VIEWER,
    ("GET", f"{P}/export/{{format}}"): Who.VIEWER,
    ("GET", f"{P}/ranking/{{format}}"): Who.VIEWER,
    ("GET", f"{P}/report"): Who.VIEWER,
    ("GET", f"{P}/certificate"): Who.VIEWER,
    ("GET", f"{P}/comments"): Who.OWNER,
    ("POST", f"{P}/close"): Who.OWNER,
    ("POST", f"{P}/open"): Who.OWNER,
    ("POST", f"{P}/delete"): Who.OWNER,
    ("POST", f"{P}/judges/add"): Who.OWNER,
    ("POST", f"{P}/judges/link"): Who.OWNER,
    ("POST", f"{P}/judges/{{action}}"): Who.OWNER,
    ("POST", f"{P}/settings"): Who.OWNER,
    ("POST", f"{P}/checks"): Who.OWNER,
    ("POST", f"{P}/about"): Who.OWNER,
    ("POST", f"{P}/share/platform"): Who.OWNER,
    ("GET", f"{P}/participants/{{format}}"): Who.OWNER,
    ("POST", f"{P}/items"): Who.OWNER,
    ("GET", f"{P}/models"): Who.OWNER,
    ("POST", f"{P}/models"): Who.OWNER,
    ("POST", f"{P}/models/pause"): Who.OWNER,
    ("GET", f"{P}/items"): Who.OWNER,
    ("POST", f"{P}/items/correct"): Who.OWNER,
    ("POST", f"{P}/items/withdraw"): Who.OWNER,
    ("GET", f"{P}/file/{{hash}}"): Who.VIEWER,
    ("GET", f"{P}/preview/file/{{hash}}"): Who.OWNER,
    ("POST", "/admin/uploads"): Who.UPLOADER,
    ("POST", "/admin/uploads/{upload}"): Who.UPLOADER,
    ("POST", "/admin/uploads/{upload}/drop"): Who.UPLOADER,
    ("GET", "/admin/uploads/{upload}/file/{hash}"): Who.UPLOADER,
    ("GET", f"{P}/share"): Who.OWNER,
    ("POST", f"{P}/share"): Who.OWNER,
    ("POST", f"{P}/share/new"): Who.OWNER,
    ("POST", f"{P}/share/public"): Who.OWNER,
    ("POST", f"{P}/share/invite"): Who.OWNER,
    ("POST", f"{P}/share/uninvite"): Who.OWNER,
    ("POST", f"{P}/share/remove"): Who.OWNER,
    ("POST", f"{P}/rename"): Who.OWNER,
    ("POST", f"{P}/judges/unlink"): Who.OWNER,
    ("GET", "/i/{secret}"): Who.INVITED,
    ("POST", "/i/{secret}"): Who.INVITED,
    ("GET", "/r/{code}"): Who.PUBLIC,
    ("GET", "/r/{code}/picture.svg"): Who.PUBLIC,
    ("GET", "/r/{code}/file/{hash}"): Who.PUBLIC,
    ("GET", f"{P}/share/code.svg"): Who.OWNER,
    ("GET", f"{P}/share/sheet"): Who.OWNER,
    ("GET", f"{P}/preview"): Who.OWNER,
    ("GET", f"{P}/preview/question"): Who.OWNER,
    ("GET", f"{P}/preview/next"): Who.OWNER,
    ("POST", f"{P}/preview/{{act}}"): Who.OWNER,
    ("GET", "/s/{code}"): Who.COOKIE,
    ("GET", "/s/{code}/next"): Who.COOKIE,
    ("POST", "/s/{code}/next"): Who.COOKIE,
    ("POST", "/s/{code}/answer"): Who.COOKIE,
    ("POST", "/s/{code}/more"): Who.COOKIE,
    ("POST", "/s/{code}/undo"): Who.COOKIE,
    ("POST", "/s/{code}/begin"): Who.COOKIE,
    ("POST", "/s/{code}/return"): Who.COOKIE,
    ("POST", "/s/{code}/about"): Who.COOKIE,
    ("GET", "/s/{code}/receipt"): Who.COOKIE,
    ("GET", "/s/{code}/file/{hash}"): Who.COOKIE,
    ("POST", "/s/{code}/dead"): Who.COOKIE,
    ("GET", "/j/{secret}"): Who.LINK,
    ("GET", "/j/{secret}/next"): Who.LINK,
    ("POST", "/j/{secret}/next"): Who.LINK,
    ("POST", "/j/{secret}/answer"): Who.LINK,
    ("POST", "/j/{secret}/more"): Who.LINK,
    ("POST", "/j/{secret}/undo"): Who.LINK,
    ("POST", "/j/{secret}/begin"): Who.LINK,
    ("POST", "/j/{secret}/about"): Who.LINK,
    ("GET", "/j/{secret}/receipt"): Who.LINK,
    ("GET", "/j/{secret}/file/{hash}"): Who.LINK,
    ("POST", "/j/{secret}/dead"): Who.LINK,
    ("GET", "/api/v1/me"): Who.ALL,
    ("GET", "/api/v1/audit"): Who.ADMINS,
    ("GET", "/api/v1/studies"): Who.READERS,
    ("POST", "/api/v1/studies"): Who.ADMINS,
    ("GET", S): Who.READERS,
    ("PATCH", S): Who.ADMINS,
    ("DELETE", S): Who.ADMINS,
    ("GET", f"{S}/setup"): Who.READERS,
    ("PATCH", f"{S}/setup"): Who.ADMINS,
    ("POST", f"{S}/close"): Who.ADMINS,
    ("POST", f"{S}/open"): Who.ADMINS,
    ("POST", f"{S}/items"): Who.ADMINS,
    ("POST", f"{S}/items/withdraw"): Who.ADMINS,
    ("GET", f"{S}/progress"): Who.READERS,
    ("GET", f"{S}/ranking"): Who.READERS,
    ("GET", f"{S}/ranking/{{format}}"): Who.READERS,
    ("GET", f"{S}/refold"): Who.READERS,
    ("GET", f"{S}/reliability"): Who.READERS,
    ("GET", f"{S}/certificate"): Who.READERS,
    ("GET", f"{S}/export/{{format}}"): Who.READERS,
    ("GET", f"{S}/report"): Who.READERS,
    ("GET", f"{S}/events"): Who.READERS,
    ("GET", f"{S}/judges"): Who.READERS,
    ("POST", f"{S}/judges"): Who.ADMINS,
    ("POST", f"{S}/judges/{{judge}}/link"): Who.ADMINS,
    ("POST", f"{S}/judges/{{judge}}/{{action}}"): Who.ADMINS,
    ("GET", f"{S}/open-link"): Who.ADMINS,
    ("PUT", f"{S}/open-link"): Who.ADMINS,
    ("POST", f"{S}/open-link/new"): Who.ADMINS,
    ("GET", f"{S}/platform"): Who.ADMINS,
    ("PUT", f"{S}/platform"): Who.ADMINS,
    ("GET", f"{S}/participants/{{format}}"): Who.ADMINS,
    ("POST", f"{S}/ask"): Who.JUDGES,
    ("POST", f"{S}/tell"): Who.JUDGES,
    ("POST", f"{S}/undo"): Who.JUDGES,
    ("GET", f"{S}/receipt"): Who.JUDGES,
    ("GET", f"{S}/head"): Who.READERS,
    ("GET", "/api/v1/tokens"): Who.ADMINS,
    ("POST", "/api/v1/tokens"): Who.ADMINS,
    ("DELETE", "/api/v1/tokens/{token}"): Who.ADMINS,
}
SESSIONS = (Who.INSIDE, Who.OPERATOR, Who.UPLOADER, Who.OWNER, Who.VIEWER)
OWNERS_ONLY = [key for key, who in ROUTES.items() if who in SESSIONS]
COOKIES_ONLY = [key for key, who in ROUTES.items() if who is Who.COOKIE]
HARMLESS = {f"{P}/preview/{{act}}"}  # posted to, and changing nothing
LINKS_ONLY = [key for key, who in ROUTES.items() if who is Who.LINK]
TOKENS_ONLY = [key for key, who in ROUTES.items() if isinstance(who.value, frozenset)]


# ---------------------------------------------------------------------------- the table is complete
def every_route(app: Any) -> list[APIRoute]:
    def walk(routes: list[Any]) -> Iterator[APIRoute]:
        for route in routes:
            if isinstance(route, APIRoute):
                yield route
            inner = getattr(route, "original_router", None) or getattr(route, "router", None)
            if inner is not None:
                yield from walk(inner.routes)

    return list(walk(app.routes))


def page_routes(app: Any) -> list[APIRoute]:
    return [route for route in every_route(app) if not route.include_in_schema]


def documented(client: Client) -> set[tuple[str, str]]:
    paths = client.get("/api/openapi.json").json()["paths"]
    return {(method.upper(), path) for path, methods in paths.items() for method in methods}


def filled(path: str, study: int, *, secret: str = "x" * 32, **more: str) -> str:
    values = {"study": study, "judge": "nobody", "action": "pause", "format": "csv", "token": 99999}
    values |= {"act": "answer", "code": "x" * 16, "upload": "x" * 22, "hash": "0" * 64}
    return path.format(**{**values, "secret": secret, **more})


def test_every_route_has_a_row(client: Client) -> None:
    pages = {(method, route.path) for route in page_routes(client.app) for method in route.methods}  # type: ignore[attr-defined]
    assert len(pages) > 35
    assert pages | documented(client) == set(ROUTES)


def test_every_change_by_an_owner_has_words_in_the_audit_trail(client: Client) -> None:
    for route in every_route(client.app):  # type: ignore[attr-defined]
        path = (
            route.path
            if not route.include_in_schema
            else f"/api/v1{route.path}".replace("/api/v1/api/v1", "/api/v1")
        )
        for method in route.methods - {"GET"}:
            if (
                ROUTES[method, path] not in (Who.ANYBODY, Who.LINK, Who.COOKIE, Who.INVITED)
                and path not in HARMLESS
            ):
                assert route.endpoint.__name__ in ACTS, (method, path)


# ---------------------------------------------------------------------------- every credential
class FirstNews(Live):
    """The events stream, which has no end by itself, read up to its first message."""

    async def stream(self, number: int, **more: Any) -> AsyncIterator[bytes]:
        news = super().stream(number, **more)
        yield await anext(news)
        await news.aclose()  # type: ignore[attr-defined]


@dataclass
class Scene:
    """Two studies and every credential that somebody might show."""

    client: Client
    context: Context
    make: MakeStudy
    study: Study
    other: Study
    link: str

    def token(self, scope: str, *, study: int = 0, **more: Any) -> str:
        judge = self.context.open_studies.study(study).judges[0] if scope == "judge" else None
        return self.context.vault.issue_token(Scope(scope), study=study, judge=judge, **more)[1]

    def stored(self, kind: str, **more: Any) -> str:
        """A credential put into the storage as it is, such as one whose time is over."""
        secret = new_secret()
        self.context.storage.add_credential(kind, hash_secret(secret), **more)
        return secret

    def revoked(self, scope: Scope) -> str:
        made, secret = self.context.vault.issue_token(scope)
        self.context.vault.revoke(made.id)
        return secret

    def send(self, method: str, path: str, study: int, **more: Any) -> Response:
        self.client.cookies.clear()
        return self.client.request(
            method, filled(path, study, **more.pop("fill", {})), follow_redirects=False, **more
        )


@pytest.fixture
def scene(client: Client, context: Context, make: MakeStudy) -> Scene:
    live = FirstNews(context.open_studies)
    changed = replace(context, live=live)
    client.app.state.context = changed  # type: ignore[attr-defined]
    study, links = make()
    other, _ = make()
    return Scene(client, changed, make, study, other, links[0].removeprefix("/j/"))


EVERY = pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])


def some(worthless: dict[str, Any], place: int, step: int) -> dict[str, Any]:
    """The first, which is none at all, and every `step`th of the others, beginning elsewhere at each route."""
    first, *others = worthless
    return {name: worthless[name] for name in (first, *others[place % step :: step])}


@EVERY
def test_tokens(scene: Scene, step: int) -> None:
    study, other, vault = scene.study.id, scene.other.id, scene.context.vault
    session = vault.begin_session()[1]
    worthless = {
        "none": {},
        "empty": bearer(""),
        "wrong": bearer("x" * 32),
        "revoked": bearer(scene.revoked(Scope.ADMIN)),
        "expired": bearer(scene.stored(TOKEN, scope="admin", expires_at=PAST)),
        "a judge's link": bearer(scene.link),
        "a session": bearer(session),
        "a cookie": {"cookie": f"juryrank={session}"},
        "another scheme": {"Authorization": f"Basic {scene.token('admin')}"},
    }
    whole = {
        scope: scene.token(scope, study=study if scope == "judge" else 0) for scope in ("admin", "read", "judge")
    }
    ours = {scope: scene.token(scope, study=study) for scope in ("admin", "read", "judge")}
    theirs = {scope: scene.token(scope, study=other) for scope in ("admin", "read", "judge")}
    for place, (method, path) in enumerate(TOKENS_ONLY):
        may = ROUTES[method, path].value
        for name, headers in some(worthless, place, step).items():
            reply = scene.send(method, path, study, headers={**headers, **JSON})
            assert reply.status_code == 401 and reply.json()["code"] == "no_token", (
                method,
                path,
                name,
                reply.text,
            )
        for scope in ("admin", "read", "judge"):
            doomed = scene.make()[0].id if method == "DELETE" and path == S else study
            reply = scene.send(method, path, doomed, headers=bearer(whole[scope]))
            if scope in may:
                assert reply.status_code not in (401, 403) and reply.status_code < 500, (method, path, scope)
            else:
                assert reply.status_code == 403, (method, path, scope, reply.text)
            bound = scene.send(method, path, study, headers=bearer(theirs[scope]))
            everywhere = "{study}" not in path and path == "/api/v1/me"
            assert (bound.status_code == 403) != everywhere, (method, path, scope, bound.text)
            if "{study}" in path and scope in may and method == "GET":
                assert scene.send(method, path, study, headers=bearer(ours[scope])).status_code == 200, (
                    path,
                    scope,
                )


@EVERY
def test_sessions(scene: Scene, step: int) -> None:
    study, vault, cookies = scene.study.id, scene.context.vault, scene.context.cookies
    ended, logged_out = vault.begin_session()
    vault.revoke(ended.credential)
    made, token = vault.issue_token(Scope.ADMIN)
    _, of_revoked = vault.begin_session(vault.holder(TOKEN, token))
    vault.revoke(made.id)
    start = vault.issue_start_token()
    _, before = vault.begin_session(vault.holder(TOKEN, start))
    vault.set_password(PASSWORD)
    live = vault.begin_session()[1]
    worthless = {
        "none": "",
        "wrong": "x" * 32,
        "very long": "x" * 5000,
        "logged out": logged_out,
        "expired": scene.stored(SESSION, scope="admin", expires_at=PAST),
        "of a revoked token": of_revoked,
        "from before the password": before,
        "a judge's session": vault.begin_judge_session(study, scene.study.judges[0]),
        "a token": scene.token("admin"),
        "a link": scene.link,
    }
    for place, (method, path) in enumerate(OWNERS_ONLY):
        for name, secret in some(worthless, place, step).items():
            headers = {"cookie": f"juryrank={secret}"} if secret else {}
            data = {"form_token": form_token(secret or "x")} if method == "POST" else None
            reply = scene.send(method, path, study, headers=headers, data=data)
            assert reply.status_code == 303, (method, path, name, reply.status_code)
            assert reply.headers["location"].startswith("/login"), (method, path, name)
        if path == "/logout":
            continue
        data = {"form_token": form_token(live), "judge": "nobody", "credential": "1"} if method == "POST" else None
        headers = {"cookie": f"juryrank={live}", "X-Form-Token": form_token(live)}
        reply = scene.send(method, path, study, headers=headers, data=data)
        to_login = reply.headers.get("location", "").startswith("/login")
        assert reply.status_code not in (401, 403) and reply.status_code < 500 and not to_login, (method, path)
    assert not cookies._vault.holder(TOKEN, start)  # the printed link ended with the password


def test_roles(scene: Scene) -> None:
    """Everybody who logs in with a token: an owner or a viewer of everything, of this study, or of another one."""
    study, other, vault = scene.study.id, scene.other.id, scene.context.vault
    of = {
        (scope, place): vault.begin_session(vault.holder(TOKEN, scene.token(scope, study=place)))[1]
        for scope in ("admin", "read")
        for place in (0, study, other)
    }
    for method, path in OWNERS_ONLY:
        who = ROUTES[method, path]
        for (scope, place), secret in of.items():
            may = {
                Who.INSIDE: True,
                Who.OPERATOR: (scope, place) == ("admin", 0),
                Who.UPLOADER: scope == "admin",
                Who.OWNER: scope == "admin" and place != other,
                Who.VIEWER: place != other,
            }[who]
            if path == "/logout" or (may and path == f"{P}/delete"):
                continue
            data = {"form_token": form_token(secret), "judge": "nobody", "credential": "1"}
            headers = {"cookie": f"juryrank={secret}", "X-Form-Token": form_token(secret)}
            reply = scene.send(method, path, study, headers=headers, data=data if method == "POST" else None)
            assert (reply.status_code != 403) == may and reply.status_code < 500, (method, path, scope, place)
    owned = scene.send("GET", "/admin", 0, headers={"cookie": f"juryrank={of['admin', study]}"}).text
    assert scene.study.name in owned and scene.other.name not in owned and "/admin/new" not in owned
    seen = scene.send("GET", P, study, headers={"cookie": f"juryrank={of['read', study]}"}).text
    assert "Close the study" not in seen and "/share" not in re.sub(r'<div id="live".*', "", seen, flags=re.S)
    named = scene.send("GET", f"{P}/report?names=yes", study, headers={"cookie": f"juryrank={of['read', study]}"})
    assert named.status_code == 403


def test_invitations(scene: Scene) -> None:
    study, vault = scene.study.id, scene.context.vault
    withdrawn = vault.invite(study, Scope.READ)
    vault.revoke(vault.holder(INVITATION, withdrawn).credential)  # type: ignore[union-attr]
    worthless = {
        "wrong": "x" * 32,
        "withdrawn": withdrawn,
        "expired": scene.stored(INVITATION, study=study, scope="read", expires_at=PAST),
        "a link": scene.link,
        "a token": scene.token("admin"),
    }
    for method in ("GET", "POST"):
        replies = {
            name: scene.send(method, "/i/{secret}", 0, fill={"secret": secret}, data={"name": "Eve"})
            for name, secret in worthless.items()
        }
        assert {reply.status_code for reply in replies.values()} == {404}
        assert len({reply.text for reply in replies.values()}) == 1 and "ask for a new" in replies["wrong"].text
    invitation = vault.invite(study, Scope.READ)
    for path in (P, "/admin", "/api/v1/me"):  # it opens nothing but its own page
        for headers in ({"cookie": f"juryrank={invitation}"}, bearer(invitation)):
            assert scene.send("GET", path, study, headers=headers).status_code in (303, 401)


def test_links(scene: Scene) -> None:
    study, vault, judge = scene.study.id, scene.context.vault, scene.study.judges[1]
    replaced = vault.issue_link(study, judge)
    vault.issue_link(study, judge)
    doomed, gone = scene.make()
    scene.context.open_studies.delete(doomed.id)
    worthless = {
        "wrong": "x" * 32,
        "short": "x",
        "replaced": replaced,
        "expired": scene.stored(LINK, study=study, judge=judge, scope="judge", expires_at=PAST),
        "of a deleted study": gone[0].removeprefix("/j/"),
        "a judge's token": scene.token("judge", study=study),
        "an admin's token": scene.token("admin"),
        "a session": vault.begin_session()[1],
    }
    for method, path in LINKS_ONLY:
        replies = {
            name: scene.send(method, path, study, fill={"secret": secret}) for name, secret in worthless.items()
        }
        assert {reply.status_code for reply in replies.values()} == {404}, (method, path)
        assert len({reply.text for reply in replies.values()}) == 1, (method, path)  # nobody learns which it was
        reply = scene.send(method, path, study, fill={"secret": scene.link})
        assert "does not work" not in reply.text and reply.status_code < 500, (method, path)
    theirs = scene.study.ask(judge)
    if theirs is not None:
        sent = {"question": str(theirs.id), "answer": "left"}
        reply = scene.client.post(f"/j/{scene.link}/answer", json=sent, headers=JSON)
        assert reply.status_code == 403


def test_cookies_of_open_links(scene: Scene) -> None:
    study, other, vault = scene.study, scene.other, scene.context.vault
    code = scene.context.open_links.make(study.id).code
    their_code = scene.context.open_links.make(other.id).code
    live = vault.begin_judge_session(study.id, study.judges[0])
    ended = vault.begin_judge_session(study.id, study.judges[1])
    vault.revoke_judge(study.id, study.judges[1])
    expired = scene.stored(SESSION, study=study.id, judge=study.judges[0], scope="judge", expires_at=PAST)
    worthless = {
        "none": "",
        "wrong": "x" * 32,
        "removed": ended,
        "expired": expired,
        "of another study": vault.begin_judge_session(other.id, other.judges[0]),
        "an owner's": vault.begin_session()[1],
        "a link": scene.link,
    }
    for method, path in COOKIES_ONLY:
        for name, secret in worthless.items():
            headers = {"cookie": f"juryrank_judge={secret}", **JSON}
            gone = scene.send(method, path, 0, headers=headers, fill={"code": "x" * 16})
            assert gone.status_code == 404, (method, path, name)
            if path.endswith("/begin"):
                continue  # that is how one becomes a judge
            before = study.log.seq
            reply = scene.send(method, path, 0, headers=headers, fill={"code": code})
            first = method == "GET" and path == "/s/{code}"
            assert reply.status_code == (200 if first else 403), (method, path, name, reply.text)
            assert not first or "Start</button>" in reply.text
            assert study.log.seq == before
        headers = {"cookie": f"juryrank_judge={live}", **JSON}
        assert scene.send(method, path, 0, headers=headers, fill={"code": code}).status_code != 403, (method, path)
    headers = {"cookie": f"juryrank_judge={live}", **JSON}
    assert scene.send("POST", "/s/{code}/next", 0, headers=headers, fill={"code": their_code}).status_code == 403


def test_public_pages(scene: Scene) -> None:
    """Off unless switched on; no names; another address after it was off."""
    study, pages = scene.study, scene.context.public_pages
    open_code = scene.context.open_links.make(study.id).code
    code = pages.switch_on(study.id)
    names = [person.name for person in study.people().values()]
    for (method, path), who in ROUTES.items():
        if who is Who.PUBLIC:
            for worthless in ("x" * 16, open_code, scene.link):
                assert scene.send(method, path, 0, fill={"code": worthless}).status_code == 404, path
            reply = scene.send(method, path, 0, fill={"code": code})
            if "{hash}" in path:  # only small pictures: tested with uploads
                assert reply.status_code == 404 and not reply.content
                continue
            assert reply.status_code == 200 and "a" in reply.text
            assert not [word for word in (*names, open_code, scene.link) if word in reply.text]
    pages.switch_off(study.id)
    assert scene.send("GET", "/r/{code}", 0, fill={"code": code}).status_code == 404
    assert pages.switch_on(study.id) != code
    scene.context.open_studies.delete(study.id)
    assert scene.send("GET", "/r/{code}", 0, fill={"code": code}).status_code == 404


def test_what_is_open_to_anybody_says_nothing_about_studies(scene: Scene) -> None:
    for (method, path), who in ROUTES.items():
        if who is Who.ANYBODY and method == "GET":
            reply = scene.send(method, path, scene.study.id)
            assert reply.status_code in (200, 303) and scene.study.name not in reply.text, path

"""What must never leak or run: secrets at rest, in logs, exports and in time; items that would like to be code."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.server import running
from juryrank.server.access import vault as secrets
from juryrank.server.access.vault import LINK, Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.downloads import EXPORTS
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, Kind, item_html
from juryrank.storage import MemoryStorage
from tests.server.conftest import ADDRESS, JSON, PASSWORD, MakeStudy, bearer, form_token, login


def test_no_secret_is_in_the_database_file(tmp_path: Path, settings: ServerSettings) -> None:
    app = create_app(replace(settings, storage=f"sqlite:///{tmp_path}/jury.db"))
    context: Context = app.state.context
    _, links = MakeStudy(context)(judges=2)
    secrets = [link.removeprefix("/j/") for link in links]
    secrets += [context.vault.issue_token(scope)[1] for scope in (Scope.ADMIN, Scope.READ)]
    context.vault.set_password(PASSWORD)
    with TestClient(app, base_url=ADDRESS) as client:
        login(client, PASSWORD)
        assert client.get(links[0]).status_code == 200
        assert client.get("/api/v1/studies", headers=bearer(secrets[2])).status_code == 200
        secrets.append(str(client.cookies["juryrank"]))
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"$argon2id$" in stored
    assert [secret for secret in [*secrets, PASSWORD] if secret.encode() in stored] == []


def test_wrong_and_revoked_secrets_cost_the_same(
    client: Client, make: MakeStudy, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same answer, same work: the storage is asked the same questions, whatever the reason."""
    study, links = make()
    context.vault.revoke_judge(study.id, study.judges[0])
    revoked, token = context.vault.issue_token(Scope.READ)
    context.vault.revoke(revoked.id)
    asked: list[str] = []

    class Watched(MemoryStorage):
        def __getattribute__(self, name: str) -> Any:
            if name in ("credentials", "note", "studies", "turn", "events", "people"):
                asked.append(name)
            return super().__getattribute__(name)

    context.storage.__class__ = Watched
    costs = []
    for path in (links[0], f"/j/{'x' * 32}", "/j/x", f"/j/{context.vault.issue_token(Scope.ADMIN)[1]}"):
        asked.clear()
        reply = client.get(path, headers=JSON)
        costs.append((reply.status_code, reply.text, tuple(asked)))
    assert len(set(costs)) == 1 and costs[0][0] == 404, costs
    costs = []
    for secret in (token, "x" * 32, "x"):
        asked.clear()
        reply = client.get("/api/v1/me", headers=bearer(secret))
        costs.append((reply.status_code, reply.text, tuple(asked)))
    assert len(set(costs)) == 1 and costs[0][0] == 401, costs


def test_a_password_is_hashed_even_where_there_is_none(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a server has a password cannot be told from the time that a wrong one takes."""

    verified: list[str] = []

    class Hasher:
        def hash(self, password: str) -> str:
            return "nobody's"

        def verify(self, stored: str, password: str) -> bool:
            verified.append(stored)
            return False

    monkeypatch.setattr(secrets, "_hasher", Hasher)
    monkeypatch.setattr(secrets, "_nobody", lambda: "nobody's")
    assert not context.vault.password_fits(PASSWORD) and verified == ["nobody's"]


def test_links_of_another_kind_open_nothing(context: Context, make: MakeStudy) -> None:
    study, links = make()
    token = context.vault.issue_token(Scope.JUDGE, study=study.id, judge=study.judges[0])[1]
    assert context.vault.holder(LINK, token) is None
    assert context.vault.holder(LINK, links[0].removeprefix("/j/")) is not None


def test_a_changed_cookie_is_nobody(client: Client, context: Context) -> None:
    context.vault.set_password(PASSWORD)
    login(client, PASSWORD)
    good = str(client.cookies["juryrank"])
    for place in (0, len(good) // 2, len(good) - 10):
        bad = good[:place] + ("A" if good[place] != "A" else "B") + good[place + 1 :]
        client.cookies.clear()
        reply = client.get("/admin", headers={"cookie": f"juryrank={bad}"}, follow_redirects=False)
        assert reply.status_code == 303 and reply.headers["location"].startswith("/login")
    assert client.get("/admin", headers={"cookie": f"juryrank={good}"}, follow_redirects=False).status_code == 200


def test_the_session_cookie_behind_tls(settings: ServerSettings) -> None:
    app = create_app(settings, storage=MemoryStorage())
    app.state.context.vault.set_password(PASSWORD)
    with TestClient(app, base_url="https://jury.test", follow_redirects=False) as client:
        sent = {"secret": PASSWORD, "form_token": form_token(client.get("/login").text)}
        cookie = client.post("/login", data=sent).headers["set-cookie"].lower()
    assert cookie.startswith("juryrank=")
    assert all(word in cookie for word in ("httponly", "samesite=lax", "secure", "path=/"))


def test_a_mistake_of_ours_tells_nobody_anything(
    client: Client, make: MakeStudy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, links = make()
    secret = links[0].removeprefix("/j/")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"inside {secret}")

    monkeypatch.setattr("juryrank.server.studies.judging.Judging.look", broken)
    with caplog.at_level(logging.INFO, logger="juryrank"):
        reply = client.get(f"{links[0]}/next")
    assert reply.status_code == 500 and secret not in reply.text and "RuntimeError" not in reply.text
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("juryrank")]
    assert ours == ["GET /j/***/next failed: RuntimeError"]


def test_no_secret_and_no_name_is_in_anything_handed_out(
    client: Client, make: MakeStudy, context: Context
) -> None:
    study, links = make(judges=2)
    people = [person.name for person in study.people().values()]
    question = study.ask(study.judges[0])
    assert question is not None and people == ["judge 0", "judge 1"]
    study.tell(question.id, side="left")
    reader = bearer(context.vault.issue_token(Scope.READ)[1])
    secrets = [link.removeprefix("/j/") for link in links]
    base = f"/api/v1/studies/{study.id}"
    files = [f"export/{format}" for format in EXPORTS]
    for path in (*files, "certificate", "report", "ranking", "progress", "judges", "setup", ""):
        reply = client.get(f"{base}/{path}".rstrip("/"), headers=reader)
        assert reply.status_code == 200, (path, reply.text)
        assert [word for word in (*secrets, *people) if word.encode() in reply.content] == [], path


def test_every_page_has_a_strict_policy(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    picture = Content("https://pictures.example/a.png", Kind.IMAGE)
    context.open_studies.change_setup(study.id, lambda _: Setup(contents={"a": picture}))
    base = f"/admin/studies/{study.id}"
    pages = ["/admin", "/admin/new", "/admin/tokens", base, f"{base}/judges", f"{base}/settings", f"{base}/data"]
    for path in (*pages, "/login", "/api/docs", "/nowhere", links[0], "/j/wrong"):
        policy = dict(
            part.strip().split(" ", 1) for part in admin.get(path).headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'", path
        assert policy["frame-ancestors"] == "'none'" and policy["base-uri"] == "'none'", path
        assert policy["form-action"] == policy["connect-src"] == "'self'", path
        assert policy["style-src"] == "'self'" and "style-src-attr" not in policy, path
        outside = "https://pictures.example" if path == links[0] else ""
        assert policy["img-src"] == f"'self' {outside}".strip() + " data:", path


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt&colon;alert(1))",
        "![x](data:text/html;base64,PHNjcmlwdD4=)",
        "<svg/onload=alert(1)>",
        "<a href='vbscript:x' onclick='x'>x</a>",
        '[x](https://a.org "onmouseover=alert(1)")',
        "<iframe src=//evil.example></iframe>",
        "<style>*{background:url(//evil.example)}</style>",
    ],
)
@pytest.mark.parametrize("kind", [Kind.TEXT, Kind.MARKDOWN])
def test_nothing_in_an_item_can_run(text: str, kind: Kind) -> None:
    from html.parser import HTMLParser

    class Seen(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            assert tag in ("p", "div", "a", "img", "em", "strong"), tag
            for name, value in attributes:
                assert name in ("class", "href", "src", "alt", "title", "rel", "target"), name
                assert name not in ("href", "src") or str(value).startswith(("http://", "https://")), value

    Seen().feed(item_html(Content(text, kind), name="item"))


def test_it_listens_on_loopback_unless_told_otherwise() -> None:
    assert running.Wish().host == ServerSettings().host == "127.0.0.1"
    listening = running.bind(running.Wish().host, 0)
    assert listening.getsockname()[0] == "127.0.0.1"
    listening.close()

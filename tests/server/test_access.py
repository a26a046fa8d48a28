"""Who may do what: every route with every kind of token, log-in, forms, headers, limits."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.errors import BadInput
from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings, check_address
from juryrank.storage import MemoryStorage
from tests.server.conftest import ADDRESS, JSON, PASSWORD, MakeStudy, bearer, form_token, login
from tests.server.test_routes import HARMLESS, ROUTES, SESSIONS, filled, page_routes


def test_a_judges_token_speaks_for_nobody_else(client: Client, make: MakeStudy, context: Context) -> None:
    study, _ = make()
    ann, bob = study.judges[:2]
    token = context.vault.issue_token(Scope.JUDGE, study=study.id, judge=ann)[1]
    for path, body in (
        ("ask", {"judge": bob}),
        ("undo", {"judge": bob}),
        ("tell", {"judge": bob, "question": "1", "answer": "left"}),
    ):
        reply = client.post(f"/api/v1/studies/{study.id}/{path}", json=body, headers=bearer(token))
        assert reply.status_code == 403
    question = study.ask(bob)
    if question is not None:
        body = {"question": str(question.id), "answer": "left"}
        reply = client.post(f"/api/v1/studies/{study.id}/tell", json=body, headers=bearer(token))
        assert reply.status_code == 403


def test_every_form_needs_its_token(admin: Client, make: MakeStudy) -> None:
    study, _ = make()
    for route in page_routes(admin.app):  # type: ignore[attr-defined]
        if "POST" not in route.methods or ROUTES["POST", route.path] not in SESSIONS or route.path in HARMLESS:
            continue
        for token in ("", "wrong"):
            data = {"form_token": token, "judge": "x", "credential": "1"}
            reply = admin.post(filled(route.path, study.id), data=data, follow_redirects=False)
            assert reply.status_code == 403, route.path
    assert not study.closed


def test_wrong_and_revoked_links_get_the_same_answer(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    context.vault.revoke_judge(study.id, study.judges[0])
    for end in ("", "/next"):
        revoked, wrong = client.get(links[0] + end), client.get(f"/j/{'x' * 32}{end}")
        assert revoked.status_code == wrong.status_code == 404
        assert revoked.text == wrong.text
    assert client.get(links[1]).status_code == 200


def test_password_login_and_logout(client: Client, context: Context) -> None:
    context.vault.set_password(PASSWORD)
    stored = context.storage.note("server/password")
    assert stored.startswith("$argon2id$") and PASSWORD not in stored
    page = client.get("/login")
    wrong = client.post("/login", data={"secret": "wrong", "form_token": form_token(page.text)})
    assert wrong.status_code == 403 and "not the password" in wrong.text
    login(client, PASSWORD)
    cookie = next(c for c in client.cookies.jar if c.name == "juryrank")
    assert cookie.has_nonstandard_attr("HttpOnly") and not cookie.secure
    left = client.post("/logout", data={"form_token": form_token(client.get("/admin").text)})
    assert left.url.path == "/login"
    assert client.get("/admin", follow_redirects=False).status_code == 303


def test_a_new_password_ends_sessions(client: Client, context: Context) -> None:
    context.vault.set_password(PASSWORD)
    login(client, PASSWORD)
    context.vault.set_password(PASSWORD)  # the same again: nobody is logged out
    assert client.get("/admin", follow_redirects=False).status_code == 200
    context.vault.set_password("another long one")
    assert client.get("/admin", follow_redirects=False).status_code == 303


def test_judges_tokens_and_links_do_not_log_in(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    for secret in (
        context.vault.issue_token(Scope.JUDGE, study=study.id, judge=study.judges[0])[1],
        context.vault.invite(study.id, Scope.ADMIN),
        links[0].removeprefix("/j/"),
    ):
        page = client.get("/login")
        reply = client.post("/login", data={"secret": secret, "form_token": form_token(page.text)})
        assert reply.status_code == 403


def test_login_form_of_another_site_is_refused(client: Client, context: Context) -> None:
    token = context.vault.issue_token(Scope.ADMIN)[1]
    assert client.post("/login", data={"secret": token}).status_code == 403
    assert client.post("/login", data={"secret": token, "form_token": "x" * 64}).status_code == 403


def test_forged_cookies_are_nobody(client: Client) -> None:
    for value in ("x", "WyJhIiwiYiJd.x.y", ""):
        client.cookies.set("juryrank", value)
        assert client.get("/admin", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_login_goes_to_our_own_pages_only(client: Client, context: Context, path: str) -> None:
    token = context.vault.issue_token(Scope.ADMIN)[1]
    page = client.get("/login", params={"next": path})
    data = {"secret": token, "form_token": form_token(page.text), "next": path}
    reply = client.post("/login", data=data, follow_redirects=False)
    assert reply.headers["location"] == "/admin"


def test_secure_cookies_and_hsts_behind_tls(settings: ServerSettings) -> None:
    with TestClient(create_app(settings, storage=MemoryStorage()), base_url="https://jury.test") as client:
        page = client.get("/login")
        cookie = page.headers["set-cookie"].lower()
        assert "secure" in cookie and "samesite=lax" in cookie
        assert "max-age" in page.headers["strict-transport-security"]


def test_headers_of_every_answer(client: Client, make: MakeStudy) -> None:
    _, links = make()
    for path in (links[0], "/login", "/healthz", "/nowhere", "/static/style.css", "/api/v1/studies"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_no_inline_script_or_style_in_any_template() -> None:
    from juryrank.server.web.templating import HERE

    for path in (HERE / "templates").glob("*.html"):
        text = path.read_text()
        assert "<script>" not in text and "style=" not in text and " onclick" not in text, path.name


def test_secrets_are_stored_hashed_and_kept_out_of_logs(
    settings: ServerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    storage = MemoryStorage()
    app = create_app(replace(settings, log_requests=True), storage=storage)
    context: Context = app.state.context
    with TestClient(app, base_url=ADDRESS) as client, caplog.at_level(logging.INFO):
        study, links = MakeStudy(context)(judges=1)
        secret = links[0].removeprefix("/j/")
        assert len(secret) * 6 >= 128
        client.get(links[0])
        client.get(f"{links[0]}/next")
        code = context.open_links.make(study.id).code
        public = context.public_pages.switch_on(study.id)
        for path in (
            f"/s/{code}",
            f"/s/{code}/next",
            f"/r/{public}",
            f"/{secret}",
            f"/J/{secret}",
            f"/x/j/{secret}",
        ):
            client.get(path)
        ours = " ".join(one.getMessage() for one in caplog.records if one.name.startswith("juryrank"))
        assert "/j/***" in ours and "/s/***/next" in ours and "/r/***" in ours
        assert not [one for one in (secret, code, public) if one in ours]
        assert all(secret not in str(one) for one in storage.credentials())
        exported = "".join(str(event) for event in study.events())
        assert secret not in exported and "judge 0" not in exported


def test_a_path_writes_one_line_of_the_log_and_no_other(
    settings: ServerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(replace(settings, log_requests=True), storage=MemoryStorage())
    with TestClient(app, base_url=ADDRESS) as client, caplog.at_level(logging.INFO):
        for path in (
            "/x%0d%0a2026-01-01 juryrank GET /admin 200",
            "/%1b[2J%1b[31m",
            "/a%e2%80%a8b%e2%80%aec",
            "/" + "x" * 9000,
        ):
            client.get(path)
    lines = [one.getMessage() for one in caplog.records if one.name.startswith("juryrank.server")]
    assert len(lines) == 4 and all(line.isascii() and line.isprintable() and len(line) < 400 for line in lines)
    assert lines[0].startswith("GET /x%0D%0A2026-01-01%20juryrank")


def test_limits_by_judge_and_address(settings: ServerSettings) -> None:
    slow = replace(settings, judge_per_second=0.01, judge_burst=3, wrong_per_minute=3)
    app = create_app(slow, storage=MemoryStorage())
    with TestClient(app, base_url=ADDRESS) as client:
        _, links = MakeStudy(app.state.context)()
        statuses = [client.get(f"{links[0]}/next").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert client.get(f"{links[1]}/next").status_code == 200  # another judge is not held up
        wrong = [client.get(f"/j/{'x' * 20}{k}", headers=JSON) for k in range(5)]
        assert [one.status_code for one in wrong] == [404, 404, 404, 429, 429]
        assert int(wrong[-1].headers["retry-after"]) > 0
    flooded = create_app(replace(settings, address_burst=4, address_per_second=0.01), storage=MemoryStorage())
    with TestClient(flooded, base_url=ADDRESS) as client:
        assert [client.get("/login").status_code for _ in range(6)] == [200] * 4 + [429] * 2
        assert client.get("/healthz").status_code == 200
        assert "<h1>A moment, please</h1>" in client.get("/login", headers={"accept": "text/html"}).text
        assert client.get("/login", headers=JSON).json()["code"] == "too_many"


def test_large_bodies_are_refused(client: Client, make: MakeStudy, settings: ServerSettings) -> None:
    _, links = make()
    body = b"x" * (settings.body_bytes + 1)
    assert client.post(f"{links[0]}/answer", content=body).status_code == 413

    def chunks() -> object:
        for _ in range(12):
            yield b"x" * 100_000

    kind = {"content-type": "application/json"}
    reply = client.post(f"{links[0]}/answer", content=chunks(), headers={**kind, **JSON})
    assert reply.status_code == 413 and reply.json()["code"] == "too_large"
    page = client.post(f"{links[0]}/answer", content=chunks(), headers={**kind, "accept": "text/html,*/*"})
    assert page.status_code == 413 and "<h1>Too large</h1>" in page.text  # to judges in their own language
    page = client.post("/login", content=body, headers={"accept": "text/html,*/*"})
    assert page.status_code == 413 and "<h1>Too large</h1>" in page.text and "at most 1 MB" in page.text


def test_only_loopback_without_a_password() -> None:
    check_address("127.0.0.1", has_password=False)
    check_address("0.0.0.0", has_password=True)
    with pytest.raises(BadInput, match="password"):
        check_address("0.0.0.0", has_password=False)
    with pytest.raises(BadInput, match="--set-password"):
        check_address("jury.example.org", has_password=False)

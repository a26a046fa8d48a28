"""What an attacker on the network tries, and what must still hold for everybody else."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from httpx import Client
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from juryrank.errors import BadInput, StorageError
from juryrank.server import running
from juryrank.server.access import vault as secrets
from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.crowd.platforms import of_preset
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.intake import items_from_text, judges_from_text, look_alikes
from juryrank.server.studies.setup import Setup
from juryrank.server.web import connections
from juryrank.server.web.render import Content, Kind
from juryrank.storage import MemoryStorage
from tests.server.conftest import ADDRESS, JSON, PASSWORD, MakeStudy, bearer, form_token, login
from tests.serving import serving

PREVIEWS = (
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "WhatsApp/2.23", "TelegramBot (like TwitterBot)",
    "facebookexternalhit/1.1", "Twitterbot/1.0", "Discordbot/2.0", "LinkedInBot/1.0", "SkypeUriPreview/0.5",
    "Mozilla/5.0 (compatible; Googlebot/2.1)", "Mozilla/5.0 (compatible; bingbot/2.0)", "Signal-Android/7",
)  # fmt: skip


# ---------------------------------------------------------------------------- looking changes nothing (H1)
@pytest.mark.parametrize("ranker", ["panel", "certified"])
def test_previews_and_prefetches_change_nothing(client: Client, make: MakeStudy, ranker: str) -> None:
    study, links = make(ranker=ranker, setup=Setup(intro="Hello"))
    client.post(f"{links[1]}/begin")  # one judge is in the middle of it
    before = study.log.seq
    for link in links:
        for agent in PREVIEWS:
            for method in ("HEAD", "GET"):
                for path in (link, f"{link}/next"):
                    headers = {"user-agent": agent, "purpose": "prefetch", "sec-purpose": "prefetch;prerender"}
                    reply = client.request(method, path, headers=headers)
                    assert reply.status_code == 200, (method, path)
                    assert method == "GET" or not reply.content
        for page in ("begin", "answer", "undo"):
            assert client.get(f"{link}/{page}").status_code == 405
    assert study.log.seq == before


def test_previews_of_the_open_link_make_nobody_a_judge(client: Client, context: Context, make: MakeStudy) -> None:
    study, _ = make(ranker="panel", judges=0)
    link = context.open_links.make(study.id)
    context.platforms.save(study.id, of_preset("prolific", code="C1", required=False))
    log, kept = study.log.seq, study.people()
    for agent in PREVIEWS:
        for method in ("HEAD", "GET", "OPTIONS"):
            for query in ("", "?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x", "?PROLIFIC_PID=p1&PROLIFIC_PID=p2"):
                headers = {"user-agent": agent, "purpose": "prefetch", "sec-purpose": "prefetch;prerender"}
                reply = client.request(method, f"/s/{link.code}{query}", headers=headers)
                assert reply.status_code in (200, 405) and "set-cookie" not in reply.headers, (method, query)
    assert study.log.seq == log and study.judges == [] and study.people() == kept


def test_start_begins_the_sitting_and_words_say_how_long(client: Client, make: MakeStudy) -> None:
    study, links = make(ranker="panel")
    page = client.get(links[0])
    assert "10 comparisons" in page.text and "60 minutes" in page.text
    assert [event.kind for event in study.events()] == ["created"]
    started = client.post(f"{links[0]}/begin")
    assert [event.kind for event in study.events()][1:] == ["asked"]
    assert 'id="choose-left"' in started.text and client.get(f"{links[0]}/next").json()["state"] == "question"


# ---------------------------------------------------------------------------- long items (H2)
def test_markdown_is_rendered_once_for_each_item(
    client: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    essay = "A *sentence* with [a link](https://a.example) and `code`. " * 140  # 8 kB
    names = [chr(0x4E00 + k) for k in range(500)]
    study, links = make(ranker="panel", items="".join(names))
    contents = {name: Content(f"{essay}{name}", Kind.MARKDOWN) for name in names}
    context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))
    client.post(f"{links[0]}/begin")
    client.get(links[0])
    rendered: list[str] = []
    monkeypatch.setattr("juryrank.server.web.render._safe_html", lambda text: rendered.append(text) or "")
    spent = []
    for _ in range(5):
        began = time.process_time()
        assert client.get(links[0]).status_code == 200
        spent.append(time.process_time() - began)
    assert rendered == []
    assert min(spent) < 0.05, spent  # seconds of processor time


# ---------------------------------------------------------------------------- passwords (H3)
class SlowHasher:
    """As many as are at work at once, remembered."""

    def __init__(self) -> None:
        self.now = self.most = self.checked = 0
        self.lock = threading.Lock()

    def hash(self, password: str) -> str:
        return "hash"

    def verify(self, stored: str, password: str) -> bool:
        with self.lock:
            self.now, self.checked = self.now + 1, self.checked + 1
            self.most = max(self.most, self.now)
        time.sleep(0.02)
        with self.lock:
            self.now -= 1
        return password == PASSWORD


def log_in_at_once(address: str, passwords: list[str]) -> list[int]:
    with httpx.Client(base_url=address, verify=False) as client:  # plain http: no certificate need be loaded
        token = form_token(client.get("/login").text)
        cookies = dict(client.cookies)

    def one(password: str) -> int:
        with httpx.Client(base_url=address, cookies=cookies, timeout=60, verify=False) as client:
            return client.post("/login", data={"secret": password, "form_token": token}).status_code

    with ThreadPoolExecutor(len(passwords)) as pool:
        return list(pool.map(one, passwords))


def test_forty_passwords_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hasher = SlowHasher()
    monkeypatch.setattr(secrets, "_hasher", lambda: hasher)
    app = create_app(ServerSettings(), storage=MemoryStorage())
    app.state.context.storage.set_note("server/password", "hash")
    monkeypatch.setattr(app.state.context.wrong, "_clock", lambda: 0.0)  # no guess comes back meanwhile
    with serving(app) as address:
        said = log_in_at_once(address, [f"guess {k}" for k in range(40)])
        assert sorted(said) == [403] * 20 + [429] * 20 and hasher.checked == 20 and hasher.most <= 2
        token = app.state.context.vault.issue_token(Scope.ADMIN)[1]  # a right token passes all the same
        assert log_in_at_once(address, [PASSWORD, token]) == [429, 303]


@pytest.mark.slow
def test_forty_passwords_at_once_take_little_memory(tmp_path: Path) -> None:
    def memory() -> int:
        line = next(
            line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")
        )
        return int(line.split()[1]) // 1024

    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db", wrong_per_minute=40))
    app.state.context.vault.set_password(PASSWORD)
    peak, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.01):
            peak[0] = max(peak[0], memory())

    with serving(app) as address:
        before = memory()
        threading.Thread(target=watch, daemon=True).start()
        log_in_at_once(address, ["wrong password"] * 40)
        stop.set()
    assert peak[0] - before < 200, peak[0] - before  # megabytes


# ---------------------------------------------------------------------------- the same address (H4)
def test_an_honest_judge_at_an_attackers_address_is_never_refused(settings: ServerSettings) -> None:
    few = replace(settings, wrong_per_minute=3, address_burst=3, address_per_second=0.001)
    app = create_app(few, storage=MemoryStorage())
    context: Context = app.state.context
    study, links = MakeStudy(context)(ranker="panel")
    token, reader = context.vault.issue_token(Scope.ADMIN)[1], context.vault.issue_token(Scope.READ)[1]
    with TestClient(app, base_url=ADDRESS) as client:
        login(client, token)
        cookie = {"cookie": f"juryrank={client.cookies['juryrank']}"}
        client.cookies.clear()
        for k in range(8):  # the attacker, until everything is used up
            client.get(f"/j/{'x' * 20}{k}")
            client.get("/login")
            client.get("/api/v1/me", headers=bearer(f"wrong {k}"))
            client.get("/admin", headers={"cookie": f"juryrank=wrong{k}"})
        assert client.get("/j/wrong", headers=JSON).status_code == 429
        assert client.get("/login", headers=JSON).status_code == 429
        assert client.get(links[0]).status_code == 200
        page = client.post(f"{links[0]}/begin")
        assert page.status_code == 200
        shown = client.get(f"{links[0]}/next").json()
        sent = {"question": shown["question"]["id"], "answer": "left"}
        assert client.post(f"{links[0]}/answer", json=sent, headers=JSON).status_code == 200
        assert client.get("/api/v1/studies", headers=bearer(reader)).status_code == 200
        assert client.get(f"/admin/studies/{study.id}", headers=cookie).status_code == 200
        assert client.get("/static/judge.js").status_code == 200


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_made_up_passes_no_limit_of_strangers(settings: ServerSettings, step: int) -> None:
    """At every page every kind of invention; by default every third of these, beginning elsewhere at each page."""
    app = create_app(replace(settings, address_burst=3, address_per_second=0.001), storage=MemoryStorage())
    context: Context = app.state.context
    study, links = MakeStudy(context)(ranker="panel")
    open_link, public = context.open_links.make(study.id).code, context.public_pages.switch_on(study.id)
    judge = context.vault.begin_judge_session(study.id, study.judges[0])
    worthless = [{}, bearer("x"), {"Authorization": "x"}, {"cookie": "juryrank=x"}, {"cookie": "juryrank_judge=x"}]
    right = [
        bearer(context.vault.issue_token(Scope.READ)[1]),
        {"cookie": f"juryrank={context.vault.begin_session()[1]}"},
        {"cookie": f"juryrank_judge={judge}"},
    ]
    paths = ("/heads/1", "/heads/1/all", "/login", "/", "/api/docs", f"/s/{open_link}", f"/r/{public}")
    for k, path in enumerate(paths):
        for m, headers in list(enumerate(worthless))[k % step :: step]:
            client = TestClient(app, base_url=ADDRESS, client=(f"203.0.{k}.{m}", 1), follow_redirects=False)
            said = [client.get(path, headers=headers).status_code for _ in range(6)]
            assert 429 not in said[:3] and said[3:] == [429] * 3, (path, headers, said)
            one = right[(k + m) % len(right)]
            assert {client.get(path, headers=one).status_code for _ in range(4)} <= {200, 303}, (path, one)
            assert client.get(links[0]).status_code == 200


# ---------------------------------------------------------------------------- behind a proxy (H5)
@pytest.mark.parametrize("named", [False, True])
def test_nobody_is_believed_who_was_not_named(
    tmp_path: Path, named: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Users of the same machine reach the server on loopback: unless it is the proxy, they choose no address."""
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(
        running, "_serve", lambda settings, listening: heard.append({"settings": settings, "on": listening})
    )
    running.run(running.Wish(storage=f"sqlite:///{tmp_path}/a.db", port=0, proxy="127.0.0.1" if named else ""))
    heard[0]["on"].close()
    options = running.options_of(heard[0]["settings"])
    app = create_app(
        replace(heard[0]["settings"], address_burst=2, address_per_second=0.001), storage=MemoryStorage()
    )
    believing = {name: options[name] for name in ("proxy_headers", "forwarded_allow_ips")}
    with serving(app, **believing) as address, httpx.Client(base_url=address) as client:
        said = [client.get("/login", headers={"X-Forwarded-For": f"203.0.113.{k}"}).status_code for k in range(5)]
    assert said == ([200] * 5 if named else [200, 200, 429, 429, 429])
    assert ("name it with --proxy" in caplog.text) != named


@pytest.mark.parametrize(
    ("peer", "forwarded", "seen"),
    [
        ("172.30.0.2", "203.0.113.9", "203.0.113.9"),
        ("172.30.0.2", "198.51.100.1, 203.0.113.9", "203.0.113.9"),  # the left one is the visitor's own invention
        ("172.30.0.2", "203.0.113.9, 172.30.0.7", "203.0.113.9"),  # two proxies of ours
        ("203.0.113.50", "198.51.100.1", "203.0.113.50"),  # not through the proxy: not believed
    ],
)
def test_the_right_most_untrusted_address_counts(peer: str, forwarded: str, seen: str) -> None:
    clients: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        clients.append(scope["client"][0])

    running.check_proxy("127.0.0.1, 172.30.0.0/24")
    believing = ProxyHeadersMiddleware(app, trusted_hosts="127.0.0.1, 172.30.0.0/24")
    headers = [(b"x-forwarded-for", forwarded.encode())]
    scope = {"type": "http", "client": (peer, 1), "scheme": "http", "headers": headers}
    asyncio.run(believing(scope, None, None))  # type: ignore[arg-type]
    assert clients == [seen]


@pytest.mark.parametrize("proxy", ["*", "", "everybody", "127.0.0.1,*"])
def test_nobody_believes_everybody(proxy: str) -> None:
    with pytest.raises(BadInput, match="proxy's own address"):
        running.check_proxy(proxy)


def test_links_name_an_address_that_can_be_opened() -> None:
    for host in ("0.0.0.0", "::"):
        assert running.reachable(host) not in ("0.0.0.0", "::")


# ---------------------------------------------------------------------------- at rest (H6)
def test_a_copy_of_the_database_logs_nobody_in(client: Client, context: Context) -> None:
    context.storage.set_note("server/signing-key", "left by an older version")
    opened = Context.open(context.settings, context.storage)
    login(client, opened.vault.issue_token(Scope.ADMIN)[1])
    cookie = str(client.cookies["juryrank"])
    stored = json.dumps([context.storage.notes(), [str(one) for one in context.storage.credentials()]])
    assert cookie not in stored and "signing-key" not in stored


def test_secrets_come_from_files_and_never_from_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("from the file\n")
    monkeypatch.setenv("JURYRANK_PASSWORD", "from the variable")
    assert running.from_environment("JURYRANK_PASSWORD") == "from the variable"
    monkeypatch.setenv("JURYRANK_PASSWORD_FILE", str(tmp_path / "secret"))
    assert running.from_environment("JURYRANK_PASSWORD") == "from the file"
    monkeypatch.setenv("JURYRANK_PASSWORD_FILE", str(tmp_path / "nothing"))
    with pytest.raises(BadInput) as problem:
        running.from_environment("JURYRANK_PASSWORD")
    assert str(tmp_path) not in str(problem.value)


# ---------------------------------------------------------------------------- credentials that end (H7)
def test_links_and_tokens_can_have_an_end(client: Client, context: Context, make: MakeStudy) -> None:
    study, _ = make(setup=Setup(link_days=0.5 / 86_400))
    admin = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    made = client.post(f"/api/v1/studies/{study.id}/judges", json=[{"name": "Ann"}], headers=admin).json()[
        "judges"
    ][0]
    short = client.post("/api/v1/tokens", json={"scope": "read", "days": 0.5 / 86_400}, headers=admin).json()[
        "token"
    ]
    link = urlsplit(made["link"]).path
    assert client.get(link).status_code == 200
    assert client.get("/api/v1/me", headers=bearer(short)).status_code == 200
    time.sleep(0.6)
    assert client.get(link).status_code == 404
    assert client.get("/api/v1/me", headers=bearer(short)).status_code == 401
    assert client.get("/api/v1/me", headers=bearer(made["token"])).status_code == 401


def test_a_stream_ends_with_the_credential_that_opened_it(
    context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("juryrank.server.dashboard.news.ALLOWED_SECONDS", 0.0)
    study, _ = make()
    made, secret = context.vault.issue_token(Scope.READ)
    holder = context.vault.holder("token", secret)
    assert holder is not None

    async def listen() -> int:
        heard = 0
        async for _ in context.live.stream(study.id, allowed=lambda: context.vault.still_works(holder)):
            heard += 1
            if heard == 1:
                context.vault.revoke(made.id)
                study.edit(note="something happens")
        return heard

    assert asyncio.run(asyncio.wait_for(listen(), 20)) == 1


# ---------------------------------------------------------------------------- medium
def test_health_tries_a_write_on_a_path_of_its_own(
    client: Client, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/healthz/write").json()["status"] == "ok"
    monkeypatch.setattr("juryrank.server.web.connections.WRITE_SECONDS", 0.0)

    def full(*_: Any, **__: Any) -> None:
        raise StorageError("the disk is full")

    monkeypatch.setattr(MemoryStorage, "set_note", full)
    assert client.get("/healthz").status_code == 200
    assert client.get("/healthz/write").status_code == 503


def test_no_path_of_the_machine_is_in_a_message(settings: ServerSettings, tmp_path: Path) -> None:
    app = create_app(replace(settings, storage=f"sqlite:///{tmp_path}/jury.db"))
    context: Context = app.state.context
    _, links = MakeStudy(context)(ranker="panel")
    token = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        context.retention.close()  # it looks once at the start: a connection of its own would keep the old pages
        context.storage.close()
        (tmp_path / "jury.db").write_bytes(b"no database" * 1000)
        for path, headers in (("/api/v1/studies", token), (links[0], {}), (links[0], JSON)):
            reply = client.get(path, headers=headers)
            assert reply.status_code == 503 and "database" in reply.text
            assert str(tmp_path) not in reply.text and "jury.db" not in reply.text, reply.text


@pytest.mark.parametrize("format", ["csv", "crowd-kit", "lmarena", "evalica"])
def test_no_formula_is_in_an_export(client: Client, context: Context, make: MakeStudy, format: str) -> None:
    from juryrank.study import create_study

    items = ['=HYPERLINK("//evil")', "+1+1", "-2+3", "@sum", "\tx"]
    study = create_study(items, name="formulas", judges=["=cmd|x", "bob"], ranker="panel", storage=context.storage)
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, side="left")
    reader = bearer(context.vault.issue_token(Scope.READ)[1])
    reply = client.get(f"/api/v1/studies/{study.id}/export/{format}", headers=reader)
    assert reply.status_code == 200
    import csv
    import io

    rows = list(csv.reader(io.StringIO(reply.text)))
    assert len(rows) > 20
    for cell in (cell for row in rows for cell in row):
        assert not cell.startswith(("=", "+", "@", "\t")) and not (cell.startswith("-") and "+" in cell), cell


@pytest.mark.parametrize(
    "body",
    ["[" * 100_000, '{"question":' * 50_000, '{"question": ' + "9" * 5000 + ', "answer": "left"}', "1" * 5000],
    ids=["lists", "objects", "integer", "number"],
)
def test_deep_json_and_huge_numbers_are_the_senders_fault(
    client: Client, context: Context, make: MakeStudy, body: str
) -> None:
    study, links = make()
    headers = {"content-type": "application/json", **JSON}
    admin = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    assert 400 <= client.post(f"{links[0]}/answer", content=body, headers=headers).status_code < 500
    for path in ("ask", "tell", "items", "judges"):
        reply = client.post(f"/api/v1/studies/{study.id}/{path}", content=body, headers={**headers, **admin})
        assert 400 <= reply.status_code < 500, (path, reply.text[:200])
    huge = client.get(f"/admin/studies/{'9' * 5000}", headers=JSON)
    assert 300 <= huge.status_code < 500


def test_names_are_read_in_linear_time() -> None:
    def seconds(size: int) -> float:
        texts = [
            '"' + " " * size,
            " " * size + "<",
            "a" * 5 + " " * size + "<x@",
            "<" * size,
            "@" * size,
            "," * size,
        ]
        began = time.process_time()
        for text in texts:
            with suppress(BadInput):
                judges_from_text(text)
        return time.process_time() - began

    seconds(1000)
    assert seconds(300_000) < 1.0  # the square of it would be hours


def test_twins_are_refused_and_look_alikes_warned_of() -> None:
    with pytest.raises(BadInput, match="twice"):
        items_from_text("Cafe\u0301\nCaf\u00e9")
    with pytest.raises(BadInput, match="twice"):
        judges_from_text("Rene\u0301\nRen\u00e9")
    assert look_alikes(["pay", "p\u0430y", "other", "p\u200bay"]) == [("pay", "p\u0430y"), ("pay", "p\u200bay")]


def test_half_sent_requests_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    many = 1000 if resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 3000 else 150
    monkeypatch.setattr(connections, "most_connections", lambda: many // 2)
    app = create_app(ServerSettings(), storage=MemoryStorage())
    with serving(app, http=connections.PatientProtocol, backlog=2048) as address:
        where = urlsplit(address)
        half = [socket.create_connection((where.hostname, where.port)) for _ in range(many)]
        for k, one in enumerate(half):
            one.sendall(
                b"GET / HTTP/1.1\r\nHost: x\r\n" if k % 2 else b"POST /login HTTP/1.1\r\nContent-Length: 9\r\n"
            )
        with httpx.Client(timeout=10) as client:
            assert client.get(f"{address}/healthz").status_code == 200
            assert client.get(f"{address}/healthz").status_code == 200
        for one in half:
            one.close()


def test_a_foreign_lock_on_the_database_stops_no_reader(tmp_path: Path) -> None:
    """A back-up, or a shell that somebody forgot, holds SQLite's write lock while an answer waits for it."""
    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db"))
    context: Context = app.state.context
    study, links = MakeStudy(context)(ranker="panel")
    paths = [f"/heads/{study.id}", f"/s/{context.open_links.make(study.id).code}", links[0], f"{links[0]}/next",
             f"/r/{context.public_pages.switch_on(study.id)}"]  # fmt: skip
    with (
        serving(app) as address,
        ThreadPoolExecutor() as pool,
        httpx.Client(base_url=address, timeout=50) as client,
    ):
        client.post(f"{links[0]}/begin")
        client.post(f"{links[1]}/begin")
        sent = {"question": client.get(f"{links[1]}/next").json()["question"]["id"], "answer": "left"}
        lock = sqlite3.connect(tmp_path / "jury.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        answer = pool.submit(httpx.post, f"{address}{links[1]}/answer", json=sent, headers=JSON, timeout=50)
        time.sleep(0.5)
        for path in paths:
            assert client.get(path).status_code == 200, path
        assert not answer.done()  # it still waits: all of them were read meanwhile
        lock.execute("ROLLBACK")
        assert answer.result().json()["says"] == "Saved." and study.progress().answers == 1


def test_patience_with_slow_senders_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.2)
    app = create_app(ServerSettings(), storage=MemoryStorage())
    whole = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with serving(app, http=connections.PatientProtocol) as address:
        where = urlsplit(address)
        for first, then in (
            (b"", b""),
            (b"", b"GET / HTTP/1.1\r\nHost: x\r\n"),
            (b"", b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf"),
            (whole, b"GET"),  # a second request that never ends
        ):
            with socket.create_connection((where.hostname, where.port), timeout=20) as one:
                if first:
                    one.sendall(first)
                    received(one)
                one.sendall(then)
                with suppress(ConnectionResetError):  # closed on us, as it should
                    while one.recv(4096):
                        pass
        with socket.create_connection((where.hostname, where.port), timeout=20) as calm:
            for _ in range(2):  # who pauses between whole requests is welcome
                calm.sendall(whole)
                assert b"200 OK" in received(calm)
                time.sleep(0.4)


def received(one: socket.socket) -> bytes:
    """A whole reply of /healthz."""
    said = b""
    while not said.endswith(b"}"):
        said += one.recv(4096)
    return said


def test_what_owners_did_is_on_record(client: Client, context: Context, make: MakeStudy) -> None:
    study, _ = make(ranker="panel")
    token, secret = context.vault.issue_token(Scope.ADMIN)
    login(client, secret)
    page = client.get(f"/admin/studies/{study.id}").text
    client.post(
        f"/admin/studies/{study.id}/judges/pause", data={"form_token": form_token(page), "judge": study.judges[0]}
    )
    client.post(f"/api/v1/studies/{study.id}/close", headers=bearer(secret))
    client.post(f"/admin/studies/{study.id}/delete", data={"form_token": form_token(page), "confirm": "wrong"})
    acts = client.get("/api/v1/audit", headers=bearer(secret)).json()
    assert [act["act"] for act in acts] == ["closed the study", "paused a judge", "logged in"]
    assert acts[1]["details"] == study.judges[0] and acts[1]["study"] == study.id
    assert {act["token"] for act in acts} == {token.id}
    shown = client.get("/admin/activity").text
    assert "paused a judge" in shown and study.name in shown and secret not in shown


def test_letters_that_are_drawn_as_nothing_are_shown_or_refused(
    client: Client, context: Context, make: MakeStudy
) -> None:
    token = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    for blank in ("\u2800", "\u3164 \u1160", "\ufe0f", "\u200b"):
        sent = {"name": "drinks", "items": ["tea", blank], "judges": [{"name": "Ann"}]}
        refused = client.post("/api/v1/studies", json=sent, headers=token)
        assert refused.status_code == 422 and "visible character" in refused.text, refused.text
    sent = {
        "name": "drinks",
        "items": ["tea", "tea\u2800", "milk"],
        "judges": [{"name": "Ann"}],
        "ranker": "certified",
    }
    with pytest.warns(UserWarning, match="look alike"):
        number = client.post("/api/v1/studies", json=sent, headers=token).json()["study"]["id"]
    study = context.open_studies.study(number)
    question = study.ask()
    assert question is not None
    study.tell(question.id, side="left")
    page = client.get(f"/r/{context.public_pages.switch_on(number)}").text
    assert "tea&lt;2800&gt;" in page and "\u2800" not in page

"""Around every request: size and rate limits, safe response headers, and a log without secrets."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from juryrank.quoting import visible
from juryrank.server.access.rate_limits import network_of
from juryrank.server.languages.speaking import answering, is_judges, problem_heading, problem_words
from juryrank.server.settings import ServerSettings
from juryrank.server.web.templating import html

if TYPE_CHECKING:
    from juryrank.server.access.vault import Holder
    from juryrank.server.context import Context

log = logging.getLogger("juryrank.server")

UPLOAD_PATHS = re.compile(r"^/api/v1/studies(/\d+/items)?$")
FILE_PATHS = re.compile(
    r"^/admin/(new|studies/\d+/items|uploads/[^/]+)$"
)  # read only after the log-in was checked
SECRET_IN_PATH = re.compile(  # wherever it stands, and whatever is as long as one: a link may be mistyped
    r"(?<=/[jsri]/)[^/]+|(?<=/)[\w-]{16,}", re.IGNORECASE
)
UNLIMITED = re.compile(r"^/(healthz|static)(/|$)")  # monitors, and what a page needs to look right
BY_PATH = re.compile(r"^/j/([^/]+)")  # the address itself is a credential
FORWARDED = (
    "A request from %s carries X-Forwarded-For, which is not believed: if a proxy stands in front of this server, "
    "name it with --proxy. Otherwise all visitors count as one address."
)
JUDGES = re.compile(r"^/(j|s|heads)/")  # answered in the judge's language
OFFLINE = "/static/offline.js"  # serves judges' links without a connection, which do not lie below it
SAFE_IN_LOGS = "/*:@!$&'()+,;=~"
MOST_LOGGED = 300  # characters of a path
READING = ("GET", "HEAD", "OPTIONS")
YEAR = 365 * 24 * 3600
MOST_DRAINED = 100_000_000  # bytes of a refused upload that are read all the same: browsers listen only afterwards


def content_policy(*, outside: Iterable[str] = ()) -> str:
    """The content security policy: our own files, nothing inline, and the named sites for item media.

    >>> "script-src 'self';" in content_policy()
    True
    """
    media = " ".join(["'self'", *outside])
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src {media} data:; media-src {media}; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


REFUSALS = {413: ("too_large", "Too large"), 429: ("too_many", "A moment, please")}  # code, heading
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def redacted(path: str) -> str:
    """A path as it may be logged: without secrets, and on one line, whatever is in it.

    >>> redacted("/j/abcdef/answer"), redacted("/x\\r\\n\\x1b[2J")
    ('/j/***/answer', '/x%0D%0A%1B%5B2J')
    """
    return quote(SECRET_IN_PATH.sub("***", path), safe=SAFE_IN_LOGS)[:MOST_LOGGED]


class TooLarge(Exception):
    """The body is larger than this request may have; `more` of it is still to come."""

    def __init__(self, *, more: bool) -> None:
        super().__init__()
        self.more = more


class Guard:
    """ASGI middleware; the order is: rate, size, the request itself, headers, audit, log."""

    def __init__(self, app: ASGIApp, *, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._look_for_a_proxy(scope)
        began, path, head = time.perf_counter(), str(scope["path"]), scope["method"] == "HEAD"
        scope = {**scope, "method": "GET"} if head else scope
        scope.setdefault("state", {})
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(message, scope)
                await _audit(scope, status)
            elif head:
                message = {**message, "body": b""}
            await send(message)

        with in_their_language(scope, path):
            await self._limited(scope, receive, sending, path)
        if self._settings.log_requests:
            millis = 1000 * (time.perf_counter() - began)
            log.info("%s %s %d %.1f ms", scope["method"], redacted(path), status, millis)

    def _look_for_a_proxy(self, scope: Scope) -> None:
        """Say once that there seems to be a proxy that nobody named."""
        if (
            self._warned
            or self._settings.proxy
            or not any(name == b"x-forwarded-for" for name, _ in scope["headers"])
        ):
            return
        self._warned = True
        log.warning(FORWARDED, visible(address_of(scope)))

    async def _limited(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        """Strangers are limited by their address; whoever shows something that works is not.

        What a request carries is only looked up once the address has sent very much: what is made up passes no
        door, also none that is open to anybody.
        """
        shown, wait = shown_secrets(scope), 0.0
        if not UNLIMITED.match(path):
            limits = _context(scope).claimants if shown else _context(scope).strangers
            wait = limits.take(address_of(scope))
        if wait and not await run_in_threadpool(_works, _context(scope), shown):
            words = "Too many requests from this address: wait a moment and try again."
            await _refuse(scope, send, 429, words, wait)
            return
        most = _most_bytes(path, self._settings)
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > most:
            await _drain(receive)
            await _refuse(scope, send, 413, too_large(most))
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, _counted(receive, most), sending)
        except TooLarge as refused:
            if not started:
                if refused.more:
                    await _drain(receive)
                await _refuse(scope, send, 413, too_large(most))


def in_their_language(scope: Scope, path: str) -> AbstractContextManager[None]:
    """Answer judges in their language, and everybody else in English."""
    if not JUDGES.match(path):
        return nullcontext()
    return answering(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))


def _most_bytes(path: str, settings: ServerSettings) -> int:
    """The largest body that this path may have."""
    if FILE_PATHS.match(path):
        return settings.files_bytes + settings.upload_bytes  # the files, and the form around them
    return settings.upload_bytes if UPLOAD_PATHS.match(path) else settings.body_bytes


def shown_secrets(scope: Scope) -> list[tuple[str, str]]:
    """What a request shows by way of links, tokens and cookies, with their kinds; whether they work is open."""
    request, by_path = Request(scope), BY_PATH.match(str(scope["path"]))
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    shown = {
        "link": by_path[1] if by_path else "",
        "token": token.strip() if scheme.lower() == "bearer" else "",
        "session": request.cookies.get("juryrank", ""),
        "session of a judge": request.cookies.get("juryrank_judge", ""),
    }
    return [(kind.partition(" ")[0], secret) for kind, secret in shown.items() if secret]


def _works(context: Context, shown: Iterable[tuple[str, str]]) -> bool:
    return any(context.vault.holder(kind, secret) is not None for kind, secret in shown)


def note_actor(request: Request, holder: Holder) -> None:
    """Note who is acting, for the audit trail."""
    request.scope["state"]["actor"] = holder


def note_details(request: Request, words: str) -> None:
    """Note what exactly is done, for the audit trail."""
    request.scope["state"]["details"] = words


def note_act(request: Request, act: str) -> None:
    """Note what is done, where one function does several things: a key of `audit.ACTS`."""
    request.scope["state"]["act"] = act


def nothing_done(request: Request) -> None:
    """Nothing was changed, though something was sent: there is nothing to put on record."""
    request.scope["state"].pop("actor", None)


async def _audit(scope: Scope, status: int) -> None:
    """What an owner changed is on record before the answer is sent."""
    state: dict[str, Any] = scope["state"]
    if scope["method"] in READING or status >= 400 or "actor" not in state or "endpoint" not in scope:
        return
    study = scope.get("path_params", {}).get("study")
    await run_in_threadpool(
        _context(scope).audit.record,
        state["actor"],
        state.get("act", scope["endpoint"].__name__),
        study=None if study is None else int(study),
        details=state.get("details", ""),
    )


def _context(scope: Scope) -> Context:
    context: Context = scope["app"].state.context
    return context


def too_large(most: int) -> str:
    return f"That is too large: at most {most / 1e6:g} MB are accepted here. Send less, or split the list."


def address_of(scope: Scope) -> str:
    """The address that a request comes from, as far as limits are concerned."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else "unknown"


def _counted(receive: Receive, most: int) -> Receive:
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge(more=bool(message.get("more_body")))
        return message

    return receiving


def _add_headers(message: Message, scope: Scope) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", content_policy())
    if scope["path"] == OFFLINE:
        headers["Service-Worker-Allowed"] = "/"
    headers.setdefault("Cache-Control", "no-store")
    if scope.get("scheme") == "https":
        headers.setdefault("Strict-Transport-Security", f"max-age={YEAR}")


async def _drain(receive: Receive) -> None:
    """Read the rest and drop it: if the connection closed during an upload, the browser would show no page."""
    seen = 0
    while seen < MOST_DRAINED:
        message = await receive()
        seen += len(message.get("body", b""))
        if not message.get("more_body"):
            return


def wants_json(scope: Scope) -> bool:
    """Is a program asking?

    >>> wants_json({"path": "/api/v1/studies", "headers": []}), wants_json({"path": "/admin/new", "headers": []})
    (True, False)
    """
    accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
    for_programs = "application/json" in accept and "text/html" not in accept
    return str(scope["path"]).startswith("/api/v1") or for_programs


async def _refuse(scope: Scope, send: Send, status: int, words: str, wait: float = 0) -> None:
    """Refuse a request before it reaches the application: with a page for people, JSON for programs."""
    code, heading = REFUSALS[status]
    if is_judges():
        words, heading = problem_words(code), problem_heading(status)
    if wants_json(scope):
        kind, text = "application/json", json.dumps({"code": code, "detail": words})
    else:
        kind, text = "text/html; charset=utf-8", html("message.html", heading=heading, lines=[words])
    body = text.encode()
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    if wait:
        headers.append((b"retry-after", str(int(wait) + 1).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

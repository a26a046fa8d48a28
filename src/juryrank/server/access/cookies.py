"""Log-in cookies (HttpOnly, SameSite, Secure behind TLS) and the tokens that forms must carry.

A cookie holds a random secret and nothing else; the storage holds its hash, what it opens, and when it ends.
A form's token is computed from the cookie's secret, which no other site can read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken
from starlette.requests import Request
from starlette.responses import Response

from juryrank.defaults import LOGIN_SECONDS, SHOWN_SECONDS
from juryrank.server.access.vault import SESSION, Holder, Vault, new_secret, same
from juryrank.storage.base import Storage

COOKIE = "juryrank"
VISITOR_COOKIE = "juryrank_visit"  # before the log-in: ties the log-in form to this browser
LONGEST = 200  # characters of a cookie that we made


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A logged-in browser."""

    holder: Holder
    secret: str

    @property
    def form_token(self) -> str:
        return form_token(self.secret)


class Cookies:
    """Makes and reads the cookies of one server."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    # ------------------------------------------------------------------ sessions
    def session(self, request: Request) -> BrowserSession | None:
        """Who is logged in, if anybody."""
        secret = read(request, COOKIE)
        holder = self._vault.holder(SESSION, secret) if secret else None
        if holder is None or holder.judge is not None:
            return None
        return BrowserSession(holder, secret)

    def start(self, request: Request, response: Response, *, parent: Holder | None) -> Holder:
        """Log this browser in; `parent`: the token that it was done with, if not with the password."""
        holder, secret = self._vault.begin_session(parent)
        put(request, response, COOKIE, secret)
        return holder

    def end(self, session: BrowserSession, response: Response) -> None:
        """Log this browser out; copies of its cookie are worthless from now on."""
        self._vault.revoke(session.holder.credential)
        response.delete_cookie(COOKIE, path="/")

    # ------------------------------------------------------------------ before the log-in
    @staticmethod
    def visitor(request: Request) -> str:
        """The name of a browser that is not logged in; empty: it has none yet."""
        return read(request, VISITOR_COOKIE)

    @staticmethod
    def name_visitor(request: Request, response: Response, name: str) -> None:
        put(request, response, VISITOR_COOKIE, name)


def new_visitor() -> str:
    """A name for a browser, for its log-in form."""
    return new_secret()


def form_token(secret: str) -> str:
    """The token that the forms of a cookie's owner carry (against requests forged by other sites)."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), b"form", hashlib.sha256).hexdigest()


def form_token_fits(secret: str, token: str) -> bool:
    return bool(secret) and same(form_token(secret), token)


def read(request: Request, name: str) -> str:
    """A cookie's value; empty if there is none, or one that we cannot have made."""
    value = request.cookies.get(name, "")
    return value if len(value) <= LONGEST else ""


def put(request: Request, response: Response, name: str, value: str, *, path: str = "/") -> None:
    """Set a cookie that scripts cannot read and other sites cannot send along with a form."""
    response.set_cookie(
        name,
        value,
        max_age=int(LOGIN_SECONDS),
        path=path,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


# ----------------------------------------------------------------------------
# Secrets that an owner has just made, to be shown again when the page is reloaded, for a quarter of an hour.
#
# They are sealed with a key that only the owner's cookie gives: what is stored lets nobody else read them.


class RecentSecrets:
    """One note per session and place."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def keep(self, session: BrowserSession, place: str, secrets: Mapping[str, str]) -> None:
        """Show these at `place`, until others replace them or the time is over."""
        sealed = _box(session).encrypt(json.dumps(dict(secrets)).encode()).decode()
        self._storage.set_note(_key(session, place), sealed)

    def show(self, session: BrowserSession, place: str) -> dict[str, str]:
        """What was kept, as long as it may be shown."""
        sealed = self._storage.note(_key(session, place))
        if sealed is None:
            return {}
        try:
            found: dict[str, str] = json.loads(_box(session).decrypt(str(sealed).encode(), ttl=SHOWN_SECONDS))
        except InvalidToken:
            return {}
        return found


def _key(session: BrowserSession, place: str) -> str:
    return f"keepsake/{session.holder.credential}/{place}"


def _box(session: BrowserSession) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(f"keepsake:{session.secret}".encode()).digest()))

"""Log-in cookies (signed, HttpOnly, SameSite, Secure behind TLS) and the tokens that forms must carry."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import Response

from juryrank.server.access.secrets import same

COOKIE = "juryrank"
VISITOR_COOKIE = "juryrank_visit"  # before the log-in: ties the log-in form to this browser
SESSION_SECONDS = 14 * 24 * 3600


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A logged-in browser. `epoch` changes with the password and ends every older session."""

    id: str
    epoch: str


class Cookies:
    """Makes and reads the cookies of one server; `key` is the same for all its workers."""

    def __init__(self, key: str, *, epoch: str) -> None:
        self._key = key.encode()
        self._epoch = epoch
        self._sessions = URLSafeTimedSerializer(key, salt="session")
        self._visits = URLSafeTimedSerializer(key, salt="visit")

    # ------------------------------------------------------------------ sessions
    def session(self, request: Request) -> BrowserSession | None:
        """Who is logged in, if anybody."""
        found = self._read(self._sessions, request.cookies.get(COOKIE))
        if not isinstance(found, list) or len(found) != 2:
            return None
        session = BrowserSession(str(found[0]), str(found[1]))
        return session if same(session.epoch, self._epoch) else None

    def start(self, request: Request, response: Response) -> None:
        """Log this browser in."""
        value = self._sessions.dumps([secrets.token_urlsafe(16), self._epoch])
        self._set(request, response, COOKIE, str(value))

    def end(self, response: Response) -> None:
        """Log this browser out."""
        response.delete_cookie(COOKIE, path="/")

    # ------------------------------------------------------------------ forms
    def form_token(self, owner: str) -> str:
        """The token that this owner's forms carry (against requests forged by other sites)."""
        return hmac.new(self._key, f"form:{owner}".encode(), hashlib.sha256).hexdigest()

    def form_token_fits(self, owner: str, token: str) -> bool:
        return same(self.form_token(owner), token)

    def visitor(self, request: Request) -> str | None:
        """The name of a browser that is not logged in."""
        found = self._read(self._visits, request.cookies.get(VISITOR_COOKIE))
        return found if isinstance(found, str) else None

    @staticmethod
    def new_visitor() -> str:
        """A name for a browser, for its log-in form."""
        return secrets.token_urlsafe(16)

    def name_visitor(self, request: Request, response: Response, name: str) -> None:
        self._set(request, response, VISITOR_COOKIE, str(self._visits.dumps(name)))

    # ------------------------------------------------------------------ parts
    @staticmethod
    def _read(serializer: URLSafeTimedSerializer, value: str | None) -> object:
        try:
            return serializer.loads(value or "", max_age=SESSION_SECONDS)
        except BadData:
            return None

    @staticmethod
    def _set(request: Request, response: Response, name: str, value: str) -> None:
        response.set_cookie(
            name,
            value,
            max_age=SESSION_SECONDS,
            path="/",
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )

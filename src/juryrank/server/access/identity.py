"""Who is asking: a logged-in browser, a judge's link, or a program's token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from juryrank.server.access.cookies import COOKIE, BrowserSession, form_token_fits
from juryrank.server.access.vault import LINK, TOKEN, Holder, Scope
from juryrank.server.context import Context, context_of
from juryrank.server.web.guard import address_of, note_actor
from juryrank.server.web.problems import NotLoggedIn
from juryrank.storage.values import WHOLE_STORAGE

BAD_LINK = (
    "This link does not work: it is mistyped, has ended, was replaced by a newer one, or its study is gone. "
    "Ask whoever sent it for a new one."
)
OTHER_STUDY = "You are invited to one study, and this page is not about it."
VIEWER = "You may look at this study, not change it. One of its owners can invite you as an owner."
NO_TOKEN = "Send a valid token: Authorization: Bearer TOKEN. Tokens are made on the page /admin/tokens."
bearer = HTTPBearer(auto_error=False, description="A token made on /admin/tokens or through the API.")


# ---------------------------------------------------------------------------- pages
def anybody_logged_in(request: Request) -> BrowserSession:
    """The session of a page that needs one, whatever it may do."""
    context = context_of(request)
    session = context.cookies.session(request)
    if session is None:
        if COOKIE in request.cookies:
            slow_down(context, request)
        raise NotLoggedIn
    note_actor(request, session.holder)
    return session


def looking(request: Request) -> BrowserSession:
    """The session of somebody who may look at the study of this page."""
    session = anybody_logged_in(request)
    if not _is_about(session.holder, request):
        raise HTTPException(403, OTHER_STUDY)
    return session


def logged_in(request: Request) -> BrowserSession:
    """The session of an owner: of the study in the path, or of everything."""
    session = looking(request)
    if session.holder.scope is not Scope.ADMIN:
        raise HTTPException(403, VIEWER)
    return session


def any_owner(request: Request) -> BrowserSession:
    """The session of an owner of any study: files are uploaded before a study takes them."""
    session = anybody_logged_in(request)
    if session.holder.scope is not Scope.ADMIN:
        raise HTTPException(403, VIEWER)
    return session


def _is_about(holder: Holder, request: Request) -> bool:
    """Is the credential for the study in the path, or for all studies?"""
    return holder.study == WHOLE_STORAGE or str(request.path_params.get("study")) == str(holder.study)


def checked_form(request: Request, session: BrowserSession, token: str) -> None:
    """Refuse a form that did not come from our own page."""
    if not form_token_fits(session.secret, token):
        raise HTTPException(403, "This form is from an older or another page. Go back, reload, and send it again.")


def judge_of(request: Request, secret: str) -> Holder:
    """The judge behind a link; wrong and revoked links get the same answer."""
    context = context_of(request)
    holder = context.vault.holder(LINK, secret)
    if holder is None or holder.judge is None:
        slow_down(context, request)
        raise HTTPException(404, BAD_LINK)
    within_rate(context, holder, request)
    return holder


# ---------------------------------------------------------------------------- programs
def token_holder(
    request: Request, sent: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> Holder:
    """The program behind a token; judges' links are not tokens."""
    context = context_of(request)
    holder = context.vault.holder(TOKEN, sent.credentials) if sent else None
    if holder is None:
        if sent:
            slow_down(context, request)
        raise HTTPException(401, NO_TOKEN, {"WWW-Authenticate": "Bearer"})
    if holder.scope is Scope.JUDGE:
        within_rate(context, holder, request)
    else:
        note_actor(request, holder)
    return holder


Token = Annotated[Holder, Depends(token_holder)]
StudyNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The study's number.")]


class Allowed:
    """A dependency: the token's scope fits, and its study is the one in the path (if any)."""

    def __init__(self, *scopes: Scope) -> None:
        self.scopes = scopes

    def __call__(self, request: Request, holder: Token) -> Holder:
        if holder.scope not in self.scopes:
            wanted = " or ".join(scope.value for scope in self.scopes)
            raise HTTPException(403, f"This token may {holder.scope.value} only; this needs {wanted}.")
        if not _is_about(holder, request):
            raise HTTPException(403, f"This token is for study {holder.study} only.")
        return holder


Admin = Annotated[Holder, Depends(Allowed(Scope.ADMIN))]
Reader = Annotated[Holder, Depends(Allowed(Scope.ADMIN, Scope.READ))]
Asker = Annotated[Holder, Depends(Allowed(Scope.ADMIN, Scope.JUDGE))]


def slow_down(context: Context, request: Request) -> None:
    """After many wrong secrets an address must wait before its next wrong one.

    Only wrong ones: a secret has 192 bits, so whoever has a right one did not guess it, whatever others at the
    same address do.
    """
    wait = context.wrong.take(address_of(request.scope))
    if wait:
        raise HTTPException(
            429, "Too many wrong links, tokens or passwords from this address. Wait a minute.",
            {"Retry-After": str(int(wait) + 1)},
        )  # fmt: skip


def within_rate(context: Context, holder: Holder, request: Request) -> None:
    """Refuse a judge who sends faster than anybody can read; one question may need many files."""
    limits = context.file_limits if "hash" in request.path_params else context.judge_limits
    wait = limits.take(f"{holder.study}/{holder.judge}")
    if wait:
        raise HTTPException(429, "That was very fast. Wait a second.", {"Retry-After": str(int(wait) + 1)})

"""Logging in and out; invitations; the start page; health for monitors."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from juryrank._version import __version__
from juryrank.server.access.cookies import form_token, form_token_fits, new_visitor
from juryrank.server.access.identity import anybody_logged_in, checked_form, slow_down
from juryrank.server.access.vault import INVITATION, TOKEN, Holder, Scope
from juryrank.server.context import Context, context_of
from juryrank.server.web.guard import address_of
from juryrank.server.web.templating import page
from juryrank.storage.values import WHOLE_STORAGE

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def health(request: Request) -> Response:
    """Is the server up, and does its database answer?"""
    return _well(context_of(request).health.answers(), "the database does not answer")


@router.get("/healthz/write")
def health_write(request: Request) -> Response:
    """Does the database take a write?"""
    return _well(context_of(request).health.writes(), "the database takes no write")


def _well(well: bool, otherwise: str) -> Response:
    return JSONResponse({"status": "ok" if well else otherwise, "version": __version__}, 200 if well else 503)


@router.get("/")
def front(request: Request) -> Response:
    return RedirectResponse("/admin", 303)


@router.get("/login")
def login_page(request: Request, next: str = "/admin") -> Response:
    if context_of(request).cookies.session(request) is not None:
        return RedirectResponse(_inside(next), 303)
    return _form(request, next=next)


@router.post("/login")
async def login(
    request: Request,
    secret: Annotated[str, Form()] = "",
    form_token: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/admin",
) -> Response:
    """Log in with the password or a token. A valid token always passes, as nobody can guess one."""
    context = context_of(request)
    if not form_token_fits(context.cookies.visitor(request), form_token):
        return _form(request, next=next, problem="That form had expired. Please try again.", status=403)
    token = await run_in_threadpool(_usable_token, context, secret)
    if token is None:
        fits, wait = await context.passwords.wait_for(address_of(request.scope), secret)
        if wait:
            raise HTTPException(
                429, "Too many wrong passwords. Wait a minute.", {"Retry-After": str(int(wait) + 1)}
            )
        if not fits:
            return _form(request, next=next, problem="That is not the password, nor a key that works.", status=403)
    return await run_in_threadpool(_logged_in, request, token, next)


def _usable_token(context: Context, secret: str) -> Holder | None:
    """Whoever has a token for everything or for one study, to run it or to look; judges have links."""
    holder = context.vault.holder(TOKEN, secret)
    return holder if holder is not None and holder.scope is not Scope.JUDGE else None


def _logged_in(request: Request, token: Holder | None, next: str) -> Response:
    where = _inside(next)
    if token is not None and token.study != WHOLE_STORAGE and where == "/admin":
        where = f"/admin/studies/{token.study}"
    context, response = context_of(request), RedirectResponse(where, 303)
    began = context.cookies.start(request, response, parent=token)
    context.audit.record(began, "login")
    return response


@router.post("/logout")
def logout(request: Request, form_token: Annotated[str, Form()] = "") -> Response:
    session = anybody_logged_in(request)
    checked_form(request, session, form_token)
    response = RedirectResponse("/login", 303)
    context_of(request).cookies.end(session, response)
    return response


def _form(request: Request, *, next: str, problem: str = "", status: int = 200) -> Response:
    cookies = context_of(request).cookies
    visitor = cookies.visitor(request) or new_visitor()
    token = form_token(visitor)
    response = page(request, "login.html", status=status, form_token=token, next=_inside(next), problem=problem)
    cookies.name_visitor(request, response, visitor)
    return response


def _inside(path: str) -> str:
    """The path, if it is a page of our own; else the start page.

    >>> _inside("//evil.example"), _inside("/admin/new")
    ('/admin', '/admin/new')
    """
    fine = path.startswith("/") and not path.startswith(("//", "/\\")) and "\n" not in path and "\r" not in path
    return path if fine else "/admin"


# ----------------------------------------------------------------------------
# An invitation to one study: what it is for, and accepting it, once
MOST_NAME = 100
ROLES = {
    Scope.ADMIN: ("an owner", "You can change everything about it, send its links and see its results."),
    Scope.READ: ("a viewer", "You can see its results and download them, and change nothing."),
}
NO_INVITATION = (
    "This invitation does not work: it was accepted already, withdrawn, has ended, or is mistyped. If you "
    "accepted it, open the link that you were told to keep. Otherwise ask for a new invitation."
)


def invited(request: Request, secret: str) -> Holder:
    """What an invitation is for; used, withdrawn and wrong ones get the same answer."""
    context = context_of(request)
    found = context.vault.holder(INVITATION, secret)
    if found is None:
        slow_down(context, request)
        raise HTTPException(404, NO_INVITATION)
    return found


@router.get("/i/{secret}")
def look(request: Request, secret: str) -> Response:
    """Looking accepts nothing: a chat program's preview may look as well."""
    found, context = invited(request, secret), context_of(request)
    if _has_it_already(request, found):
        return RedirectResponse(f"/admin/studies/{found.study}", 303)
    role, words = ROLES[found.scope]
    name = context.open_studies.study(found.study).name
    return page(request, "invitation.html", base=f"/i/{secret}", title=name, role=role, words=words, key="")


@router.post("/i/{secret}")
def accept(request: Request, secret: str, name: Annotated[str, Form(max_length=1000)] = "") -> Response:
    """The invitation is used up; the browser is logged in, and the person gets a link to come back with."""
    found, context = invited(request, secret), context_of(request)
    study = context.open_studies.study(found.study)
    taken = context.vault.accept(secret, name=" ".join(name.split())[:MOST_NAME])
    if taken is None:
        raise HTTPException(404, NO_INVITATION)
    holder, key = taken
    role, words = ROLES[holder.scope]
    made = page(
        request, "invitation.html", base=f"/admin/studies/{study.id}", title=study.name, role=role, words=words,
        key=f"{context.address(request)}/login#{key}",
    )  # fmt: skip
    context.audit.record(context.cookies.start(request, made, parent=holder), "accept", study=study.id)
    return made


def _has_it_already(request: Request, found: Holder) -> bool:
    """May this browser do at least what the invitation offers? Then accepting it would only take rights away."""
    session = context_of(request).cookies.session(request)
    if session is None or session.holder.study not in (WHOLE_STORAGE, found.study):
        return False
    return session.holder.scope in (Scope.ADMIN, found.scope)

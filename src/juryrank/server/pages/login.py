"""Logging in and out; the front door; health for monitors."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from juryrank._version import __version__
from juryrank.errors import JuryrankError
from juryrank.server.access.identity import checked_form, logged_in
from juryrank.server.access.vault import TOKEN, Scope
from juryrank.server.context import context_of
from juryrank.server.web.guard import address_of
from juryrank.server.web.templating import page

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def health(request: Request) -> Response:
    """Is the server up, and does its database answer?"""
    try:
        context_of(request).storage.now()
        context_of(request).vault.epoch()
    except JuryrankError:
        return JSONResponse({"status": "storage does not answer", "version": __version__}, 503)
    return JSONResponse({"status": "ok", "version": __version__})


@router.get("/")
def front(request: Request) -> Response:
    return RedirectResponse("/admin", 303)


@router.get("/login")
def login_page(request: Request, next: str = "/admin") -> Response:
    if context_of(request).cookies.session(request) is not None:
        return RedirectResponse(_inside(next), 303)
    return _form(request, next=next)


@router.post("/login")
def login(
    request: Request,
    secret: Annotated[str, Form()] = "",
    form_token: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/admin",
) -> Response:
    """Password or admin token, whichever was typed."""
    context = context_of(request)
    cookies, address = context.cookies, address_of(request.scope)
    visitor = cookies.visitor(request)
    if visitor is None or not cookies.form_token_fits(visitor, form_token):
        return _form(request, next=next, problem="That form had expired. Please try again.", status=403)
    wait = context.wrong.empty(address)
    if wait:
        raise HTTPException(429, "Too many wrong passwords. Wait a minute.", {"Retry-After": str(int(wait) + 1)})
    holder = context.vault.holder(TOKEN, secret)
    allowed = holder is not None and holder.scope is Scope.ADMIN and holder.study == 0
    if not (context.vault.password_fits(secret) or allowed):
        context.wrong.take(address)
        return _form(request, next=next, problem="That is not the password, nor an admin token.", status=403)
    response = RedirectResponse(_inside(next), 303)
    cookies.start(request, response)
    return response


@router.post("/logout")
def logout(request: Request, form_token: Annotated[str, Form()] = "") -> Response:
    session = logged_in(request)
    checked_form(request, session, form_token)
    response = RedirectResponse("/login", 303)
    context_of(request).cookies.end(response)
    return response


def _form(request: Request, *, next: str, problem: str = "", status: int = 200) -> Response:
    cookies = context_of(request).cookies
    visitor = cookies.visitor(request) or cookies.new_visitor()
    token = cookies.form_token(visitor)
    response = page(request, "login.html", status=status, form_token=token, next=_inside(next), problem=problem)
    cookies.name_visitor(request, response, visitor)
    return response


def _inside(path: str) -> str:
    """Only ever go to a page of our own.

    >>> _inside("//evil.example"), _inside("/admin/new")
    ('/admin', '/admin/new')
    """
    fine = path.startswith("/") and not path.startswith(("//", "/\\")) and "\n" not in path and "\r" not in path
    return path if fine else "/admin"

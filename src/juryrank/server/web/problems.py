"""Errors as responses: a page for people, JSON for programs, always with what to do next."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from juryrank.errors import (
    AnsweredTwice,
    BadInput,
    CannotJoin,
    JuryrankError,
    LateAnswer,
    MissingExtra,
    StorageError,
    StudyClosed,
    StudyExists,
    UnknownName,
    UnknownQuestion,
    WrongJudge,
)
from juryrank.quoting import visible
from juryrank.server.languages.speaking import ErrorForJudge, is_judges, problem_heading, problem_words
from juryrank.server.web import guard
from juryrank.server.web.guard import REFUSALS, redacted
from juryrank.server.web.templating import frame_of, page
from juryrank.storage import LogChanged

log = logging.getLogger("juryrank.server")

# The first kind that fits decides; what fits none is our own fault: 500.
STATUS: tuple[tuple[type[JuryrankError], int, str], ...] = (
    (LogChanged, 404, "deleted"),
    (StorageError, 503, "storage"),
    (UnknownName, 404, "unknown"),
    (AnsweredTwice, 409, "answered_already"),
    (StudyClosed, 409, "closed"),
    (StudyExists, 409, "exists"),
    (LateAnswer, 409, "late"),
    (CannotJoin, 409, "cannot_join"),
    (WrongJudge, 403, "wrong_judge"),
    (MissingExtra, 501, "missing_extra"),
    (BadInput, 422, "bad_input"),
    (JuryrankError, 409, "refused"),
)
NO_DATABASE = (
    "The server's database cannot be used at the moment. What was confirmed is saved; try again in a minute. "
    "Whoever runs the server finds the reason in its log."
)
# These name the database, or where juryrank is installed: for whoever runs the server, not for whoever asks.
FOR_OPERATORS = {
    "storage": NO_DATABASE,
    "missing_extra": "The server lacks a package for this. Whoever runs the server finds its name in the log.",
}
HEADINGS: Mapping[int, str] = {
    401: "Please log in",
    403: "Not allowed",
    404: "Not found",
    405: "Not like this",
    409: "That did not work",
    422: "Something is missing",
    501: "Not installed",
    503: "The database does not answer",
    **{status: heading for status, (_, heading) in REFUSALS.items()},
}


class NotLoggedIn(Exception):
    """A page that needs a log-in."""


def answer(
    request: Request,
    status: int,
    code: str,
    words: str,
    headers: Mapping[str, str] | None = None,
    *,
    told: bool = False,
) -> Response:
    """A problem as HTML or JSON, as the client reads it; `told`: the words are in the judge's language already."""
    heading = HEADINGS.get(status, "Something went wrong")
    if is_judges():
        heading, words = problem_heading(status), words if told else problem_words(code)
    if guard.wants_json(request.scope):
        return JSONResponse({"code": code, "detail": words}, status, headers=dict(headers or {}))
    frame = {} if is_judges() else frame_of(request)
    return page(request, "message.html", status=status, headers=headers, heading=heading, lines=[words], **frame)


def status_of(problem: JuryrankError) -> tuple[int, str]:
    """The HTTP status and the short code of an error.

    >>> status_of(UnknownName("x"))
    (404, 'unknown')
    """
    return next((status, code) for kind, status, code in STATUS if isinstance(problem, kind))


def install(app: FastAPI) -> None:
    """Register the handlers that turn errors into such responses."""
    app.add_exception_handler(JuryrankError, _on_ours)
    app.add_exception_handler(NotLoggedIn, _on_not_logged_in)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_surprise)


async def _on_ours(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, JuryrankError)
    status, code = status_of(problem)
    if code in FOR_OPERATORS:
        log.error("%s %s: %s", request.method, redacted(request.url.path), visible(str(problem)))
        return await run_in_threadpool(answer, request, status, code, FOR_OPERATORS[code])
    if is_judges() and isinstance(problem, UnknownQuestion):
        return answer(request, status, code, problem_words("question"), told=True)
    told = isinstance(problem, ErrorForJudge)
    return await run_in_threadpool(partial(answer, request, status, code, sentence(str(problem)), told=told))


async def _on_not_logged_in(request: Request, problem: Exception) -> Response:
    if guard.wants_json(request.scope):
        return answer(request, 401, "not_logged_in", "Log in first.")
    after = request.url.path if request.method == "GET" else "/admin"
    return RedirectResponse(f"/login?next={after}", 303)


async def _on_invalid(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0] if problem.errors() else {"loc": (), "msg": "it cannot be read"}
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the request"
    return answer(request, 422, "invalid", f"{where}: {first['msg']}")


async def _on_http(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    if problem.status_code == 400:  # a body that is not even text
        return answer(request, 422, "invalid", "The request cannot be read: send UTF-8 text or a complete form.")
    words = (
        {
            404: "There is nothing at this address. Check the link, or go back.",
            405: "This address does not take that kind of request.",
        }.get(problem.status_code)
        if problem.detail in ("Not Found", "Method Not Allowed")
        else None
    )
    code = {401: "no_token", 403: "forbidden", 404: "unknown", 405: "method", 429: "too_many"}
    return answer(
        request,
        problem.status_code,
        code.get(problem.status_code, "refused"),
        words or str(problem.detail),
        problem.headers,
    )


async def _on_surprise(request: Request, problem: Exception) -> Response:
    log.error("%s %s failed: %s", request.method, redacted(request.url.path), type(problem).__name__)
    words = "The server made a mistake; it is in its log. Nothing that was confirmed is lost: try again."
    with guard.in_their_language(request.scope, request.url.path):  # this one is called outside of the guard
        return answer(request, 500, "mistake", words)


def sentence(words: str) -> str:
    """An error's words as a sentence.

    >>> sentence("it is late; wait")
    'It is late; wait.'
    """
    words = words.strip()
    return (words[:1].upper() + words[1:]).rstrip(".") + "." if words else words

"""The application: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, FastAPI
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope as AsgiScope

from juryrank._version import __version__
from juryrank.defaults import THREADS
from juryrank.server.api import crowd, judges, questions, reference, studies, tokens
from juryrank.server.api.shapes import Problem
from juryrank.server.context import Context
from juryrank.server.pages import (
    admin,
    edits,
    heads,
    items,
    judge,
    login,
    new_study,
    open_link,
    public,
    result,
    share,
)
from juryrank.server.pages import study as study_pages
from juryrank.server.settings import ServerSettings
from juryrank.server.web import problems
from juryrank.server.web.guard import Guard
from juryrank.server.web.templating import STATIC
from juryrank.storage import Storage

KEEP = "public, max-age=31536000, immutable"
ANSWERS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in {
        401: "No valid token",
        403: "The token does not allow it",
        404: "No such study, judge or question",
        409: "Not now: closed, answered already, or there already",
        413: "Too large",
        422: "Not understood",
        429: "Too many requests",
        501: "An optional package is not installed",
        503: "The database does not answer",
    }.items()
}


class Assets(StaticFiles):
    """Our own files; their addresses change with their content, so browsers may keep them."""

    async def get_response(self, path: str, scope: AsgiScope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = KEEP if b"v=" in scope.get("query_string", b"") else "max-age=3600"
        return response


def create_app(settings: ServerSettings | None = None, *, storage: Storage | None = None) -> FastAPI:
    """The whole server as one ASGI application."""
    settings = settings or ServerSettings.from_environment()
    context = Context.open(settings, storage)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        context.models.go_on()
        context.retention.watch()
        yield
        context.retention.close()
        context.models.close()
        context.storage.close()

    app = FastAPI(
        title="juryrank",
        version=__version__,
        summary="Rank anything with judges you can't fully trust.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.context = context
    app.add_middleware(Guard, settings=settings)
    problems.install(app)
    app.router.routes.extend(_routes())
    app.mount("/static", Assets(directory=STATIC))
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Every route; FastAPI takes a third of a second to read their functions, once for all apps of a process."""
    api, everything = APIRouter(prefix="/api/v1", responses=ANSWERS), APIRouter()
    for page in (judge, open_link):  # before all others: a request is held against one route after the other
        everything.include_router(page.router)
    for part in (studies, judges, crowd, questions, tokens):
        api.include_router(part.router)
    everything.include_router(api)
    for page in (
        *(login, heads, public, admin, new_study),
        *(share, items, edits, result, study_pages, reference),
    ):
        everything.include_router(page.router)
    return tuple(everything.routes)

"""Templates and our own static files, named by their content so that browsers may keep them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from juryrank.defaults import PAGE_ROWS
from juryrank.errors import StorageError
from juryrank.quoting import TURNING
from juryrank.server.languages.speaking import ntr, spoken_language, tr

HERE = Path(__file__).parents[1]
STATIC = HERE / "static"


@cache
def asset(name: str) -> str:
    """The address of a static file; it changes with the file.

    >>> asset("style.css").startswith("/static/style.css?v=")
    True
    """
    return f"/static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


def forwards(text: str) -> str:
    """A text without signs that turn its direction: a page's title has no element that would hold them in.

    >>> forwards("Ann\u202edlrow")
    'Anndlrow'
    """
    return "".join(letter for letter in text if letter not in TURNING)


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["forwards"] = forwards
    made.globals.update(asset=asset, tr=tr, ntr=ntr, language=spoken_language, page_rows=PAGE_ROWS)
    made.tests["contains"] = lambda text, part: part.casefold() in str(text).casefold()
    for name in ("flash", "frame", "problem", "section", "home", "link", "address", "form_token", "made", "files"):
        made.globals[name] = ""
    return made


def html(template: str, **values: Any) -> str:
    """A template filled in; everything is escaped unless a template says otherwise."""
    return environment().get_template(template).render(**values)


def page(
    request: Request, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """A whole page."""
    return HTMLResponse(html(template, **values), status, headers=dict(headers or {}))


def frame_of(request: Request, *, section: str = "") -> dict[str, Any]:
    """The menu around a page, for a browser that is logged in; nothing for anybody else, or without a database."""
    try:
        session = request.app.state.context.cookies.session(request) if request.cookies else None
    except StorageError:
        session = None
    if session is None:
        return {}
    holder = session.holder
    rights = {"owner": holder.scope == "admin", "everywhere": not holder.study}
    return {"frame": "admin.html", "section": section, "form_token": session.form_token, **rights}

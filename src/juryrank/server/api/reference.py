"""The API's reference page, written from the OpenAPI document itself."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from juryrank.server.web.templating import frame_of, page

router = APIRouter(include_in_schema=False)


@router.get("/api/docs")
def reference(request: Request) -> Response:
    """Every route, what it does and who may use it; no log-in needed, it holds no secrets."""
    document = request.app.openapi()
    rows: list[dict[str, Any]] = [
        {"method": method.upper(), "path": path, "words": _words(about)}
        for path, methods in document["paths"].items()
        for method, about in methods.items()
    ]
    return page(request, "reference.html", rows=rows, **frame_of(request, section="api"))


def _words(about: dict[str, Any]) -> str:
    return str(about.get("description") or about.get("summary") or "")

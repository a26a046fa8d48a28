"""The result for anybody who has its link, to read only; a picture of it for other pages."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from juryrank.report.picture.picture import picture_svg
from juryrank.server.access.identity import slow_down
from juryrank.server.context import context_of
from juryrank.server.files.transfer import file_response, no_file
from juryrank.server.pages.result import board_page
from juryrank.server.web.templating import page

router = APIRouter(prefix="/r/{code}", include_in_schema=False)
NO_PAGE = "This page does not exist, or is not public any more. Ask whoever sent you its link."
FROZEN = "The result is held back for now: its page shows how things stood before."
PLAIN = {"Cache-Control": "max-age=60"}


def public_study(request: Request) -> int:
    """The study behind a public page."""
    context = context_of(request)
    study = context.public_pages.study_of(str(request.path_params["code"]))
    if study is None:
        slow_down(context, request)
        raise HTTPException(404, NO_PAGE)
    return study


@router.get("")
def result(request: Request) -> Response:
    """The order, what is proven, and what is only estimated; nobody's name and nobody's answers."""
    context, study = context_of(request), public_study(request)
    frozen = context.boards.of(study)
    if frozen is not None:
        return board_page(request, frozen, base=request.url.path, frozen=True)
    view = context.overviews.for_others(study)
    return page(request, "public.html", headers=PLAIN, view=view, base=request.url.path, files=request.url.path)


@router.get("/file/{hash}")
def small_picture(request: Request) -> Response:
    """A small picture of an item; the files that judges see are not public."""
    context, study, hash = context_of(request), public_study(request), str(request.path_params["hash"])
    if hash not in context.overviews.for_others(study).thumbs.values():
        return no_file()
    return file_response(request, context.storage, study, hash)


@router.get("/picture.svg")
def picture(request: Request) -> Response:
    """The picture of the result, for an <img> on another page; none while the board is frozen."""
    context, study = context_of(request), public_study(request)
    if context.boards.of(study) is not None:
        raise HTTPException(404, FROZEN)
    view = context.overviews.for_others(study)
    drawn = picture_svg(view.ranking, title=view.name)
    return Response(drawn, media_type="image/svg+xml", headers=PLAIN)

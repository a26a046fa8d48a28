"""A result to take along or to show: as text, as a picture, as marks, on a board for a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Form, Request
from markupsafe import Markup
from starlette.responses import PlainTextResponse, Response

from juryrank.errors import BadInput, JuryrankError
from juryrank.report.picture.picture import picture_png, picture_svg
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import StudyNumber
from juryrank.server.context import context_of
from juryrank.server.dashboard.board import board_of
from juryrank.server.dashboard.marks import Mark, MarkScale, keep_scale, marks_of, scale_of
from juryrank.server.dashboard.overview import Overview
from juryrank.server.pages.forms import LoggedIn, Looking, Sent, done, number
from juryrank.server.pages.study import tab_page
from juryrank.server.studies.downloads import attachment, slug, table_file
from juryrank.server.web.guard import nothing_done
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import page
from juryrank.votes.write import table_text

router = APIRouter(prefix="/admin/studies/{study}", include_in_schema=False)
GRADE_ROWS = 6  # empty ones are left out


def _view(request: Request, study: int) -> Overview:
    return context_of(request).overviews.get(study, fresh=True)


# ---------------------------------------------------------------------------- text and pictures
@router.get("/text")
def as_text(request: Request, session: Looking, study: StudyNumber) -> Response:
    """The result to paste into a mail or onto a slide."""
    return PlainTextResponse(_view(request, study).text)


@router.get("/picture.svg")
def as_svg(request: Request, session: Looking, study: StudyNumber) -> Response:
    view = context_of(request).overviews.now(study)
    drawn = picture_svg(view.ranking, title=view.name).encode()
    return attachment(drawn, f"{slug(view.name)}.svg", "image/svg+xml")


@router.get("/picture.png")
def as_png(request: Request, session: Looking, study: StudyNumber) -> Response:
    view = context_of(request).overviews.now(study)
    return attachment(picture_png(view.ranking, title=view.name), f"{slug(view.name)}.png", "image/png")


# ---------------------------------------------------------------------------- marks
@router.get("/marks")
def marks(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    return _marks_page(request, session, study, scale_of(context_of(request).storage, study))


@router.post("/marks")
def save_marks(
    request: Request,
    session: Sent,
    study: StudyNumber,
    low: Annotated[str, Form()] = "0",
    high: Annotated[str, Form()] = "100",
    anchor: Annotated[list[str] | None, Form()] = None,
    anchor_mark: Annotated[list[str] | None, Form()] = None,
    grade: Annotated[list[str] | None, Form()] = None,
    cut: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Choose the scale of the marks."""
    context = context_of(request)
    before = scale_of(context.storage, study)
    try:
        chosen = MarkScale(
            number(low, "the lowest mark"),
            number(high, "the highest mark"),
            _pairs(anchor or [], anchor_mark or [], "the mark of an anchor"),
            _pairs(grade or [], cut or [], "where a grade begins"),
        )
        unknown = [item for item, _ in chosen.anchors if item not in context.open_studies.study(study).items]
        if unknown:
            raise BadInput("an anchor is not an item of this study: choose it from the list")
        marks_of(_view(request, study).ranking.estimates, chosen)
    except JuryrankError as problem:
        typed: dict[str, Any] = {"low": low, "high": high}
        if grade:
            typed["grades"] = [*zip(grade, cut or [], strict=False)]
        if anchor:
            typed["anchors"] = [*zip(anchor, anchor_mark or [], strict=False)]
        return _marks_page(request, session, study, before, problem=sentence(str(problem)), typed=typed)
    if chosen == before:
        nothing_done(request)
    keep_scale(context.storage, study, chosen)
    return done(f"/admin/studies/{study}/marks", "saved")


def _pairs(names: Sequence[str], numbers: Sequence[str], what: str) -> tuple[tuple[str, float], ...]:
    """Names with numbers; rows without a name are left out."""
    rows = zip(names, numbers, strict=False)
    return tuple((name.strip(), number(mark, what)) for name, mark in rows if name.strip())


@router.get("/marks/csv")
def marks_file(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """The marks for a spreadsheet, with names."""
    view, scale = context_of(request).overviews.now(study), scale_of(context_of(request).storage, study)
    columns = ("place", "name", "mark", "mark_low", "mark_high", "grade", "judges_disagree")
    rows = [dict(zip(columns, _row(one), strict=True)) for one in _marks(view, scale)]
    return table_file(table_text(rows, otherwise=columns), view.name, "marks")


def _row(one: Mark) -> tuple[object, ...]:
    numbers = (f"{value:.1f}" for value in (one.mark, one.low, one.high))
    return (one.place, one.item, *numbers, one.grade, "yes" if one.contested else "")


def _marks(view: Overview, scale: MarkScale) -> list[Mark]:
    return marks_of(view.ranking.estimates, scale, view.contested) if view.begun else []


def _marks_page(
    request: Request,
    session: BrowserSession,
    study: int,
    scale: MarkScale,
    *,
    problem: str = "",
    typed: Mapping[str, Any] | None = None,
) -> Response:
    """Marks beside their scale; `typed`: as somebody filled it in, where it is not saved."""
    view = _view(request, study)
    try:
        rows = _marks(view, scale)
    except BadInput as why:  # the ranking has turned the anchors round since
        rows, problem = [], problem or sentence(str(why))
    lowest, room = scale.grades[-1][1] if scale.grades else scale.high, max(1, GRADE_ROWS - len(scale.grades))
    empty = [
        ("", lowest - (lowest - scale.low) * (k + 1) / room) for k in range(room)
    ]  # the last one takes the rest
    fields = {
        "low": f"{scale.low:g}", "high": f"{scale.high:g}", "grades": [*scale.grades, *empty],
        "anchors": [(item, f"{mark:g}") for item, mark in scale.anchors] or [("", ""), ("", "")],
        **(typed or {}),
    }  # fmt: skip
    return tab_page(
        request, session, study, "marks.html", "Result", status=422 if problem else 200, problem=problem,
        rows=rows, scale=scale, **fields,
    )  # fmt: skip


# ---------------------------------------------------------------------------- the board
@router.get("/board")
def board(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """A page to project: names as the public may see them."""
    context = context_of(request)
    view, link = context.overviews.for_others(study), context.open_links.of(study)
    frozen = context.boards.of(study)
    join = context.open_link(request, link.code) if link and link.on and not view.closed else ""
    return board_page(
        request, frozen or board_of(view), base=f"/admin/studies/{study}", join=join, frozen=frozen is not None,
        form_token=session.form_token, owner=True, hidden=bool(view.labels), code=_code(join),
    )  # fmt: skip


@router.post("/board/freeze")
def freeze_board(request: Request, session: Sent, study: StudyNumber) -> Response:
    """Leave the board, and the public page, as they are now."""
    context = context_of(request)
    if context.boards.of(study) is not None:
        nothing_done(request)
    context.boards.freeze(study, board_of(context.overviews.for_others(study)))
    return done(f"/admin/studies/{study}/board", "frozen")


@router.post("/board/go-on")
def unfreeze_board(request: Request, session: Sent, study: StudyNumber) -> Response:
    """Show the result as it is."""
    context = context_of(request)
    if context.boards.of(study) is None:
        nothing_done(request)
    context.boards.go_on(study)
    return done(f"/admin/studies/{study}/board", "unfrozen")


def board_page(request: Request, shown: Mapping[str, Any], **values: Any) -> Response:
    """The board itself."""
    values = {"owner": False, "join": "", "code": "", "hidden": False, "form_token": "", **values}
    return page(request, "board.html", board=shown, **values)


def _code(address: str) -> Markup:
    """An address to scan, as a drawing in the page."""
    if not address:
        return Markup("")
    drawn = segno.make(address, error="m").svg_inline(omitsize=True, dark="#000", light="#fff", border=3)
    return Markup(drawn)

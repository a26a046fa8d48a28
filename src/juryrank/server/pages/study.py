"""One study on the dashboard: result, judges, settings, data; its live parts."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from juryrank.errors import JuryrankError
from juryrank.rankers.registry import ranker_class, ranker_names
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import StudyNumber, logged_in
from juryrank.server.access.vault import Scope
from juryrank.server.context import context_of
from juryrank.server.languages.speaking import LANGUAGES
from juryrank.server.pages.forms import LoggedIn, Looking, Sent, admin_page, done
from juryrank.server.studies.advice import reading
from juryrank.server.studies.downloads import (
    EXPORTS,
    FORMAT_WORDS,
    certificate_file,
    comment_rows,
    comments_file,
    export_file,
    participants_file,
    ranking_file,
    report_file,
)
from juryrank.server.studies.items import shown_items
from juryrank.server.studies.managing import rename_study, set_closed
from juryrank.server.studies.reliability import study_reliability
from juryrank.server.studies.setup import PARTS, Setup, fingerprint, hidden_labels
from juryrank.server.web.guard import note_details
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import html

router = APIRouter(prefix="/admin/studies/{study}", include_in_schema=False)
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("")
def result(request: Request, session: Looking, study: StudyNumber) -> Response:
    return tab_page(request, session, study, "result.html", "Result")


@router.get("/part")
def result_part(request: Request, session: Looking, study: StudyNumber) -> Response:
    """The live part of the result page; names of judges, in notes and charts, are for owners."""
    owner = session.holder.scope is Scope.ADMIN
    drawn = context_of(request).overviews.drawn(
        study, f"result {owner}", lambda view: html("result_part.html", view=view, owner=owner)
    )
    return HTMLResponse(drawn)


@router.get("/events")
def events(request: Request, session: Looking, study: StudyNumber) -> Response:
    """Server-sent events: the page fetches its parts when something changed."""
    context = context_of(request)
    context.open_studies.study(study)
    news = context.live.stream(study, allowed=lambda: context.cookies.session(request) is not None)
    return StreamingResponse(news, media_type="text/event-stream", headers=STREAM_HEADERS)


@router.get("/judges")
def judges(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    rows = context_of(request).overviews.get(study, fresh=True).judges
    chosen = request.query_params.get("judge", "")
    one = next((row for row in rows if row["id"] == chosen), None)
    return tab_page(request, session, study, "judges.html", "Judges", judges=rows, one=one)


@router.get("/settings")
def settings(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    return settings_page(request, session, study)


@router.get("/data")
def data(
    request: Request,
    session: Looking,
    study: StudyNumber,
    ranker: str = "",
    error: float | None = None,
    reliability: str = "",
) -> Response:
    """Exports, the report, and the same answers under other settings."""
    context = context_of(request)
    found, votes = context.open_studies.study(study), context.overviews.votes(study)
    chosen = {"ranker": ranker or found.created["ranker"], "error": error or found.created["error"]}
    refolded, problem = None, ""
    if ranker:
        try:
            refolded = found.log.refold(ranker=ranker, error=error)
        except JuryrankError as why:
            problem = sentence(str(why))
    rankers = [(name, _method_words(name)) for name in ranker_names()]
    measured = study_reliability(found) if reliability == "yes" else None
    people = found.people()
    misfits = [people[one].name if one in people else one for one in measured.misfits] if measured else []
    return tab_page(
        request, session, study, "data.html", "Data",
        comments=comment_rows(found, votes), measured=measured, misfits=misfits,
        formats=EXPORTS, format_words=FORMAT_WORDS, rankers=rankers,
        chosen=chosen, refolded=refolded, problem=problem,
    )  # fmt: skip


@router.get("/export/{format}")
def export(request: Request, session: Looking, study: StudyNumber, format: str) -> Response:
    return export_file(context_of(request).open_studies.study(study), format)


@router.get("/ranking/{format}")
def ranking_table(request: Request, session: Looking, study: StudyNumber, format: str) -> Response:
    open_studies = context_of(request).open_studies
    return ranking_file(open_studies.study(study), open_studies.setup(study).groups, format)


@router.get("/participants/{format}")
def participants(request: Request, session: LoggedIn, study: StudyNumber, format: str) -> Response:
    return participants_file(context_of(request).open_studies.study(study), format)


@router.get("/comments")
def comments(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    context = context_of(request)
    return comments_file(context.open_studies.study(study), context.overviews.votes(study))


@router.get("/report")
def report(request: Request, session: Looking, study: StudyNumber, names: str = "") -> Response:
    """The report; `names=yes`: with people's names and what judges read, for the owner."""
    context, owner = context_of(request), names == "yes"
    if owner:
        logged_in(request)
    shown, found = shown_items(context, study, words=owner), context.open_studies.study(study)
    labels = {} if owner else hidden_labels(found, context.open_studies.setup(study))
    return report_file(found, shown, names=owner, labels=labels)


@router.get("/certificate")
def certificate(request: Request, session: Looking, study: StudyNumber) -> Response:
    return certificate_file(context_of(request).open_studies.study(study))


def _method_words(name: str) -> str:
    """A method described for people who do not know the methods by name."""
    words = ranker_class(name).title
    return f"{words[:1].upper()}{words[1:]} ({name})"


# ---------------------------------------------------------------------------- changing the study
@router.post("/rename")
def rename(request: Request, session: Sent, study: StudyNumber, name: Annotated[str, Form()] = "") -> Response:
    try:
        rename_study(request, study, name)
    except JuryrankError as problem:
        return settings_page(request, session, study, problem=sentence(str(problem)), at="name")
    return done(f"/admin/studies/{study}/settings", "renamed")


@router.post("/close")
def close(request: Request, session: Sent, study: StudyNumber) -> Response:
    set_closed(request, study, closed=True)
    return done(f"/admin/studies/{study}", "closed")


@router.post("/open")
def reopen(request: Request, session: Sent, study: StudyNumber) -> Response:
    set_closed(request, study, closed=False)
    return done(f"/admin/studies/{study}", "opened")


@router.post("/delete")
def delete(request: Request, session: Sent, study: StudyNumber, confirm: Annotated[str, Form()] = "") -> Response:
    open_studies = context_of(request).open_studies
    if confirm != open_studies.study(study).name:
        words = "That is not the study's name; nothing was deleted."
        return settings_page(request, session, study, problem=words, at="delete")
    note_details(request, confirm)
    open_studies.delete(study)
    return done("/admin", "deleted")


# ---------------------------------------------------------------------------- pages that others show too
def settings_page(
    request: Request,
    session: BrowserSession,
    study: int,
    *,
    problem: str = "",
    at: str = "",
    setup: Setup | None = None,
    status: int = 0,
) -> Response:
    """The settings; `setup`: as filled in, where it is not saved; `at`: whose form was refused."""
    now = context_of(request).open_studies.setup(study)
    return tab_page(
        request, session, study, "settings.html", "Settings", setup=setup or now, problem=problem, at=at,
        status=status or (422 if problem else 200), languages=LANGUAGES.values(),
        seen={part: fingerprint(now, part) for part in PARTS},
    )  # fmt: skip


def tab_page(
    request: Request, session: BrowserSession, study: int, template: str, tab: str, **values: Any
) -> Response:
    context = context_of(request)
    view = context.overviews.get(study, fresh=True)
    takes = None if view.closed else context.judging.reading_time(study)
    values["too_long"] = reading(*takes) if takes else ""
    return admin_page(request, session, template, view=view, base=f"/admin/studies/{study}", tab=tab, **values)

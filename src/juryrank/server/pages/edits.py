"""Changes to a study from its dashboard: judges, wording, checks, items."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from juryrank.defaults import DEFAULT_LEASE
from juryrank.errors import JuryrankError
from juryrank.server.access.identity import StudyNumber
from juryrank.server.context import context_of
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.pages.forms import Sent, done, number
from juryrank.server.pages.study import settings_page, show_links
from juryrank.server.studies import managing
from juryrank.server.studies.intake import judges_from_text
from juryrank.server.web.guard import note_act, note_details
from juryrank.server.web.problems import sentence

router = APIRouter(prefix="/admin/studies/{study}", include_in_schema=False)


@router.post("/judges/add")
def add_judges(
    request: Request, session: Sent, study: StudyNumber, judges: Annotated[str, Form()] = ""
) -> Response:
    secrets = managing.add_judges(context_of(request), study, judges_from_text(judges))
    return show_links(request, session, study, secrets, "new-links")


@router.post("/judges/link")
def new_link(request: Request, session: Sent, study: StudyNumber, judge: Annotated[str, Form()]) -> Response:
    note_details(request, judge)
    secret = managing.new_link(context_of(request), study, judge)
    return show_links(request, session, study, {judge: secret}, "replaced")


@router.post("/judges/{action}")
def about_judge(
    request: Request, session: Sent, study: StudyNumber, action: str, judge: Annotated[str, Form()]
) -> Response:
    """Pause, resume, remove, discard, undo or erase."""
    note_act(request, f"judge {action}")
    note_details(request, judge)
    said = managing.about_judge(request, study, judge, action)
    return done(f"/admin/studies/{study}/judges", said)


@router.post("/settings")
def save(
    request: Request,
    session: Sent,
    study: StudyNumber,
    question: Annotated[str, Form()] = "",
    intro: Annotated[str, Form()] = "",
    consent: Annotated[str, Form()] = "",
    own_work: Annotated[str, Form()] = "",
    show_names: Annotated[str, Form()] = "",
    ties: Annotated[str, Form()] = "",
    lease: Annotated[float, Form()] = DEFAULT_LEASE,
    link_days: Annotated[str, Form()] = "",
    language: Annotated[str, Form()] = "",
) -> Response:
    try:
        days = number(link_days, "the days that links work") if link_days.strip() else None
        managing.change_setup(
            request,
            study,
            lambda setup: setup.changed(
                question=question, intro=intro.replace("\r\n", "\n"), consent=consent == "yes",
                own_work=own_work == "yes", show_names=show_names == "yes", ties=ties == "yes", lease=lease,
                language=language, link_days=days,
            ),
        )  # fmt: skip
    except JuryrankError as problem:
        return settings_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/settings", "saved")


@router.post("/checks")
def save_checks(
    request: Request, session: Sent, study: StudyNumber, checks: Annotated[str, Form()] = ""
) -> Response:
    try:
        known = managing.checks_from_text(checks)
        managing.change_setup(request, study, lambda setup: setup.changed(checks=known))
    except JuryrankError as problem:
        return settings_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/settings", "saved")


@router.post("/about")
def save_about(
    request: Request,
    session: Sent,
    study: StudyNumber,
    before: Annotated[str, Form()] = "",
    after: Annotated[str, Form()] = "",
) -> Response:
    """What is asked about the person."""
    try:
        asked = {"before": questions_from_text(before), "after": questions_from_text(after)}
        managing.change_setup(request, study, lambda setup: setup.changed(**asked))
    except JuryrankError as problem:
        return settings_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/settings", "saved")

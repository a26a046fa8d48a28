"""Changes to a study from its dashboard: judges, wording, checks; language models: attach, pause, agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from juryrank.defaults import DEFAULT_LEASE
from juryrank.errors import JuryrankError
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import StudyNumber
from juryrank.server.context import context_of
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.dashboard.tiles import COST_UNIT
from juryrank.server.pages.forms import LoggedIn, Sent, done, links_page, number
from juryrank.server.pages.study import settings_page, tab_page
from juryrank.server.studies import managing
from juryrank.server.studies.intake import judges_from_text
from juryrank.server.studies.models import Attached
from juryrank.server.studies.setup import PARTS, Setup, fingerprint
from juryrank.server.web.guard import note_act, note_details, nothing_done
from juryrank.server.web.problems import sentence

router = APIRouter(prefix="/admin/studies/{study}", include_in_schema=False)
MOST_SHOWN = 200  # characters of what another owner wrote
EDITED = (
    "Another owner saved other settings while this page was open, so nothing was saved. Below is what you wrote; "
    "Save puts it in the place of theirs. They wrote: "
)
FIELDS = {
    "intro": "first page", "consent": "must agree", "own_work": "asks for own work", "show_names": "shows names",
    "ties": "too close to call", "lease": "seconds", "link_days": "days of links", "before": "questions before",
    "after": "questions after", "keep_until": "deleted on",
}  # fmt: skip


@router.post("/judges/add")
def add_judges(
    request: Request, session: Sent, study: StudyNumber, judges: Annotated[str, Form()] = ""
) -> Response:
    managing.add_judges(context_of(request), study, judges_from_text(judges))
    return links_page(study, "new-links")


@router.post("/judges/link")
def new_link(request: Request, session: Sent, study: StudyNumber, judge: Annotated[str, Form()]) -> Response:
    note_details(request, judge)
    managing.new_link(context_of(request), study, judge)
    return links_page(study, "replaced")


@router.post("/judges/unlink")
def unlink(request: Request, session: Sent, study: StudyNumber, judge: Annotated[str, Form()]) -> Response:
    """The link stops working; the judge stays, and can have another one."""
    note_details(request, judge)
    managing.known_judge(context_of(request).open_studies.study(study), judge)
    context_of(request).vault.revoke_judge(study, judge)
    return links_page(study, "switched-off")


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
    comment: Annotated[str, Form()] = "",
    keep_until: Annotated[str, Form()] = "",
    seen: Annotated[str, Form()] = "",
) -> Response:
    def changes() -> dict[str, Any]:
        days = number(link_days, "the days that links work") if link_days.strip() else None
        return {
            "question": question, "intro": intro.replace("\r\n", "\n"), "consent": consent == "yes",
            "own_work": own_work == "yes", "show_names": show_names == "yes", "ties": ties == "yes",
            "lease": lease, "language": language, "link_days": days, "comment": comment.strip(),
            "keep_until": keep_until.strip(),
        }  # fmt: skip

    return _saved(request, session, study, "settings", seen, changes)


@router.post("/checks")
def save_checks(
    request: Request,
    session: Sent,
    study: StudyNumber,
    checks: Annotated[str, Form()] = "",
    seen: Annotated[str, Form()] = "",
) -> Response:
    return _saved(request, session, study, "checks", seen, lambda: {"checks": managing.checks_from_text(checks)})


@router.post("/about")
def save_about(
    request: Request,
    session: Sent,
    study: StudyNumber,
    before: Annotated[str, Form()] = "",
    after: Annotated[str, Form()] = "",
    seen: Annotated[str, Form()] = "",
) -> Response:
    """What is asked about the person."""

    def changes() -> dict[str, Any]:
        return {"before": questions_from_text(before), "after": questions_from_text(after)}

    return _saved(request, session, study, "about", seen, changes)


def _saved(
    request: Request,
    session: Sent,
    study: int,
    part: str,
    seen: str,
    changes: Callable[[], dict[str, Any]],
) -> Response:
    """Save one form, unless another owner saved it since it was opened: then both can be read, nothing is lost."""
    now = context_of(request).open_studies.setup(study)
    try:
        wanted = changes()
        if seen and seen != fingerprint(now, part) and now.changed(**wanted) != now:
            nothing_done(request)
            words = EDITED + " ".join(_theirs(now, now.changed(**wanted), part))
            ours = now.changed(**wanted)
            return settings_page(request, session, study, problem=words, at=part, setup=ours, status=409)
        managing.change_setup(request, study, lambda setup: setup.changed(**wanted))
    except JuryrankError as problem:
        return settings_page(request, session, study, problem=sentence(str(problem)), at=part)
    return done(f"/admin/studies/{study}/settings", "saved")


def _theirs(now: Setup, ours: Setup, part: str) -> list[str]:
    """What is saved where it differs from what somebody else is about to save."""
    words = [(FIELDS.get(name, name), getattr(now, name)) for name in PARTS[part]
             if getattr(now, name) != getattr(ours, name)]  # fmt: skip
    return [f"{name}: {_plain(value)}." for name, value in words]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return f"“{value[:MOST_SHOWN]}”" if value else "nothing"
    return "nothing" if value in (None, ()) else "something else" if isinstance(value, tuple) else f"{value:g}"


# ----------------------------------------------------------------------------
# Language models in a study, on its dashboard: attach, pause, what they did and cost, how far they agree


@router.get("/models")
def models(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    return models_page(request, session, study)


@router.post("/models")
def attach(
    request: Request,
    session: Sent,
    study: StudyNumber,
    model: Annotated[list[str] | None, Form()] = None,
    money: Annotated[str, Form()] = "",
) -> Response:
    """Ask these models from now on; the operator decides which there are, and where."""
    note_details(request, ", ".join(model or []))
    try:
        most = number(money, "the most to spend") if money.strip() else None
        context_of(request).models.attach(study, model or [], money=most)
    except JuryrankError as problem:
        return models_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/models", "attached")


@router.post("/models/pause")
def pause_models(request: Request, session: Sent, study: StudyNumber) -> Response:
    if not Attached.of(context_of(request).open_studies.study(study)).running:
        nothing_done(request)
    else:
        context_of(request).models.pause(study)
    return done(f"/admin/studies/{study}/models", "models-paused")


def models_page(request: Request, session: BrowserSession, study: int, *, problem: str = "") -> Response:
    context = context_of(request)
    attached = Attached.of(context.open_studies.study(study))
    whole, costs = context.models.forecast(study)
    judges = context.open_studies.study(study).judges
    choices: list[dict[str, Any]] = [
        {
            "name": each.name,
            "model": f"{each.api}:{each.model}",
            "price": f"{each.price.input:g} in, {each.price.output:g} out per million tokens"
            if each.price
            else "no price known",
            "chosen": each.name in (attached.names or judges),
            "cost": f"about {costs[each.name]:.2g}" if each.price and each.name in costs else "",
        }
        for each in context.models.allowed.values()
    ]
    return tab_page(
        request, session, study, "models.html", "Models", status=422 if problem else 200,
        choices=choices, whole=whole, unit=COST_UNIT, attached=attached, state=context.models.state(study),
        problem=problem,
    )  # fmt: skip

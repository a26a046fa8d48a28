"""Language models in a study, on its dashboard: attach, pause, what they did and cost, how far they agree."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from juryrank.errors import JuryrankError
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import StudyNumber
from juryrank.server.context import context_of
from juryrank.server.dashboard.tiles import COST_UNIT
from juryrank.server.pages.forms import LoggedIn, Sent, done, number
from juryrank.server.pages.study import tab_page
from juryrank.server.studies.models import Attached
from juryrank.server.web.guard import note_details, nothing_done
from juryrank.server.web.problems import sentence

router = APIRouter(prefix="/admin/studies/{study}", include_in_schema=False)


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

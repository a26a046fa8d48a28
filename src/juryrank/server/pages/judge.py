"""The judge's pages: the first page, one question after the other, a friendly end."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from juryrank.errors import BadInput
from juryrank.server.access.identity import judge_of
from juryrank.server.access.vault import Holder
from juryrank.server.context import context_of
from juryrank.server.studies.judging import Card
from juryrank.server.web.guard import content_policy
from juryrank.server.web.problems import sentence, wants_json
from juryrank.server.web.render import markdown_html
from juryrank.server.web.templating import page

router = APIRouter(prefix="/j/{secret}", include_in_schema=False)
MOST_SECONDS = 24 * 3600.0  # a response time above this is a forgotten tab, not a measurement


@router.get("")
def show(request: Request, secret: str) -> Response:
    """The page itself, with the first question in it."""
    holder = judge_of(request, secret)
    judging = context_of(request).judging
    card = judging.card(holder.study, _judge(holder))
    return _intro(request, secret, holder) if card.state == "intro" else _deck(request, secret, holder, card)


@router.get("/next")
def next_card(request: Request, secret: str) -> Response:
    """What to show now (the page asks when it wakes)."""
    holder = judge_of(request, secret)
    return JSONResponse(context_of(request).judging.card(holder.study, _judge(holder)).to_dict())


@router.post("/answer")
async def answer(request: Request, secret: str) -> Response:
    """One answer, and the next question in the same breath."""
    sent = await _sent(request)
    return await run_in_threadpool(_answer, request, secret, sent)


def _answer(request: Request, secret: str, sent: dict[str, Any]) -> Response:
    holder = judge_of(request, secret)
    card = context_of(request).judging.answer(
        holder.study,
        _judge(holder),
        question=str(sent.get("question", "")),
        answer=str(sent.get("answer", "")),
        response_time=_seconds(sent.get("response_time")),
    )
    return _after(request, secret, card)


@router.post("/undo")
async def undo(request: Request, secret: str) -> Response:
    """Take the last answer back."""
    sent = await _sent(request)
    return await run_in_threadpool(_undo, request, secret, sent)


def _undo(request: Request, secret: str, sent: dict[str, Any]) -> Response:
    holder = judge_of(request, secret)
    meant = str(sent.get("question", "")) if wants_json(request) else ""  # the plain form names the open question
    judging, judge = context_of(request).judging, _judge(holder)
    says = judging.undo(holder.study, judge, question=meant)
    return _after(request, secret, judging.card(holder.study, judge, says=says))


@router.post("/begin")
async def begin(request: Request, secret: str) -> Response:
    """The first page was read and agreed to."""
    form = await request.form()
    own = [str(value) for value in form.getlist("own")]
    return await run_in_threadpool(_begin, request, secret, form.get("consent") == "yes", own)


def _begin(request: Request, secret: str, consent: bool, own: list[str]) -> Response:
    holder = judge_of(request, secret)
    try:
        context_of(request).judging.begin(holder.study, _judge(holder), consent=consent, own=own)
    except BadInput as problem:
        return _intro(request, secret, holder, problem=sentence(str(problem)))
    return RedirectResponse(f"/j/{secret}", 303)


# ---------------------------------------------------------------------------- parts
def _after(request: Request, secret: str, card: Card) -> Response:
    if not wants_json(request):
        return RedirectResponse(f"/j/{secret}", 303)  # without scripts: back to the page
    return JSONResponse(card.to_dict())


def _deck(request: Request, secret: str, holder: Holder, card: Card) -> Response:
    open_studies = context_of(request).open_studies
    setup = open_studies.setup(holder.study)
    return page(
        request,
        "judge.html",
        headers={"Content-Security-Policy": content_policy(outside=setup.outside)},
        title=open_studies.study(holder.study).name,
        wording=setup.question,
        base=f"/j/{secret}",
        card=card,
        card_json=json.dumps(card.to_dict()),
    )


def _intro(request: Request, secret: str, holder: Holder, *, problem: str = "") -> Response:
    open_studies = context_of(request).open_studies
    study, setup = open_studies.study(holder.study), open_studies.setup(holder.study)
    return page(
        request,
        "intro.html",
        status=422 if problem else 200,
        headers={"Content-Security-Policy": content_policy(outside=setup.outside)},
        title=study.name,
        base=f"/j/{secret}",
        intro_html=markdown_html(setup.intro),
        own_work=setup.own_work,
        consent=setup.consent,
        items=study.items if setup.own_work else [],
        problem=problem,
    )


def _judge(holder: Holder) -> str:
    assert holder.judge is not None
    return holder.judge


def _seconds(value: Any) -> float | None:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS
    return round(float(value), 3) if usable else None


async def _sent(request: Request) -> dict[str, Any]:
    """What the page's script (JSON) or its plain form sent."""
    if "application/json" not in request.headers.get("content-type", ""):
        form = await request.form()
        return {key: value for key, value in form.items() if isinstance(value, str)}
    try:
        sent = await request.json()
    except ValueError:
        sent = None
    if not isinstance(sent, dict):
        raise BadInput("the request is not a JSON object with `question` and `answer`")
    return sent

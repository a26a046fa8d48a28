"""The judge's pages: the first page, one question after the other, a friendly end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from juryrank.defaults import LONGEST_ANSWER
from juryrank.errors import BadInput
from juryrank.server.access.identity import judge_of
from juryrank.server.access.vault import Holder
from juryrank.server.context import context_of
from juryrank.server.crowd.arrivals import LEAST_DEVICE, MOST_DEVICE, FirstPage
from juryrank.server.files.transfer import file_response
from juryrank.server.languages.speaking import speak, tr
from juryrank.server.studies.cards import Card
from juryrank.server.studies.items import own_work
from juryrank.server.web.guard import content_policy, wants_json
from juryrank.server.web.problems import sentence
from juryrank.server.web.render import markdown_html
from juryrank.server.web.templating import page


@dataclass(frozen=True, slots=True)
class Visit:
    """A judge at their page: who it is, and the address under which the page lives."""

    holder: Holder
    base: str

    @property
    def study(self) -> int:
        return self.holder.study

    @property
    def judge(self) -> str:
        assert self.holder.judge is not None
        return self.holder.judge


def by_link(request: Request) -> Visit:
    """The judge behind a personal link."""
    secret = str(request.path_params["secret"])
    visit = Visit(judge_of(request, secret), f"/j/{secret}")
    speak(context_of(request).open_studies.setup(visit.study).language)
    return visit


class JudgePages:
    """The pages of a judge. Reading them changes nothing: what changes something is posted."""

    def __init__(self, visit_of: Callable[[Request], Visit]) -> None:
        self._visit_of = visit_of

    def routes(self, router: APIRouter) -> APIRouter:
        for path, method, endpoint in (
            ("/answer", "POST", self.answer),
            ("", "GET", self.show),
            ("/next", "GET", self.look),
            ("/next", "POST", self.ask),
            ("/more", "POST", self.more),
            ("/undo", "POST", self.undo),
            ("/begin", "POST", self.begin),
            ("/about", "POST", self.about),
            ("/receipt", "GET", self.receipt),
            ("/file/{hash}", "GET", self.file),
            ("/dead", "POST", self.dead),
        ):
            router.add_api_route(path, endpoint, methods=[method])
        return router

    def show(self, request: Request) -> Response:
        """The page itself, with the open question in it."""
        visit = self._visit_of(request)
        card = context_of(request).judging.look(visit.study, visit.judge)
        return (
            first_page(request, visit.study, visit.base)
            if card.state == "intro"
            else deck_page(request, visit.study, visit.base, card)
        )

    def look(self, request: Request) -> Response:
        """What there is to see now (the page asks when its tab becomes active again)."""
        visit = self._visit_of(request)
        return JSONResponse(context_of(request).judging.look(visit.study, visit.judge).at(visit.base).to_dict())

    def receipt(self, request: Request) -> Response:
        """A text to keep: the place in the log behind all answers of this judge so far."""
        visit = self._visit_of(request)
        made = context_of(request).open_studies.study(visit.study).judge(visit.judge).receipt()
        where = f"Or look it up on this server's page /heads/{visit.study}\n"
        name = f'attachment; filename="receipt-{made.head.seq}.txt"'
        return PlainTextResponse(made.text() + where, headers={"Content-Disposition": name})

    def file(self, request: Request) -> Response:
        """A picture, sound or film that was uploaded for the study."""
        visit = self._visit_of(request)
        return file_response(request, context_of(request).storage, visit.study, request.path_params["hash"])

    async def dead(self, request: Request) -> Response:
        """The page could not load the address of an item: its owner should know."""
        sent = await _sent(request)
        visit = await run_in_threadpool(self._visit_of, request)
        context = context_of(request)
        address = str(sent.get("address", ""))
        await run_in_threadpool(context.dead_links.report, visit.study, visit.judge, address)
        return Response(status_code=204)

    def ask(self, request: Request) -> Response:
        """The next question, please."""
        visit = self._visit_of(request)
        return _after(request, visit, context_of(request).judging.card(visit.study, visit.judge))

    def more(self, request: Request) -> Response:
        """Enough is answered; a few more, please."""
        visit = self._visit_of(request)
        return _after(request, visit, context_of(request).judging.go_on(visit.study, visit.judge))

    async def answer(self, request: Request) -> Response:
        """One answer, and the next question in the same response."""
        sent = await _sent(request)
        return await run_in_threadpool(self._answer, request, sent)

    def _answer(self, request: Request, sent: dict[str, Any]) -> Response:
        visit = self._visit_of(request)
        card = context_of(request).judging.answer(
            visit.study,
            visit.judge,
            question=str(sent.get("question", "")),
            answer=str(sent.get("answer", "")),
            response_time=_seconds(sent.get("response_time")),
            comment=str(sent.get("comment", "")),
        )
        return _after(request, visit, card)

    async def undo(self, request: Request) -> Response:
        """Take the last answer back."""
        sent = await _sent(request)
        return await run_in_threadpool(self._undo, request, sent)

    def _undo(self, request: Request, sent: dict[str, Any]) -> Response:
        visit = self._visit_of(request)
        meant = (
            str(sent.get("question", "")) if wants_json(request.scope) else ""
        )  # the form names the open question
        judging = context_of(request).judging
        says = judging.undo(visit.study, visit.judge, question=meant)
        return _after(request, visit, judging.card(visit.study, visit.judge, says=says))

    async def begin(self, request: Request) -> Response:
        """Start: the first page was read and agreed to; the time of the sitting runs from now on."""
        return await run_in_threadpool(self._begin, request, await request.form())

    def _begin(self, request: Request, form: FormData) -> Response:
        visit, sent, context = self._visit_of(request), read_first_page(form), context_of(request)
        try:
            context.arrivals.check(visit.study, sent)
            context.judging.begin(visit.study, visit.judge, consent=sent.consent, own=list(sent.own))
        except BadInput as problem:
            return first_page(request, visit.study, visit.base, problem=sentence(str(problem)), sent=sent)
        context.arrivals.keep(visit.study, visit.judge, sent)
        return RedirectResponse(visit.base, 303)

    async def about(self, request: Request) -> Response:
        """The last questions about the person are answered."""
        return await run_in_threadpool(self._about, request, await request.form())

    def _about(self, request: Request, form: FormData) -> Response:
        visit, context = self._visit_of(request), context_of(request)
        fields = read_first_page(form).fields
        try:
            context.arrivals.finish(visit.study, visit.judge, fields)
        except BadInput as problem:
            card = context.judging.look(visit.study, visit.judge)
            words = sentence(str(problem))
            return deck_page(request, visit.study, visit.base, card, problem=words, fields=fields)
        return RedirectResponse(visit.base, 303)


router = JudgePages(by_link).routes(APIRouter(prefix="/j/{secret}", include_in_schema=False))


# ---------------------------------------------------------------------------- parts
def _after(request: Request, visit: Visit, card: Card) -> Response:
    if not wants_json(request.scope):
        return RedirectResponse(visit.base, 303)  # without scripts: back to the page
    return JSONResponse(card.at(visit.base).to_dict())


def read_first_page(form: FormData, parameters: Mapping[str, str] | None = None) -> FirstPage:
    """What was sent with Start; files are not accepted as answers."""
    plain = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    return FirstPage(
        consent=("consent", "yes") in plain,
        own=tuple(value for name, value in plain if name == "own"),
        phrase=next((value for name, value in plain if name == "phrase"), ""),
        listed=("listed", "yes") in plain,
        device=next((value for name, value in plain if name == "device" and _is_device(value)), ""),
        parameters=parameters or {},
        fields={name: value for name, value in plain if name.startswith("about-")},
    )


def _is_device(word: str) -> bool:
    return LEAST_DEVICE <= len(word) <= MOST_DEVICE and word.isascii()


def deck_page(
    request: Request,
    number: int,
    base: str,
    card: Card,
    *,
    problem: str = "",
    fields: Mapping[str, str] | None = None,
) -> Response:
    """The page with the question, or the last page; `problem`: with the last questions, as they were filled in."""
    card = card.at(base)
    open_studies = context_of(request).open_studies
    setup = open_studies.setup(number)
    return page(
        request,
        "judge.html",
        status=422 if problem else 200,
        headers={"Content-Security-Policy": content_policy(outside=setup.outside)},
        title=open_studies.study(number).name,
        wording=setup.wording,
        comment=setup.comment,
        base=base,
        study=number,
        card=card,
        card_json=json.dumps(card.to_dict()),
        words_json=json.dumps(script_words()),
        questions=setup.after,
        given=fields or {},
        problem=problem,
        elsewhere=base.startswith("/s/") and bool(context_of(request).platforms.of(number).identity),
    )


def script_words() -> dict[str, str]:
    """Messages that the page's script shows by itself."""
    return {
        "failed": tr("The server could not do that. Reload the page."),
        "kept": tr("No connection. Your answer is kept here and will be sent."),
        "offline": tr("No connection. Trying again."),
        "again": tr("Try again"),
        "unloaded": tr("This could not be loaded. Skip the question if you cannot judge without it."),
        "left": tr("Left"),
        "right": tr("Right"),
        "first": tr("First"),
        "second": tr("Second"),
        "case": tr("What was asked"),
        "copied": tr("Copied."),
    }


def first_page(
    request: Request,
    number: int,
    base: str,
    *,
    problem: str = "",
    phrase: bool = False,
    listed: bool = True,
    parameters: Mapping[str, str] | None = None,
    sent: FirstPage | None = None,
    device: str = "",
) -> Response:
    """Who asks, what for, how long it takes; with Start. `sent`: as it was filled in before; `listed`: with the
    items, for people to find their own work; `device`: a random word that comes back with Start."""
    context = context_of(request)
    study, setup = context.open_studies.study(number), context.open_studies.setup(number)
    return page(
        request,
        "intro.html",
        status=422 if problem else 200,
        headers={"Content-Security-Policy": content_policy(outside=setup.outside)},
        title=study.name,
        base=base,
        intro_html=markdown_html(setup.intro),
        wording=setup.wording,
        terms=context.judging.terms(number),
        keep_until=setup.keep_until,
        phrase=phrase,
        phrase_given=sent.phrase if sent and listed else "",
        consent=setup.consent,
        items=own_work(context, number) if setup.own_work and listed else [],
        listed=listed,
        problem=problem,
        parameters=parameters or {},
        questions=setup.before,
        given=sent.fields if sent else {},
        own=sent.own if sent else (),
        agreed=bool(sent and sent.consent),
        device=device,
    )


def _seconds(value: Any) -> float | None:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST_ANSWER
    return round(float(value), 3) if usable else None


async def _sent(request: Request) -> dict[str, Any]:
    """What the page's script (JSON) or its plain form sent."""
    if "application/json" not in request.headers.get("content-type", ""):
        form = await request.form()
        return {key: value for key, value in form.items() if isinstance(value, str)}
    try:
        sent = await request.json()
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise BadInput("the request is not a JSON object with `question` and `answer`")
    return sent

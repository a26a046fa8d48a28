"""The open link of a study: its first page for anybody, and the judge's pages for whoever pressed Start."""

from __future__ import annotations

import time
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from juryrank.errors import BadInput, CannotJoin
from juryrank.server.access.cookies import put, read
from juryrank.server.access.identity import BAD_LINK, slow_down, within_rate
from juryrank.server.access.vault import SESSION, new_secret
from juryrank.server.context import Context, context_of
from juryrank.server.crowd.arrivals import OPEN_LINK, BegunElsewhere, FirstPage
from juryrank.server.crowd.platforms import Platform, Platforms
from juryrank.server.languages.speaking import mark, speak, tr
from juryrank.server.pages.judge import JudgePages, Visit, first_page, read_first_page
from juryrank.server.settings import Allowance
from juryrank.server.studies.open_links import OpenLink
from juryrank.server.web.guard import address_of
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import page

BEGUN = "juryrank-begun"  # the page after Start: a browser that comes back without its cookie keeps none
COOKIE = "juryrank_judge"  # of one link: its path keeps those of several studies apart
NO_VISIT = (
    "Open the link again and press Start. If you did, your browser keeps no cookies: allow them for this site."
)
LACKS_ID = mark(
    "Open the study again from {place}: its address lacks “{parameter}”, or has it twice, and without it we do "
    "not know who you are there."
)
BEGUN_ELSEWHERE = mark("You have begun elsewhere")
ELSEWHERE = mark(
    "Somebody has begun with this id, on another device or in another browser. Go on there, or press “Go on with "
    "another device” there and open the link that it shows. If it was not you, tell whoever sent you here."
)
RETURN = mark(
    "Open this link on the other device. It works for 14 days, and whoever has it can answer in your place: show "
    "it to nobody."
)
CROWDED = mark(
    "Many people have begun at your network address already. Try again later, or tell whoever sent you here."
)
WRONG_PHRASE = mark("That is not the pass phrase. Ask whoever sent you the link.")


@dataclass(frozen=True, slots=True)
class Door:
    """An open link that exists, or existed: `code` is the address at which somebody stands."""

    code: str
    study: int
    link: OpenLink
    platforms: Platforms

    @property
    def platform(self) -> Platform:
        """The study's crowd platform, read only when needed: answers do not need it."""
        return self.platforms.of(self.study)

    @property
    def base(self) -> str:
        return f"/s/{self.code}"

    @property
    def replaced(self) -> bool:
        """Has the study another link by now? Then this one lets nobody in, but those who have begun go on."""
        return self.code != self.link.code


def door_of(request: Request) -> Door:
    """The study behind an open link."""
    context, code = context_of(request), str(request.path_params["code"])
    study = context.open_links.study_of(code)
    link = context.open_links.of(study) if study is not None else None
    if study is None or link is None:
        slow_down(context, request)
        raise HTTPException(404, BAD_LINK)
    door = Door(code, study, link, context.platforms)
    if door.replaced and visit_at(request, door) is None:
        slow_down(context, request)
        raise HTTPException(404, BAD_LINK)
    speak(context.open_studies.setup(study).language)
    return door


def visit_at(request: Request, door: Door) -> Visit | None:
    """The judge that this browser's user became by pressing Start; None: they have not."""
    context, secret = context_of(request), read(request, COOKIE)
    holder = context.vault.holder(SESSION, secret) if secret else None
    if holder is None or holder.study != door.study or holder.judge is None:
        return None
    within_rate(context, holder, request)
    return Visit(holder, door.base)


def by_session(request: Request) -> Visit:
    visit = visit_at(request, door_of(request))
    if visit is None:
        raise HTTPException(403, NO_VISIT)
    return visit


class OpenPages(JudgePages):
    """The judge's pages, behind a first page for anybody."""

    def show(self, request: Request) -> Response:
        """The open question, or the first page; looking at it makes nobody a judge."""
        door = door_of(request)
        parameters = door.platform.received(request.query_params.multi_items())
        visit = visit_at(request, door)
        if BEGUN in request.query_params:
            if visit is None:
                raise HTTPException(403, NO_VISIT)
            return RedirectResponse(door.base, 303)  # what is in the address bar may be sent on
        arrivals = context_of(request).arrivals
        if visit is not None and not arrivals.is_somebody_else(door.study, visit.judge, parameters):
            return super().show(request)
        return self._outside(request, door, FirstPage(parameters=parameters))

    def _outside(self, request: Request, door: Door, sent: FirstPage, *, problem: str = "") -> Response:
        """The first page for somebody who has not begun here, or why they cannot."""
        refusal = self._refusal(request, door, sent)
        if refusal:
            return page(request, "message.html", heading=refusal[0], lines=[refusal[1]])
        return first_page(
            request,
            door.study,
            door.base,
            problem=problem,
            phrase=bool(door.link.phrase),
            listed=door.link.lets_in(sent.phrase),
            parameters=sent.parameters,
            sent=sent,
            device=sent.device or new_secret(),
        )

    def _refusal(self, request: Request, door: Door, sent: FirstPage) -> tuple[str, str] | None:
        context = context_of(request)
        if door.replaced:
            raise HTTPException(404, BAD_LINK)
        study = context.open_studies.study(door.study)
        known = context.arrivals.known(door.study, sent.parameters)
        full = known is None and not context.arrivals.may_have_room(door.study, door.link)
        refusal = door.link.refusal(full=full, closed=study.closed, now=time.time())
        if refusal is None and known and not context.arrivals.is_same_device(door.study, known, sent):
            return tr(BEGUN_ELSEWHERE), tr(ELSEWHERE)
        if refusal is None and door.platform.lacks_id(sent.parameters):
            place = door.platform.place or tr("the page where you found it")
            words = tr(LACKS_ID, place=place, parameter=door.platform.identity)
            return tr("This address is incomplete"), words
        return refusal

    def routes(self, router: APIRouter) -> APIRouter:
        router.add_api_route("/return", self.return_link, methods=["POST"])
        return super().routes(router)

    def return_link(self, request: Request) -> Response:
        """A link with which whoever has begun here goes on elsewhere."""
        visit, context = self._visit_of(request), context_of(request)
        link = context.link(request, context.vault.issue_return_link(visit.study, visit.judge))
        return page(
            request,
            "message.html",
            heading=tr("Go on with another device"),
            lines=[tr(RETURN)],
            address=link,
            link=visit.base,
            link_words=tr("Go on"),
        )

    async def begin(self, request: Request) -> Response:
        """Start."""
        return await run_in_threadpool(self._begin, request, await request.form())

    def _begin(self, request: Request, form: FormData) -> Response:
        door, context = door_of(request), context_of(request)
        sent = read_first_page(form, door.platform.received(_plain(form)))
        visit = visit_at(request, door)
        if visit and not context.arrivals.is_somebody_else(door.study, visit.judge, sent.parameters):
            return RedirectResponse(door.base, 303)
        if self._refusal(request, door, sent):
            return self._outside(request, door, sent)
        if not door.link.lets_in(sent.phrase):
            slow_down(context, request)
            return self._outside(request, door, sent, problem=tr(WRONG_PHRASE))
        if door.link.phrase and context.open_studies.setup(door.study).own_work and not sent.listed:
            return self._outside(request, door, sent)  # the items are for those who know the phrase
        judge = context.arrivals.known(door.study, sent.parameters)
        if judge is not None:  # Start was pressed twice
            return self._entered(request, door, judge)
        try:
            context.judging.check_first_page(door.study, consent=sent.consent, own=list(sent.own))
            context.arrivals.check(door.study, sent)
        except BadInput as why:
            return self._outside(request, door, sent, problem=sentence(str(why)))
        rate, place = _hourly(door, context), f"hour/{door.study}/{address_of(request.scope)}"
        wait = context.starts.take(place, rate) if rate else 0.0
        if wait:
            heading, again = tr("A moment, please"), {"Retry-After": str(int(wait) + 1)}
            return page(request, "message.html", status=429, headers=again, heading=heading, lines=[tr(CROWDED)])
        try:
            judge = context.arrivals.join(door.study, door.link, sent)
        except CannotJoin as why:
            if rate:
                context.starts.give_back(place, rate)
            if isinstance(why, BegunElsewhere):
                return page(request, "message.html", heading=tr(BEGUN_ELSEWHERE), lines=[tr(ELSEWHERE)])
            return self._outside(request, door, sent)
        network = context.networks.mark(door.study, address_of(request.scope))
        context.arrivals.keep(door.study, judge, sent, came=OPEN_LINK, network=network)
        context.judging.begin(door.study, judge, consent=sent.consent, own=list(sent.own))
        return self._entered(request, door, judge)

    @staticmethod
    def _entered(request: Request, door: Door, judge: str) -> Response:
        response = RedirectResponse(f"{door.base}?{BEGUN}", 303)
        secret = context_of(request).vault.begin_judge_session(door.study, judge)
        put(request, response, COOKIE, secret, path=door.base)
        return response


def _hourly(door: Door, context: Context) -> Allowance | None:
    """How many may begin at one address within an hour, in this process; None: any number."""
    if not door.link.per_address:
        return None
    share = max(1.0, door.link.per_address / context.settings.workers)
    return Allowance(share / 3600, share)


def _plain(form: FormData) -> list[tuple[str, str]]:
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


router = OpenPages(by_session).routes(APIRouter(prefix="/s/{code}", include_in_schema=False))

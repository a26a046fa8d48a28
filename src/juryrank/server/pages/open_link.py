"""The open link of a study: its first page for anybody, and the judge's pages for whoever pressed Start."""

from __future__ import annotations

import time
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from juryrank.errors import BadInput, CannotJoin
from juryrank.server.access.cookies import put, read
from juryrank.server.access.identity import BAD_LINK, slow_down, within_rate
from juryrank.server.access.vault import SESSION
from juryrank.server.context import context_of
from juryrank.server.languages.speaking import mark, speak, tr
from juryrank.server.pages.judge import JudgePages, Visit, first_page
from juryrank.server.studies.open_links import OpenLink
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import page

COOKIE = "juryrank_judge"  # of one link: its path keeps those of several studies apart
NO_VISIT = (
    "Open the link again and press Start. If you did, your browser keeps no cookies: allow them for this site."
)
WRONG_PHRASE = mark("That is not the pass phrase. Ask whoever sent you the link.")


@dataclass(frozen=True, slots=True)
class Door:
    """An open link that exists."""

    study: int
    link: OpenLink

    @property
    def base(self) -> str:
        return f"/s/{self.link.code}"


def door_of(request: Request) -> Door:
    """The study behind an open link."""
    context, code = context_of(request), str(request.path_params["code"])
    study = context.open_links.study_of(code)
    link = context.open_links.of(study) if study is not None else None
    if study is None or link is None:
        slow_down(context, request)
        raise HTTPException(404, BAD_LINK)
    speak(context.open_studies.setup(study).language)
    return Door(study, link)


def visit_at(request: Request, door: Door) -> Visit | None:
    """The judge whom this browser became when it pressed Start; None: it has not."""
    context, secret = context_of(request), read(request, COOKIE)
    holder = context.vault.holder(SESSION, secret) if secret else None
    if holder is None or holder.study != door.study or holder.judge is None:
        return None
    within_rate(context, holder)
    return Visit(holder, door.base)


def by_session(request: Request) -> Visit:
    visit = visit_at(request, door_of(request))
    if visit is None:
        raise HTTPException(403, NO_VISIT)
    return visit


class OpenPages(JudgePages):
    """The judge's pages, with a door in front."""

    def show(self, request: Request) -> Response:
        """The open question, or the first page; looking at it makes nobody a judge."""
        door = door_of(request)
        return super().show(request) if visit_at(request, door) else self._outside(request, door)

    def _outside(self, request: Request, door: Door, *, problem: str = "") -> Response:
        context = context_of(request)
        study = context.open_studies.study(door.study)
        refusal = door.link.refusal(judges=len(study.judges), closed=study.closed, now=time.time())
        if refusal:
            return page(request, "message.html", heading=refusal[0], lines=[refusal[1]])
        return first_page(request, door.study, door.base, problem=problem, phrase=bool(door.link.phrase))

    def _begin(self, request: Request, consent: bool, own: list[str], phrase: str = "") -> Response:
        door = door_of(request)
        if visit_at(request, door):
            return RedirectResponse(door.base, 303)
        context = context_of(request)
        study = context.open_studies.study(door.study)
        if door.link.refusal(judges=len(study.judges), closed=study.closed, now=time.time()):
            return self._outside(request, door)
        if not door.link.lets_in(phrase):
            slow_down(context, request)
            return self._outside(request, door, problem=tr(WRONG_PHRASE))
        try:
            context.judging.check_first_page(door.study, consent=consent, own=own)
            name = f"Visitor {len(study.judges) + 1}"
            judge = study.add_judge(name, person=True, most=door.link.capacity)
        except CannotJoin:
            return self._outside(request, door)
        except BadInput as why:
            return self._outside(request, door, problem=sentence(str(why)))
        context.judging.begin(door.study, judge, consent=consent, own=own)
        response = RedirectResponse(door.base, 303)
        put(request, response, COOKIE, context.vault.begin_judge_session(door.study, judge), path=door.base)
        return response


router = OpenPages(by_session).routes(APIRouter(prefix="/s/{code}", include_in_schema=False))

"""How people come to a study, for programs: the open link, the crowd platform, who took part."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from juryrank.server.access.identity import Admin, StudyNumber
from juryrank.server.api.shapes import OpenLinkIn, OpenLinkOut, PlatformIn, PlatformOut
from juryrank.server.context import context_of
from juryrank.server.crowd.platforms import of_preset
from juryrank.server.studies.downloads import participants_file
from juryrank.server.studies.managing import change_link, change_platform, note_link
from juryrank.server.studies.open_links import OpenLink, utc_moment

router = APIRouter(prefix="/studies/{study}", tags=["people"])
TABLE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The table", "content": {"text/csv": {}, "application/json": {}}}
}


@router.get("/open-link")
def read_open_link(request: Request, holder: Admin, study: StudyNumber) -> OpenLinkOut | None:
    """One link for everybody, as it is now; null: there is none, PUT makes one."""
    context_of(request).open_studies.study(study)
    link = context_of(request).open_links.of(study)
    return None if link is None else _shown(request, link)


@router.put("/open-link")
def set_open_link(request: Request, holder: Admin, study: StudyNumber, sent: OpenLinkIn) -> OpenLinkOut:
    """Make the link, or change it: on or off, room, times, pass phrase, people per address."""
    wanted = sent.model_dump(exclude_unset=True, exclude={"phrase"})
    for name in ("opens_at", "closes_at"):
        if isinstance(wanted.get(name), datetime):
            wanted[name] = utc_moment(wanted[name].isoformat())
    plain = {name: value for name, value in wanted.items() if value is not None or name.endswith("_at")}
    return _shown(request, change_link(request, study, act="set_open_link", phrase=sent.phrase, **plain))


@router.post("/open-link/new")
def replace_open_link(request: Request, holder: Admin, study: StudyNumber) -> OpenLinkOut:
    """A new address; the old one stops working, and those who have begun continue by their cookie."""
    context_of(request).open_studies.study(study)
    note_link(request, study, otherwise="replace_open_link")
    return _shown(request, context_of(request).open_links.make(study))


@router.get("/platform")
def read_platform(request: Request, holder: Admin, study: StudyNumber) -> PlatformOut:
    """The crowd platform that sends people."""
    context_of(request).open_studies.study(study)
    return _platform(request, study)


@router.put("/platform")
def set_platform(request: Request, holder: Admin, study: StudyNumber, sent: PlatformIn) -> PlatformOut:
    """Which platform sends people, what is kept of its address, and where they go at the end."""
    context_of(request).open_studies.study(study)
    wishes = sent.model_dump(exclude={"preset", "parameters", "required", "refill"})
    made = of_preset(sent.preset, parameters=tuple(sent.parameters), **wishes)
    change_platform(request, study, replace(made, required=sent.required, refill=sent.refill))
    return _platform(request, study)


@router.get("/participants/{format}", response_class=Response, responses=TABLE)
def participants(request: Request, holder: Admin, study: StudyNumber, format: Literal["csv", "json"]) -> Response:
    """Who took part: parameters, consent, conduct, flags, answers about the person."""
    return participants_file(context_of(request).open_studies.study(study), format)


def _shown(request: Request, link: OpenLink) -> OpenLinkOut:
    return OpenLinkOut(
        link=context_of(request).open_link(request, link.code),
        on=link.on,
        capacity=link.capacity,
        opens_at=link.opens_at,
        closes_at=link.closes_at,
        has_phrase=bool(link.phrase),
        per_address=link.per_address,
    )


def _platform(request: Request, study: int) -> PlatformOut:
    context = context_of(request)
    platform, link = context.platforms.of(study), context.open_links.of(study)
    address = platform.link(context.open_link(request, link.code)) if link else ""
    return PlatformOut(**{**platform.to_dict(), "parameters": list(platform.parameters)}, link=address)

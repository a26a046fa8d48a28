"""How judges come to a study: one link for everybody, its code to scan, a sheet to print, a look as a judge."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlsplit

import segno
from fastapi import APIRouter, Form, HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from juryrank.defaults import PER_ADDRESS
from juryrank.errors import BadInput, JuryrankError
from juryrank.server.access.identity import StudyNumber, checked_form
from juryrank.server.access.vault import Scope
from juryrank.server.context import context_of
from juryrank.server.crowd.platforms import PRESETS, of_preset
from juryrank.server.files.transfer import file_response
from juryrank.server.languages.speaking import speak
from juryrank.server.pages.forms import LoggedIn, Sent, done, whole
from juryrank.server.pages.judge import deck_page, first_page
from juryrank.server.pages.study import tab_page
from juryrank.server.settings import is_loopback
from juryrank.server.studies.managing import change_link, change_platform, note_link
from juryrank.server.studies.open_links import DEFAULT_CAPACITY, utc_moment
from juryrank.server.studies.setup import hidden_labels
from juryrank.server.web.guard import note_act, note_details, nothing_done
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import page

router = APIRouter(prefix="/admin/studies/{study}", include_in_schema=False)
NOT_OPEN = "This study has no open link yet."
ROLE_NAMES = {"owner": Scope.ADMIN, "viewer": Scope.READ}
ROLE_WORDS = {scope.value: name for name, scope in ROLE_NAMES.items()}
MOST_LABEL = 100


@router.get("/share")
def share(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    return _share(request, session, study)


@router.post("/share")
def save_share(
    request: Request,
    session: Sent,
    study: StudyNumber,
    on: Annotated[str, Form()] = "",
    capacity: Annotated[str, Form()] = str(DEFAULT_CAPACITY),
    opens: Annotated[str, Form()] = "",
    closes: Annotated[str, Form()] = "",
    phrase: Annotated[str, Form()] = "",
    forget_phrase: Annotated[str, Form()] = "",
    per_address: Annotated[str, Form()] = str(PER_ADDRESS),
) -> Response:
    """Switch the link on or off; set its capacity, opening and closing times, and pass phrase."""
    try:
        change_link(
            request, study, act="save_share", on=on == "yes",
            phrase=phrase if phrase.strip() or forget_phrase == "yes" else None,
            capacity=whole(capacity, "room for"), opens_at=utc_moment(opens), closes_at=utc_moment(closes),
            per_address=whole(per_address or "0", "people per address"),
        )  # fmt: skip
    except JuryrankError as problem:
        return _share(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/share", "saved")


@router.post("/share/new")
def new_open_link(request: Request, session: Sent, study: StudyNumber) -> Response:
    """A new address; the old one stops working, and those who have begun continue by their cookie."""
    context_of(request).open_studies.study(study)
    note_link(request, study, otherwise="new_open_link")
    context_of(request).open_links.make(study)
    return done(f"/admin/studies/{study}/share", "new-link")


@router.post("/share/platform")
async def save_platform(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """Which platform sends people, what is kept of its address, and where they go at the end."""
    sent = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    checked_form(request, session, sent.get("form_token", ""))
    return await run_in_threadpool(_save_platform, request, session, study, sent)


def _save_platform(request: Request, session: LoggedIn, study: int, sent: dict[str, str]) -> Response:
    context = context_of(request)
    context.open_studies.study(study)
    before = context.platforms.of(study)
    preset = sent.get("preset", "")
    wishes = {name: sent.get(name, "").strip() for name in ("finish", "code", "failed_code", "identity")}
    names = tuple(name.strip() for name in sent.get("parameters", "").replace(",", " ").split())
    if preset != before.preset:  # the form still shows what belonged to the other one
        wishes["identity"], names = (
            ("", ()) if set(names) <= set(before.parameters) else (wishes["identity"], names)
        )
        wishes["finish"] = "" if wishes["finish"] == before.finish else wishes["finish"]
    try:
        wanted = of_preset(preset, parameters=names, **wishes)
        wanted = replace(wanted, required=sent.get("without_id") != "yes", refill=sent.get("keep_places") != "yes")
        change_platform(request, study, wanted)
    except JuryrankError as problem:
        return _share(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/share", "saved")


@router.post("/share/public")
def save_public(
    request: Request, session: Sent, study: StudyNumber, public: Annotated[str, Form()] = ""
) -> Response:
    """Switch the public page of results on or off."""
    context = context_of(request)
    context.open_studies.study(study)
    if (public == "yes") == (context.public_pages.code_of(study) is not None):
        nothing_done(request)
    elif public == "yes":
        context.public_pages.switch_on(study)
    else:
        note_act(request, "public_off")
        context.public_pages.switch_off(study)
    return done(f"/admin/studies/{study}/share", "saved")


@router.post("/share/invite")
def invite(
    request: Request,
    session: Sent,
    study: StudyNumber,
    role: Annotated[str, Form()] = "",
    label: Annotated[str, Form()] = "",
) -> Response:
    """An invitation for one person, to run the study with you or to look at its results."""
    if role not in ROLE_NAMES:
        raise BadInput(f"{role[:40]!r} is not a role; there are: owner, viewer")
    note_details(request, role)
    context_of(request).open_studies.study(study)
    context_of(request).vault.invite(study, ROLE_NAMES[role], label=" ".join(label.split())[:MOST_LABEL])
    return done(f"/admin/studies/{study}/share", "invited", "members")


@router.post("/share/uninvite")
def uninvite(request: Request, session: Sent, study: StudyNumber, credential: Annotated[int, Form()]) -> Response:
    """The invitation stops working."""
    waiting = {one.id for one, _, _ in context_of(request).vault.invitations(study)}
    _take_away(request, credential, waiting)
    return done(f"/admin/studies/{study}/share", "uninvited", "members")


@router.post("/share/remove")
def remove_member(
    request: Request, session: Sent, study: StudyNumber, credential: Annotated[int, Form()]
) -> Response:
    """Somebody's key stops working, and so do the browsers that are logged in with it."""
    _take_away(request, credential, {one.id for one, _ in context_of(request).vault.members(study)})
    return done(f"/admin/studies/{study}/share", "left")


def _take_away(request: Request, credential: int, known: set[int]) -> None:
    if credential not in known or not context_of(request).vault.revoke(credential):
        nothing_done(request)  # of another study, or gone already
    note_details(request, f"number {credential}")


@router.get("/share/code.svg")
def code(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """The link as a code to scan."""
    drawn = io.BytesIO()
    segno.make(_address(request, study), error="m").save(
        drawn, kind="svg", scale=8, dark="#000", light="#fff", border=3
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml")


@router.get("/share/sheet")
def sheet(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """A page to print and put up."""
    context = context_of(request)
    speak(context.open_studies.setup(study).language)
    return page(
        request,
        "sheet.html",
        title=context.open_studies.study(study).name,
        wording=context.open_studies.setup(study).wording,
        address=_address(request, study),
        code=f"/admin/studies/{study}/share/code.svg",
    )


@router.get("/preview")
def preview(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """The first page as judges see it; nothing is saved."""
    speak(context_of(request).open_studies.setup(study).language)
    link = context_of(request).open_links.of(study)
    return first_page(request, study, f"/admin/studies/{study}/preview", phrase=bool(link and link.phrase))


@router.get("/preview/question")
def preview_question(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    """A question as judges see it."""
    speak(context_of(request).open_studies.setup(study).language)
    card = context_of(request).judging.sample(study, 0)
    return deck_page(request, study, f"/admin/studies/{study}/preview", card)


@router.get("/preview/next")
def preview_look(request: Request, session: LoggedIn, study: StudyNumber) -> Response:
    return _sample(request, study, 0)


@router.post("/preview/{act}")
async def preview_answer(request: Request, session: LoggedIn, study: StudyNumber, act: str) -> Response:
    """Show another pair, whatever was chosen; nothing changes, so it needs no form token and is not recorded."""
    nothing_done(request)
    if act == "begin":
        return RedirectResponse(f"/admin/studies/{study}/preview/question", 303)
    try:
        sent: Any = await request.json()
        last = int(str(sent.get("question", "preview-0")).removeprefix("preview-"))
    except (ValueError, AttributeError, RecursionError):
        last = 0
    return _sample(request, study, last + 1 if act == "answer" else last)


@router.get("/preview/file/{hash}")
def preview_file(request: Request, session: LoggedIn, study: StudyNumber, hash: str) -> Response:
    return file_response(request, context_of(request).storage, study, hash)


# ---------------------------------------------------------------------------- parts
def _sample(request: Request, study: int, place: int) -> Response:
    card = context_of(request).judging.sample(study, place)
    return JSONResponse(card.at(f"/admin/studies/{study}/preview").to_dict())


def _share(request: Request, session: LoggedIn, study: int, *, problem: str = "") -> Response:
    context = context_of(request)
    link = context.open_links.of(study)
    return tab_page(
        request,
        session,
        study,
        "share.html",
        "Share",
        link=link,
        address=context.open_link(request, link.code) if link else "",
        capacity=link.capacity if link else DEFAULT_CAPACITY,
        public=_public(request, study),
        hidden=bool(hidden_labels(context.open_studies.study(study), context.open_studies.setup(study))),
        platform=context.platforms.of(study),
        presets=PRESETS.values(),
        alone=is_loopback(urlsplit(context.address(request)).hostname or ""),
        local=urlsplit(context.address(request)).hostname,
        named=_named(request, study),
        members=[
            {"id": one.id, "name": label or "no name", "role": ROLE_WORDS[one.scope], "since": one.created_at[:10]}
            for one, label in context.vault.members(study)
        ],
        invitations=[
            {
                "id": one.id,
                "name": label,
                "role": ROLE_WORDS[one.scope],
                "ends": (one.expires_at or "")[:10],
                "link": f"{context.address(request)}/i/{secret}",
            }
            for one, label, secret in context.vault.invitations(study)
        ],
        problem=problem,
        status=422 if problem else 200,
    )


def _named(request: Request, study: int) -> list[dict[str, str]]:
    """The links of people whom the owner named, as long as they work, in the order of making."""
    context = context_of(request)
    people = context.open_studies.study(study).people()
    return [
        {
            "id": judge,
            "name": people[judge].name if judge in people else judge,
            "address": (people[judge].address or "") if judge in people else "",
            "link": context.link(request, secret),
        }
        for judge, secret in context.vault.links(study).items()
    ]


def _public(request: Request, study: int) -> str:
    context = context_of(request)
    code = context.public_pages.code_of(study)
    return f"{context.address(request)}/r/{code}" if code else ""


def _address(request: Request, study: int) -> str:
    context = context_of(request)
    context.open_studies.study(study)
    link = context.open_links.of(study)
    if link is None:
        raise HTTPException(404, NOT_OPEN)
    return context.open_link(request, link.code)

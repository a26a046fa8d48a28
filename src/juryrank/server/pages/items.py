"""The items of a study: listed, corrected, added; files uploaded for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Depends, Form, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response, StreamingResponse

from juryrank.defaults import MEGABYTE
from juryrank.errors import BadInput, JuryrankError
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import StudyNumber, checked_form
from juryrank.server.context import Context, context_of
from juryrank.server.files.kinds import ending
from juryrank.server.files.transfer import Received, file_response, no_file, with_sent_files
from juryrank.server.files.uploads import Refusal, Taken, Uploads, too_large
from juryrank.server.pages.forms import AnyOwner, LoggedIn, Looking, Sent, SentByAnyOwner, done
from juryrank.server.pages.new_study import sent_data, sent_table
from juryrank.server.pages.study import tab_page
from juryrank.server.studies.advice import twins
from juryrank.server.studies.downloads import LINES
from juryrank.server.studies.intake import NewItem, checked_items, decode, is_table, items_from_text, read_table
from juryrank.server.studies.items import add_to_study, case_rows, correct, item_rows
from juryrank.server.web.guard import content_policy, note_details, nothing_done
from juryrank.server.web.problems import sentence
from juryrank.storage.values import WHOLE_STORAGE

router = APIRouter(include_in_schema=False)


@router.get("/admin/studies/{study}/items")
def items(request: Request, session: LoggedIn, study: StudyNumber, find: str = "") -> Response:
    return items_page(request, session, study, find=find)


@router.get("/admin/studies/{study}/file/{hash}")
def study_file(request: Request, session: Looking, study: StudyNumber, hash: str) -> Response:
    """A file of the study, for its owner."""
    return file_response(request, context_of(request).storage, study, hash)


@router.post("/admin/studies/{study}/items")
async def add_items(
    request: Request, session: LoggedIn, study: StudyNumber, data: Annotated[FormData, Depends(sent_data)]
) -> Response:
    """Items that join: pasted, from a list, or one per file."""
    checked_form(request, session, str(data.get("form_token", "")))
    return await run_in_threadpool(_add, request, session, study, data)


def _add(request: Request, session: BrowserSession, study: int, data: FormData) -> Response:
    context = context_of(request)
    try:
        upload = with_sent_files(context.uploads, str(data.get("upload", "")), data.getlist("files"))
        new = _new_items(context, data, upload)
        if upload:
            context.uploads.hand_over(upload, study)
        add_to_study(context, study, new)
        if upload:
            context.uploads.forget(upload)
    except JuryrankError as problem:
        return items_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/items", "added")


def _new_items(context: Context, data: FormData, upload: str) -> list[NewItem]:
    pasted, table = str(data.get("items", "")), sent_table(data.get("file"), most=context.settings.upload_bytes)
    if sum(map(bool, (pasted.strip(), table, upload))) > 1:
        raise BadInput("items come from one place: a pasted list, a list in a file, or files; send one of them")
    if upload:
        return checked_items(context.uploads.items(upload), least=1)
    if table is None:
        return items_from_text(pasted, least=1)
    name, body = table
    text = decode(body, name=repr(name))
    if not is_table(name, text):
        return items_from_text(text, least=1)
    found = read_table(text, name=name)
    return found.items(found.guess(), least=1)


@router.post("/admin/studies/{study}/items/correct")
def correct_item(
    request: Request,
    session: Sent,
    study: StudyNumber,
    item: Annotated[str, Form()] = "",
    body: Annotated[str, Form()] = "",
    alt: Annotated[str, Form(max_length=1000)] = "",
    group: Annotated[str, Form(max_length=300)] = "",
) -> Response:
    """Change what judges see of one item."""
    note_details(request, item)
    try:
        if not correct(context_of(request), study, item, body=body, alt=alt, group=group):
            nothing_done(request)
    except JuryrankError as problem:
        return items_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/items", "saved")


@router.post("/admin/studies/{study}/items/withdraw")
def withdraw_item(
    request: Request, session: Sent, study: StudyNumber, item: Annotated[str, Form()] = ""
) -> Response:
    """Withdraw an item: nobody is asked about it any more; statements are made as if it were still there."""
    note_details(request, item)
    try:
        context_of(request).open_studies.study(study).withdraw_items([item])
    except JuryrankError as problem:
        return items_page(request, session, study, problem=sentence(str(problem)))
    return done(f"/admin/studies/{study}/items", "withdrawn")


def items_page(
    request: Request, session: BrowserSession, study: int, *, problem: str = "", find: str = ""
) -> Response:
    context = context_of(request)
    found, setup = context.open_studies.study(study), context.open_studies.setup(study)
    return tab_page(
        request,
        session,
        study,
        "items.html",
        "Items",
        rows=item_rows(context, study),
        alike=twins(found.items),
        cases=case_rows(context, study),
        problem=problem,
        find=find,
        file_mb=context.settings.file_bytes / MEGABYTE,
        status=422 if problem else 200,
        headers={"Content-Security-Policy": content_policy(outside=setup.outside)},
    )


# ----------------------------------------------------------------------------
# Files that an owner uploads for a study, one after the other, with the outcome of each
FormToken = Annotated[str, Header(alias="X-Form-Token")]


@router.post("/admin/uploads")
def begin_upload(request: Request, session: SentByAnyOwner) -> Response:
    return JSONResponse({"upload": context_of(request).uploads.begin()})


@router.post("/admin/uploads/{upload}")
async def add_file(
    request: Request,
    session: AnyOwner,
    upload: str,
    name: Annotated[str, Query(max_length=3000)] = "",
    form_token: FormToken = "",
) -> Response:
    """One file as the body of the request; its outcome, or that of each file of a ZIP, as lines of JSON."""
    checked_form(request, session, form_token)
    nothing_done(request)  # the study that takes the files is on record, not each of them
    uploads, path = context_of(request).uploads, unquote(name)
    await run_in_threadpool(uploads.taken, upload)
    limits = uploads.limits
    received = Received(most=limits.upload_bytes if ending(path) == "zip" else limits.file_bytes)
    try:
        await received.read(request.stream())
    except ClientDisconnect:
        received.close()
        return Response(status_code=400)  # which nobody reads
    except BaseException:
        received.close()
        raise
    taken = _added(uploads, upload, path, received)  # one line for each file, as soon as it is decoded
    return StreamingResponse(taken, media_type=LINES)


def _added(uploads: Uploads, upload: str, path: str, received: Received) -> Iterator[str]:
    try:
        if not received.is_whole:
            yield _line(Refusal(path, too_large(received.size, received.most)))
            return
        for one in uploads.add(upload, path, received.path):
            yield _line(one)
    finally:
        received.close()


def _line(one: Taken | Refusal) -> str:
    said: dict[str, Any] = {"path": one.path}
    if isinstance(one, Refusal):
        said["refused"] = one.why
    else:
        said |= {"thumb": one.content.thumb, "words": one.glimpse}
    return json.dumps(said) + "\n"


@router.post("/admin/uploads/{upload}/drop")
def drop_file(
    request: Request, session: SentByAnyOwner, upload: str, path: Annotated[str, Form()] = ""
) -> Response:
    """Take a file out again."""
    if not context_of(request).uploads.drop(upload, path):
        nothing_done(request)
    return JSONResponse({"dropped": path})


@router.get("/admin/uploads/{upload}/file/{hash}")
def uploaded_file(request: Request, session: AnyOwner, upload: str, hash: str) -> Response:
    context = context_of(request)
    if not context.uploads.file(upload, hash):
        return no_file()
    return file_response(request, context.storage, WHOLE_STORAGE, hash)

"""Files that an owner uploads for a study, one after the other, with the outcome of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Form, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response, StreamingResponse

from juryrank.server.access.identity import checked_form
from juryrank.server.context import context_of
from juryrank.server.files.kinds import ending
from juryrank.server.files.receiving import Received
from juryrank.server.files.serving import file_response, no_file
from juryrank.server.files.uploads import Refusal, Taken, Uploads, too_large
from juryrank.server.pages.forms import AnyOwner, SentByAnyOwner
from juryrank.server.studies.downloads import LINES
from juryrank.server.web.guard import nothing_done
from juryrank.storage.values import WHOLE_STORAGE

router = APIRouter(prefix="/admin/uploads", include_in_schema=False)
FormToken = Annotated[str, Header(alias="X-Form-Token")]


@router.post("")
def begin_upload(request: Request, session: SentByAnyOwner) -> Response:
    return JSONResponse({"upload": context_of(request).uploads.begin()})


@router.post("/{upload}")
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


@router.post("/{upload}/drop")
def drop_file(
    request: Request, session: SentByAnyOwner, upload: str, path: Annotated[str, Form()] = ""
) -> Response:
    """Take a file out again."""
    if not context_of(request).uploads.drop(upload, path):
        nothing_done(request)
    return JSONResponse({"dropped": path})


@router.get("/{upload}/file/{hash}")
def uploaded_file(request: Request, session: AnyOwner, upload: str, hash: str) -> Response:
    context = context_of(request)
    if not context.uploads.file(upload, hash):
        return no_file()
    return file_response(request, context.storage, WHOLE_STORAGE, hash)

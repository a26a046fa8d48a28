"""The public page of a study's heads: what this server states about its log now, what it stated before, and a box
for receipts."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from juryrank.errors import BadInput
from juryrank.server.context import context_of
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import page

router = APIRouter(include_in_schema=False)
StudyNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
SHOWN = 50  # past heads on the page; the file has all


@router.get("/heads/{study}")
def head(request: Request, study: StudyNumber, receipt: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Where the log ends now and ended before, and whether a receipt is in it.

    No log-in: it names nobody and shows no answer. Looking changes nothing: heads are kept when the log grows.
    """
    found = context_of(request).open_studies.study(study)
    says, held = "", False
    if receipt.strip():
        try:
            looked = found.find_receipt(receipt)
            says, held = looked.words, looked.held
        except BadInput as problem:
            says = sentence(str(problem))
    past = found.past_heads(latest=SHOWN)[::-1]
    lost = sum(not one.held for one in past)
    return page(
        request,
        "heads.html",
        study=study,
        head=found.head(),
        receipt=receipt,
        says=says,
        held=held,
        past=past,
        lost=lost,
    )


@router.get("/heads/{study}/all")
def every_head(request: Request, study: StudyNumber) -> Response:
    """All heads stated so far with their signatures, a JSON object per line, oldest first: to keep a copy."""
    past = context_of(request).open_studies.study(study).past_heads()
    lines = "".join(f"{json.dumps(one.to_dict())}\n" for one in past)
    return Response(lines, media_type="text/plain; charset=utf-8")

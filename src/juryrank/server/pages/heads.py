"""The public page of a study's head: what this server states about its log, and a box for receipts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from juryrank.errors import BadInput
from juryrank.server.context import context_of
from juryrank.server.web.problems import sentence
from juryrank.server.web.templating import page

router = APIRouter(include_in_schema=False)


@router.get("/heads/{study}")
def head(
    request: Request,
    study: Annotated[int, Path(ge=1, le=2**31 - 1)],
    receipt: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """Where the log ends now, and whether a receipt is in it. No log-in: it names nobody and shows no answer."""
    found = context_of(request).open_studies.study(study)
    says, held = "", False
    if receipt.strip():
        try:
            looked = found.find_receipt(receipt)
            says, held = looked.words, looked.held
        except BadInput as problem:
            says = sentence(str(problem))
    return page(request, "heads.html", study=study, head=found.head(), receipt=receipt, says=says, held=held)

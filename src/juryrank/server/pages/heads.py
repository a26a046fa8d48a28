"""The public page of a study's heads: what this server states about its log now, what it stated before, and a box
for receipts."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from juryrank.errors import BadInput
from juryrank.server.context import context_of
from juryrank.server.languages.speaking import speak, tr
from juryrank.server.web.templating import page
from juryrank.study.signing import ReceiptFound

router = APIRouter(include_in_schema=False)
StudyNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
SHOWN = 50  # past heads on the page; the file has all


@router.get("/heads/{study}")
def head(request: Request, study: StudyNumber, receipt: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Where the log ends now and ended before, and whether a receipt is in it.

    No log-in: it names nobody and shows no answer. Looking changes nothing: heads are kept when the log grows.
    """
    found = context_of(request).open_studies.study(study)
    speak(context_of(request).open_studies.setup(study).language)
    says, held = "", False
    if receipt.strip():
        try:
            looked = found.log.find_receipt(receipt)
            says, held = receipt_words(looked), looked.held
        except BadInput:
            says = tr(
                "That is no receipt: it looks like 17-VOV2-XK5L-VOV2-XK5L. Check for a letter that was mistyped."
            )
    past = found.log.past_heads(latest=SHOWN)[::-1]
    lost = sum(not one.held for one in past)
    return page(
        request,
        "heads.html",
        study=study,
        head=found.log.head(),
        receipt=receipt,
        says=says,
        held=held,
        past=past,
        lost=lost,
    )


def receipt_words(looked: ReceiptFound) -> str:
    """Whether a receipt is in the log, in the reader's language; the command says it in its own words."""
    if looked.held:
        return tr(
            "In the log: event {seq} of {events} is the one that this receipt names, so everything up to there is "
            "as it was when the receipt was given.",
            seq=looked.seq,
            events=looked.events,
        )
    if looked.seq > looked.events:
        return tr(
            "Not in the log: the receipt names event {seq}, and the log has only {events} events.",
            seq=looked.seq,
            events=looked.events,
        )
    return tr(
        "Not in the log: event {seq} is not the one that this receipt names. The receipt is of another study or "
        "mistyped, or the log was changed since.",
        seq=looked.seq,
    )


@router.get("/heads/{study}/all")
def every_head(request: Request, study: StudyNumber) -> Response:
    """All heads stated so far with their signatures, one JSON object per line, oldest first, to keep a copy of."""
    past = context_of(request).open_studies.study(study).log.past_heads()
    lines = "".join(f"{json.dumps(one.to_dict())}\n" for one in past)
    return Response(lines, media_type="text/plain; charset=utf-8")

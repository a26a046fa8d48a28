"""Studies for programs: make, read, change, results, exports, news."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from juryrank.server.access.identity import Admin, Reader, StudyNumber
from juryrank.server.api.judges import hand_out
from juryrank.server.api.shapes import (
    Done,
    HeadOut,
    Items,
    ItemsGone,
    Renamed,
    SetupIn,
    StudyIn,
    StudyMade,
    StudyOut,
    items_of,
)
from juryrank.server.context import Context, context_of
from juryrank.server.pages.study import STREAM_HEADERS
from juryrank.server.studies import managing
from juryrank.server.studies.advice import advice, reading
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.downloads import (
    EXPORT_KINDS,
    certificate_file,
    export_file,
    ranking_file,
    report_file,
)
from juryrank.server.studies.items import add_to_study, shown_items
from juryrank.server.studies.managing import change_setup as change_study_setup
from juryrank.server.studies.managing import set_closed
from juryrank.server.studies.reliability import study_reliability
from juryrank.server.studies.setup import Setup, hidden_labels
from juryrank.server.web.guard import note_details

router = APIRouter(prefix="/studies", tags=["studies"])
Format = Literal["csv", "parquet", "votes-jsonl", "jsonl", "zip", "crowd-kit", "lmarena", "evalica"]


def _gives(what: str, *kinds: str) -> dict[int | str, dict[str, Any]]:
    """What the OpenAPI document says of a route that returns something other than JSON."""
    return {200: {"description": what, "content": {kind: {} for kind in kinds}}}


def study_out(context: Context, number: int) -> StudyOut:
    """A study in one line."""
    study = context.open_studies.study(number)
    p = study.progress()
    return StudyOut(
        id=study.id,
        name=study.name,
        created_at=study.created_at,
        state=cast(Any, "closed" if study.closed else p.state),
        ranker=p.ranker,
        error=p.error,
        items=p.progress.items,
        judges=p.progress.judges,
        answers=p.answers,
        seq=p.seq,
    )


@router.get("")
def list_studies(request: Request, holder: Reader) -> list[StudyOut]:
    """All studies, newest first."""
    context = context_of(request)
    return [study_out(context, row.id) for row in context.open_studies.rows()]


@router.post("", status_code=201)
def create_study(request: Request, holder: Admin, sent: StudyIn) -> StudyMade:
    """Make a study; judges' links and tokens are in the answer, this once."""
    context = context_of(request)
    draft = StudyDraft(
        name=sent.name,
        items=items_of(sent.items),
        judges=[one.judge() for one in sent.judges],
        about=sent.about,
        goal=sent.goal,
        within=sent.within,
        error=sent.error,
        fresh=sent.fresh,
        ranker=sent.ranker,
        repeats=sent.repeats,
        budget=sent.budget,
        seed=sent.seed,
        sitting=sent.sitting,
        sitting_minutes=sent.sitting_minutes,
        cases=sent.on_cases,
        outputs=sent.outputs,
        sides=sent.sides,
        setup=Setup().changed(**sent.setup.changes()),
    )
    study = make_study(context.open_studies, draft)
    words = "" if draft.whom is None or sent.repeats else advice(
        items=len(sent.items), judges=len(sent.judges), error=sent.error, about=draft.whom,
        goal=sent.goal, fresh=sent.fresh, sitting=sent.sitting,
    )  # fmt: skip
    takes = context.judging.reading_time(study.id)
    words = " ".join(filter(None, (words, reading(*takes) if takes else "")))
    note_details(request, study.name)
    links = hand_out(request, study.id, study.judges)
    return StudyMade(study=study_out(context, study.id), judges=links, advice=words)


@router.get("/{study}")
def read_study(request: Request, holder: Reader, study: StudyNumber) -> StudyOut:
    """One study: how it is set up, and its state."""
    return study_out(context_of(request), study)


@router.patch("/{study}")
def rename_study(request: Request, holder: Admin, study: StudyNumber, sent: Renamed) -> StudyOut:
    """Rename the study; links, log and certificates stay as they are."""
    managing.rename_study(request, study, sent.name)
    return study_out(context_of(request), study)


@router.get("/{study}/setup")
def read_setup(request: Request, holder: Reader, study: StudyNumber) -> dict[str, Any]:
    """How judges see the study: wording, first page, contents, checks."""
    return context_of(request).open_studies.setup(study).to_dict()


@router.patch("/{study}/setup")
def change_setup(request: Request, holder: Admin, study: StudyNumber, sent: SetupIn) -> dict[str, Any]:
    """Change what is sent, keep the rest."""
    change_study_setup(request, study, lambda setup: setup.changed(**sent.changes()))
    return context_of(request).open_studies.setup(study).to_dict()


@router.delete("/{study}")
def delete_study(request: Request, holder: Admin, study: StudyNumber) -> Done:
    """Delete the study, its answers, its people and its links for good."""
    open_studies = context_of(request).open_studies
    note_details(request, open_studies.study(study).name)
    open_studies.delete(study)
    return Done(done="deleted")


@router.get("/{study}/head")
def head(request: Request, holder: Reader, study: StudyNumber) -> HeadOut:
    """Where the log ends now, with the time, signed by this server's key."""
    found = context_of(request).open_studies.study(study).log.head()
    return HeadOut(**found.to_dict(), code=found.code)  # type: ignore[arg-type]


@router.post("/{study}/close")
def close(request: Request, holder: Admin, study: StudyNumber) -> Done:
    """Ask no more; questions that were asked may still be answered."""
    set_closed(request, study, closed=True)
    return Done(done="closed")


@router.post("/{study}/open")
def reopen(request: Request, holder: Admin, study: StudyNumber) -> Done:
    """Go on asking."""
    set_closed(request, study, closed=False)
    return Done(done="opened")


@router.post("/{study}/items")
def add_items(request: Request, holder: Admin, study: StudyNumber, sent: Items) -> Done:
    """Items that join the ranking."""
    add_to_study(context_of(request), study, items_of(sent))
    return Done(done="added")


@router.post("/{study}/items/withdraw")
def withdraw_items(request: Request, holder: Admin, study: StudyNumber, sent: ItemsGone) -> Done:
    """Withdraw items: nobody is asked about them any more; statements are made as if they were still there."""
    context_of(request).open_studies.study(study).withdraw_items(sent.items)
    return Done(done="withdrawn")


# ---------------------------------------------------------------------------- results
@router.get("/{study}/progress")
def progress(request: Request, holder: Reader, study: StudyNumber) -> dict[str, Any]:
    """Placed, settled, asked, to go, cost: the fields of `juryrank.study.StudyProgress`."""
    return context_of(request).open_studies.study(study).progress().to_dict()


@router.get("/{study}/ranking")
def ranking(request: Request, holder: Reader, study: StudyNumber) -> dict[str, Any]:
    """The order so far, best first, with what is settled: the fields of `juryrank.Ranking`."""
    return context_of(request).open_studies.study(study).ranking().to_dict()


@router.get(
    "/{study}/ranking/{format}",
    response_class=Response,
    responses=_gives("The table", "text/csv", "application/json"),
)
def ranking_table(
    request: Request, holder: Reader, study: StudyNumber, format: Literal["csv", "json"]
) -> Response:
    """The ranking as a table: rank, promised range, estimate, group, wins, comparisons."""
    open_studies = context_of(request).open_studies
    return ranking_file(open_studies.study(study), open_studies.setup(study).groups, format)


@router.get("/{study}/reliability")
def reliability(request: Request, holder: Reader, study: StudyNumber) -> dict[str, Any]:
    """Separation reliability (SSR), split halves, Krippendorff's alpha, judges who misfit: estimates."""
    return asdict(study_reliability(context_of(request).open_studies.study(study)))


@router.get("/{study}/refold")
def refold(
    request: Request,
    holder: Reader,
    study: StudyNumber,
    ranker: Annotated[str | None, Query(max_length=40)] = None,
    error: Annotated[float | None, Query(gt=0, lt=1)] = None,
) -> dict[str, Any]:
    """The same answers under another ranker or δ: a post-hoc `Ranking`; the study is not changed."""
    return context_of(request).open_studies.study(study).log.refold(ranker=ranker, error=error).to_dict()


@router.get("/{study}/certificate", response_class=Response, responses=_gives("A certificate", "application/json"))
def certificate(request: Request, holder: Reader, study: StudyNumber) -> Response:
    """The result with every event behind it: `juryrank verify` re-checks it."""
    return certificate_file(context_of(request).open_studies.study(study))


@router.get("/{study}/export/{format}", response_class=Response, responses=_gives("The votes", *EXPORT_KINDS))
def export(request: Request, holder: Reader, study: StudyNumber, format: Format) -> Response:
    """Every answer, with its shown order, times and outcome."""
    return export_file(context_of(request).open_studies.study(study), format)


@router.get("/{study}/report", response_class=Response, responses=_gives("The page", "text/html"))
def report(request: Request, holder: Reader, study: StudyNumber) -> Response:
    """One HTML page that opens offline."""
    context = context_of(request)
    found = context.open_studies.study(study)
    labels = hidden_labels(found, context.open_studies.setup(study))
    return report_file(found, shown_items(context, study), labels=labels)


@router.get("/{study}/events", response_class=Response, responses=_gives("Events", "text/event-stream"))
def events(request: Request, holder: Reader, study: StudyNumber) -> Response:
    """Server-sent events: `change` with the log's length when it has grown, `gone` when the study was deleted."""
    context = context_of(request)
    context.open_studies.study(study)
    news = context.live.stream(study, allowed=lambda: context.vault.still_works(holder))
    return StreamingResponse(news, media_type="text/event-stream", headers=STREAM_HEADERS)

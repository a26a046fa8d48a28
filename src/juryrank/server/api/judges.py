"""A study's judges for programs: list, add, pause, remove, replace links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request

from juryrank.server.access.identity import Admin, Reader, StudyNumber
from juryrank.server.access.vault import Scope
from juryrank.server.api.shapes import Done, JudgeIn, JudgeLink, JudgeOut, JudgesOut
from juryrank.server.context import context_of
from juryrank.server.studies import managing
from juryrank.server.web.guard import note_act, note_details

router = APIRouter(prefix="/studies/{study}/judges", tags=["judges"])
JudgeId = Annotated[str, Path(min_length=1, max_length=300)]


def hand_out(request: Request, study: int, judges: Iterable[str]) -> list[JudgeLink]:
    """A link for the browser and a token for programs, for each of these judges."""
    context = context_of(request)
    people, days = context.open_studies.study(study).people(), context.open_studies.setup(study).link_days
    made = []
    for judge in judges:
        secret = context.vault.issue_link(study, judge, days=days)
        _, token = context.vault.issue_token(Scope.JUDGE, study=study, judge=judge, days=days)
        person = people.get(judge)
        name, address = (person.name, person.address) if person else (judge, None)
        link = context.link(request, secret)
        made.append(JudgeLink(judge=judge, name=name, address=address, link=link, token=token))
    return made


@router.get("")
def list_judges(request: Request, holder: Reader, study: StudyNumber) -> list[JudgeOut]:
    """Every judge; names and addresses are shown to admin tokens only."""
    view = context_of(request).overviews.get(study, fresh=True)
    found = []
    for row in view.progress.judges:
        judge, report = str(row.report.name), row.report
        person = view.people.get(judge) if holder.scope is Scope.ADMIN else None
        found.append(
            JudgeOut(
                judge=judge,
                name=person.name if person else None,
                address=person.address if person else None,
                answered=row.left + row.right + row.ties + row.skips,
                accuracy=report.accuracy,
                low=report.low,
                high=report.high,
                active=report.active,
                paused=row.paused,
                removed=row.removed,
                note=report.note,
                left=row.left,
                right=row.right,
                ties=row.ties,
                skips=row.skips,
                late=row.late,
                expired=row.expired,
                undone=row.undone,
                open=row.open,
                last_at=row.last_at,
                median_seconds=view.answers.median_time(judge),
            )
        )
    return found


@router.post("", status_code=201)
def add_judges(request: Request, holder: Admin, study: StudyNumber, sent: list[JudgeIn]) -> JudgesOut:
    """New judges; their links and tokens are in the answer, this once."""
    secrets = managing.add_judges(context_of(request), study, [one.judge() for one in sent])
    return JudgesOut(judges=hand_out(request, study, secrets))


@router.post("/{judge}/link")
def new_link(request: Request, holder: Admin, study: StudyNumber, judge: JudgeId) -> JudgesOut:
    """A new link and token; the old ones stop working."""
    note_details(request, judge)
    managing.known_judge(context_of(request).open_studies.study(study), judge)
    return JudgesOut(judges=hand_out(request, study, [judge]))


@router.post("/{judge}/{action}")
def about_judge(
    request: Request,
    holder: Admin,
    study: StudyNumber,
    judge: JudgeId,
    action: Literal["pause", "resume", "remove", "discard", "undo", "erase"],
) -> Done:
    """Stop or resume asking; `discard` and a late `undo` make the result post-hoc; `erase` forgets the name."""
    note_act(request, f"judge {action}")
    note_details(request, judge)
    return Done(done=managing.about_judge(request, study, judge, action))

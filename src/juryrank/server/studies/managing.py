"""What whoever runs a study may do with it; the same for pages and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.requests import Request

from juryrank.defaults import MOST_CHECKS, STUDY_NAME_CHARACTERS
from juryrank.errors import BadInput, UnknownName
from juryrank.server.context import Context, context_of
from juryrank.server.crowd.platforms import Platform
from juryrank.server.studies.intake import NewJudge
from juryrank.server.studies.open_links import OpenLink
from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.server.web.guard import note_act, note_details, nothing_done
from juryrank.study import Study, catalogue
from juryrank.study.people import AboutPeople


def set_closed(request: Request, number: int, *, closed: bool) -> None:
    """Close a study or open it again; one that is so already has nothing put on record."""
    study = context_of(request).open_studies.study(number)
    if study.closed == closed:
        nothing_done(request)
    else:
        study.close(reopen=not closed)


def rename_study(request: Request, number: int, name: str) -> None:
    """Call a study otherwise; its links, its log and its certificates stay as they are."""
    study, wanted = context_of(request).open_studies.study(number), " ".join(name.split())
    if len(wanted) > STUDY_NAME_CHARACTERS:
        raise BadInput(f"the name has {len(wanted):,} characters; at most {STUDY_NAME_CHARACTERS} fit the pages")
    if wanted == study.name:
        nothing_done(request)
        return
    note_details(request, f"{study.name} → {wanted}")
    catalogue.rename_study(study, wanted)


def change_setup(request: Request, number: int, change: Callable[[Setup], Setup]) -> None:
    """Change how a study is shown; where it is shown like that already, nothing is put on record."""
    if not context_of(request).open_studies.change_setup(number, change):
        nothing_done(request)


def change_link(request: Request, number: int, *, act: str, phrase: str | None, **terms: Any) -> OpenLink:
    """Change the open link, or make it; with the terms that it has, nothing is put on record."""
    context = context_of(request)
    context.open_studies.study(number)
    note_link(request, number, otherwise=act)
    before = context.open_links.of(number)
    link = context.open_links.change(number, phrase=phrase, **terms)
    if link == before:
        nothing_done(request)
    return link


def change_platform(request: Request, number: int, wanted: Platform) -> None:
    """Change which platform sends people; where it is the same one, nothing is put on record."""
    context = context_of(request)
    before = context.platforms.of(number)
    context.platforms.save(number, wanted)
    if context.platforms.of(number) == before:
        nothing_done(request)


def note_link(request: Request, number: int, *, otherwise: str) -> None:
    """Before a study's open link is set: is it the first one?"""
    first = context_of(request).open_links.of(number) is None
    note_act(request, "first_open_link" if first else otherwise)


def add_judges(context: Context, number: int, judges: Sequence[NewJudge]) -> dict[str, str]:
    """New people with their links' secrets, by the id under which the log knows them."""
    if not judges:
        raise BadInput("there is nobody on the list; write one judge per line")
    study = context.open_studies.study(number)
    ids = [study.add_judge(judge.name, address=judge.address, person=True) for judge in judges]
    return context.vault.issue_links(number, ids, days=context.open_studies.setup(number).link_days)


def new_link(context: Context, number: int, judge: str) -> str:
    """A new link; the old one stops working."""
    known_judge(context.open_studies.study(number), judge)
    return context.vault.issue_link(number, judge, days=context.open_studies.setup(number).link_days)


def about_judge(request: Request, number: int, judge: str, action: str) -> str:
    """Do one of ACTIONS; returns what was done. What is so already is not done, nor put on record, again."""
    context = context_of(request)
    study = context.open_studies.study(number)
    known_judge(study, judge)
    if action not in ACTIONS:
        raise UnknownName(f"{action!r} is not something to do with a judge; there are: {', '.join(ACTIONS)}")
    do, said = ACTIONS[action]
    if _is_so(study, judge, action):
        nothing_done(request)
        return said
    do(study, judge)
    if action in ("remove", "discard"):
        context.vault.revoke_judge(number, judge)
    return said


def _is_so(study: Study, judge: str, action: str) -> bool:
    """Is a judge paused, asked again, removed or erased already?"""
    if action == "erase":
        about = AboutPeople(study.storage, study.id)
        said = about.of(judge) or any(one["judge"] == judge for one in about.comments())
        return judge not in study.people() and not said
    row = next(row for row in study.progress().judges if row.report.name == judge)
    return {"pause": row.paused, "resume": not row.paused and row.report.active, "remove": row.removed}.get(
        action, False
    )


ACTIONS: Mapping[str, tuple[Callable[[Study, str], object], str]] = {
    "pause": (lambda study, judge: study.judge(judge).pause(), "paused"),
    "resume": (lambda study, judge: study.judge(judge).resume(), "resumed"),
    "remove": (lambda study, judge: study.judge(judge).remove(), "removed"),
    "discard": (lambda study, judge: study.judge(judge).remove(discard_answers=True), "discarded"),
    "undo": (lambda study, judge: study.undo(judge, by="owner", post_hoc=True), "undone"),
    "erase": (lambda study, judge: study.judge(judge).erase(), "erased"),
}


def checks_from_text(text: str) -> tuple[AttentionCheck, ...]:
    """Attention checks, one per line.

    >>> checks_from_text("a cat > a stone")
    (AttentionCheck(better='a cat', worse='a stone'),)
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_CHECKS:
        raise BadInput(f"there are {len(lines)} checks; at most {MOST_CHECKS} are kept")
    checks = []
    for place, line in enumerate(lines, start=1):
        better, sign, worse = (part.strip() for part in line.partition(">"))
        if not (better and sign and worse) or better == worse:
            raise BadInput(f"line {place} is {line!r}; write a check as: better > worse")
        checks.append(AttentionCheck(better, worse))
    if len(set(checks)) != len(checks):
        raise BadInput("a check is listed twice; write each once")
    return tuple(checks)


def known_judge(study: Study, judge: str) -> str:
    """The judge, if there is one."""
    if judge not in study.judges:
        raise UnknownName(f"there is no judge {judge!r} in this study")
    return judge

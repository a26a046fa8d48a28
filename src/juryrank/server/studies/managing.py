"""What whoever runs a study may do with it; the same for pages and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.requests import Request

from juryrank.errors import BadInput, UnknownName
from juryrank.server.context import Context, context_of
from juryrank.server.studies.intake import NewJudge
from juryrank.server.studies.setup import AttentionCheck
from juryrank.server.web.guard import note_act, nothing_done
from juryrank.study import Study

MOST_CHECKS = 50


def set_closed(request: Request, number: int, *, closed: bool) -> None:
    """Close a study or open it again; one that is so already has nothing put on record."""
    study = context_of(request).open_studies.study(number)
    if study.closed == closed:
        nothing_done(request)
    elif closed:
        study.close()
    else:
        study.reopen()


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


def about_judge(context: Context, number: int, judge: str, action: str) -> str:
    """Do one of ACTIONS; returns what was done."""
    study = context.open_studies.study(number)
    known_judge(study, judge)
    if action not in ACTIONS:
        raise UnknownName(f"{action!r} is not something to do with a judge; there are: {', '.join(ACTIONS)}")
    do, said = ACTIONS[action]
    do(study, judge)
    if action in ("remove", "discard"):
        context.vault.revoke_judge(number, judge)
    return said


ACTIONS: Mapping[str, tuple[Callable[[Study, str], object], str]] = {
    "pause": (Study.pause_judge, "paused"),
    "resume": (Study.resume_judge, "resumed"),
    "remove": (Study.remove_judge, "removed"),
    "discard": (lambda study, judge: study.remove_judge(judge, discard_answers=True), "discarded"),
    "undo": (lambda study, judge: study.undo(judge, by="owner", post_hoc=True), "undone"),
    "erase": (Study.erase_judge, "erased"),
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

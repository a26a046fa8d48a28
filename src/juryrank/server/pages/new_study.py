"""A new study: one form, a look at an uploaded list, and then its links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.responses import JSONResponse, Response

from juryrank.defaults import (
    DEFAULT_ERROR,
    DEFAULT_SITTING,
    MEGABYTE,
    MOST_ITEMS,
    MOST_JUDGES,
    MOST_MINUTES,
    MOST_QUESTIONS,
)
from juryrank.errors import BadInput, JuryrankError, shown
from juryrank.rankers.choice import JUDGES, PEOPLE, TRUTH
from juryrank.run.cases.case import Case
from juryrank.run.cases.outputs import Outputs
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import checked_form
from juryrank.server.context import context_of
from juryrank.server.files.transfer import with_sent_files
from juryrank.server.files.uploads import Taken, Uploads
from juryrank.server.pages.forms import LoggedIn, admin_page, done, links_page, number, whole
from juryrank.server.studies.advice import advice, bare, reading, twins
from juryrank.server.studies.creating import GOALS, StudyDraft, make_study
from juryrank.server.studies.intake import (
    AUTO,
    ROLES,
    NewItem,
    UploadedTable,
    checked_items,
    decode,
    is_table,
    items_from_text,
    judges_from_text,
    outputs_in,
    read_table,
)
from juryrank.server.studies.setup import DEFAULT_QUESTION, Setup
from juryrank.server.web.guard import note_details, nothing_done
from juryrank.server.web.problems import sentence
from juryrank.server.web.render import minutes_to_read, words_shown

router = APIRouter(prefix="/admin", include_in_schema=False)
OPEN, NAMED = "open", "named"  # how judges come: by one link for everybody, or each by a link of their own
SHOWN = 6  # rows of an uploaded list that are shown before it is used
KINDS = (
    (AUTO, "automatic"),
    ("text", "plain text"),
    ("markdown", "Markdown"),
    ("image", "pictures by address"),
    ("link", "links to pages"),
    ("audio", "sound by address"),
    ("video", "film by address"),
)
ABOUT = (  # the usual one first
    (PEOPLE, "people: each compares a pair once. What is proven is what most people like them would say."),
    (JUDGES, "exactly these judges, named now: each compares a pair once, and their majority is counted."),
    (TRUTH, "programs that answer anew each time and are right more often than not: the true order is proven."),
)
OF_PEOPLE = ("ranges", "tiers")  # goals that mean "as much as can be proven" of judges: their order
ROLE_WORDS = {
    "id": "Name of the item (for you alone, unless you show it)",
    "content": "What judges see",
    "kind": "How it is shown",
    "alt": "What a picture shows, in words",
    "group": "Group, for results",
}


@dataclass(frozen=True, slots=True)
class NewStudyForm:
    """The form as it was filled in; shown again when something is wrong with it."""

    name: str = ""
    question: str = DEFAULT_QUESTION
    items: str = ""
    kind: str = AUTO
    reach: str = OPEN
    judges: str = ""
    expected: str = ""  # people who are expected by the open link: for the forecast only
    sitting: str = str(DEFAULT_SITTING)
    minutes: str = "60"
    ties: str = "yes"
    about: str = PEOPLE
    goal: str = "ranges"
    error: str = str(DEFAULT_ERROR)
    budget: str = ""
    intro: str = ""
    consent: str = ""
    own_work: str = ""
    seen: str = ""  # what was said about an uploaded list when it was looked at
    table: str = ""  # an uploaded list, on its way from the look at it to the study
    table_name: str = ""
    header: str = ""
    upload: str = ""  # files that were received already
    roles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, form: FormData) -> NewStudyForm:
        plain = {one.name: str(form.get(one.name, "")) for one in fields(cls) if one.name != "roles"}
        for name in ("error", "sitting", "minutes", "goal", "kind", "about", "reach"):
            plain[name] = plain[name] or str(cls.__dataclass_fields__[name].default)
        roles = {role: str(form.get(f"role_{role}", "")) for role in ROLES if form.get(f"role_{role}")}
        return cls(**plain, roles=roles)

    def listed(self) -> UploadedTable | None:
        """The uploaded table, with its header as said."""
        if not self.table:
            return None
        return read_table(self.table, name=self.table_name, header=self.header == "yes")

    @property
    def wanted(self) -> str | None:
        """The goal; about the truth a goal for people means the order."""
        return wanted_goal(self.about, self.goal)

    @property
    def fresh(self) -> bool | None:
        return True if self.about == TRUTH else None

    def draft(self, items: list[NewItem]) -> StudyDraft:
        """What the form asks for."""
        if self.about not in dict(ABOUT):
            raise BadInput(f"{self.about!r} is not offered here")
        people = self.about == PEOPLE
        return StudyDraft(
            name=self.name.strip(),
            items=items,
            judges=judges_from_text(self.judges) if self.reach == NAMED else [],
            about=self.about,
            goal=self.wanted,
            fresh=self.fresh,
            error=number(self.error, "the accepted chance of being wrong"),
            budget=whole(self.budget, "the most questions") if self.budget.strip() else None,
            sitting=whole(self.sitting, "questions per person") if people else None,
            sitting_minutes=number(self.minutes, "the time limit") if people else None,
            setup=Setup(
                self.question, self.intro, self.consent == "yes", self.own_work == "yes", self.ties == "yes"
            ),
        )


def wanted_goal(about: str, goal: str) -> str | None:
    """The goal that the form means: ranges and lines are for people; of others the whole order is wanted.

    >>> wanted_goal("people", "ranges"), wanted_goal("truth", "ranges"), wanted_goal("truth", "best")
    ('ranges', None, 'best')
    """
    return None if about != PEOPLE and goal in OF_PEOPLE else goal


@router.get("/new")
def new_page(request: Request, session: LoggedIn) -> Response:
    return _page(request, session, NewStudyForm())


@router.get("/advice")
def advise(
    session: LoggedIn,
    items: Annotated[int, Query(ge=0, le=MOST_ITEMS)] = 0,
    judges: Annotated[int, Query(ge=0, le=MOST_JUDGES)] = 0,
    error: float = DEFAULT_ERROR,
    about: str = PEOPLE,
    goal: str = "ranges",
    sitting: Annotated[int, Query(ge=1, le=MOST_QUESTIONS)] = DEFAULT_SITTING,
    words: Annotated[int, Query(ge=0, le=10**9)] = 0,
    minutes: Annotated[float, Query(ge=0, le=MOST_MINUTES)] = MOST_MINUTES,
    quick: str = "",
) -> Response:
    """Are the people enough, and the time? The form asks as it is filled in: `quick`ly, then in full."""
    try:
        said = advice(
            items=items, judges=judges, error=error, about=about, goal=wanted_goal(about, goal),
            fresh=True if about == TRUTH else None, sitting=sitting, quick=quick == "yes",
        )  # fmt: skip
    except JuryrankError:
        said = ""
    people = about == PEOPLE and items > 0
    takes = minutes_to_read([words / items] * items, questions=sitting) if people else 0
    return JSONResponse({"advice": _both(said, reading(takes, minutes)), "more": quick == "yes"})


async def sent_data(request: Request) -> FormData:
    """The form; its files are on the disk, not in memory."""
    most = context_of(request).settings.upload_bytes
    return await request.form(max_files=MOST_ITEMS, max_part_size=most)


@router.post("/new")
async def create(request: Request, session: LoggedIn, data: Annotated[FormData, Depends(sent_data)]) -> Response:
    """Make the study; an uploaded table is shown first, with questions about what is doubtful."""
    checked_form(request, session, str(data.get("form_token", "")))
    return await run_in_threadpool(_create, request, session, NewStudyForm.read(data), data)


def _create(request: Request, session: BrowserSession, form: NewStudyForm, data: FormData) -> Response:
    context = context_of(request)
    try:
        form = replace(form, upload=with_sent_files(context.uploads, form.upload, data.getlist("files")))
        table = sent_table(data.get("file"), most=context.settings.upload_bytes)
        items, look = _items(form, table, context.uploads)
        if look is not None:
            return _look(request, session, *look)
        if (listed := form.listed()) is not None and (found := outputs_in(listed)) is not None:
            return _create_cases(request, session, form, found, [str(name) for name in data.getlist("model")])
        if form.table and _about_list(form, items) not in form.seen:  # its columns are used in another way now
            return _look(request, session, form)
        draft = form.draft(items)
        study = make_study(context.open_studies, draft, files=context.uploads.waiting(form.upload))
        if form.upload:
            context.uploads.forget(form.upload)
    except JuryrankError as problem:
        words = sentence(str(problem))
        if form.table and "column" in words:
            return _look(request, session, form, problem=words)
        return _page(request, session, form, problem=words)
    note_details(request, study.name)
    said = "made-alike" if twins(study.items) else "made"
    if form.reach == OPEN:
        context.open_links.make(study.id)
        return done(f"/admin/studies/{study.id}/share", said)
    _links(request, study.id)
    return links_page(study.id, said)


def _create_cases(
    request: Request,
    session: BrowserSession,
    form: NewStudyForm,
    found: tuple[Outputs, list[Case]],
    models: list[str],
) -> Response:
    """Make a study of systems on cases, judged by models of the operator's, by named people, or by both."""
    context, (outputs, cases) = context_of(request), found
    try:
        if unknown := set(models) - set(context.models.allowed):
            raise BadInput(f"this server has no model {shown(min(unknown))}; its operator says which there are")
        draft = form.draft([NewItem(name) for name in outputs])
        if not draft.judges and not models:
            raise BadInput("nobody judges yet: tick a model, or start again and name people")
        goal = None if form.goal in OF_PEOPLE else form.goal
        draft = replace(
            draft, models=models, about=None, fresh=None, goal=goal, sitting=None, sitting_minutes=None
        )
        study = make_study(context.open_studies, replace(draft, cases=cases, outputs=outputs))
    except JuryrankError as problem:
        return _look(request, session, form, problem=sentence(str(problem)), chosen=models)
    note_details(request, study.name)
    if models:
        return done(f"/admin/studies/{study.id}/models", "made")
    _links(request, study.id)
    return links_page(study.id, "made")


def sent_table(file: UploadFile | str | None, *, most: int) -> tuple[str, bytes] | None:
    """The list that was chosen: its name and content."""
    if not isinstance(file, UploadFile) or not file.filename:
        return None
    if (file.size or 0) > most:
        raise BadInput(
            f"the list has {(file.size or 0) / MEGABYTE:,.1f} MB; at most {most / MEGABYTE:g} MB are accepted"
        )
    file.file.seek(0)
    return file.filename, file.file.read()


def _items(
    form: NewStudyForm, table: tuple[str, bytes] | None, uploads: Uploads
) -> tuple[list[NewItem], tuple[NewStudyForm] | None]:
    """The items; or the form with the table in it, for its owner to look at first."""
    if sum(map(bool, (table or form.table, form.upload, form.items.strip()))) > 1:
        raise BadInput("items come from one place: a pasted list, a list in a file, or files; send one of them")
    if form.upload:
        return checked_items(uploads.items(form.upload)), None
    if table:
        name, body = table
        text = decode(body, name=repr(name))
        if not is_table(name, text):
            return items_from_text(text, kind=form.kind), None
        found = read_table(text, name=name)
        guessed = "yes" if not found.head[0].startswith("column ") else ""
        return [], (replace(form, table=text, table_name=name, header=guessed, roles=found.guess()),)
    table_now = form.listed()
    if table_now is None:
        return items_from_text(form.items, kind=form.kind), None
    if outputs_in(table_now) is not None:
        return [], None
    if not set(form.roles.values()) <= set(table_now.head):  # the header was switched on or off: look again
        return [], (replace(form, roles=table_now.guess()),)
    return table_now.items(form.roles, kind=form.kind), None


def _about_list(form: NewStudyForm, items: list[NewItem]) -> str:
    """What an owner should know about an uploaded list before it is used."""
    nameless = bare(items) if form.roles.get("id") and form.roles.get("content") else ""
    return " ".join(filter(None, (twins([item.id for item in items]), nameless)))


def _links(request: Request, study: int) -> dict[str, str]:
    context = context_of(request)
    days = context.open_studies.setup(study).link_days
    return context.vault.issue_links(study, context.open_studies.study(study).judges, days=days)


# ---------------------------------------------------------------------------- pages
def _page(request: Request, session: BrowserSession, form: NewStudyForm, *, problem: str = "") -> Response:
    values: dict[str, Any] = {"kinds": KINDS, "abouts": ABOUT, "goals": GOALS}
    values |= {"most_minutes": MOST_MINUTES, "usual_error": str(DEFAULT_ERROR)}
    values["file_mb"] = context_of(request).settings.file_bytes / MEGABYTE
    form, values["taken"] = _still_there(context_of(request).uploads, form)
    return admin_page(
        request, session, "new.html", status=422 if problem else 200, form=form, problem=problem,
        kept=_kept(form), **values,
    )  # fmt: skip


def _still_there(uploads: Uploads, form: NewStudyForm) -> tuple[NewStudyForm, list[Taken]]:
    """The form with the files that it holds; without them once they are no longer kept."""
    try:
        return form, uploads.taken(form.upload) if form.upload else []
    except JuryrankError:
        return replace(form, upload=""), []


def _look(
    request: Request, session: BrowserSession, form: NewStudyForm, *, problem: str = "", chosen: Sequence[str] = ()
) -> Response:
    """The uploaded list as it would be used, before anything is made of it."""
    nothing_done(request)
    table = form.listed()
    assert table is not None
    items: list[NewItem] = []
    outputs: Outputs = {}
    cases: list[Case] = []
    try:
        if (found := outputs_in(table)) is not None:
            outputs, cases = found
        else:
            items = table.items(form.roles, kind=form.kind)
    except JuryrankError as why:
        problem = problem or sentence(str(why))
    doubts = _about_list(form, items)
    return admin_page(
        request,
        session,
        "table.html",
        status=422 if problem else 200,
        form=form,
        table=table,
        roles=[(role, ROLE_WORDS[role], form.roles.get(role, "")) for role in ROLES],
        items=items[:SHOWN],
        count=len(items),
        outputs=outputs,
        cases=cases[:SHOWN],
        all_cases=len(cases),
        models=list(context_of(request).models.allowed.values()),
        chosen=chosen,
        kept=_kept(form),
        problem=problem,
        doubts=doubts,
        advice=_advice(form, items) if items else "",
    )


def _both(*words: str) -> str:
    return " ".join(filter(None, words))


def _advice(form: NewStudyForm, items: list[NewItem]) -> str:
    """What so many people can be expected to find out about this list; it never stands in the way."""
    try:
        draft = form.draft(items)
        expected = whole(form.expected, "the people you expect") if form.expected.strip() else 0
        said = advice(
            items=len(items), judges=len(draft.judges) or max(0, expected), error=draft.error,
            about=form.about, goal=draft.goal, fresh=draft.fresh, sitting=draft.sitting,
        )  # fmt: skip
        words = [words_shown(item.id, item.content) for item in items]
        takes = minutes_to_read(words, questions=draft.sitting) if draft.sitting else 0
        return _both(said, reading(takes, draft.sitting_minutes or MOST_MINUTES))
    except JuryrankError:
        return ""  # something is missing in the form: it is said when the study is made


def _kept(form: NewStudyForm) -> list[tuple[str, str]]:
    """What the form holds already, kept in hidden fields."""
    seen = ("roles", "header", "seen")
    plain = [(one.name, str(getattr(form, one.name))) for one in fields(form) if one.name not in seen]
    return [(name, value) for name, value in plain if value]

"""All studies, a new study, tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from starlette.responses import JSONResponse, Response

from juryrank.errors import BadInput, JuryrankError
from juryrank.server.access.vault import MOST_DAYS, Scope
from juryrank.server.context import Context, context_of
from juryrank.server.dashboard.judge_rows import moment
from juryrank.server.pages.forms import LoggedIn, Sent, admin_page, done, number
from juryrank.server.pages.study import judges_page
from juryrank.server.studies.creating import FRESH, OBJECTIVES, PEOPLE, StudyDraft, advice, make_study
from juryrank.server.studies.intake import (
    AUTO,
    MOST_ITEMS,
    MOST_JUDGES,
    NewItem,
    items_from_file,
    items_from_text,
    judges_from_text,
)
from juryrank.server.studies.setup import DEFAULT_QUESTION, Setup
from juryrank.server.web.guard import note_details
from juryrank.server.web.problems import sentence

router = APIRouter(prefix="/admin", include_in_schema=False)

KINDS = (
    (AUTO, "as they look"),
    ("text", "plain text"),
    ("markdown", "Markdown"),
    ("image", "pictures by address"),
    ("link", "links to pages"),
    ("audio", "sound by address"),
    ("video", "film by address"),
)


@dataclass(frozen=True, slots=True)
class NewStudyForm:
    """The form as it was filled in; shown again when something is wrong with it."""

    name: str = ""
    question: str = DEFAULT_QUESTION
    items_text: str = ""
    kind: str = AUTO
    judges_text: str = ""
    ties: bool = True
    ranker: str = PEOPLE
    objective: str = "ranges"
    error: str = "0.1"
    budget: str = ""
    intro: str = ""
    consent: bool = False
    own_work: bool = False

    def draft(self, uploaded: list[NewItem] | None) -> StudyDraft:
        """What the form asks for."""
        if self.ranker not in (PEOPLE, FRESH):
            raise BadInput(f"{self.ranker!r} is not offered here")
        pasted = bool(self.items_text.strip())
        if pasted and uploaded:
            raise BadInput("there is a pasted list and a file; send one of them")
        return StudyDraft(
            name=self.name.strip(),
            items=uploaded or items_from_text(self.items_text, kind=self.kind),
            judges=judges_from_text(self.judges_text),
            ranker=self.ranker,
            error=number(self.error, "δ"),
            objective=self.objective,
            budget=int(number(self.budget, "the most questions")) if self.budget.strip() else None,
            setup=Setup(self.question, self.intro, self.consent, self.own_work, self.ties),
        )


@router.get("")
def home(request: Request, session: LoggedIn) -> Response:
    context = context_of(request)
    views = [context.overviews.get(row.id) for row in context.open_studies.rows()]
    return admin_page(request, session, "home.html", studies=views)


@router.get("/new")
def new_page(request: Request, session: LoggedIn) -> Response:
    return _new_page(request, session, NewStudyForm())


@router.get("/advice")
def advise(
    session: LoggedIn,
    items: Annotated[int, Query(ge=0, le=MOST_ITEMS)] = 0,
    judges: Annotated[int, Query(ge=0, le=MOST_JUDGES)] = 0,
    error: float = 0.1,
    ranker: str = PEOPLE,
    objective: str = "ranges",
) -> Response:
    """Is the panel large enough? Asked while the form is being filled in."""
    try:
        words = advice(items=items, judges=judges, error=error, ranker=ranker, objective=objective)
    except JuryrankError:
        words = ""
    return JSONResponse({"advice": words})


@router.post("/new")
def create(
    request: Request,
    session: Sent,
    name: Annotated[str, Form()] = "",
    question: Annotated[str, Form()] = "",
    items: Annotated[str, Form()] = "",
    kind: Annotated[str, Form()] = AUTO,
    judges: Annotated[str, Form()] = "",
    ties: Annotated[str, Form()] = "",
    ranker: Annotated[str, Form()] = PEOPLE,
    objective: Annotated[str, Form()] = "ranges",
    error: Annotated[str, Form()] = "0.1",
    budget: Annotated[str, Form()] = "",
    intro: Annotated[str, Form()] = "",
    consent: Annotated[str, Form()] = "",
    own_work: Annotated[str, Form()] = "",
    anyway: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    form = NewStudyForm(
        name, question, items, kind, judges, ties == "yes", ranker, objective, error, budget, intro,
        consent == "yes", own_work == "yes",
    )  # fmt: skip
    context = context_of(request)
    try:
        uploaded = (
            items_from_file(file.file.read(), name=file.filename, kind=kind) if file and file.filename else None
        )
        draft = form.draft(uploaded)
        words = advice(
            items=len(draft.items), judges=len(draft.judges), error=draft.error, ranker=ranker, objective=objective
        )
        if words and anyway != "yes" and draft.judges and not uploaded:
            return _new_page(request, session, form, advice=words)
        study = make_study(context.open_studies, draft)
    except JuryrankError as problem:
        return _new_page(request, session, form, problem=sentence(str(problem)))
    note_details(request, study.name)
    secrets = context.vault.issue_links(study.id, study.judges)
    flash = "The study is made. " + ("Send these links." if secrets else "Add judges to get their links.")
    return judges_page(request, session, study.id, secrets=secrets, flash=flash, advice=words)


def _new_page(
    request: Request, session: LoggedIn, form: NewStudyForm, *, problem: str = "", advice: str = ""
) -> Response:
    return admin_page(
        request,
        session,
        "new.html",
        status=422 if problem or advice else 200,
        form=form,
        kinds=KINDS,
        objectives=OBJECTIVES,
        problem=problem,
        advice=advice,
    )


# ---------------------------------------------------------------------------- what owners did
@router.get("/activity")
def activity(request: Request, session: LoggedIn, month: str = "") -> Response:
    """Who changed what, by month."""
    context = context_of(request)
    months = context.audit.months()
    chosen = month if month in months else next(iter(months), "")
    names = {row.id: row.name for row in context.open_studies.rows()}
    acts = [
        {**act, "when": moment(act["at"]), "study": names.get(act["study"], "") if act["study"] else ""}
        for act in context.audit.of_month(chosen)
    ]
    return admin_page(
        request, session, "activity.html", section="activity", acts=acts, months=months, chosen=chosen
    )


# ---------------------------------------------------------------------------- tokens
@router.get("/tokens")
def tokens_page(request: Request, session: LoggedIn) -> Response:
    return _tokens(request, session)


@router.post("/tokens")
def make_token(
    request: Request,
    session: Sent,
    scope: Annotated[str, Form()] = "read",
    study: Annotated[int, Form()] = 0,
    label: Annotated[str, Form()] = "",
    days: Annotated[str, Form()] = "",
) -> Response:
    context = context_of(request)
    lasting = number(days, "days") if days.strip() else None
    if lasting is not None and not 0 < lasting <= MOST_DAYS:
        raise BadInput(f"a token works for 1 to {MOST_DAYS} days, or until it is revoked")
    if scope not in (Scope.READ, Scope.ADMIN):
        raise BadInput(f"{scope!r} is not a scope; there are: read, admin")
    if study:
        context.open_studies.study(study)
    made, secret = context.vault.issue_token(Scope(scope), study=study, label=label[:100], days=lasting)
    note_details(request, f"token {made.id}, {scope}")
    return _tokens(request, session, made=secret)


@router.post("/tokens/revoke")
def revoke_token(request: Request, session: Sent, credential: Annotated[int, Form()]) -> Response:
    note_details(request, f"token {credential}")
    context_of(request).vault.revoke(credential)
    return done("/admin/tokens", "revoked")


def _tokens(request: Request, session: LoggedIn, *, made: str = "") -> Response:
    context = context_of(request)
    studies = context.open_studies.rows()
    return admin_page(
        request, session, "tokens.html", section="tokens", studies=studies, made=made, tokens=_token_rows(context)
    )


def _token_rows(context: Context) -> list[dict[str, object]]:
    names = {row.id: row.name for row in context.open_studies.rows()}
    return [
        {
            "id": one.id,
            "label": label,
            "scope": one.scope + (f" as {one.judge}" if one.judge else ""),
            "study": names.get(one.study, "all") if one.study else "all",
            "made": one.created_at[:10],
            "ends": one.expires_at[:10] if one.expires_at else "when revoked",
        }
        for one, label in context.vault.tokens()
    ]

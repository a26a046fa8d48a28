"""All studies, what owners did, tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from juryrank.defaults import MOST_DAYS
from juryrank.errors import BadInput
from juryrank.server.access.vault import Scope
from juryrank.server.context import Context, context_of
from juryrank.server.dashboard.judge_rows import moment
from juryrank.server.pages.forms import Inside, LoggedIn, Sent, admin_page, done, number
from juryrank.server.web.guard import note_details, nothing_done

router = APIRouter(prefix="/admin", include_in_schema=False)


@router.get("")
def home(request: Request, session: Inside) -> Response:
    context, only = context_of(request), session.holder.study
    views = [context.overviews.get(row.id) for row in context.open_studies.rows() if only in (0, row.id)]
    return admin_page(request, session, "home.html", studies=views)


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
    context.recent_secrets.keep(session, "token", {"made": secret})
    return done("/admin/tokens", "token")


@router.post("/tokens/revoke")
def revoke_token(request: Request, session: Sent, credential: Annotated[int, Form()]) -> Response:
    note_details(request, f"token {credential}")
    if not context_of(request).vault.revoke(credential):
        nothing_done(request)
    return done("/admin/tokens", "revoked")


def _tokens(request: Request, session: LoggedIn) -> Response:
    context = context_of(request)
    made = context.recent_secrets.show(session, "token").get("made", "")
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

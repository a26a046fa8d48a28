"""Tokens for programs: make, list, revoke; who am I; and what owners did."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request

from juryrank.errors import BadInput, UnknownName
from juryrank.server.access.identity import Admin, Token
from juryrank.server.access.vault import Scope
from juryrank.server.api.shapes import AuditOut, Done, Me, TokenIn, TokenMade, TokenOut
from juryrank.server.context import context_of
from juryrank.server.studies.managing import known_judge
from juryrank.server.web.guard import note_details

router = APIRouter(tags=["tokens"])


@router.get("/me")
def me(holder: Token) -> Me:
    """What this token may do."""
    return Me(scope=holder.scope.value, study=holder.study, judge=holder.judge)


@router.get("/audit")
def audit(
    request: Request, holder: Admin, month: Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}$")] = None
) -> list[AuditOut]:
    """What owners did in a month ("2026-11"; empty: the latest), newest first."""
    trail = context_of(request).audit
    chosen = month or next(iter(trail.months()), "")
    return [AuditOut(**act) for act in trail.of_month(chosen)]


@router.get("/tokens")
def list_tokens(request: Request, holder: Admin) -> list[TokenOut]:
    """Tokens that work."""
    return [
        TokenOut(
            id=one.id,
            scope=one.scope,
            study=one.study,
            judge=one.judge,
            label=label,
            created_at=one.created_at,
            expires_at=one.expires_at,
        )
        for one, label in context_of(request).vault.tokens()
    ]


@router.post("/tokens", status_code=201)
def make_token(request: Request, holder: Admin, sent: TokenIn) -> TokenMade:
    """A new token; shown this once."""
    context = context_of(request)
    study = context.open_studies.study(sent.study) if sent.study else None
    if (sent.scope == "judge") != (sent.judge is not None):
        raise BadInput("a judge's token names its judge, and only a judge's token does")
    if sent.judge is not None:
        if study is None:
            raise BadInput("a judge's token is for one study: say which")
        known_judge(study, sent.judge)
    made, secret = context.vault.issue_token(
        Scope(sent.scope), study=sent.study, judge=sent.judge, label=sent.label, days=sent.days
    )
    note_details(request, f"token {made.id}, {sent.scope}")
    return TokenMade(id=made.id, token=secret)


@router.delete("/tokens/{token}")
def revoke_token(request: Request, holder: Admin, token: Annotated[int, Path(ge=1, le=2**31 - 1)]) -> Done:
    """Revoke a token: it stops working at once."""
    context = context_of(request)
    if all(one.id != token for one, _ in context.vault.tokens()):
        raise UnknownName(f"there is no token number {token}")
    note_details(request, f"token {token}")
    if not context.vault.revoke(token):
        raise HTTPException(409, "That token was revoked already.")
    return Done(done="revoked")

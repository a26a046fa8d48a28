"""An invitation to one study: what it is for, and accepting it, once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from juryrank.server.access.identity import slow_down
from juryrank.server.access.vault import INVITATION, Holder, Scope
from juryrank.server.context import context_of
from juryrank.server.web.templating import page
from juryrank.storage.values import WHOLE_STORAGE

router = APIRouter(prefix="/i/{secret}", include_in_schema=False)
MOST_NAME = 100
ROLES = {
    Scope.ADMIN: ("an owner", "You can change everything about it, send its links and see its results."),
    Scope.READ: ("a viewer", "You can see its results and download them, and change nothing."),
}
NO_INVITATION = (
    "This invitation does not work: it was accepted already, withdrawn, has ended, or is mistyped. If you "
    "accepted it, open the link that you were told to keep. Otherwise ask for a new invitation."
)


def invited(request: Request, secret: str) -> Holder:
    """What an invitation is for; used, withdrawn and wrong ones get the same answer."""
    context = context_of(request)
    found = context.vault.holder(INVITATION, secret)
    if found is None:
        slow_down(context, request)
        raise HTTPException(404, NO_INVITATION)
    return found


@router.get("")
def look(request: Request, secret: str) -> Response:
    """Looking accepts nothing: a chat program's preview may look as well."""
    found, context = invited(request, secret), context_of(request)
    if _has_it_already(request, found):
        return RedirectResponse(f"/admin/studies/{found.study}", 303)
    role, words = ROLES[found.scope]
    name = context.open_studies.study(found.study).name
    return page(request, "invitation.html", base=f"/i/{secret}", title=name, role=role, words=words, key="")


@router.post("")
def accept(request: Request, secret: str, name: Annotated[str, Form(max_length=1000)] = "") -> Response:
    """The invitation is used up; the browser is logged in, and the person gets a link to come back with."""
    found, context = invited(request, secret), context_of(request)
    study = context.open_studies.study(found.study)
    taken = context.vault.accept(secret, name=" ".join(name.split())[:MOST_NAME])
    if taken is None:
        raise HTTPException(404, NO_INVITATION)
    holder, key = taken
    role, words = ROLES[holder.scope]
    made = page(
        request, "invitation.html", base=f"/admin/studies/{study.id}", title=study.name, role=role, words=words,
        key=f"{context.address(request)}/login#{key}",
    )  # fmt: skip
    context.audit.record(context.cookies.start(request, made, parent=holder), "accept", study=study.id)
    return made


def _has_it_already(request: Request, found: Holder) -> bool:
    """May this browser do at least what the invitation offers? Then accepting it would only take rights away."""
    session = context_of(request).cookies.session(request)
    if session is None or session.holder.study not in (WHOLE_STORAGE, found.study):
        return False
    return session.holder.scope in (Scope.ADMIN, found.scope)

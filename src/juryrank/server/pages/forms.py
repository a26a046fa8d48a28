"""What the dashboard's pages share: the log-in, the form check, the frame, and the note of what was just done."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Form, Request
from starlette.responses import RedirectResponse, Response

from juryrank.errors import BadInput
from juryrank.server.access.cookies import BrowserSession
from juryrank.server.access.identity import any_owner, anybody_logged_in, checked_form, logged_in, looking
from juryrank.server.access.vault import Scope
from juryrank.server.web.templating import page
from juryrank.storage.values import WHOLE_STORAGE

SAID = {
    "saved": "Saved.",
    "closed": "Closed: nobody is asked anything more until you reopen it. What is on their screens still counts.",
    "opened": "Open: judges can answer.",
    "paused": "Paused: this judge is asked no more until resumed.",
    "resumed": "Resumed.",
    "removed": "Removed: the link stopped working; answers already given stay.",
    "discarded": "Discarded: the result is post-hoc from now on.",
    "undone": "Taken back.",
    "erased": "Name and address are erased; the answers stay under a pseudonym.",
    "added": "Added to the ranking.",
    "withdrawn": "Withdrawn: nobody is asked about it any more, and what is proven is said as if it were there.",
    "made": "The study is made.",
    "made-alike": "The study is made. Some names look alike: see Items, where you can correct what judges see.",
    "token": "The token is made.",
    "new-links": "Added. Send these links.",
    "replaced": "The old link stopped working. Send the new one.",
    "new-link": "The old link stopped working. Send the new one.",
    "deleted": "Deleted.",
    "attached": "The models are asked from now on.",
    "models-paused": "The models are asked no more until you start them again.",
    "frozen": "Frozen: the board and the public page stay as they are.",
    "unfrozen": "The board is live again.",
    "revoked": "Revoked: it stopped working.",
    "invited": "Send the invitation below to the person it is for.",
    "uninvited": "Withdrawn: the invitation stopped working.",
    "left": "Taken away: that person can no longer open this study.",
    "renamed": "Renamed. Links stay as they are.",
    "switched-off": "That link stopped working. Answers already given stay.",
}

LoggedIn = Annotated[BrowserSession, Depends(logged_in)]  # owners
Looking = Annotated[BrowserSession, Depends(looking)]  # and viewers
Inside = Annotated[BrowserSession, Depends(anybody_logged_in)]
AnyOwner = Annotated[BrowserSession, Depends(any_owner)]


def sent_form(request: Request, session: LoggedIn, form_token: Annotated[str, Form()] = "") -> BrowserSession:
    """A dependency of every page that changes something."""
    checked_form(request, session, form_token)
    return session


Sent = Annotated[BrowserSession, Depends(sent_form)]


def sent_by_any_owner(
    request: Request, session: AnyOwner, form_token: Annotated[str, Form()] = ""
) -> BrowserSession:
    checked_form(request, session, form_token)
    return session


SentByAnyOwner = Annotated[BrowserSession, Depends(sent_by_any_owner)]


def admin_page(
    request: Request,
    session: BrowserSession,
    template: str,
    *,
    section: str = "studies",
    status: int = 200,
    **values: Any,
) -> Response:
    """A page of the dashboard."""
    headers = values.pop("headers", None)
    values.setdefault("flash", SAID.get(request.query_params.get("said", ""), ""))
    values |= {"section": section, "form_token": session.form_token}
    values |= {"owner": session.holder.scope is Scope.ADMIN, "everywhere": session.holder.study == WHOLE_STORAGE}
    return page(request, template, status=status, headers=headers, **values)


def number(text: str, what: str) -> float:
    """A number that somebody typed, or an error that names the field and what was typed."""
    try:
        return float(text.strip())
    except ValueError:
        raise BadInput(f"{what}: {text[:40]!r} is not a number; give one") from None


def whole(text: str, what: str) -> int:
    """A whole number that somebody typed."""
    found = number(text, what)
    if found != found or abs(found) > 1e9 or found != int(found):
        raise BadInput(f"{what}: {text[:40]!r} is not a whole number; give one")
    return int(found)


def links_page(study: int, said: str) -> Response:
    """Redirect to the links of the people whom the owner named."""
    return done(f"/admin/studies/{study}/share", said, "named")


def done(path: str, said: str, place: str = "") -> Response:
    """Redirect to a page that says what was done; `place`: the part of it where it shows."""
    return RedirectResponse(f"{path}?said={said}{f'#{place}' if place else ''}", 303)

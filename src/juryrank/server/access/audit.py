"""What owners did, when, and by which log-in or token: kept beside the studies, never changed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

from juryrank.server.access.vault import Holder
from juryrank.storage.base import Storage
from juryrank.storage.values import utc

AUDIT_NOTE, MONTH_NOTE = "audit/", "audit-month/"
MOST_DETAILS = 300  # characters kept about one act
ACTS: Mapping[str, str] = {  # by the name of the function that does it, or by what it notes (`note_act`)
    "login": "logged in",
    "logout": "logged out",
    "create": "made a study",
    "create_study": "made a study",
    "delete": "deleted the study",
    "delete_study": "deleted the study",
    "close": "closed the study",
    "reopen": "reopened the study",
    "save": "changed what judges see",
    "change_setup": "changed what judges see",
    "save_share": "changed the open link",
    "set_open_link": "changed the open link",
    "new_open_link": "replaced the open link",
    "replace_open_link": "replaced the open link",
    "first_open_link": "made the open link",
    "set_platform": "changed the crowd platform",
    "save_platform": "changed the crowd platform",
    "save_about": "changed the questions about the person",
    "save_public": "switched the public page on",
    "public_off": "switched the public page off",
    "save_checks": "changed the attention checks",
    "attach": "attached models",
    "pause_models": "paused the models",
    "save_marks": "changed the scale of the marks",
    "freeze_board": "froze the board",
    "unfreeze_board": "let the board go on",
    "add_items": "added items",
    "correct_item": "corrected an item",
    "withdraw_item": "withdrew an item",
    "withdraw_items": "withdrew items",
    "begin_upload": "began an upload",
    "add_file": "uploaded a file",
    "drop_file": "took a file out of an upload",
    "add_judges": "added judges",
    "new_link": "replaced a judge's link",
    "about_judge": "changed a judge",
    "judge pause": "paused a judge",
    "judge resume": "resumed a judge",
    "judge remove": "removed a judge",
    "judge discard": "discarded a judge's answers",
    "judge undo": "took back a judge's answer",
    "judge erase": "erased a judge's name",
    "accept": "accepted an invitation",
    "invite": "invited somebody to run the study",
    "uninvite": "withdrew an invitation",
    "remove_member": "took somebody's access to the study away",
    "rename": "renamed the study",
    "rename_study": "renamed the study",
    "unlink": "switched a judge's link off",
    "make_token": "made a token",
    "revoke_token": "revoked a token",
    "ask": "asked a question for a judge",
    "tell": "answered for a judge",
    "undo": "took back a judge's answer",
}


class AuditTrail:
    """One note per action, filed by month so that a page reads one month at a time."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._filed: set[str] = set()  # months that this process has filed something under

    def record(self, holder: Holder, act: str, *, study: int | None = None, details: str = "") -> None:
        """Somebody did something."""
        at = utc(time.time())
        value = {"at": at, "act": ACTS[act], "study": study, "details": details[:MOST_DETAILS], **_who(holder)}
        month = at[:7]
        self._storage.set_note(f"{AUDIT_NOTE}{month}/{at}-{secrets.token_hex(4)}", value)
        if month not in self._filed:
            self._storage.set_note(f"{MONTH_NOTE}{month}", True)
            self._filed.add(month)

    def months(self) -> list[str]:
        """The months in which something was done, newest first."""
        found = self._storage.notes(MONTH_NOTE)
        return sorted((key.removeprefix(MONTH_NOTE) for key in found), reverse=True)

    def of_month(self, month: str) -> list[dict[str, Any]]:
        """What was done in a month ("2026-11"), newest first."""
        found = self._storage.notes(f"{AUDIT_NOTE}{month}/")
        return [dict(found[key]) for key in sorted(found, reverse=True)]


def _who(holder: Holder) -> dict[str, Any]:
    """A session's number and, if it began with a token or is one, the token's number.

    >>> from juryrank.server.access.vault import Scope
    >>> _who(Holder(Scope.ADMIN, credential=7, parent=3, session=True))
    {'session': 7, 'token': 3}
    """
    if holder.parent is None and holder.session:
        return {"session": holder.credential, "token": None}
    if holder.parent is None:
        return {"session": None, "token": holder.credential}
    return {"session": holder.credential, "token": holder.parent}

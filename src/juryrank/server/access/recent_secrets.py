"""Secrets that an owner has just made, to be shown again when the page is reloaded, for a quarter of an hour.

They are sealed with a key that only the owner's cookie gives: what is stored lets nobody else read them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken

from juryrank.server.access.cookies import BrowserSession
from juryrank.storage.base import Storage

SHOWN_SECONDS = 15 * 60


class RecentSecrets:
    """One note per session and place."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def keep(self, session: BrowserSession, place: str, secrets: Mapping[str, str]) -> None:
        """Show these at `place`, until others replace them or the time is over."""
        sealed = _box(session).encrypt(json.dumps(dict(secrets)).encode()).decode()
        self._storage.set_note(_key(session, place), sealed)

    def show(self, session: BrowserSession, place: str) -> dict[str, str]:
        """What was kept, as long as it may be shown."""
        sealed = self._storage.note(_key(session, place))
        if sealed is None:
            return {}
        try:
            found: dict[str, str] = json.loads(_box(session).decrypt(str(sealed).encode(), ttl=SHOWN_SECONDS))
        except InvalidToken:
            return {}
        return found


def _key(session: BrowserSession, place: str) -> str:
    return f"keepsake/{session.holder.credential}/{place}"


def _box(session: BrowserSession) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(f"keepsake:{session.secret}".encode()).digest()))

"""Credentials and settings in the study storage: who may do what, stored as hashes, revocable, with an expiry.

    link      a judge's own address; a newer one replaces it
    token     a program's key, or the key of the admin link that is printed at the start
    session   a browser that logged in, or a judge who came by an open link; it ends by logging out, by a new
              password, or with the token that began it

Reading what is stored here lets nobody in: a copy of the database holds hashes only.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput
from juryrank.storage.base import Storage
from juryrank.storage.plain import seconds_of, utc
from juryrank.storage.values import WHOLE_STORAGE, Credential
from juryrank.study.people.about import JUDGE_NOTE

if TYPE_CHECKING:
    from argon2 import PasswordHasher

# ----------------------------------------------------------------------------
# Secrets: made at random, stored as hashes, compared in constant time.
SECRET_BYTES = 24  # 192 bits: nobody guesses one, so a plain fast hash is enough for storing it
LEAST_PASSWORD = 10  # characters


def new_secret() -> str:
    """A fresh secret that can be part of a link.

    >>> len(new_secret()), new_secret() != new_secret()
    (32, True)
    """
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """What is stored of a secret.

    >>> hash_secret("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def same(one: str, other: str) -> bool:
    """Are two secrets equal? The time taken does not reveal how much of them is."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))


def hash_password(password: str) -> str:
    """An argon2id hash of a password that is long enough."""
    if len(password) < LEAST_PASSWORD:
        raise BadInput(f"the password has {len(password)} characters; give at least {LEAST_PASSWORD}")
    return _hasher().hash(password)


def password_fits(stored: str | None, password: str) -> bool:
    """Does the password belong to the stored hash? Without a hash one is still computed: same time."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return _hasher().verify(stored or _nobody(), password) and stored is not None
    except (Argon2Error, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobody() -> str:
    return _hasher().hash(secrets.token_hex(16))


# ----------------------------------------------------------------------------
# Credentials and settings in the study storage: who may do what, stored as hashes, revocable, with an expiry.
LINK, TOKEN, SESSION = "link", "token", "session"  # kinds of credentials
DAY = 24 * 3600.0  # seconds
SESSION_SECONDS = 14 * DAY
START_DAYS = 30  # how long the admin link works that is printed at the start
MOST_DAYS = 3650
PASSWORD_NOTE, START_NOTE = "server/password", "start-token/"
OLD_NOTES = ("server/signing-key", "server/epoch")  # of versions whose cookies were signed


class Scope(enum.StrEnum):
    """What a token may do. A judge's link is a judge token for the pages."""

    ADMIN = "admin"
    JUDGE = "judge"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Holder:
    """Whoever presented a valid credential. `study` 0: all studies. `parent`: the token behind a session."""

    scope: Scope
    study: int = WHOLE_STORAGE
    judge: str | None = None
    credential: int = 0
    parent: int | None = None
    session: bool = False


class Vault:
    """The server's own part of a storage."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def forget_old_keys(self) -> None:
        """Older versions kept the key that signed cookies beside the data."""
        for key in OLD_NOTES:
            if self.storage.note(key) is not None:
                self.storage.set_note(key, None)

    # ------------------------------------------------------------------ the password
    @property
    def has_password(self) -> bool:
        return self.storage.note(PASSWORD_NOTE) is not None

    def set_password(self, password: str) -> None:
        """The admin's password; everybody who is logged in is logged out, and printed admin links end."""
        if self.password_fits(password):
            return
        self.storage.set_note(PASSWORD_NOTE, hash_password(password))
        for key in self.storage.notes(START_NOTE):
            self.revoke(int(key.removeprefix(START_NOTE)))
            self.storage.set_note(key, None)
        for one in self.storage.credentials(SESSION, study=WHOLE_STORAGE):
            if one.revoked_at is None:
                self.revoke(one.id)

    def password_fits(self, password: str) -> bool:
        return password_fits(self.storage.note(PASSWORD_NOTE), password)

    # ------------------------------------------------------------------ links and tokens
    def issue_link(self, study: int, judge: str, *, days: float | None = None) -> str:
        """A new secret for a judge's link; older ones stop working. `days`: how long it works, if not for good."""
        self.revoke_judge(study, judge)
        secret = new_secret()
        self.storage.add_credential(
            LINK, hash_secret(secret), study=study, judge=judge, scope=Scope.JUDGE.value, expires_at=_after(days)
        )
        return secret

    def issue_return_link(self, study: int, judge: str) -> str:
        """A link with which somebody who came by the open link goes on elsewhere; it replaces the last one."""
        for one in self.storage.credentials(LINK, study=study):
            if one.judge == judge and one.revoked_at is None:
                self.storage.revoke(one.id)
        secret, ends = new_secret(), utc(time.time() + SESSION_SECONDS)
        self.storage.add_credential(
            LINK, hash_secret(secret), study=study, judge=judge, scope=Scope.JUDGE.value, expires_at=ends
        )
        return secret

    def issue_links(self, study: int, judges: Iterable[str], *, days: float | None = None) -> dict[str, str]:
        return {judge: self.issue_link(study, judge, days=days) for judge in judges}

    def issue_token(
        self,
        scope: Scope,
        *,
        study: int = WHOLE_STORAGE,
        judge: str | None = None,
        label: str = "",
        days: float | None = None,
    ) -> tuple[Credential, str]:
        """A new token for programs; shown once, kept as a hash."""
        secret = new_secret()
        made = self.storage.add_credential(
            TOKEN, hash_secret(secret), study=study, judge=judge, scope=scope.value, expires_at=_after(days)
        )
        self.storage.set_note(f"token/{made.id}", label)
        return made, secret

    def issue_start_token(self) -> str:
        """The token of the admin link that is printed where there is no password yet."""
        made, secret = self.issue_token(Scope.ADMIN, label="printed at start", days=START_DAYS)
        self.storage.set_note(f"{START_NOTE}{made.id}", True)
        return secret

    def tokens(self) -> list[tuple[Credential, str]]:
        """Tokens that work, with their labels."""
        labels = self.storage.notes("token/")
        found = self.storage.credentials(TOKEN)
        return [(one, str(labels.get(f"token/{one.id}") or "")) for one in found if works(one)]

    def revoke(self, credential: int) -> bool:
        """It stops working at once, and so do the sessions that began with it."""
        return self.storage.revoke(credential)

    def revoke_judge(self, study: int, judge: str) -> None:
        """All links, tokens and sessions of one judge."""
        for one in self.storage.credentials(study=study):
            if one.judge == judge and one.revoked_at is None:
                self.storage.revoke(one.id)

    # ------------------------------------------------------------------ sessions
    def begin_session(self, parent: Holder | None = None) -> tuple[Holder, str]:
        """A browser logs in, by the password or by a token; the secret goes into its cookie."""
        ends = time.time() + SESSION_SECONDS
        if parent is not None:
            token = next((one for one in self.storage.credentials(TOKEN) if one.id == parent.credential), None)
            ends = min(ends, seconds_of(token.expires_at)) if token and token.expires_at else ends
        secret, token_id = new_secret(), parent.credential if parent else None
        made = self.storage.add_credential(
            SESSION, hash_secret(secret), scope=Scope.ADMIN.value, expires_at=utc(ends), parent=token_id
        )
        return Holder(Scope.ADMIN, credential=made.id, parent=token_id, session=True), secret

    def begin_judge_session(self, study: int, judge: str) -> str:
        """A judge who came by an open link; the secret goes into the cookie of that study."""
        secret, ends = new_secret(), utc(time.time() + SESSION_SECONDS)
        self.storage.add_credential(
            SESSION, hash_secret(secret), study=study, judge=judge, scope=Scope.JUDGE.value, expires_at=ends
        )
        return secret

    def holder(self, kind: str, secret: str) -> Holder | None:
        """Who holds this secret; wrong, revoked and expired ones are looked up the same way and give None."""
        wanted = hash_secret(secret)
        for one in self.storage.credentials(kind, hash=wanted):
            if same(one.hash, wanted) and works(one):
                return Holder(Scope(one.scope), one.study, one.judge, one.id, one.parent, kind == SESSION)
        return None

    def still_works(self, holder: Holder) -> bool:
        """Has the credential neither been revoked nor ended since it was shown?"""
        kind = SESSION if holder.session else TOKEN
        found = self.storage.credentials(kind, study=holder.study)
        return any(one.id == holder.credential and works(one) for one in found)

    # ------------------------------------------------------------------ what the pages remember
    def judge_note(self, study: int, judge: str) -> dict[str, Any]:
        """What the pages remember about one judge: first page passed, own work, attention checks."""
        return dict(self.storage.note(JUDGE_NOTE + judge, study=study) or {})

    def save_judge_note(self, study: int, judge: str, note: dict[str, Any]) -> None:
        self.storage.set_note(JUDGE_NOTE + judge, note, study=study)

    def judge_notes(self, study: int) -> dict[str, dict[str, Any]]:
        found = self.storage.notes(JUDGE_NOTE, study=study)
        return {key.removeprefix(JUDGE_NOTE): dict(value) for key, value in found.items()}


def works(credential: Credential) -> bool:
    """Neither revoked nor past its end.

    >>> works(Credential(1, LINK, "h")), works(Credential(1, LINK, "h", expires_at="2001-01-01T00:00:00+00:00"))
    (True, False)
    """
    if credential.revoked_at is not None:
        return False
    return credential.expires_at is None or time.time() < seconds_of(credential.expires_at)


def _after(days: float | None) -> str | None:
    return None if days is None else utc(time.time() + days * DAY)

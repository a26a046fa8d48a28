"""Credentials and settings in the study storage: who may do what, stored as hashes, revocable, with an expiry.

    link        a judge's own address; a newer one replaces it
    token       a program's key, the key of somebody who runs one study with others, or that of the printed link
    session     a browser that logged in, or a judge who came by an open link; it ends by logging out, by a new
                password, or with the token that began it
    invitation  makes whoever opens it an owner or a viewer of one study, once

A copy of the database holds hashes. Judges' links and invitations can be shown again: they are kept sealed as
well, by a key that is not in the database where the installation has one (see `_box`).
"""

from __future__ import annotations

import base64
import enum
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from juryrank.defaults import INVITED_DAYS, LEAST_PASSWORD, LOGIN_SECONDS, START_DAYS
from juryrank.errors import BadInput
from juryrank.storage.base import Storage
from juryrank.storage.values import WHOLE_STORAGE, Credential, seconds_of, utc
from juryrank.study.people import JUDGE_NOTE
from juryrank.study.signing import signing_key

if TYPE_CHECKING:
    from argon2 import PasswordHasher
    from cryptography.fernet import Fernet

# ----------------------------------------------------------------------------
# Secrets: made at random, stored as hashes, compared in constant time.
SECRET_BYTES = 24  # 192 bits: nobody guesses one, so a plain fast hash is enough for storing it


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
LINK, TOKEN, SESSION, INVITATION = "link", "token", "session", "invitation"  # kinds of credentials
SEALED_NOTE, SEAL_KEY_NOTE = "sealed/", "server/seal-key"
DAY = 24 * 3600.0  # seconds
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
        self._kept_box: Fernet | None = None

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
        made = self.storage.add_credential(
            LINK, hash_secret(secret), study=study, judge=judge, scope=Scope.JUDGE.value, expires_at=_after(days)
        )
        self._seal(made, secret)
        return secret

    def issue_return_link(self, study: int, judge: str) -> str:
        """A link with which somebody who came by the open link goes on elsewhere; it replaces the last one."""
        for one in self.storage.credentials(LINK, study=study):
            if one.judge == judge and one.revoked_at is None:
                self.storage.revoke(one.id)
        secret, ends = new_secret(), utc(time.time() + LOGIN_SECONDS)
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
                if one.kind == LINK:
                    self.storage.set_note(f"{SEALED_NOTE}{one.id}", None, study=study)

    # ------------------------------------------------------------------ what can be shown again
    def links(self, study: int) -> dict[str, str]:
        """The secrets of the judges' links that work and were made by the owner, by judge."""
        return {one.judge: secret for one, secret in self._unsealed(study, LINK) if one.judge is not None}

    def invite(self, study: int, scope: Scope, *, label: str = "") -> str:
        """The secret of a new invitation; `label`: whom it is meant for."""
        secret = new_secret()
        made = self.storage.add_credential(
            INVITATION, hash_secret(secret), study=study, scope=scope.value, expires_at=_after(INVITED_DAYS)
        )
        self.storage.set_note(f"token/{made.id}", label)
        self._seal(made, secret)
        return secret

    def invitations(self, study: int) -> list[tuple[Credential, str, str]]:
        """Invitations that wait: each with whom it is meant for, and its secret."""
        labels = self.storage.notes("token/")
        found = self._unsealed(study, INVITATION)
        return [(one, str(labels.get(f"token/{one.id}") or ""), secret) for one, secret in found]

    def accept(self, secret: str, *, name: str) -> tuple[Holder, str] | None:
        """Take an invitation: the new key, and who holds it. None: somebody was quicker, or it ended."""
        invited = self.holder(INVITATION, secret)
        if invited is None or not self.storage.revoke(invited.credential):
            return None
        made, key = self.issue_token(invited.scope, study=invited.study, label=name)
        return Holder(invited.scope, invited.study, credential=made.id), key

    def members(self, study: int) -> list[tuple[Credential, str]]:
        """Who runs this study beside the installation's owners, or looks at it: keys for it alone."""
        return [(one, label) for one, label in self.tokens() if one.study == study and one.judge is None]

    def _seal(self, credential: Credential, secret: str) -> None:
        sealed = self._box().encrypt(secret.encode()).decode()
        self.storage.set_note(f"{SEALED_NOTE}{credential.id}", sealed, study=credential.study)

    def _unsealed(self, study: int, kind: str) -> list[tuple[Credential, str]]:
        sealed, box = self.storage.notes(SEALED_NOTE, study=study), self._box()
        working = [one for one in self.storage.credentials(kind, study=study) if works(one)]
        found = [(one, sealed.get(f"{SEALED_NOTE}{one.id}")) for one in working]
        return [(one, secret) for one, text in found if text and (secret := _opened(box, str(text)))]

    def _box(self) -> Fernet:
        """What seals secrets. Its key comes from the installation's signing key, which is not in the database;
        where there is none, from a note in it."""
        from cryptography.fernet import Fernet

        if self._kept_box is None:
            signing = signing_key(self.storage)
            if signing is None and self.storage.note(SEAL_KEY_NOTE) is None:
                self.storage.set_note(SEAL_KEY_NOTE, new_secret())
            key = signing.derived("links") if signing else str(self.storage.note(SEAL_KEY_NOTE)).encode()
            self._kept_box = Fernet(base64.urlsafe_b64encode(hashlib.sha256(key).digest()))
        return self._kept_box

    # ------------------------------------------------------------------ sessions
    def begin_session(self, parent: Holder | None = None) -> tuple[Holder, str]:
        """A browser logs in, by the password or by a token; the secret goes into its cookie.

        It may do what the token may, where the token may: a key for one study opens that study.
        """
        ends = time.time() + LOGIN_SECONDS
        if parent is not None:
            token = next((one for one in self.storage.credentials(TOKEN) if one.id == parent.credential), None)
            ends = min(ends, seconds_of(token.expires_at)) if token and token.expires_at else ends
        secret, token_id = new_secret(), parent.credential if parent else None
        scope, study = (parent.scope, parent.study) if parent else (Scope.ADMIN, WHOLE_STORAGE)
        made = self.storage.add_credential(
            SESSION, hash_secret(secret), study=study, scope=scope.value, expires_at=utc(ends), parent=token_id
        )
        return Holder(scope, study, credential=made.id, parent=token_id, session=True), secret

    def begin_judge_session(self, study: int, judge: str) -> str:
        """A judge who came by an open link; the secret goes into the cookie of that study."""
        secret, ends = new_secret(), utc(time.time() + LOGIN_SECONDS)
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


def _opened(box: Fernet, sealed: str) -> str:
    """What was sealed; empty: with another key, which is gone."""
    from cryptography.fernet import InvalidToken

    try:
        return box.decrypt(sealed.encode()).decode()
    except InvalidToken:
        return ""


def _after(days: float | None) -> str | None:
    return None if days is None else utc(time.time() + days * DAY)

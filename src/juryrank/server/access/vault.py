"""Credentials and settings in the study storage: who may do what, stored as hashes, revocable."""

from __future__ import annotations

import enum
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from juryrank.server.access.secrets import hash_password, hash_secret, new_secret, password_fits, same
from juryrank.storage.base import Storage
from juryrank.storage.values import WHOLE_STORAGE, Credential

LINK, TOKEN = "link", "token"  # kinds of credentials: a judge's link, a program's token
Value = TypeVar("Value")


class Scope(enum.StrEnum):
    """What a token may do. A judge's link is a judge token for the pages."""

    ADMIN = "admin"
    JUDGE = "judge"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Holder:
    """Whoever presented a valid credential. `study` 0: all studies."""

    scope: Scope
    study: int = WHOLE_STORAGE
    judge: str | None = None
    credential: int = 0


class Vault:
    """The server's own table corner of a storage."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    # ------------------------------------------------------------------ the server's own secrets
    def signing_key(self) -> str:
        """The key that signs cookies: made once, shared by all workers."""
        return self._made_once("server/signing-key", new_secret)

    def epoch(self) -> str:
        """Changes with the password; sessions of another epoch are over."""
        return self._made_once("server/epoch", lambda: secrets.token_hex(8))

    @property
    def has_password(self) -> bool:
        return self.storage.note("server/password") is not None

    def set_password(self, password: str) -> None:
        """The admin's password; everybody logged in is logged out."""
        if self.password_fits(password):
            return
        self.storage.set_note("server/password", hash_password(password))
        self.storage.set_note("server/epoch", secrets.token_hex(8))

    def password_fits(self, password: str) -> bool:
        return password_fits(self.storage.note("server/password"), password)

    def _made_once(self, key: str, make: Callable[[], str]) -> str:
        found = self.storage.note(key)
        if found is None:
            self.storage.set_note(key, make())
            found = self.storage.note(key)
        return str(found)

    # ------------------------------------------------------------------ links and tokens
    def issue_link(self, study: int, judge: str) -> str:
        """A new secret for a judge's link; older ones stop working."""
        self.revoke_judge(study, judge)
        secret = new_secret()
        self.storage.add_credential(LINK, hash_secret(secret), study=study, judge=judge, scope=Scope.JUDGE.value)
        return secret

    def issue_links(self, study: int, judges: Iterable[str]) -> dict[str, str]:
        return {judge: self.issue_link(study, judge) for judge in judges}

    def issue_token(
        self, scope: Scope, *, study: int = WHOLE_STORAGE, judge: str | None = None, label: str = ""
    ) -> tuple[Credential, str]:
        """A new token for programs; shown once, kept as a hash."""
        secret = new_secret()
        made = self.storage.add_credential(TOKEN, hash_secret(secret), study=study, judge=judge, scope=scope.value)
        self.storage.set_note(f"token/{made.id}", label)
        return made, secret

    def tokens(self) -> list[tuple[Credential, str]]:
        """Tokens that work, with their labels."""
        labels = self.storage.notes("token/")
        found = self.storage.credentials(TOKEN)
        return [(one, str(labels.get(f"token/{one.id}") or "")) for one in found if one.revoked_at is None]

    def revoke(self, credential: int) -> bool:
        return self.storage.revoke(credential)

    def revoke_judge(self, study: int, judge: str) -> None:
        """All links and tokens of one judge."""
        for one in self.storage.credentials(study=study):
            if one.judge == judge and one.revoked_at is None:
                self.storage.revoke(one.id)

    def holder(self, kind: str, secret: str) -> Holder | None:
        """Who holds this secret; wrong and revoked ones are looked up the same way and give None."""
        wanted = hash_secret(secret)
        for one in self.storage.credentials(kind, hash=wanted):
            if same(one.hash, wanted) and one.revoked_at is None:
                return Holder(Scope(one.scope), one.study, one.judge, one.id)
        return None

    # ------------------------------------------------------------------ what the pages remember
    def judge_note(self, study: int, judge: str) -> dict[str, Any]:
        """What the pages remember about one judge: first page passed, own work, attention checks."""
        return dict(self.storage.note(f"judge/{judge}", study=study) or {})

    def save_judge_note(self, study: int, judge: str, note: dict[str, Any]) -> None:
        self.storage.set_note(f"judge/{judge}", note, study=study)

    def judge_notes(self, study: int) -> dict[str, dict[str, Any]]:
        found = self.storage.notes("judge/", study=study)
        return {key.removeprefix("judge/"): dict(value) for key, value in found.items()}

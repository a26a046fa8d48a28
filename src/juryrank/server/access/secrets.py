"""Secrets: made at random, stored as hashes, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import cache
from typing import TYPE_CHECKING

from juryrank.errors import BadInput

if TYPE_CHECKING:
    from argon2 import PasswordHasher

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

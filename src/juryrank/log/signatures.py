"""Signed heads: an installation states, with a time, which log it had.

A signature is {"key", "time", "head", "signature"}: the public key and the signature in hexadecimal (Ed25519), the
time in UTC, the hash of the log's last event. The signed text is what `signed_text` gives. A key that replaces
another is signed by the one before it (`key_changed` events), so that whoever knows the old one can trust the new.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.errors import BadInput, need_extra, shown
from juryrank.log.fields import HASH, MOMENT, SIGNATURE, is_hash

FIELDS = ("key", "time", "head", "signature")


def signed_text(head: str, time: str) -> bytes:
    """The text that is signed: its first words tell it apart from everything else that the key may sign."""
    return f"juryrank head 1\n{head}\n{time}\n".encode()


def successor_text(old: str, new: str) -> bytes:
    """What the old key signs when a new one takes its place."""
    return f"juryrank key 1\n{old}\n{new}\n".encode()


def checked_shape(signature: Any) -> dict[str, str]:
    """The signature of a document, if it has the four fields; raises BadInput otherwise."""
    if not isinstance(signature, dict) or set(signature) != set(FIELDS):
        raise BadInput("a signature has exactly the fields key, time, head and signature")
    kinds = {"key": HASH, "head": HASH, "signature": SIGNATURE}
    if not all(kind.fits(signature[name]) for name, kind in kinds.items()):
        raise BadInput("a signature's key, head and signature are a fixed number of hexadecimal digits")
    if not MOMENT.fits(signature["time"]):
        raise BadInput(f"a signature's time is {MOMENT.words}")
    return signature


def checked_key(text: str) -> str:
    """A public key as somebody typed it; raises BadInput if it is not one.

    >>> checked_key("AB" * 32) == "ab" * 32
    True
    """
    plain = "".join(text.split()).lower()
    if not is_hash(plain):
        raise BadInput(f"{shown(text)} is not a public key: `juryrank study head` prints one, 64 hex digits")
    return plain


def is_signed(signature: Mapping[str, str]) -> bool:
    """Did the key in it sign this head at this time?"""
    text = signed_text(signature["head"], signature["time"])
    return holds(signature["key"], text, signature["signature"])


def holds(key: str, text: bytes, signature: str) -> bool:
    """Is this the key's signature of the text?"""
    need_extra("cryptography", extra="study", what="checking a signature")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True

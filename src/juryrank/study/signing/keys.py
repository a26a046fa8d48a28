"""The installation's signing key (Ed25519): one file, shared by all its processes, readable by its owner alone.

JURYRANK_KEY names the file. Without it, the key of an SQLite storage stands beside the database (`FILE.key`), and
other storages have none: their heads are not signed.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from juryrank.defaults import SQLITE
from juryrank.errors import BadInput, StorageError, need_extra
from juryrank.log.receipts import successor_text
from juryrank.storage.base import Storage

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SETTING = "JURYRANK_KEY"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key; `public` is what others know it by."""

    _private: Ed25519PrivateKey

    @property
    def public(self) -> str:
        return self._private.public_key().public_bytes_raw().hex()

    def sign(self, text: bytes) -> str:
        return self._private.sign(text).hex()

    def derived(self, purpose: str) -> bytes:
        """Another secret for another purpose, from which nobody learns the key."""
        return hmac.digest(self._private.private_bytes_raw(), f"juryrank {purpose}".encode(), "sha256")

    def names(self, successor: SigningKey) -> str:
        """The signature by which this key hands over to the next."""
        return self.sign(successor_text(self.public, successor.public))


def key_file(storage: Storage) -> Path | None:
    """Where the key of this storage's installation is, or would be; None: it has none."""
    named = os.environ.get(SETTING)
    if named:
        return Path(named)
    if storage.url.startswith(SQLITE):
        file = storage.url.removeprefix(SQLITE).partition("?")[0].removeprefix("file:")
        return Path(f"{file}.key")
    return None


def signing_key(storage: Storage) -> SigningKey | None:
    """The installation's key, made on first use; None: it has none, or signing is not installed."""
    file = key_file(storage)
    if file is None or not _installed():
        return None
    if not file.exists():
        with contextlib.suppress(FileExistsError):  # another process was quicker
            _save(new_key(), file)
    return load_key(file)


def new_key() -> SigningKey:
    """A fresh key."""
    need_extra("cryptography", extra="study", what="a signing key")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return SigningKey(Ed25519PrivateKey.generate())


def load_key(file: Path) -> SigningKey:
    """The key in a file that nobody else may read."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        mode, text = stat.S_IMODE(file.stat().st_mode), file.read_bytes()
    except OSError as problem:
        raise StorageError(f"the signing key {file.name} cannot be read: {problem.strerror}") from None
    if mode & 0o077:
        raise BadInput(
            f"the signing key {file.name} can be read by others than its owner, so it proves nothing: `chmod 600` "
            "it, and change the key if somebody may have copied it"
        )
    try:
        key = load_pem_private_key(text, password=None)
    except (ValueError, TypeError):
        raise BadInput(f"{file.name} is not a signing key (PEM, Ed25519, without password)") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInput(f"{file.name} is a key of another kind; a signing key is Ed25519")
    return SigningKey(key)


def replace_key(file: Path, old: SigningKey, new: SigningKey) -> None:
    """Put a new key in the place of the old one, which is kept beside it."""
    kept = file.with_name(f"{file.name}.{old.public[:8]}")
    if not kept.exists():
        os.link(file, kept)
    _written(new, file).replace(file)


def _installed() -> bool:
    from importlib.util import find_spec

    return find_spec("cryptography") is not None


def _save(key: SigningKey, file: Path) -> None:
    """Write a key where there is none; all or nothing, and never over another."""
    made = _written(key, file)
    try:
        os.link(made, file)
    finally:
        made.unlink()


def _written(key: SigningKey, beside: Path) -> Path:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    text = key._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        handle, name = tempfile.mkstemp(dir=beside.parent, prefix=f".{beside.name}.")  # 0600 from the start
    except OSError as problem:
        raise StorageError(f"the signing key {beside.name} cannot be written: {problem.strerror}") from None
    with os.fdopen(handle, "wb") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    return Path(name)

"""Signed heads and receipts, and the installation's key: where its file is, making it, changing it."""

from __future__ import annotations

import contextlib
import hmac
import os
import stat
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from juryrank.defaults import SQLITE
from juryrank.errors import BadInput, StorageError, need_extra
from juryrank.log import Head
from juryrank.log.receipts import FIELDS, counted_words, read_code, receipt_code, signed_text, successor_text
from juryrank.storage.base import Storage
from juryrank.storage.values import utc

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


# ----------------------------------------------------------------------------
# A log's head with the time, signed by the installation; and the receipt that a judge keeps of it


@dataclass(frozen=True, slots=True)
class SignedHead:
    """Where a log ended, and when. Without a key it is not signed: `key` and `signature` are empty.

    `made` and `deleted`: how many studies the installation had made by then, and deleted.
    """

    seq: int
    head: str
    time: str
    made: int
    deleted: int
    key: str = ""
    signature: str = ""

    @property
    def code(self) -> str:
        """The head as a short code, as on receipts."""
        return receipt_code(self.seq, self.head)

    def to_dict(self) -> dict[str, int | str]:
        return asdict(self)

    def for_certificate(self) -> dict[str, int | str] | None:
        """What a certificate embeds; None: it is not signed."""
        return {name: getattr(self, name) for name in FIELDS} if self.signature else None


def signed_head(storage: Storage, head: Head) -> SignedHead:
    """The head as the installation states it now."""
    time, key, count = utc(storage.now()), signing_key(storage), storage.count()
    stated = SignedHead(head.seq, head.hash, time, count.made, count.deleted)
    if key is None:
        return stated
    text = signed_text(head.hash, time, made=count.made, deleted=count.deleted)
    return replace(stated, key=key.public, signature=key.sign(text))


@dataclass(frozen=True, slots=True)
class JudgeReceipt:
    """What a judge can keep: the log, with all their answers so far, was at this place."""

    judge: str
    answers: int
    head: SignedHead

    @property
    def code(self) -> str:
        return self.head.code

    def text(self) -> str:
        """For people to keep: the code, what it stands for, and how to check it."""
        lines = [
            f"Receipt {self.code}",
            f"Given at {self.head.time} to {self.judge}, for all answers so far.",
            f"Event {self.head.seq} of the study's log has the hash",
            f"  {self.head.head}.",
            counted_words(self.head.made, self.head.deleted),
        ]
        if self.head.signature:
            half = len(self.head.signature) // 2
            lines += ["Signed by the key", f"  {self.head.key}:"]
            lines += [f"  {self.head.signature[:half]}", f"  {self.head.signature[half:]}"]
        check = f"juryrank verify --receipt {self.code} CERTIFICATE.json"
        return "\n".join([*lines, "A log that holds it holds everything up to here as it was:", check]) + "\n"


@dataclass(frozen=True, slots=True)
class ReceiptFound:
    """Whether a receipt is in a log; nobody's answers are shown."""

    held: bool
    seq: int
    events: int  # how long the log is now

    @property
    def words(self) -> str:
        """One sentence for people."""
        if self.held:
            return (
                f"In the log: event {self.seq} of {self.events} is the one that this receipt names, so everything "
                "up to there is as it was when the receipt was given."
            )
        if self.seq > self.events:
            return (
                f"Not in the log: the receipt names event {self.seq}, and the log has only {self.events} events."
            )
        return (
            f"Not in the log: event {self.seq} is not the one that this receipt names. The receipt is of another "
            "study or mistyped, or the log was changed since."
        )


def find_receipt(code: str, there: str | None, *, events: int) -> ReceiptFound:
    """Compare a receipt with the hash of the event at its place (None: the log has none there)."""
    place = read_code(code)
    return ReceiptFound(there is not None and place.fits(there), place.seq, events)


# ----------------------------------------------------------------------------
# Heads that were stated before, each with its time and signature: kept beside the log and never changed.
#
# One is kept with every certificate, whenever somebody asks for it (`study.log.head(keep=True)`), and every ten
# minutes while a process works on the study and the log grows. Anybody can fetch them and keep a copy: then no
# other past can be shown later without it being noticed.
NOTE = "head/"  # the notes of a study under which they stand


@dataclass(frozen=True, slots=True)
class PastHead:
    """A head that was stated before; `held`: the log still has it."""

    head: SignedHead
    held: bool

    def to_dict(self) -> dict[str, int | str | bool]:
        return {**self.head.to_dict(), "in_log": self.held}


def keep_head(storage: Storage, study: int, head: SignedHead) -> None:
    """Keep a head with the time when it was first stated. Heads of one place with other hashes are kept too."""
    key = f"{NOTE}{head.seq:012d}/{head.head[:32]}"
    if storage.note(key, study=study) is None:
        storage.set_note(key, head.to_dict(), study=study)


def past_heads(storage: Storage, study: int, *, latest: int | None = None) -> list[PastHead]:
    """Heads stated before, oldest first (only the `latest` newest), each compared with the log as it is now."""
    found = sorted((SignedHead(**note) for note in storage.notes(NOTE, study=study).values()), key=_when)
    return [PastHead(head, _is_held(storage, study, head)) for head in found[-(latest or len(found)) :]]


def _when(head: SignedHead) -> tuple[str, int]:
    return head.time, head.seq


def _is_held(storage: Storage, study: int, head: SignedHead) -> bool:
    row = next(iter(storage.rows(study, after=head.seq - 1, most=1)), None)
    return row is not None and (row[0], row[4]) == (head.seq, head.head)

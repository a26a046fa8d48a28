"""A receipt: a short code for a place in a log, to be compared with the log later.

The code names an event and the beginning of its hash. As each hash covers everything before it, a log that still
has that event there still has everything that was in it when the receipt was given: nothing was dropped, changed
or slipped in before that place.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from juryrank.errors import BadInput, need_extra, shown
from juryrank.log.fields import HASH, MOMENT, SIGNATURE, is_hash
from juryrank.statements.numbers import number_of

BYTES = 10  # of the hash: 80 bits, so that nobody can make another log that fits
GROUP = 4  # letters between two dashes
_SHAPE = re.compile(r"([1-9][0-9]{0,17})((?:-?[A-Z2-7]){16})")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a log: the event's number, and how its hash begins."""

    seq: int
    begins: str  # hexadecimal

    def fits(self, hash_: str) -> bool:
        """Can this be the hash of the event at this place?"""
        return hash_.startswith(self.begins)


def receipt_code(seq: int, hash_: str) -> str:
    """The code of an event.

    >>> receipt_code(17, "ab" * 32)
    '17-VOV2-XK5L-VOV2-XK5L'
    """
    letters = base64.b32encode(bytes.fromhex(hash_)[:BYTES]).decode()
    return "-".join([str(seq), *(letters[k : k + GROUP] for k in range(0, len(letters), GROUP))])


def read_code(code: str) -> Place:
    """The place that a code names; raises BadInput if it is not a code.

    Spaces, small letters and missing dashes are forgiven: people copy it by hand. It has no 0, 1, 8 or 9.

    >>> read_code(" 17-vov2-xk5l-vov2-xk5l ").seq
    17
    """
    plain = re.sub(r"\s+", "-", code.strip()).upper() if isinstance(code, str) and len(code) < 200 else ""
    found = _SHAPE.fullmatch(plain.replace("--", "-"))
    if found is None:
        raise BadInput(
            f"{shown(code)} is not a receipt: that is a number and 16 letters, such as 17-VOV2-XK5L-VOV2-XK5L"
        )
    letters = found.group(2).replace("-", "")
    return Place(int(found.group(1)), base64.b32decode(letters).hex())


# ----------------------------------------------------------------------------
# Signed heads: an installation states, with a time, which log it had
#
# A signature is {"key", "time", "head", "made", "deleted", "signature"}: the public key and the signature in
# hexadecimal (Ed25519), the time in UTC, the hash of the log's last event, how many studies the installation had
# made by then and how many of them it had deleted. The signed text is what `signed_text` gives. A key that
# replaces another is signed by the one before it (`key_changed` events), so that whoever knows the old one can
# trust the new.
FIELDS = ("key", "time", "head", "made", "deleted", "signature")
PRIME = 2**255 - 19  # the field and the curve of Ed25519 (RFC 8032)
CURVE_D = -121665 * pow(121666, -1, PRIME) % PRIME


def signed_text(head: str, time: str, *, made: int, deleted: int) -> bytes:
    """The text that is signed: its first words tell it apart from everything else that the key may sign."""
    return f"juryrank head 2\n{head}\n{time}\nstudies made {made}\nstudies deleted {deleted}\n".encode()


def counted_words(made: int, deleted: int) -> str:
    """How many studies there were, as a sentence.

    >>> counted_words(14, 3)
    'This installation had made 14 studies by then, and deleted 3.'
    """
    studies = number_of(made, "study", "studies")
    return f"This installation had made {studies} by then" + (f", and deleted {deleted:,}." if deleted else ".")


def successor_text(old: str, new: str) -> bytes:
    """What the old key signs when a new one takes its place."""
    return f"juryrank key 1\n{old}\n{new}\n".encode()


def checked_shape(signature: Any) -> dict[str, Any]:
    """The signature of a document, if it has exactly its fields; raises BadInput otherwise."""
    if not isinstance(signature, dict) or set(signature) != set(FIELDS):
        raise BadInput(f"a signature has exactly the fields {', '.join(FIELDS[:-1])} and {FIELDS[-1]}")
    kinds = {"key": HASH, "head": HASH, "signature": SIGNATURE}
    if not all(kind.fits(signature[name]) for name, kind in kinds.items()):
        raise BadInput("a signature's key, head and signature are a fixed number of hexadecimal digits")
    if not MOMENT.fits(signature["time"]):
        raise BadInput(f"a signature's time is {MOMENT.words}")
    made, deleted = signature["made"], signature["deleted"]
    if type(made) is not int or type(deleted) is not int or not 0 <= deleted <= made:
        raise BadInput("a signature counts the studies made and, among them, those deleted")
    return signature


def checked_key(text: str) -> str:
    """A public key as somebody typed it; raises BadInput if it is not one.

    >>> checked_key("AB" * 32) == "ab" * 32
    True
    """
    plain = "".join(text.split()).lower()
    if not is_hash(plain):
        raise BadInput(f"{shown(text)} is not a public key: `juryrank study head` prints one, 64 hex digits")
    if is_weak(plain):
        raise BadInput(f"the key {plain[:16]}… is one of those under which anybody can sign: it is nobody's key")
    return plain


def is_weak(key: str) -> bool:
    """Is it a point of small order? Anybody can make signatures that fit such a key, without knowing a secret.

    The order divides 8 where the point's y is 0, 1 or -1 (orders 4, 1, 2) or solves dy⁴ + 2y² = 1 (order 8).

    >>> is_weak("01" + "00" * 31), is_weak("ab" * 32)
    (True, False)
    """
    y = int.from_bytes(bytes.fromhex(key), "little") % 2**255  # the highest bit is the sign of x
    return y * (y * y - 1) * (CURVE_D * y**4 + 2 * y * y - 1) % PRIME == 0


def is_signed(signature: Mapping[str, Any]) -> bool:
    """Did the key in it sign this head, with these counts, at this time?"""
    counts = {"made": signature["made"], "deleted": signature["deleted"]}
    text = signed_text(signature["head"], signature["time"], **counts)
    return holds(signature["key"], text, signature["signature"])


def holds(key: str, text: bytes, signature: str) -> bool:
    """Is this the key's signature of the text? No text is signed by a key under which anybody can sign."""
    need_extra("cryptography", extra="study", what="checking a signature")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if is_weak(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True

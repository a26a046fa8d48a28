"""A receipt: a short code for a place in a log, to be compared with the log later.

The code names an event and the beginning of its hash. As each hash covers everything before it, a log that still
has that event there still has everything that was in it when the receipt was given: nothing was dropped, changed
or slipped in before that place.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from juryrank.errors import BadInput, shown

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

"""What the pages call a question: a code of its own for each judge, the same for attention checks and all others.

A judge can look at everything that the browser receives. Numbers would show which questions the ranking knows.
The code is the question's number, encrypted so that equal numbers give equal codes (SIV): two tabs agree, nothing
is stored, and a code that was never given is noticed.
"""

from __future__ import annotations

import hashlib
from base64 import b32decode, b32encode

from juryrank.errors import UnknownQuestion

CHECK, CHECK_DIGITS = "check-", 12  # attention checks in what is stored about a judge; hexadecimal
MAC_BYTES, NUMBER_BYTES = 5, 8
LENGTH = 21  # letters of a code: 13 bytes in base 32
FIRST_CHECK = 1 << 56  # numbers from here on are checks


class QuestionNames:
    """Codes for the questions of one study, by judge.

    The key is the log's seed. Judges learn it with the log at the earliest, which names every question anyway.

    >>> names = QuestionNames(7, 1)
    >>> codes = names.of_question("ann", 41), names.of_check("ann", "check-00000000001f")
    >>> [len(code) for code in codes], [names.read("ann", code) for code in codes]
    ([21, 21], [41, 'check-00000000001f'])
    """

    def __init__(self, seed: int | str, salt: int) -> None:
        self._key = hashlib.sha256(f"{seed}/{salt}".encode()).digest()

    def of_question(self, judge: str, number: int) -> str:
        return self._written(judge, number)

    def of_check(self, judge: str, check: str) -> str:
        return self._written(judge, FIRST_CHECK + int(check.removeprefix(CHECK), 16))

    def read(self, judge: str, name: str) -> int | str:
        """The number of a question, or what a check is called in storage; raises for what was never asked."""
        try:
            number = self._number(judge, name)
        except ValueError:
            raise UnknownQuestion(
                f"{name[:40]!r} is not a question that was asked; ask for the next one"
            ) from None
        return number if number < FIRST_CHECK else f"{CHECK}{number - FIRST_CHECK:0{CHECK_DIGITS}x}"

    def _written(self, judge: str, number: int) -> str:
        plain = number.to_bytes(NUMBER_BYTES, "big")
        mac = self._mac(judge, plain)
        return b32encode(mac + _xor(plain, self._pad(mac))).decode().rstrip("=").lower()

    def _number(self, judge: str, name: str) -> int:
        if len(name) != LENGTH or not name.isascii():
            raise ValueError(name)
        raw = b32decode(name.upper() + "===")
        plain = _xor(raw[MAC_BYTES:], self._pad(raw[:MAC_BYTES]))
        number = int.from_bytes(plain, "big")
        if self._written(judge, number) != name:
            raise ValueError(name)
        return number

    def _mac(self, judge: str, plain: bytes) -> bytes:
        return hashlib.blake2b(
            plain + judge.encode(), key=self._key, person=b"mac", digest_size=MAC_BYTES
        ).digest()

    def _pad(self, mac: bytes) -> bytes:
        return hashlib.blake2b(mac, key=self._key, person=b"pad", digest_size=NUMBER_BYTES).digest()


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))

"""Events in one total order, each carrying the hash of the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.errors import BadInput, shown
from juryrank.log import bodies as _all_bodies  # noqa: F401  registers every kind
from juryrank.log.fields import BODIES, Body

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a log. `at` is UTC, for people: nothing is decided by it.

    >>> Event(3, "told", {"q": 1, "answer": "left"}).body.answer
    'left'
    """

    seq: int
    kind: str
    data: Mapping[str, Any]
    at: str | None = None
    hash: str = ""
    _body: Body | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def body(self) -> Body:
        """What the event says, read and checked once; raises BadInput with the event named."""
        if self._body is not None:
            return self._body
        body = self._read()
        object.__setattr__(self, "_body", body)
        return body

    def _read(self) -> Body:
        made = BODIES.get(self.kind)
        if made is None:
            raise BadInput(
                f"event {self.seq} is of unknown kind {shown(self.kind)}: the log is from a newer version"
            )
        try:
            return made.read(self.data)
        except BadInput as problem:
            raise BadInput(f"event {self.seq} ({self.kind}) cannot be read: {problem}") from None


def chained(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str | None = None) -> Event:
    """The event that follows the one whose hash is `previous`.

    >>> first = chained(GENESIS, 1, "created", {"items": ["a", "b"]})
    >>> len(first.hash)
    64
    """
    return Event(seq, kind, data, at, event_hash(previous, seq, kind, data, at))


def event_hash(previous: str, seq: int, kind: str, data: Mapping[str, Any], at: str | None) -> str:
    """SHA-256 over the hash before and the event's own canonical JSON."""
    text = json.dumps([previous, seq, kind, data, at], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError:
        raise BadInput(
            f"event {seq} ({kind}) holds half a character (a lone surrogate), which no file keeps; leave it out"
        ) from None

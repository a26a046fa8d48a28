"""What a re-check found: each check with its words, and the result as recomputed from the raw events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from juryrank.types import Link


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `words` says what was found, or what is wrong and where."""

    name: str
    ok: bool
    words: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a ranker's own checker recomputed from the raw events."""

    checks: tuple[Check, ...]
    certified: bool
    statement: str
    links: tuple[Link, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one certificate.

    `true`: everything in the file follows from its raw events. `certified`: and it proves a whole result.
    """

    checks: tuple[Check, ...]
    ranker: str
    order: tuple[str, ...]
    error: float
    events: int
    questions: int
    answers: int
    head: str
    certified: bool = False
    statement: str = ""
    links: tuple[Link, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    post_hoc: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def true(self) -> bool:
        """Does everything in the file follow from its raw events?"""
        return all(check.ok for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.ok)

    @property
    def verdict(self) -> str:
        """One word: certified, partial or false."""
        if not self.true:
            return "false"
        return "certified" if self.certified else "partial"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"verdict": self.verdict, "true": self.true, **asdict(self)}

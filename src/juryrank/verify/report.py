"""What a re-check found: each check with its words, and the result as recomputed from the raw events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from juryrank.statements import Promise, missing_words
from juryrank.types import Link

Claim = tuple[str, str, float | None]  # better, worse, the level at which it is claimed (None: it is counted)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `words` says what was found, or what is wrong and where."""

    name: str
    ok: bool
    words: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Answers that a promise does without, and whether it would stand had all of them gone against it."""

    answers: int
    stands: bool | None  # None: the ranker would have asked other questions then, so nobody knows

    @property
    def words(self) -> str:
        return missing_words(self.answers, stands=self.stands)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the events prove, as a ranker's own checker recomputed it.

    `proven`: the objective asked for; `order`: the whole order, where all of it is proven. `claims`: pairs that
    are claimed, with their level. `details` holds what only this ranker promises or counts. All of these go into
    the `result` of a certificate; `links` and `notes` are for people only.
    """

    checks: tuple[Check, ...]
    proven: bool = False
    order: tuple[str, ...] | None = None
    claims: tuple[Claim, ...] = ()
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    promise: Promise | None = None  # what is claimed, as data; None: nothing, as something was changed
    refuted: bool = False  # is it proven that what was required does not hold?
    details: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()
    levels: tuple[float, ...] = ()  # at which something may be claimed now
    narrowed: bool = False  # do ranges promise something that no claim says: items that are ruled out?
    partial: bool = True  # is something promised short of the whole order?
    missing: Missing | None = None  # None: nothing is promised, or no answer is missing

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one certificate.

    `true`: everything in `result` follows from the raw events. `proven`: and the objective asked for is proven.
    `result` is always the one that the checker recomputed; `estimates` stand as the file has them, unchecked.

    >>> import juryrank
    >>> document = juryrank.rank(["b", "a"], {"ann": min, "bob": min}, seed=1).certificate()
    >>> report = juryrank.verify(document)
    >>> report.true, report.proven, report.order
    (True, True, ('a', 'b'))
    """

    checks: tuple[Check, ...]
    ranker: str
    error: float
    head: str
    result: Mapping[str, Any] = field(default_factory=dict)
    estimates: Mapping[str, Any] = field(default_factory=dict)
    promise: Promise | None = None
    statement: str = ""  # the promise in exact words, made of what the checker recomputed
    post_hoc: tuple[str, ...] = ()  # what was chosen after answers had been seen
    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def true(self) -> bool:
        """Does everything in the file follow from its raw events?"""
        return all(check.ok for check in self.checks)

    @property
    def proven(self) -> bool:
        """Is the file true, and the objective that was asked for proven?"""
        return self.true and bool(self.result.get("proven"))

    @property
    def refuted(self) -> bool:
        """Is the file true, and what was required proven not to hold?"""
        return self.true and not self.proven and bool(self.result.get("refuted"))

    @property
    def certified(self) -> bool:
        """Is the file true, and the whole order proven?"""
        return self.true and bool(self.result.get("certified"))

    @property
    def order(self) -> tuple[str, ...]:
        """The proven order; until there is one, the order shown, which is an estimate."""
        return tuple(self.result.get("order") or self.estimates.get("order") or ())

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The promised range of ranks of each item of `order`; empty where none is promised."""
        known = {item: (best, worst) for item, best, worst in self.result.get("ranges", ())}
        return tuple(known[item] for item in self.order) if known else ()

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.ok)

    @property
    def verdict(self) -> str:
        """One word: certified, proven (the objective, not the whole order), refuted, partial or false."""
        if not self.true:
            return "false"
        if self.refuted:
            return "refuted"
        return "certified" if self.certified else "proven" if self.proven else "partial"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        more = {"verdict": self.verdict, "true": self.true, "proven": self.proven, "certified": self.certified}
        return {**more, **asdict(self)}

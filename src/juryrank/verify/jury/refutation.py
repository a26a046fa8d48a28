"""The refutation of what is required, counted by the checker: that a claim's Z is below 0.

It is the claim turned round, at resolution -ε, strictly: for the cells that count for the list, with a prior that
nobody chose. The list's level is shared by its claims; only its finest resolution is refuted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.arithmetic.rounding import needed_at
from juryrank.verify.jury.book import Book
from juryrank.verify.jury.evidence import UNCHOSEN, most_evidence
from juryrank.verify.jury.lists import Claim, Listed, backed
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.room import Room

BookOf = Callable[[str, str], Book | None]


@dataclass(frozen=True, slots=True)
class Refuted:
    """A required claim that is false, by its level; None: it is counted."""

    claim: Claim
    level: float | None


def refuted(
    setup: JuryOptions, listed: Listed, book_of: BookOf, room: Room, *, level: Fraction | None = None
) -> list[Refuted]:
    """The claims of a list whose refutation its cells prove; `level`: if not the list's own."""
    if setup.objective != "require" or not listed.claims:
        return []
    if level is None:
        level = attempt_level(setup.error, listed.number) / len(listed.claims) if listed.number else Fraction()
    turned = Listed(
        listed.number,
        listed.order,
        [(worse, better) for better, worse in listed.claims],
        [UNCHOSEN] * len(listed.claims),
        1.0,
        [],
        starts={(worse, better): listed.starts.get((better, worse), 0) for better, worse in listed.claims},
    )
    found = []
    for at, (worse, better) in enumerate(turned.claims):
        book = book_of(worse, better)
        if book is None:
            continue
        room.take((20 + 2 * len(setup.judges)) * len(book.draws), "every draw again for what is required")
        epsilon = -setup.resolutions[-1]
        if book.by_count(worse, epsilon, strict=True) is True:
            found.append(Refuted((better, worse), None))
        elif level and most_evidence([backed(turned, at, book_of)], epsilon)[0] >= needed_at(level):
            found.append(Refuted((better, worse), float(level)))
    return found

"""The attempts: lists fixed with a question, the claims each needs, and what its evidence proves.

A cell counts for every list with its pair that was fixed after fewer cells; nothing else decides that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.arithmetic.rounding import needed_at
from juryrank.verify.jury.book import Book
from juryrank.verify.jury.evidence import UNCHOSEN, Backed, most_evidence
from juryrank.verify.jury.forecasts import ListedForesight, read_foresight
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.room import Room
from juryrank.verify.terms import is_number, is_whole, names

Claim = tuple[str, str]


@dataclass(slots=True)
class Listed:
    """One attempt as it went on record; number 0: nothing but counting."""

    number: int
    order: list[str]
    claims: list[Claim]
    priors: list[tuple[float, float]]  # mean, spread
    square: float
    proven: list[list[bool]]  # claims x resolutions
    goal: float = 0.0  # the resolution that it was fixed for
    after: int = 0  # it was fixed after so many cells of all pairs, in the order drawn
    foresight: ListedForesight | None = None  # where there are forecasts
    starts: dict[Claim, int] = field(default_factory=dict)  # the first place of each claim's pair that counts
    most: list[list[float | None]] = field(default_factory=list)  # the same: log of the evidence; None: counted

    @property
    def steps(self) -> int:
        """How many resolutions are proven for all claims, from the coarsest on."""
        reached = 0
        for step in range(len(self.proven[0]) if self.proven else 0):
            if not all(row[step] for row in self.proven):
                break
            reached += 1
        return reached

    def stated(self) -> dict[Claim, int]:
        """For each claim that may be stated: at how many resolutions, in the fixed sequence."""
        found: dict[Claim, int] = {}
        for step in range(len(self.proven[0]) if self.proven else 0):
            for claim, row in zip(self.claims, self.proven, strict=True):
                if not row[step]:
                    return found
                found[claim] = step + 1
        return found


def needed(setup: JuryOptions, order: Sequence[str], room: Room) -> list[Claim]:
    """The claims that the objective needs for an order."""
    if setup.objective == "require":
        return list(setup.required)
    if setup.objective == "order":
        return list(pairwise(order))
    chosen, others = order[: setup.k], order[setup.k :]
    letters = sum(map(len, chosen)) * len(others) + sum(map(len, others)) * len(chosen)
    room.take(10 * len(chosen) * len(others) + letters / 2, "the claims of so many items")
    return [(a, b) for a in chosen for b in others]


def read_list(setup: JuryOptions, terms: Any, room: Room) -> Listed:
    """The list that a question put on record; raises ValueError where it is not what the objective needs."""
    if not isinstance(terms, Mapping):
        raise ValueError("a question fixes a list, and its terms do not hold one")
    number, order, rows, square = terms["number"], names(terms["order"]), terms["claims"], terms["square"]
    if not is_whole(number, least=1):
        raise ValueError("the number of a list is not a whole number from 1 on")
    if not is_whole(terms["after"], least=0):
        raise ValueError(f"list {number} does not say after how many cells it was fixed")
    if terms["goal"] not in setup.resolutions:
        raise ValueError(f"list {number} is fixed for a resolution that was not asked for")
    if order is None or sorted(order) != sorted(setup.items):
        raise ValueError(f"list {number} does not hold each item once")
    claims = [(row[0], row[1]) for row in rows]
    if sorted(claims) != sorted(needed(setup, order, room)):
        raise ValueError(f"the claims of list {number} are not those that the objective needs")
    priors = [(row[2], row[3]) for row in rows]
    if not all(is_number(mean) and is_number(spread) and spread >= 0 for mean, spread in priors):
        raise ValueError(f"a prior of list {number} is not a mean with a spread")
    if not is_number(square) or not 0 <= square <= 1:
        raise ValueError(f"the mean square of list {number} is not a number from 0 to 1")
    blank = [[False] * len(setup.resolutions) for _ in claims]
    means = [(float(mean), float(spread)) for mean, spread in priors]
    found = Listed(number, order, claims, means, float(square), blank, goal=terms["goal"], after=terms["after"])
    found.foresight = read_foresight(setup, terms)
    return found


def prove(
    setup: JuryOptions,
    listed: Listed,
    book_of: Callable[[str, str], Book | None],
    room: Room,
    *,
    level: Fraction | None = None,
) -> None:
    """Recount the evidence of every claim of a list, at its own level unless another one is given."""
    listed.most = [[0.0 for _ in row] for row in listed.proven]
    if level is None and listed.number:
        level = attempt_level(setup.error, listed.number)
    goal = needed_at(level) if level else math.inf
    known = [(at, book) for at, claim in enumerate(listed.claims) if (book := book_of(*claim)) is not None]
    each = 20 + (2 * len(setup.judges) if level else 0)
    for _, book in known:
        room.take(each * len(book.draws) * len(setup.resolutions), "every draw again for each list")
    for step, epsilon in enumerate(setup.resolutions):
        uncounted = []
        for at, book in known:
            if book.by_count(listed.claims[at][0], epsilon) is True:
                listed.proven[at][step], listed.most[at][step] = True, None
            elif level and listed.starts[listed.claims[at]] < len(book.draws):
                uncounted.append(at)
        most = most_evidence([backed(listed, at, book_of) for at in uncounted], epsilon)
        for at, evidence in zip(uncounted, most, strict=True):
            listed.proven[at][step], listed.most[at][step] = evidence >= goal, evidence


def backed(listed: Listed, at: int, book_of: Callable[[str, str], Book | None]) -> Backed:
    """A claim of a list, about a pair that was asked about, with the draws that may count for it."""
    claim = listed.claims[at]
    book = book_of(*claim)
    assert book is not None
    sign = 1 if claim[0] == book.first else -1
    return Backed(book.counting, sign, listed.starts[claim], listed.priors[at], listed.square, listed.foresight)


# ----------------------------------------------------------------------------
# The refutation of what is required, counted by the checker: that a claim's Z is below 0.
#
# It is the claim turned round, at resolution -ε, strictly: for the cells that count for the list, with a prior
# that nobody chose. The list's level is shared by its claims; only its finest resolution is refuted.
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
        foresight=None if listed.foresight is None else ListedForesight(),
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

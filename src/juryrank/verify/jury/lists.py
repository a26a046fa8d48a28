"""The attempts: lists fixed with a question, the claims each needs, and what its evidence proves.

A cell counts for every list with its pair that was fixed before the cell was drawn; nothing else decides that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.jury.book import Book, value
from juryrank.verify.jury.evidence import Wealth
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
    room.take(10 * setup.k * max(len(order) - setup.k, 0), "the claims of so many items")
    if setup.objective == "require":
        return list(setup.required)
    if setup.objective == "order":
        return list(pairwise(order))
    return [(a, b) for a in order[: setup.k] for b in order[setup.k :]]


def read_list(setup: JuryOptions, terms: Any, room: Room) -> Listed:
    """The list that a question put on record; raises ValueError where it is not what the objective needs."""
    if not isinstance(terms, Mapping):
        raise ValueError("a question fixes a list, and its terms do not hold one")
    number, order, rows, square = terms["number"], names(terms["order"]), terms["claims"], terms["square"]
    if not is_whole(number, least=1):
        raise ValueError("the number of a list is not a whole number from 1 on")
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
    return Listed(number, order, claims, means, float(square), blank, goal=terms["goal"])


def prove(
    setup: JuryOptions,
    listed: Listed,
    book_of: Callable[[str, str], Book | None],
    room: Room,
    *,
    level: Fraction | float | None = None,
) -> None:
    """Recount the evidence of every claim of a list, at its own level unless another one is given."""
    listed.most = [[0.0 for _ in row] for row in listed.proven]
    if level is None and listed.number:
        level = attempt_level(setup.error, listed.number)
    goal = math.log(1 / level) if level else math.inf
    for at, (better, worse) in enumerate(listed.claims):
        book = book_of(better, worse)
        if book is None:
            continue
        each = 20 + (2 * len(setup.judges) if level else 0)
        room.take(each * len(book.draws) * len(setup.resolutions), "every draw again for each list")
        for step, epsilon in enumerate(setup.resolutions):
            counted = book.by_count(better, epsilon) is True
            most = most_evidence(setup, listed, at, book, epsilon) if level else 0.0
            listed.proven[at][step] = counted or most >= goal
            listed.most[at][step] = None if counted else most


def most_evidence(setup: JuryOptions, listed: Listed, at: int, book: Book, epsilon: float) -> float:
    """The largest log of a claim's evidence, after whichever answer: it may fall again, and proves no less."""
    better, _ = listed.claims[at]
    sign = 1 if better == book.first else -1
    wealth, most = Wealth(epsilon, *listed.priors[at]), 0.0
    for place, (draw, before, payoff) in enumerate(book.counted(sign, listed.square)):
        if place < listed.starts[listed.claims[at]]:
            continue
        x, given, lost = value(setup, draw)
        wealth.bet(before, payoff, sign * x + 2 * epsilon * given + (2 * epsilon - 1) * lost)
        most = max(most, wealth.log)
    return most

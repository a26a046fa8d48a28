"""The draw of a cell, written a second time: a hash of (key, pair, place), then a walk along the open cells."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from juryrank.verify.jury.setup import JuryOptions, hashed
from juryrank.verify.record import Asked

Cell = tuple[int, int]  # (case, side of the pair's first item: 0 is left; always 0 where a case is one cell)


def judge_and_point(
    setup: JuryOptions, hung_on: Sequence[object], place: int, chances: Sequence[float]
) -> tuple[int, int]:
    """The judge drawn at a place of a pair (or of all), and the whole number below 2^128 that picks its cell."""
    digest = hashed(["juryrank draw", setup.key, *hung_on, place])
    point = int.from_bytes(digest[:8], "big") // 2**11 / 2.0**53
    reached, judge = 0.0, -1
    for u, chance in enumerate(chances):
        if chance > 0:
            judge = u
            reached += chance
            if point < reached:
                break
    return judge, int.from_bytes(digest[8:24], "big")


class CellLayout:
    """The cells of a pair in their order, case by case: how much they weigh up to each."""

    def __init__(self, setup: JuryOptions, gone: frozenset[str]) -> None:
        self.sides, self._weights = setup.sides, setup.case_weights
        listed = range(len(setup.cases))
        self._cases = [case for case in listed if setup.cases[case] not in gone] if gone else listed
        self._sums: Sequence[int] = range(len(self._cases) + 1)  # of the weights of the cases before each
        if setup.cases_weighed:
            self._sums = list(accumulate((self._weights[case] for case in self._cases), initial=0))
        self.size = len(self._cases) * self.sides
        self.total = self._sums[-1] * self.sides

    def before(self, number: int) -> int:
        """The weight of the cells before that number."""
        case, side = divmod(number, self.sides)
        return self._sums[case] * self.sides + (side * self._weights[self._cases[case]] if side else 0)

    def cell(self, number: int) -> Cell:
        return self._cases[number // self.sides], number % self.sides

    def number(self, cell: Cell) -> int:
        return bisect_left(self._cases, cell[0]) * self.sides + cell[1]


class OpenCells:
    """The cells of a pair that one judge was not asked yet: what is taken, as a tree of sums."""

    def __init__(self, layout: CellLayout) -> None:
        self._layout, self.weight = layout, layout.total
        self._taken: dict[int, int] = {}  # number k of the tree: what is taken of the k & -k cells up to it

    def take(self, cell: Cell) -> None:
        """That one is asked."""
        number = self._layout.number(cell)
        weight = self._layout.before(number + 1) - self._layout.before(number)
        self.weight -= weight
        number += 1
        while number <= self._layout.size:
            self._taken[number] = self._taken.get(number, 0) + weight
            number += number & -number

    def at(self, number: int) -> Cell:
        """The cell that a number below 2^128 falls on, as if one walked along the open cells in their order."""
        left, here = number * self.weight // 2**128, 0
        if not self.weight:
            raise ValueError("there is no open cell")
        step = 1 << self._layout.size.bit_length()
        while step := step >> 1:
            beyond = here + step
            if beyond > self._layout.size:
                continue
            part = self._layout.before(beyond) - self._layout.before(here) - self._taken.get(beyond, 0)
            if part <= left:
                left, here = left - part, beyond
        return self._layout.cell(here)


def fixed_side(setup: JuryOptions, first: str, second: str, judge: str, case: str | None) -> int:
    """The side on which a case is shown once."""
    return hashed(["juryrank side", setup.key, first, second, judge, case or ""])[0] % 2


# ----------------------------------------------------------------------------
# One drawn cell: the questions it was sent as, and how it ended.
@dataclass(slots=True)
class Draw:
    """One drawn cell, with the questions it was sent as."""

    judge: int
    cell: Cell
    whole: int  # the weight of its case
    chances: tuple[float, ...]
    calls: list[Asked | None]
    aside: bool = False
    answers: dict[int, float | None] = field(default_factory=dict)
    failed: float = 0.0  # share of its calls that ended without a word
    without: bool = False  # was somebody set aside who had open cells?

    @property
    def settled(self) -> bool:
        return self.aside or all(q is not None and not q.open for q in self.calls)


def value(setup: JuryOptions, draw: Draw) -> tuple[float, float, float]:
    """(mean answer from the side of the first item, share answered, share counting against) of a settled draw."""
    if draw.aside:
        return 0.0, 0.0, 1.0
    said = [draw.answers[call] for call in range(len(draw.calls))]
    given = [x for x in said if x is not None]
    refused = 1 - len(given) / len(said) - draw.failed
    lost = draw.failed + (refused if setup.against else 0.0)
    return sum(given) / len(said), len(given) / len(said), lost


def unsaid(draw: Draw) -> float:
    """The share of a settled draw's calls that ended without a word of its judge."""
    return 1.0 if draw.aside else draw.failed

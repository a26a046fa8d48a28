"""One pair in the order drawn: which cells are left, what came back, what counting alone decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import Self

from juryrank.verify.jury.cells import CellLayout, Draw, OpenCells, judge_and_point, unsaid, value
from juryrank.verify.jury.counting import SettledDraws
from juryrank.verify.jury.forecasts import CellForecasts, OfPair
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.record import Asked
from juryrank.verify.room import Room

SLACK = 1e-9  # relative: of chances that are recomputed
FAR = 1e-6
NEAR = 1e-9  # sums of floats that are nearer to 0 decide nothing: fractions do
EXACT = 100  # steps that fractions take for each kind of answer


class Book:
    """A pair of items (in the order of the study's list) and its draws."""

    def __init__(
        self, setup: JuryOptions, first: str, second: str, room: Room, *, gone: frozenset[str] | None = None
    ) -> None:
        self.setup, self.first, self.second, self.room = setup, first, second, room
        self.hung_on: tuple[object, ...] = (first, second)  # what its draws hang on, besides the key and the place
        if gone is None:
            gone = setup.absent.get(frozenset((first, second)), frozenset())
        if gone or setup.cases_weighed:
            room.take(len(setup.cases), "the cases of so many pairs")
        self.layout = CellLayout(setup, gone)
        self.total = self.layout.total
        self.open: dict[int, OpenCells] = {}  # by judge; who was never drawn has all cells open
        self.draws: list[Draw] = []
        self.since = 0  # the first that was drawn for this table
        self._counting: SettledDraws | None = None
        self.forecasts: CellForecasts | None = None  # once a list uses them

    def share(self, judge: int, whole: int) -> float:
        return self.setup.shares[judge] * whole / self.total

    def votes(self, better: str) -> tuple[int, int]:
        """Answers for and against one of the two; ties are neither."""
        told = [value(self.setup, draw)[0] for draw in self.draws if draw.settled and not draw.aside]
        sign = 1 if better == self.first else -1
        return sum(sign * x > 0 for x in told), sum(sign * x < 0 for x in told)

    def open_weights(self) -> list[int]:
        known = self.open
        return [known[u].weight if u in known else self.total for u in range(len(self.setup.judges))]

    def draw(self, chances: Sequence[float]) -> Draw:
        """The next cell, drawn by these chances."""
        without = any(
            whole and not chances[u] and u not in self.setup.left for u, whole in enumerate(self.open_weights())
        )
        judge, number = judge_and_point(self.setup, self.hung_on, len(self.draws), chances)
        cell = self._cells_of(judge).at(number)
        whole = self.setup.case_weights[cell[0]]
        calls: list[Asked | None] = [None] * (2 if self.setup.both else 1)
        found = Draw(judge, cell, whole, tuple(chances), calls, without=without)
        self.take(found)
        return found

    def take(self, draw: Draw) -> None:
        """One more draw; in a table its cell is open no more."""
        if not self.setup.fresh:
            self._cells_of(draw.judge).take(draw.cell)
        self.draws.append(draw)

    def _cells_of(self, judge: int) -> OpenCells:
        return self.open.setdefault(judge, OpenCells(self.layout))

    def misfit(self, chances: Sequence[float], aside: Collection[int]) -> str:
        """What is wrong with recorded chances, if these judges were set aside; empty: they are the rule's.

        A judge has one by open weight and price, or none while set aside: whoever could choose that, knowing the
        seed, would choose what is drawn.
        """
        weights = self.open_weights()
        if len(chances) != len(weights):
            return "there is not one chance for each judge"
        due = [
            0.0 if u in aside or u in self.setup.left else self.share(u, whole) * self.setup.rates[u]
            for u, whole in enumerate(weights)
        ]
        total = sum(due)
        for judge, chance, part in zip(self.setup.judges, chances, due, strict=True):
            if (chance > 0) != (part > 0):
                return (
                    f"{judge} had a chance, although set aside"
                    if chance > 0
                    else f"{judge} had no chance, although not set aside"
                )
            if part and abs(chance - part / total) > SLACK * part / total:
                return "the chances are not by weight and price"
        return "" if total > 0 else "nobody could be drawn"

    def under(self, setup: JuryOptions) -> Self:
        """The same draws in another table."""
        book = type(self)(setup, self.first, self.second, self.room)
        for draw in self.draws:
            draw.whole = setup.case_weights[draw.cell[0]]
            draw.chances += (0.0,) * (len(setup.judges) - len(draw.chances))
            book.take(draw)
        book.since = len(book.draws)
        return book

    def at_worst(self, setup: JuryOptions, dropped: Collection[int]) -> Book:
        """A copy under a table of these judges; whatever those who were dropped said is as good as unsaid."""
        book = Book(setup, self.first, self.second, self.room)
        for draw in self.draws:
            whole = setup.case_weights[draw.cell[0]]
            aside = draw.aside or draw.judge in dropped
            book.draws.append(replace(draw, whole=whole, aside=aside))
        book.forecasts = self.forecasts
        return book

    def foresee(self, given: OfPair) -> None:
        """The forecasts of all cells are known."""
        self.forecasts = CellForecasts(self.setup, self.first, self.second, given, self.room)
        self._counting = None

    # ------------------------------------------------------------------ counting
    @property
    def counting(self) -> SettledDraws:
        """Sums over the draws up to the first one still open."""
        settled = list(takewhile(lambda draw: draw.settled, self.draws))
        if self._counting is None or len(self._counting.draws) != len(settled):
            self._counting = SettledDraws(self.setup, self.total, settled, self.forecasts)
        return self._counting

    def by_count(self, better: str, epsilon: float, *, strict: bool = False) -> bool | None:
        """Is "better over the other" true (or false) whatever the cells not counted say? None: open.

        Where every answer was refused it stays open: nothing was said that could be in anybody's favour. A call
        that failed makes nothing true and nothing false. `strict`: a tie is not enough.
        """
        if self.setup.fresh or self._too_few(abs(epsilon)):
            return None
        sign, seen = (1 if better == self.first else -1), self.counting
        part = sign * seen.answers + 2 * epsilon * seen.answered + (2 * epsilon - 1) * seen.against
        unknown, answered = 1 - seen.known, seen.any_answer
        least, most = part - unknown * (1 - 2 * epsilon), part + unknown * (1 + 2 * epsilon) + 2 * seen.silent
        if min(abs(least), abs(most)) < NEAR:
            return self._exactly(sign, written(epsilon), answered=answered, strict=strict)
        return True if answered and least > 0 else False if most < 0 else None

    def _too_few(self, epsilon: float) -> bool:
        """Do the settled draws weigh too little to decide anything? (A quick answer for most pairs.)"""
        known = sum(
            self.share(draw.judge, draw.whole) for draw in takewhile(lambda draw: draw.settled, self.draws)
        )
        return known * (1 + 2 * epsilon) < (1 - known) * (1 - 2 * epsilon) - FAR

    def _exactly(self, sign: int, epsilon: Fraction, *, answered: bool, strict: bool) -> bool | None:
        """The same in fractions: weights, resolution and grades are the decimals on record."""
        alike = Counter[tuple[int, tuple[float, ...], float, float, float]]()
        for draw in self.counting.draws:
            said = () if draw.aside else tuple(x for x in draw.answers.values() if x is not None)
            alike[draw.judge, said, *value(self.setup, draw)[1:], unsaid(draw)] += draw.whole
        self.room.take(len(self.draws) + EXACT * len(alike), "so many answers to the last digit")
        weights = [written(self.setup.weight(u)) for u in range(len(self.setup.judges))]
        calls = 2 if self.setup.both else 1
        part, silent, unknown = Fraction(), Fraction(), sum(weights, Fraction()) * self.total
        for (judge, said, given, lost, quiet), whole in alike.items():
            weight = weights[judge] * whole
            unknown -= weight
            x = sum(map(written, said), Fraction()) / calls
            part += weight * (sign * x + 2 * epsilon * written(given) + (2 * epsilon - 1) * written(lost))
            silent += weight * written(quiet)
        least = part - unknown * (1 - 2 * epsilon)
        if answered and (least > 0 or (least == 0 and not strict)):
            return True
        return False if part + unknown * (1 + 2 * epsilon) + 2 * silent < 0 else None


def written(number: float) -> Fraction:
    """A number as the file says it: 0.1 is one tenth."""
    return Fraction(repr(float(number)))

"""One pair in the order drawn: which cells are left, what came back, what counting alone decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import takewhile

from juryrank.verify.jury.cells import Cell, CellLayout, OpenCells, judge_and_point
from juryrank.verify.jury.evidence import TRUST, Before
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.record import Asked
from juryrank.verify.room import Room

SUM_SLACK = 1e-9  # of chances that are recomputed
NEAR = 1e-9  # sums of floats that are nearer to 0 decide nothing: fractions do
EXACT = 100  # steps that fractions take for each kind of answer


@dataclass(slots=True)
class Draw:
    """One drawn cell, with the questions it was sent as."""

    judge: int
    cell: Cell
    whole: int  # the weight of its case
    weight: float
    chances: tuple[float, ...]
    calls: list[Asked | None]
    aside: bool = False
    answers: dict[int, float | None] = field(default_factory=dict)
    failed: float = 0.0  # share of its calls that ended without a word
    without: bool = False  # was somebody set aside who had open cells?

    @property
    def settled(self) -> bool:
        return self.aside or all(q is not None and not q.open for q in self.calls)


class Book:
    """A pair of items (in the order of the study's list) and its draws."""

    def __init__(self, setup: JuryOptions, first: str, second: str, room: Room) -> None:
        self.setup, self.first, self.second, self.room = setup, first, second, room
        gone = setup.absent.get(frozenset((first, second)), frozenset())
        if gone or setup.cases_weighed:
            room.take(len(setup.cases), "the cases of so many pairs")
        self.layout = CellLayout(setup, gone)
        self.total = self.layout.total
        self.open: dict[int, OpenCells] = {}  # by judge; who was never drawn has all cells open
        self.draws: list[Draw] = []

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
        judge, number = judge_and_point(self.setup, self.first, self.second, len(self.draws), chances)
        cell = self._cells_of(judge).at(number)
        whole = self.setup.case_weights[cell[0]]
        if not self.setup.fresh:
            self._cells_of(judge).take(cell)
        calls: list[Asked | None] = [None] * (2 if self.setup.both else 1)
        found = Draw(judge, cell, whole, self.share(judge, whole), tuple(chances), calls, without=without)
        self.draws.append(found)
        return found

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
            if part and abs(chance - part / total) > SUM_SLACK:
                return "the chances are not by weight and price"
        return "" if total > 0 else "nobody could be drawn"

    def under(self, setup: JuryOptions) -> Book:
        """The same draws in another table."""
        book = Book(setup, self.first, self.second, self.room)
        for draw in self.draws:
            whole = setup.case_weights[draw.cell[0]]
            if not setup.fresh:
                book._cells_of(draw.judge).take(draw.cell)
            draw.whole, draw.weight = whole, book.share(draw.judge, whole)
            draw.chances += (0.0,) * (len(setup.judges) - len(draw.chances))
            book.draws.append(draw)
        return book

    def at_worst(self, setup: JuryOptions, dropped: Collection[int]) -> Book:
        """A copy under a table of these judges; whatever those who were dropped said is as good as unsaid."""
        book = Book(setup, self.first, self.second, self.room)
        for draw in self.draws:
            whole = setup.case_weights[draw.cell[0]]
            aside = draw.aside or draw.judge in dropped
            book.draws.append(replace(draw, whole=whole, weight=book.share(draw.judge, whole), aside=aside))
        return book

    # ------------------------------------------------------------------ counting
    def counted(self, sign: int, prior_square: float) -> Iterator[tuple[Draw, Before, float]]:
        """Each draw in order, what was seen before it, and its payoff v/π; ends at the first one still open."""
        setup = self.setup
        left = [self.total] * len(setup.judges)
        answers = answered = against = squares = 0.0
        for number, draw in enumerate(self.draws):
            if not draw.settled:
                return
            weights = [self.share(u, whole) for u, whole in enumerate(left)]
            out = sum(weight for weight, chance in zip(weights, draw.chances, strict=True) if chance == 0)
            drawable = [(w, c) for w, c in zip(weights, draw.chances, strict=True) if c > 0]
            square = (TRUST * prior_square + squares) / (TRUST + number)
            before = Before(sign * answers, answered, against + out, drawable, square)
            chance = draw.chances[draw.judge]
            yield draw, before, weights[draw.judge] / chance
            x, given, lost = value(setup, draw)
            squares += mean_square(draw)
            if setup.fresh:
                continue
            left[draw.judge] -= draw.whole
            answers += draw.weight * x
            answered += draw.weight * given
            against += draw.weight * lost

    def by_count(self, better: str, epsilon: float, *, strict: bool = False) -> bool | None:
        """Is "better over the other" true (or false) whatever the cells not counted say? None: open.

        Where every answer was refused it stays open: nothing was said that could be in anybody's favour. A call
        that failed makes nothing true and nothing false. `strict`: a tie is not enough.
        """
        setup = self.setup
        if setup.fresh:
            return None
        sign = 1 if better == self.first else -1
        part, known, silent, answered = 0.0, 0.0, 0.0, False
        for draw in self.draws:
            if not draw.settled:
                break
            x, given, lost = value(setup, draw)
            answered = answered or given > 0
            part += draw.weight * (sign * x + 2 * epsilon * given + (2 * epsilon - 1) * lost)
            known += draw.weight
            silent += draw.weight * unsaid(draw)
        unknown = 1 - known
        least, most = part - unknown * (1 - 2 * epsilon), part + unknown * (1 + 2 * epsilon) + 2 * silent
        if min(abs(least), abs(most)) < NEAR:
            return self._exactly(sign, written(epsilon), answered=answered, strict=strict)
        return True if answered and least > 0 else False if most < 0 else None

    def _exactly(self, sign: int, epsilon: Fraction, *, answered: bool, strict: bool) -> bool | None:
        """The same in fractions: weights, resolution and grades are the decimals on record."""
        alike = Counter[tuple[int, tuple[float, ...], float, float, float]]()
        for draw in takewhile(lambda draw: draw.settled, self.draws):
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


def mean_square(draw: Draw) -> float:
    """The square of the mean answer; refusals are 0, whether they count against a claim or not."""
    said = [x for x in draw.answers.values() if x is not None]
    return (sum(said) / len(draw.calls)) ** 2

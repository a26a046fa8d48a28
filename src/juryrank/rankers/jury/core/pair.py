"""What was drawn of one pair, in order, and what came back. Answers count in the order drawn, whenever they come.

How fast somebody answers may depend on the answer, so a cell is counted only after all that were drawn earlier are
told or expired (see `Machine.advance`). Values are kept from the side of the pair's first item.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from juryrank.rankers.jury.core.evidence import SQUARES_KNOWN, Seen
from juryrank.rankers.jury.core.forecasts import UNIT, Foreseen, Remaining, Rows
from juryrank.rankers.jury.core.table import Pair, Table, numbers, pick_cell, pick_judge

Ended = tuple[int, int, float, float, float, float]  # judge, calls, and how a cell ended (see `Drawn.parts`)


@dataclass(slots=True)
class Drawn:
    """One drawn cell. It is settled when each of its calls has an answer, or has expired."""

    judge: int
    cell: int  # case * sides + side
    chances: tuple[float, ...]  # of each judge, when this was drawn; 0: set aside, or nothing left
    calls: int = 1  # 2 where both sides of a case are one cell
    x: float = 0.0  # the mean answer over the calls, refusals as 0
    answered: float = 0.0  # share of the calls with an answer
    back: int = 0  # calls told, failed or expired
    failed: float = 0.0  # share of the calls that came back without anything said: against every claim
    aside: bool = False  # its judge was set aside with this question open: it counts against every claim

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """The mean answer, and the shares answered, refused, and lost: these count against every claim."""
        if self.aside:
            return 0.0, 0.0, 0.0, 1.0
        return self.x, self.answered, 1 - self.answered - self.failed, self.failed

    @property
    def settled(self) -> bool:
        return self.back >= self.calls or self.aside


class PairBook:
    """The cells drawn of one pair, and the sums over those counted."""

    def __init__(self, table: Table, pair: Pair) -> None:
        self.table, self.pair = table, pair
        self.total = table.total(pair)
        gone = table.gone(pair)
        self.drawn: list[Drawn] = []
        self.taken: list[list[int]] = [list(gone) for _ in range(table.judges)]
        self.open_weight = [self.total] * table.judges  # of each judge's cells not drawn yet
        self.without_somebody = False  # was a cell drawn while a judge with open cells was set aside?
        self.since = 0  # the first place that was drawn for this table
        self.forecast: Remaining | None = None  # of the cells not counted, once a list uses them
        # sums over counted cells
        self.counted = 0
        self.calls = [0] * table.judges
        self.x = [0.0] * table.judges  # Σ x of each judge
        self.answered = self.squares = 0.0  # Σ of the shares answered, Σ x²
        self.known = self.part = self.given = 0.0  # Σ v, Σ v x, Σ v of answers
        self._left = [self.total] * table.judges
        self.unknown = self._unknown()  # Σ v of cells not counted yet
        self.ended: Counter[Ended] = Counter()  # Σ k of those that ended alike
        self._refused = self._lost = 0.0

    # ------------------------------------------------------------------ drawing
    def weight(self, u: int, whole: int) -> float:
        """v of cells of one judge whose k sum to `whole`."""
        return self.table.weights[u] * whole / self.total

    def cell_weight(self, drawn: Drawn) -> float:
        k = 1 if self.table.even else int(self.table.cell_weights[drawn.cell])
        return self.weight(drawn.judge, k)

    def chances(self, rates: Sequence[float], aside: Collection[int]) -> tuple[float, ...]:
        """The chance of each judge: by the weight of its open cells and its rate; 0 for judges set aside."""
        parts = [0.0 if u in aside else self.weight(u, self.open_weight[u]) * rate for u, rate in enumerate(rates)]
        total = sum(parts)
        return tuple(part / total for part in parts) if total > 0 else ()

    def draw(
        self, key: Hashable, names: tuple[Hashable, Hashable], chances: tuple[float, ...], *, calls: int
    ) -> Drawn:
        """The next cell of this pair."""
        judge_number, cell_number = numbers(key, *names, len(self.drawn))
        u = pick_judge(chances, judge_number)
        cell = pick_cell(self.table, self.taken[u], self.open_weight[u], cell_number)
        drawn = Drawn(u, cell, chances, calls)
        self.enter(drawn)
        return drawn

    def enter(self, drawn: Drawn) -> None:
        """A drawn cell is out: it cannot be drawn again (in a table)."""
        open_now = zip(drawn.chances, self.open_weight, self.table.weights, strict=False)
        self.without_somebody |= any(left and weight and not chance for chance, left, weight in open_now)
        self.drawn.append(drawn)
        if not self.table.fresh:
            insort(self.taken[drawn.judge], drawn.cell)
            self.open_weight[drawn.judge] -= int(self.table.cell_weights[drawn.cell])

    # ------------------------------------------------------------------ what comes back
    def settle(self, place: int, x: float | None, *, failed: bool = False) -> None:
        """One call of a drawn cell is back with its answer; None: the judge refused, or the call `failed`."""
        drawn = self.drawn[place]
        drawn.back += 1
        if failed:
            drawn.failed += 1 / drawn.calls
        elif x is not None:
            drawn.x += x / drawn.calls
            drawn.answered += 1 / drawn.calls

    def under(self, table: Table) -> PairBook:
        """The same draws and answers in another table: what was seen is seen, what it weighs may differ."""
        book = PairBook(table, self.pair)
        for drawn in self.drawn:
            book.enter(drawn)
        if self.forecast is not None:
            book.foresee(self.forecast.rows)
        for _ in range(self.counted):
            book.count()
        book.since = self.since
        return book

    def count(self) -> None:
        """Count the next cell: it is part of S from here on, and the search knows of it."""
        drawn = self.drawn[self.counted]
        v = self.cell_weight(drawn)
        x, answered, refused, lost = drawn.parts
        self.counted += 1
        self.calls[drawn.judge] += 1
        self.x[drawn.judge] += x
        self.answered += answered
        self.squares += x**2  # of a judge set aside, an answer may still come
        if self.forecast is not None:
            self.forecast.take(drawn.judge, drawn.cell, x)
        if self.table.fresh:
            return
        whole = int(self.table.cell_weights[drawn.cell])
        self._left[drawn.judge] -= whole
        self.ended[drawn.judge, drawn.calls, *drawn.parts] += whole
        self.unknown = self._unknown()
        self.known += v
        self.part += v * x
        self.given += v * answered
        self._refused += v * refused
        self._lost += v * lost

    # ------------------------------------------------------------------ what a claim sees
    @property
    def all_counted(self) -> bool:
        """Is every cell of the pair counted?"""
        return not self.table.fresh and not any(self._left)

    @property
    def lost(self) -> float:
        """Σ v of counted cells about which nothing was said: they failed, or their judge was set aside."""
        return self._lost

    def _unknown(self) -> float:
        return sum(self.weight(u, left) for u, left in enumerate(self._left))

    def standing(self, sign: int, *, refusals_against: bool) -> Seen:
        """The counted cells alone, for what can be decided by counting."""
        against = self._lost + (self._refused if refusals_against else 0.0)
        return Seen(sign * self.part, self.given, against, 0.0, 0.0, 0.0, 0.0)

    def payoff(self, drawn: Drawn) -> float:
        """v/π of a cell: the same for all cells of a judge, as they are drawn by weight."""
        return self.weight(drawn.judge, self._left[drawn.judge]) / drawn.chances[drawn.judge]

    def seen(self, sign: int, *, chances: Sequence[float], square: float, refusals_against: bool) -> Seen:
        """The pair before its next cell is counted; `sign` is -1 for a claim that the second item is better."""
        weights = [self.weight(u, left) for u, left in enumerate(self._left)]
        ratios = [(w, w / chance) for w, chance in zip(weights, chances, strict=True) if chance > 0]
        aside = sum(w for w, chance in zip(weights, chances, strict=True) if chance <= 0)
        return Seen(
            answers=sign * self.part,
            answered=self.given,
            against=self._lost + aside + (self._refused if refusals_against else 0.0),
            left=sum(w for w, _ in ratios),
            factor=sum(w * ratio for w, ratio in ratios),
            worst=max((ratio for _, ratio in ratios), default=0.0),
            square=(SQUARES_KNOWN * square + self.squares) / (SQUARES_KNOWN + self.counted),
        )

    # ------------------------------------------------------------------ what was foreseen
    def foresee(self, rows: Rows) -> None:
        """Forecasts of all cells, for the lists to come."""
        self.forecast = Remaining(self.table, self.pair, rows)
        for drawn in self.drawn[: self.counted]:
            self.forecast.take(drawn.judge, drawn.cell, drawn.parts[0])

    def foreseen(self, sign: int, drawn: Drawn, known: Sequence[float]) -> Foreseen:
        """What was foreseen before the next cell is counted, of the cells with a chance, as in `seen`.

        `known`: what the search knows of the mean square of x - θ f, for each θ.
        """
        ahead = self.forecast
        assert ahead is not None
        able = [u for u, chance in enumerate(drawn.chances) if chance > 0]
        tops = [(self.weight(u, self._left[u]) / drawn.chances[u], ahead.largest(u, sign) / UNIT) for u in able]
        return Foreseen(
            total=sign * sum(self.weight(u, ahead.sums[u]) for u in able) / UNIT,
            own=sign * int(ahead.rows[drawn.judge][drawn.cell]) / UNIT,
            tops=np.array(tops),
            squares=(SQUARES_KNOWN * np.array(known) + self.squares + ahead.seen) / (SQUARES_KNOWN + self.counted),
        )

"""Forecasts, read by the checker: on record by their root before the seed, a pair's brought by the first list.

    g = θ(f + 2ε),  Y = S + Σ_R v g + (v/π)(z - g),  B = max over R of (v/π)(g - z_min) - S - Σ_R v g

R are the cells that had a chance in this draw, and are the same in all three. Forecasts are whole thousandths:
their sums by judge are exact, and what is made of them is rounded as `evidence` says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.verify.jury.cells import Draw, fixed_side
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.room import Room
from juryrank.verify.terms import is_number, is_whole

OfPair = Sequence[int]  # by case, or by case and side; none: 0
THOUSAND = 1000
UNCHOSEN = (0.4, 0.4, 0.2)  # shares of θ that nobody chose
UNTOLD = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class ListedForesight:
    """How a list shares its stake over θ = 0, 1/2, 1; mean squares of x - θ f for the last two."""

    shares: tuple[float, ...] = UNCHOSEN
    squares: tuple[float, ...] = UNTOLD


def read_foresight(setup: JuryOptions, terms: Mapping[str, Any]) -> ListedForesight | None:
    """What a list says of forecasts: something if, and only if, there are any."""
    if (setup.forecast is None) != ("forecast" not in terms):
        raise ValueError(
            "a list uses forecasts that were not on record before the seed, or none although there are"
        )
    if setup.forecast is None:
        return None
    shares, squares = (tuple(terms["forecast"][name]) for name in ("shares", "squares"))
    if len(shares) != 3 or not all(is_number(share) and share > 0 for share in shares):
        raise ValueError("the shares of its stake with forecasts are not three numbers above 0")
    if len(squares) != 2 or not all(is_number(square) and 0 <= square <= 4 for square in squares):
        raise ValueError("its mean squares beside forecasts are not two numbers from 0 to 4")
    return ListedForesight(tuple(map(float, shares)), tuple(map(float, squares)))


def read_pairs(setup: JuryOptions, terms: Mapping[str, Any], room: Room) -> dict[frozenset[str], OfPair]:
    """The forecasts that a list brings, each with its path to the root."""
    found: dict[frozenset[str], OfPair] = {}
    place = {item: at for at, item in enumerate(setup.items[: setup.first_items])}
    sizes = 0, len(setup.cases), 2 * len(setup.cases)
    for first, second, values, path in terms["forecast"]["pairs"]:
        if first not in place or second not in place or place[first] >= place[second]:
            raise ValueError("there are forecasts of something that is no pair of the first items")
        room.take(len(values), "so many forecasts")
        if len(values) not in sizes or not all(is_whole(f, least=-THOUSAND) and f <= THOUSAND for f in values):
            raise ValueError(f"the forecasts of {first} and {second} are not from -1000 to 1000 for each cell")
        if _root(first, second, values, path, place) != setup.forecast:
            raise ValueError(f"the forecasts of {first} and {second} are not those on record before the seed")
        found[frozenset((first, second))] = values
    return found


def _root(first: str, second: str, values: OfPair, path: Sequence[str], place: Mapping[str, int]) -> str:
    """The root that a pair's forecasts lead to, by its place among all pairs of the first items."""
    n, i, j = len(place), place[first], place[second]
    at, wide = i * n - i * (i + 1) // 2 + j - i - 1, n * (n - 1) // 2
    here, beside = _digest(["juryrank forecast", first, second, values]), list(path)
    while wide > 1:
        if at ^ 1 < wide:  # the last one of an odd number goes up alone
            other = beside.pop(0)
            here = _digest(["juryrank forecasts", *((other, here) if at % 2 else (here, other))])
        at, wide = at // 2, (wide + 1) // 2
    return "" if beside else here


def _digest(parts: Sequence[object]) -> str:
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# ----------------------------------------------------------------------------
# The forecast of a cell, and the sums over R before each draw
class CellForecasts:
    """Of each judge and cell of a pair, in thousandths, from the side of its first item."""

    def __init__(self, setup: JuryOptions, first: str, second: str, given: OfPair, room: Room) -> None:
        gone = setup.absent.get(frozenset((first, second)), frozenset())
        self.there = [case for case, name in enumerate(setup.cases) if name not in gone]
        room.take(4 * len(setup.judges) * len(setup.cases) * setup.sides, "the forecasts of so many cells")
        each = [
            given[case // (2 * len(setup.cases) // len(given))] if given else 0
            for case in range(2 * len(setup.cases))
        ]
        both = list(zip(each[::2], each[1::2], strict=True))
        if setup.both:
            rows = [[[(left + right) // 2] for left, right in both]] * len(setup.judges)
        elif setup.recorded:
            rows = [[[left] for left, _ in both]] * len(setup.judges)
        elif setup.single:
            rows = [
                [
                    [f[fixed_side(setup, first, second, judge, case)]]
                    for f, case in zip(both, setup.cases, strict=True)
                ]
                for judge in setup.judges
            ]
        else:
            rows = [[list(f) for f in both]] * len(setup.judges)
        self.values = np.array(rows, dtype=np.int64)

    def of(self, draw: Draw) -> int:
        return int(self.values[draw.judge, draw.cell[0], draw.cell[1]])


@dataclass(frozen=True, slots=True)
class Ahead:
    """Before each settled draw, from the side of the pair's first item: what was foreseen.

    `totals`: Σ_R v f. `own`: f of the cell drawn. `ratios`: v/π by judge, 0 without a chance; `most` and `least`:
    of the f of each judge's open cells. `products`, `squares`: Σ x f and Σ f² over earlier draws.
    """

    totals: NDArray[np.float64]
    own: NDArray[np.float64]
    ratios: NDArray[np.float64]
    most: NDArray[np.float64]
    least: NDArray[np.float64]
    products: NDArray[np.float64]
    squares: NDArray[np.float64]


def ahead(
    setup: JuryOptions, total: int, forecasts: CellForecasts, draws: Sequence[Draw], x: NDArray[np.float64]
) -> Ahead:
    """What was foreseen before each of these draws, which are all that settled first; x: their mean answers."""
    judges, there = len(setup.judges), forecasts.there
    values = forecasts.values[:, there, :].reshape(judges, -1)
    whole = np.repeat(np.array(setup.case_weights, dtype=np.int64)[there], setup.sides)
    number = {case: at * setup.sides for at, case in enumerate(there)}
    sums, left = (values @ whole).tolist(), [total] * judges
    ranked, taken = np.argsort(values, axis=1), np.zeros(values.shape, dtype=bool)
    low, high = [0] * judges, [len(whole) - 1] * judges
    found = np.zeros((4, len(draws), judges))  # v f over a judge's open cells, v/π, most, least
    for at, draw in enumerate(draws):
        for u, chance in enumerate(draw.chances):
            if chance > 0 and left[u]:
                while taken[u, ranked[u, low[u]]]:
                    low[u] += 1
                while taken[u, ranked[u, high[u]]]:
                    high[u] -= 1
                share = setup.shares[u] / total
                ends = values[u, ranked[u, high[u]]], values[u, ranked[u, low[u]]]
                found[:, at, u] = share * sums[u] / THOUSAND, share * left[u] / chance, *ends
        if not setup.fresh:
            u, cell = draw.judge, number[draw.cell[0]] + draw.cell[1]
            taken[u, cell] = True
            sums[u] -= draw.whole * int(values[u, cell])
            left[u] -= draw.whole
    own = np.array([forecasts.of(draw) for draw in draws], dtype=float) / THOUSAND
    return Ahead(
        totals=found[0].sum(axis=1),
        own=own,
        ratios=found[1],
        most=found[2] / THOUSAND,
        least=found[3] / THOUSAND,
        products=np.cumsum(x * own) - x * own,
        squares=np.cumsum(own**2) - own**2,
    )

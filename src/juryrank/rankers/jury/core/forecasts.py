"""Forecasts of a pair's cells: what somebody cheap expects each to say, on record before the first draw.

A forecast f in [-1, 1] of a cell takes off its answer what was foreseen. With g = θ(f + 2ε) for a share θ, and R
the cells that have a chance in this draw (the others stand in S at -1 + 2ε already: counted twice they would prove
anything), the same R everywhere:

    Y = S + Σ_R v g + (v/π)(z - g)          has mean Z again: what was added is taken off again, on the average
    B = max over R of (v/π)(g - z_min) - S - Σ_R v g,  z_min = -1 + 2ε;  0 <= λ <= 1/B, each θ with its own B

Good forecasts make Y vary less; any forecast is allowed, as long as it was fixed before whoever made it could know
the draws. So each draw is a hash of the root of all forecasts. E is a mixture over θ = 0, 1/2, 1 of the usual
bets; the search says how it is shared. Forecasts are whole thousandths, so that sums are exact.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.jury.core.evidence import (
    LEAST_VARIANCE,
    MEANS,
    MOST_RISKED,
    SLACK,
    SQUARES_KNOWN,
    Floats,
    Resolutions,
    Seen,
)
from juryrank.rankers.jury.core.table import Pair, Table

Rows: TypeAlias = Sequence[NDArray[np.int64]]  # of each judge: the forecast of each cell, in thousandths
OfPair: TypeAlias = Sequence[int]  # by case, or by case and side (the first item left, then right); (): all 0

UNIT = 1000
THETAS = np.array([0.0, 0.5, 1.0])
UNTOLD = np.array([0.4, 0.4, 0.2])  # the shares of θ where nothing was asked yet
LEAST_SHARE = 0.02  # of any θ: the search may be wrong
AS_IF_TOLD = 2.0  # answers that spread as if forecasts said nothing
FORECAST_DIGITS = 6  # of a share, and of a mean square, on record


# ----------------------------------------------------------------------------
# All forecasts, and their hash: a tree over the pairs of the first items, in their order
@dataclass(frozen=True)
class Forecasts:
    """Of each pair of items that has some; a pair that is not in `values` is forecast as 0 everywhere.

    >>> whole = Forecasts(("a", "b", "c"), {(0, 1): [500, -1000]})
    >>> len(whole.path((1, 2))), whole.root == Forecasts(("a", "b", "c"), {(0, 1): [500, -999]}).root
    (1, False)
    """

    items: tuple[str, ...]
    values: Mapping[Pair, OfPair]

    def of(self, pair: Pair) -> OfPair:
        return self.values.get(pair, ())

    @property
    def root(self) -> str:
        return self._levels[-1][0].hex()

    def path(self, pair: Pair) -> list[str]:
        """The hashes beside the way from a pair up to the root."""
        at, found = self._place[pair], []
        for level in self._levels[:-1]:
            if at ^ 1 < len(level):
                found.append(level[at ^ 1].hex())
            at //= 2
        return found

    @cached_property
    def _place(self) -> dict[Pair, int]:
        return {pair: at for at, pair in enumerate(combinations(range(len(self.items)), 2))}

    @cached_property
    def _levels(self) -> list[list[bytes]]:
        names = self.items
        level = [_hash(["juryrank forecast", names[i], names[j], list(self.of((i, j)))]) for i, j in self._place]
        levels = [level or [_hash(["juryrank forecast"])]]
        while len(level := levels[-1]) > 1:
            both = [
                _hash(["juryrank forecasts", a.hex(), b.hex()])
                for a, b in zip(level[::2], level[1::2], strict=False)
            ]
            levels.append(both + level[len(level) - len(level) % 2 :])
        return levels


def _hash(parts: Sequence[object]) -> bytes:
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


MOST_KEPT = 64  # sets of forecasts that a process keeps
_kept: OrderedDict[str, Forecasts] = OrderedDict()


def keep(forecasts: Forecasts) -> str:
    """Keep them for rankers that know the root alone; gives it back."""
    root = forecasts.root
    _kept[root] = forecasts
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return root


def kept(root: str) -> Forecasts | None:
    """The forecasts with this root, if they are here."""
    return _kept.get(root)


# ----------------------------------------------------------------------------
# The forecasts of one pair's cells that are not counted yet
class Remaining:
    """Their sum for each judge, and the largest and the smallest: all that a payoff and its bound need."""

    def __init__(self, table: Table, pair: Pair, rows: Rows) -> None:
        self.table, self.rows = table, rows
        gone, weights = table.gone(pair), table.cell_weights
        whole = {id(row): int(row @ weights - row[gone] @ weights[gone]) for row in rows}
        ranked = {id(row): np.argsort(row, kind="stable") for row in rows}
        self.sums = [whole[id(row)] for row in rows]  # Σ k f of each judge
        self._ranked = [ranked[id(row)] for row in rows]
        self._taken = [set(gone) for _ in rows]
        self._ends = [[0, len(row) - 1] for row in rows]
        self.products = self.squares = 0.0  # Σ x f and Σ f² of the cells counted

    @property
    def seen(self) -> Floats:
        """What Σ (x - θ f)² over the cells counted is beyond Σ x², for each θ."""
        return THETAS**2 * self.squares - 2 * THETAS * self.products

    def take(self, judge: int, cell: int, x: float) -> None:
        """This cell is counted, with the answer x; 0: there is none."""
        own = int(self.rows[judge][cell])
        self.products += x * own / UNIT
        self.squares += (own / UNIT) ** 2
        if not self.table.fresh:
            self.sums[judge] -= own * int(self.table.cell_weights[cell])
            self._taken[judge].add(cell)

    def largest(self, judge: int, sign: int) -> int:
        """The largest forecast of a judge's cells, from the side of a claim."""
        ranked, taken, ends = self._ranked[judge], self._taken[judge], self._ends[judge]
        end, step = (1, -1) if sign > 0 else (0, 1)
        while 0 <= ends[end] < len(ranked) and int(ranked[ends[end]]) in taken:
            ends[end] += step
        if not 0 <= ends[end] < len(ranked):
            return 0  # nothing is left
        return sign * int(self.rows[judge][ranked[ends[end]]])


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A pair's forecasts just before a draw, from the side of a claim."""

    total: float  # Σ_R v f
    own: float  # f of the cell drawn
    tops: Floats  # v/π of each judge who has a chance, and the largest f of its cells
    squares: Floats  # mean square of x - θ f, for each θ


@dataclass(frozen=True, slots=True)
class Foresight:
    """How a list shares its stake over θ, and what the search knows of x - θ f; on record with the list."""

    shares: tuple[float, ...] = tuple(UNTOLD.tolist())
    squares: tuple[float, ...] = (1.0, 1.0)  # mean square for θ = 1/2 and 1

    def stakes(self, prior: Floats) -> Floats:
        """The logarithm of the stake on each θ and alternative, by resolution."""
        shares = np.log(np.array(self.shares) / sum(self.shares))
        return np.concatenate([prior + share for share in shares], axis=1)


def growth(
    resolutions: Resolutions, seen: Seen, ahead: Foreseen, payoff: float, x: float, answered: float, against: float
) -> Floats:
    """log(1 + λ Y) of one drawn cell, for each resolution, and each θ and alternative."""
    twice, part = resolutions.twice, resolutions.seen_part(seen)  # S
    theta = THETAS[:, None]
    foreseen = theta * (ahead.total + twice * seen.left)  # Σ_R v g: θ x resolutions
    g = theta * (ahead.own + twice)
    tops = theta[..., None] * (ahead.tops[:, 1] + twice[:, None]) + 1 - twice[:, None]
    risk = np.maximum((ahead.tops[:, 0] * tops).max(axis=2, initial=0.0) - part - foreseen, SLACK)  # B
    y = part + foreseen + payoff * (x + twice * (answered + against) - against - g)
    bets = _bets(resolutions, seen, ahead, part, foreseen) if seen.left > 0 else np.zeros((*y.shape, len(MEANS)))
    found: Floats = np.log1p(np.minimum(np.maximum(bets, 0.0), MOST_RISKED / risk[..., None]) * y[..., None])
    return found.transpose(1, 0, 2).reshape(len(resolutions), -1)


def _bets(resolutions: Resolutions, seen: Seen, ahead: Foreseen, part: Floats, foreseen: Floats) -> Floats:
    """λ of each θ, resolution and alternative: mean Y / mean Y² under it."""
    rest = seen.left * MEANS - foreseen[..., None]  # mean of (v/π)(z - g)
    centre = (part + foreseen)[..., None]
    lean = resolutions.lean - (THETAS * ahead.total / seen.left)[:, None, None]  # mean of x - θ f
    variance = np.maximum(ahead.squares[:, None, None] - lean**2, LEAST_VARIANCE)
    squared = seen.factor * (variance + (rest / seen.left) ** 2) + (2 * rest + centre) * centre
    found: Floats = (part[:, None] + seen.left * MEANS) / np.maximum(squared, SLACK)
    return found


# ----------------------------------------------------------------------------
# What the search's answers say of forecasts
def foresight_of(told: Sequence[tuple[Sequence[float], Sequence[int]]], square: float) -> Foresight:
    """How to share the stake, from the answers about each pair and their forecasts: by how much less they spread.

    >>> perfect = foresight_of([([1, -1, 1, -1, 1, -1], [1000, -1000, 1000, -1000, 1000, -1000])], 1.0)
    >>> [round(share, 2) for share in perfect.shares]
    [0.04, 0.32, 0.64]
    >>> foresight_of([], 1.0).shares
    (0.4, 0.4, 0.2)
    """
    within, squares, answers, free = np.zeros(3), np.zeros(3), 0, 0
    for x, f in told:
        rest = np.array(x) - THETAS[:, None] * np.array(f) / UNIT
        if rest.size:
            within += ((rest - rest.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
            squares += (rest**2).sum(axis=1)
            answers, free = answers + len(x), free + len(x) - 1
    spread = (within + AS_IF_TOLD) / (free + AS_IF_TOLD)
    shares = UNTOLD * (spread / spread.min()) ** (-free / 2)
    shares = np.maximum(shares / shares.sum(), LEAST_SHARE)
    squares = (squares[1:] + SQUARES_KNOWN * square) / (answers + SQUARES_KNOWN)
    return Foresight(
        tuple(round(float(share), FORECAST_DIGITS) for share in shares / shares.sum()),
        tuple(round(float(one), FORECAST_DIGITS) for one in squares),
    )

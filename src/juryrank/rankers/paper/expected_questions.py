"""How many questions an insertion ranking will take in all, by the insertions so far. An estimate, no promise.

Inserting into a longer list takes more questions, but by how much depends on the judges. Measured costs lay
between two guesses: an insertion costs the same whatever the list's length n, or it grows like 2 + log2(n + 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, stdev

FEWEST = 3  # insertions from which their spread says something
SPREADS = 2.0  # the interval reaches so many standard errors beyond the two guesses

Outlook = tuple[float | None, float | None, float | None]  # expected, low, high


def outlook(placed_after: Sequence[int], *, items: int, asked: int) -> Outlook:
    """Questions in all; `placed_after`: how many had been asked when each item was placed.

    >>> outlook([100, 200, 300], items=5, asked=310)[0] > 400, outlook([], items=5, asked=7)
    (True, (None, None, None))
    """
    if not placed_after:
        return None, None, None
    flat, flat_spread = _total(placed_after, items, _alike)
    steep, steep_spread = _total(placed_after, items, _deeper)
    expected = max((flat + steep) / 2, float(asked))
    if len(placed_after) < FEWEST:
        return expected, None, None
    return expected, max(flat - SPREADS * flat_spread, float(asked)), steep + SPREADS * steep_spread


def _total(placed_after: Sequence[int], items: int, grows: Callable[[int], float]) -> tuple[float, float]:
    """The questions in all, and their spread, if the cost of an insertion grows like this."""
    costs = [later - earlier for earlier, later in pairwise((0, *placed_after))]
    rates = [cost / grows(listed) for listed, cost in enumerate(costs, 1)]
    ahead = [grows(listed) for listed in range(len(costs) + 1, items)]
    spread = stdev(rates) if len(rates) >= FEWEST else 0.0
    error = spread * math.sqrt(sum(one * one for one in ahead) + sum(ahead) ** 2 / len(rates))
    return placed_after[-1] + fmean(rates) * sum(ahead), error


def _alike(listed: int) -> float:
    return 1.0


def _deeper(listed: int) -> float:
    return 2.0 + math.log2(listed + 1)

"""Room for judges who differ: the answers of one person are correlated, so they say less than they seem to.

If judge u's own scores are x + δ_u with variance τ² per item, u's pull on the scores has variance I_u + τ² I_u²
instead of I_u, the information of u's answers. τ² is what makes the pulls as large as they are; it widens the
covariance C of the scores to  φ C + (1 - φ) C² + C (τ² Σ_u I_u²) C.  φ ≤ 1 is how much luck there is in single
answers: many ties leave less than preferences do. (It is C (φ I + 1 + τ² Σ_u I_u²) C, as C is 1 / (1 + I): answers
have little luck, what is believed before any has all of it. So an item without answers stays as open as it was.)
"""

from __future__ import annotations

import numpy as np

from juryrank.core.tallies import CountTable
from juryrank.rankers.guess.core.link import Floats, Ints, flattened, sigmoid
from juryrank.rankers.guess.core.posterior import Posterior

MOST_JUDGES = 24  # whose I_u² are summed; the others are taken to be like them, in proportion
# τ² is widened by 1 + FEW / judges: with few it is known badly, and each differs less from the fitted scores
# than from the true ones. That is near to M / (M - 1) times the square of Student's t over the normal's at 90 %.
FEW = 4.0
LEAST_LUCK = 0.2  # even where everybody ties, the next answer may not


def widened(found: Posterior, table: CountTable) -> Floats:
    """The covariance of the scores with room for the judges' own tastes."""
    judges, items = len(found.jury.flat), len(found.mean)
    if not len(table.judge):
        return found.covariance
    pull, information = _rows(found, table)
    pulls = _by_judge_and_item(table, pull, -pull, shape=(judges, items))
    own = _by_judge_and_item(table, information, information, shape=(judges, items))
    squares = (own**2).sum(axis=1) + 2 * np.bincount(table.judge, weights=information**2, minlength=judges)
    if squares.sum() <= 0:
        return found.covariance
    luck = float(np.clip((pull**2).sum() / information.sum(), LEAST_LUCK, 1.0))
    taste = max(float((pulls**2).sum() - luck * own.sum()), 0.0) / float(squares.sum())
    matrix = _sum_of_squares(table, information, squares, items=items)
    room = 1 + FEW / np.count_nonzero(squares)
    prior = (1 - luck) * found.covariance @ found.covariance
    wide = luck * found.covariance + prior + room * taste * found.covariance @ matrix @ found.covariance
    least = 1 / np.maximum(np.sqrt(wide.diagonal()), 1.0)  # nothing is less known than before any answer
    capped: Floats = wide * np.outer(least, least)
    return capped


def _rows(found: Posterior, table: CountTable) -> tuple[Floats, Floats]:
    """Per judge and pair: how far its answers pull the scores apart, and the information in them."""
    gap, spread = found.gaps(table.low, table.high)
    slopes = flattened(spread)
    up = sigmoid(slopes * gap[:, None])
    chance = found.jury.chance(table.judge, up)
    steepness = (found.jury.steep[table.judge] * slopes * up * (1 - up)).sum(axis=1)
    pull = steepness * (table.wins / chance - table.losses / (1 - chance))
    return pull, (table.wins + table.losses) * steepness**2 / (chance * (1 - chance))


def _by_judge_and_item(table: CountTable, low: Floats, high: Floats, *, shape: tuple[int, int]) -> Floats:
    judges, items = shape
    cells = np.zeros(judges * items)
    for item, weights in ((table.low, low), (table.high, high)):
        cells += np.bincount(table.judge * items + item, weights=weights, minlength=judges * items)
    return cells.reshape(shape)


def _sum_of_squares(table: CountTable, information: Floats, squares: Floats, *, items: int) -> Floats:
    """Σ_u I_u², from some judges if there are many."""
    heard = np.flatnonzero(squares > 0)
    chosen = heard[np.unique(np.linspace(0, len(heard) - 1, MOST_JUDGES).astype(np.int64))]
    starts = np.searchsorted(table.judge, [chosen, chosen + 1])  # rows are sorted by judge
    total = np.zeros((items, items))
    for start, stop in starts.T:
        rows = slice(start, stop)
        seen, ends = np.unique(np.append(table.low[rows], table.high[rows]), return_inverse=True)
        laplacian = _laplacian(ends.ravel(), information[rows], size=len(seen))
        total[np.ix_(seen, seen)] += laplacian @ laplacian
    return total * (squares.sum() / squares[chosen].sum())


def _laplacian(ends: Ints, weight: Floats, *, size: int) -> Floats:
    low, high = ends.reshape(2, -1)
    matrix = np.zeros((size, size))
    matrix[low, high] = -weight
    matrix += matrix.T
    matrix[np.diag_indices(size)] = -matrix.sum(axis=1)
    return matrix

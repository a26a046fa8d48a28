"""The settled draws of a pair as arrays, in the order drawn: what was seen before each, and what it pays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from juryrank.verify.jury.cells import Draw, unsaid, value
from juryrank.verify.jury.forecasts import CellForecasts, ahead
from juryrank.verify.jury.setup import JuryOptions

Floats = NDArray[np.float64]
GRAIN = 2.0**20  # sums of whole numbers, times grades of so many steps, are exact up to EXACT
EXACT = 2.0**53
CELLS = 2**16  # draws times judges that are looked at in one step
UNIT = 2.0**-50  # a sum of three parts, each rounded a few times: relatively less than eight units of 2^-53


class SettledDraws:
    """Sums over a pair's settled draws, from the side of its first item.

    `rows` holds, for each draw: what was answered before it (three sums), the open weight that could be drawn, the
    size of a payoff's square, the largest payoff, its own, squares before it, its number, how it ended (three
    shares), and by how much the sums may be off.
    """

    def __init__(
        self, setup: JuryOptions, total: int, draws: Sequence[Draw], forecasts: CellForecasts | None = None
    ) -> None:
        self.draws, judges = draws, len(setup.judges)
        ends = [(*value(setup, draw), unsaid(draw), draw.whole) for draw in draws]
        x, given, lost, silent, whole = np.array(ends, dtype=float).reshape(-1, 5).T
        coarse = np.round(x * GRAIN) / GRAIN
        ended = np.array([np.ones(len(x)), coarse, x - coarse, given, lost, silent]) * whole
        each = np.array(setup.shares) / total
        sums = np.zeros((len(ended), judges))  # of each judge, over the draws so far
        parts = [np.zeros((13, 0))]
        at_once = max(1, CELLS // judges)
        for start in range(0, len(draws), at_once):
            now = slice(start, start + at_once)
            rows, sums = _rows(draws[now], ended[:, now], sums, each, total, fresh=setup.fresh)
            parts.append(rows)
        self.rows: Floats = np.concatenate(parts, axis=1)
        self.rows[7:12] = np.cumsum(x**2) - x**2, np.arange(len(x)), x, given, lost
        self.rows[12] *= UNIT * (judges + 8 + _roundings(x, coarse, whole))
        self.known, answers, fine, self.answered, self.against, self.silent = (sums @ each).tolist()
        self.answers, self.any_answer = answers + fine, bool((given > 0).any())
        self.off = UNIT * (judges + 8)  # relative error of sums over judges
        self.ahead = None if forecasts is None else ahead(setup, total, forecasts, draws, x)


def _rows(
    draws: Sequence[Draw], ended: Floats, sums: Floats, each: Floats, total: int, *, fresh: bool
) -> tuple[Floats, Floats]:
    """What was seen before some draws in a row, and the sums after them."""
    numbers, judge = np.arange(len(draws)), np.array([draw.judge for draw in draws])
    chances = np.array([draw.chances for draw in draws])
    by_judge = np.zeros((len(ended), *chances.shape))
    by_judge[:, numbers, judge] = ended
    after = sums[:, None, :] + np.cumsum(by_judge, axis=1)  # of whole numbers and their parts: exact
    before = after - by_judge
    if fresh:  # nothing is seen, and every cell stays open
        before[:] = 0
    left, drawable = each * (total - before[0]), chances > 0
    with np.errstate(over="ignore"):
        ratios = np.divide(left, chances, out=np.zeros_like(left), where=drawable)
        factor = (left * ratios).sum(axis=1)
    out = np.where(drawable, 0.0, left).sum(axis=1)
    known, answers, fine, answered, against, _ = before @ each
    found = np.zeros((13, len(draws)))
    found[:7] = (
        answers + fine, answered, against + out, np.where(drawable, left, 0.0).sum(axis=1), factor,
        ratios.max(axis=1), ratios[numbers, judge],
    )  # fmt: skip
    found[12] = known + out
    return found, after[:, -1]


def _roundings(x: Floats, coarse: Floats, whole: Floats) -> float:
    """How often the running sum of grades is rounded, in units of its size."""
    if not (2 * x % 1).any():
        return 0.0  # whole numbers and halves
    fine = float(np.abs(x - coarse).max())
    return len(x) * (fine if whole.sum() * GRAIN < EXACT else 1.0)

"""A guide, which promises nothing: Bradley-Terry strengths with a ridge.

The strengths are a function of the tallies alone (Newton from zero, every time), so a replay finds the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RIDGE = 0.3  # pull towards equal strengths; untuned
NEWTON_STEPS, NEWTON_TOLERANCE, LONGEST_STEP = 30, 1e-7, 3.0
STRENGTH_DIGITS = 9  # the rest is rounding noise: items that the answers do not tell apart are exactly equal
DIRECT_UP_TO, CG_TOLERANCE = 100, 1e-4  # items; relative residual

Floats = NDArray[np.float64]


def strengths(wins: NDArray[np.int64] | Floats, ridge: float = RIDGE) -> Floats:
    """Bradley-Terry strengths: maximise Σ wins_ij ln σ(s_i - s_j) - ridge/2 Σ s².

    >>> bool(np.argmax(strengths(np.array([[0, 3, 4], [1, 0, 3], [0, 1, 0]]))) == 0)
    True
    """
    s = np.zeros(len(wins))
    both = (wins + wins.T).astype(np.float64)
    for _ in range(NEWTON_STEPS):
        p = sigmoid(s[:, None] - s[None, :])
        gradient = (wins - both * p).sum(axis=1) - ridge * s
        step = _solve(curvature(both, p, ridge), gradient)
        size = float(np.abs(step).max(initial=0.0))
        s += step if size <= LONGEST_STEP else step * (LONGEST_STEP / size)
        if size < NEWTON_TOLERANCE:
            break
    rounded: Floats = np.round(s, STRENGTH_DIGITS) + 0.0
    return rounded


def _solve(matrix: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive system: directly, or by conjugate gradients where that is much quicker."""
    if len(right) <= DIRECT_UP_TO:
        direct: Floats = np.linalg.solve(matrix, right).astype(np.float64, copy=False)
        return direct
    scale = 1.0 / matrix.diagonal()
    x = np.zeros_like(right)
    residual = right.copy()
    towards = scale * residual
    size = goal = float(residual @ towards)
    for _ in range(len(right)):
        if size <= CG_TOLERANCE**2 * goal or size == 0.0:
            break
        along = matrix @ towards
        length = size / float(towards @ along)
        x += length * towards
        residual -= length * along
        scaled = scale * residual
        before, size = size, float(residual @ scaled)
        towards = scaled + (size / before) * towards
    return x


def curvature(both: Floats, p: Floats, ridge: float = RIDGE) -> Floats:
    """Minus the Hessian of the Bradley-Terry fit."""
    q = both * p * (1.0 - p)
    return np.diag(q.sum(axis=1) + ridge) - q


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + np.exp(-np.clip(x, -40.0, 40.0)))


def gaps_without_own(items: int, answers: NDArray[np.int64], judges: int) -> Floats:
    """s_better - s_worse for each answer (judge, better, worse), by everybody else's answers.

    A judge's own answers are taken out by one Newton step: else judges would agree with themselves.
    """
    judge, better, worse = answers.T
    wins = np.zeros((items, items))
    np.add.at(wins, (better, worse), 1.0)
    s = strengths(wins)
    p = sigmoid(s[:, None] - s[None, :])
    pull = np.zeros((items, judges))  # what each judge contributes to the gradient
    surprise = 1.0 - p[better, worse]
    np.add.at(pull, (better, judge), surprise)
    np.add.at(pull, (worse, judge), -surprise)
    others = s[:, None] - np.linalg.solve(curvature(wins + wins.T, p), pull)
    gaps: Floats = others[better, judge] - others[worse, judge]
    return gaps

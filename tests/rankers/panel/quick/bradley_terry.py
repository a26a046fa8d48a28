"""Bradley-Terry strengths, as `juryrank.core.panel.bradley_terry` computes them."""

from __future__ import annotations

import math

import numpy as np

from juryrank.core.panel.bradley_terry import LONGEST_STEP, NEWTON_STEPS, NEWTON_TOLERANCE, RIDGE, STRENGTH_DIGITS
from tests.rankers.panel.quick.parts import part

ROUNDING = 10.0**STRENGTH_DIGITS


@part
def fit(counts, desk):
    """`guide.strengths`; from the last ones, not from zero: it ends at the same."""
    s, step = counts.s, desk.step
    n = len(s)
    for _ in range(NEWTON_STEPS):
        lay_out(counts.wins, s, step, desk.matrix)
        solve(desk.matrix, step)
        size = 0.0
        for i in range(n):
            size = max(size, abs(step[i]))
        for i in range(n):
            s[i] += step[i] if size <= LONGEST_STEP else step[i] * (LONGEST_STEP / size)
        if size < NEWTON_TOLERANCE:
            break
    for i in range(n):
        s[i] = np.rint(s[i] * ROUNDING) / ROUNDING + 0.0


@part
def lay_out(wins, s, step, matrix):
    """The gradient in `step`, minus the second derivatives in the upper half of `matrix`."""
    n = len(s)
    for i in range(n):
        step[i] = -RIDGE * s[i]
        matrix[i, i] = RIDGE
    for i in range(n):
        for j in range(i + 1, n):
            both = wins[i, j] + wins[j, i]
            matrix[i, j] = 0.0
            if both > 0:
                p = sigmoid(s[i] - s[j])
                surprise = wins[i, j] - both * p
                step[i] += surprise
                step[j] -= surprise
                q = both * p * (1.0 - p)
                matrix[i, j] = -q
                matrix[i, i] += q
                matrix[j, j] += q


@part
def sigmoid(gap):
    return 1.0 / (1.0 + math.exp(-min(max(gap, -40.0), 40.0)))


@part
def solve(matrix, right):
    """Gauss without pivots: the upper half of a symmetric positive `matrix` is used up, `right` is solved."""
    n = len(right)
    for k in range(n):
        for j in range(k + 1, n):
            if matrix[k, j] != 0.0:
                share = matrix[k, j] / matrix[k, k]
                for i in range(j, n):
                    matrix[j, i] -= share * matrix[k, i]
                right[j] -= share * right[k]
    for j in range(n - 1, -1, -1):
        total = right[j]
        for i in range(j + 1, n):
            total -= matrix[j, i] * right[i]
        right[j] = total / matrix[j, j]


@part
def by_strength(s, position, order):
    """Positions, best first; equal strengths in the order given."""
    for i in range(len(s)):
        k = i
        while k > 0 and s[order[k - 1]] < s[i]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    for k in range(len(s)):
        position[order[k]] = k

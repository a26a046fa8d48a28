"""Plain Bradley-Terry with numpy alone: Davidson's iteration (1970), an MM algorithm (Hunter 2004)."""

from __future__ import annotations

import numpy as np

from juryrank.votes.fitting.model.likelihood import Likelihood
from juryrank.votes.fitting.model.solver import Solution

MOST_STEPS = 20_000
STILL = 1e-9  # the largest change of a log score in a step that ends the iteration


def solve_by_mm(like: Likelihood) -> Solution:
    """The most likely scores (and readiness to tie) without sides and judges."""
    votes, lay, n = like.votes, like.layout, like.layout.items
    left, right = votes.left, votes.right
    wins = np.bincount(left, votes.score, n) + np.bincount(right, 1 - votes.score, n) + like.anchors / 2
    s, nu = np.zeros(n), 1.0 if like.spec.tie else 0.0
    for _ in range(MOST_STEPS):
        p = np.exp(s)
        both = np.sqrt(p[left] * p[right])
        total = p[left] + p[right] + nu * both
        share_left, share_right = (p[left] + nu * both / 2) / total, (p[right] + nu * both / 2) / total
        expected = np.bincount(left, share_left, n) + np.bincount(right, share_right, n)
        expected += like.anchors * p / (1 + p)
        step = np.log(wins / expected)
        s = s + step - (0 if like.anchors.any() else step.mean())
        if like.spec.tie:
            nu *= votes.ties / float((nu * both / total).sum())
        if np.abs(step - step.mean() * (not like.anchors.any())).max() < STILL:
            break
    x = lay.start()
    x[lay.scores] = s
    if like.spec.tie:
        x[lay.place("tie")] = np.log(nu)
    return Solution(x, {}, -like(x)[0])

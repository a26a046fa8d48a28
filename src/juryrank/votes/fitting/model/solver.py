"""The best parameters: L-BFGS on a scale on which all curvatures are about 1; the judges' spreads by EM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juryrank.errors import need_extra
from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.model.likelihood import TINY, Likelihood, derivatives, information
from juryrank.votes.fitting.model.slopes import LEAST_SPREAD, MOST_SPREAD, Slopes

MOST_ROUNDS, MANY_ROUNDS = 5, 25  # of EM: with over, and up to, MANY votes
MANY = 100_000
ROUND_STEPS = 6  # L-BFGS steps in a round before the last: spreads move, so exactness would be wasted
LAST_STEPS = 60
MOST_STEPS = 1000
LEAST_ROUNDS = 3
SETTLED = 0.03  # a round that moves no spread by more than this share is the last
FIRST_SPREAD = {"slope": 0.4, "side": 0.4, "tie": 0.7, "swap": 1.0}
EXACT = 1e-6  # the scaled gradient is about (x - best) / standard error
WITH_JUDGES = 1e-3  # a thousandth of a standard error is enough where spreads are learned, too


@dataclass(frozen=True, slots=True)
class Solution:
    """The parameters found."""

    x: Floats
    spread: dict[str, float]
    log_likelihood: float


def solve(like: Likelihood) -> Solution:
    """The most likely parameters, with the judges' spreads learned."""
    need_extra("scipy", extra="fit", what="fitting judges who differ, sides, or Thurstone's link")
    x = like.layout.start()
    if not like.spec.effects:
        return Solution(*_minimised(like, x, steps=MOST_STEPS, exact=EXACT))
    like.spread.update({name: FIRST_SPREAD[name] for name in like.spec.effects})
    slopes = Slopes(like) if like.spec.slope else None
    for number in range(1, 1 + (MOST_ROUNDS if len(like.votes) > MANY else MANY_ROUNDS)):
        x, _, _ = _minimised(like, x, steps=ROUND_STEPS, exact=WITH_JUDGES)
        moved = _learn_spreads(like, x)
        if slopes is not None:
            moved = max(moved, slopes.learn(x))
        if moved < SETTLED and number >= LEAST_ROUNDS:
            break
    if slopes is not None:
        slopes.settle(x)
    return _last(like, x)


def with_equal_slopes(like: Likelihood, found: Solution) -> Solution:
    """The best parameters if every judge's slope is 1, from those found with slopes that differ."""
    x = found.x.copy()
    x[like.layout.block("slope")] = 0.0
    like.spread.update(found.spread, slope=LEAST_SPREAD)
    return _last(like, x)


def _last(like: Likelihood, x: Floats) -> Solution:
    return Solution(*_minimised(like, x, steps=LAST_STEPS, exact=WITH_JUDGES))


def _minimised(like: Likelihood, x: Floats, *, steps: int, exact: float) -> tuple[Floats, dict[str, float], float]:
    from scipy.optimize import minimize

    scale = 1 / np.sqrt(curvature(like, x))

    held = like.layout.block("slope") if like.spec.slope else slice(0, 0)  # slopes have a step of their own

    def scaled(y: Floats) -> tuple[float, Floats]:
        value, grad = like(y * scale)
        grad[held] = 0.0
        return value, grad * scale

    options = {"maxiter": steps, "maxfun": 2 * steps, "gtol": exact, "ftol": 1e-15}
    found = minimize(scaled, x / scale, jac=True, method="L-BFGS-B", options=options)
    return found.x * scale, dict(like.spread), -float(found.fun)


def curvature(like: Likelihood, x: Floats) -> Floats:
    """The diagonal of the information, priors included."""
    lay, out = like.layout, np.zeros(len(x))
    for piece in like.pieces(x):
        about, _, about_tie = information(piece)
        votes, pull = piece.votes, about * piece.slope**2
        out[lay.scores] += np.bincount(votes.left, pull, lay.items) + np.bincount(votes.right, pull, lay.items)
        about_swap = derivatives(piece)[3] if piece.keep is not None else None
        sums = {
            "slope": pull * piece.gap**2,
            "side": about,
            "tie": about_tie,
            "swap": None if about_swap is None else about_swap**2,
        }
        for k, name in enumerate(lay.controls):
            sums[name] = about * votes.control[:, k] ** 2  # type: ignore[index]
        for name in lay.shared:
            out[lay.place(name)] += sums[name].sum()
        first, last = int(votes.judge[0]), int(votes.judge[-1]) + 1
        for name in like.spec.effects:
            start = lay.block(name).start
            out[start + first : start + last] += np.bincount(votes.judge - first, sums[name], last - first)
    out[lay.scores] += like.anchors / (4 * np.cosh(np.clip(x[lay.scores], -50, 50) / 2) ** 2) + 1e-9
    for name in lay.shared:
        out[lay.place(name)] += 0.04
    for name in like.spec.effects:
        out[lay.block(name)] += like.spread[name] ** -2
    return out


def _learn_spreads(like: Likelihood, x: Floats) -> float:
    """One step towards the likeliest spreads, by Laplace's approximation; how far they moved, as a share.

    EM's own step (the mean of x² + variance) creeps where a spread is near 0; MacKay's (1992) has the same fixed
    points and does not: the sum of x² over the number of values that the votes, not the prior, determine.
    """
    known, moved = curvature(like, x), 0.0
    seen = like.votes.per_judge() > 0
    for name in like.spec.effects:
        if name == "slope":
            continue  # learned against scores without the judge's own votes
        block, before = like.layout.block(name), like.spread[name]
        determined = float(np.sum(1 - before**-2 / known[block][seen]))
        second = float(np.sum(x[block][seen] ** 2)) / max(determined, TINY)
        like.spread[name] = float(np.clip(np.sqrt(second), LEAST_SPREAD, MOST_SPREAD))
        moved = max(moved, abs(like.spread[name] / before - 1))
    return moved

"""How many answers a claim is likely to need, and so how many questions it may have out at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from juryrank.rankers.jury.core.attempt import Attempt
    from juryrank.rankers.jury.core.machine import Machine

SQUARE = 0.8  # usual mean square of an answer: some are ties
LEAST_MEAN = 0.05  # of z: below this a forecast is as good as endless
HEADROOM = 0.25  # of the forecast; half of it takes 2 to 7 % more calls where 32 are open, for 3 to 16 % less time


def allowed_open(machine: Machine, attempt: Attempt, claim: int, step: int) -> int:
    """The forecast of answers that the claim still needs, a little short, and 1 at least."""
    return max(1, round(HEADROOM * answers_needed(machine, attempt, claim, step)))


def answers_needed(machine: Machine, attempt: Attempt, claim: int, step: int) -> float:
    """A forecast of the answers that a claim still needs at a step; 0: it is proven."""
    if attempt.proven[claim, step]:
        return 0.0
    odds = float(machine.opinion.odds[attempt.claims[claim]])
    return _forecast(machine, attempt, claim, step, odds, float(attempt.evidence[claim, step]))


def needs_more(machine: Machine, attempt: Attempt, step: int, *, than: float, share: float = 1.0) -> bool:
    """Is this share of the answers that a list needs at a step more than that?

    A list may have thousands of claims, and this is asked at every question: they are counted until it is clear.
    """
    claims = np.flatnonzero(~attempt.proven[:, step])
    better, worse = attempt.better[claims], attempt.worse[claims]
    odds, evidence = machine.opinion.odds[better, worse], attempt.evidence[claims, step]
    total = 0.0
    for claim, *known in zip(claims.tolist(), odds.tolist(), evidence.tolist(), strict=True):
        total += _forecast(machine, attempt, claim, step, *known)
        if share * total > than:
            return True
    return False


def _forecast(machine: Machine, attempt: Attempt, claim: int, step: int, odds: float, evidence: float) -> float:
    better, worse = attempt.claims[claim]
    mean = min(max(math.tanh(odds / 2) + 2 * machine.resolutions.values[step], LEAST_MEAN), 1.0)
    missing = max(math.log(1 / attempt.level) - evidence, 0.0)
    return min(missing * 2 * SQUARE / mean**2, machine.cells_left((min(better, worse), max(better, worse))))

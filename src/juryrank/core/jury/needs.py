"""How many answers a claim is likely to need, and so how many questions it may have out at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from juryrank.core.jury.attempt import Attempt
    from juryrank.core.jury.machine import Machine

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
    better, worse = attempt.claims[claim]
    mean = math.tanh(float(machine.opinion.odds[better, worse]) / 2) + 2 * machine.resolutions.values[step]
    mean = min(max(mean, LEAST_MEAN), 1.0)
    missing = max(math.log(1 / attempt.level) - float(np.max(attempt.evidence[claim, step])), 0.0)
    return min(missing * 2 * SQUARE / mean**2, machine.cells_left((min(better, worse), max(better, worse))))

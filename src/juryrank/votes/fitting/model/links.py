"""How a difference of scores becomes log odds."""

from __future__ import annotations

import math

import numpy as np

from juryrank.votes.fitting.arrays import Floats

# Φ(k x) has odds of e per unit of x near 0, so that scores mean the same under both links.
THURSTONE_UNIT = math.sqrt(2 * math.pi) / 4
FARTHEST = 30.0  # log odds beyond this are all the same to a vote, and overflow further on


def thurstone(x: Floats) -> tuple[Floats, Floats]:
    """Log odds of Φ(k x), and their slope in x (Thurstone 1927, case V)."""
    from scipy.special import log_ndtr

    t = np.clip(THURSTONE_UNIT * x, -FARTHEST, FARTHEST)
    up, down = log_ndtr(t), log_ndtr(-t)
    density = -(t**2) / 2 - 0.5 * math.log(2 * math.pi)
    return up - down, THURSTONE_UNIT * np.exp(density - up - down)

"""The units that scores can be told in."""

from __future__ import annotations

import math

from juryrank.errors import BadInput

SCALES = ("logit", "elo", "probability")
ELO_UNIT, ELO_MEAN = 400 / math.log(10), 1000.0
UNITS = {
    "logit": "log odds: 1 more is odds of e (2.7 to 1) for the median judge; scores sum to 0",
    "elo": "Elo points: 400 more is odds of 10 to 1 for the median judge; the mean is 1000",
    "probability": "chance that a new judge prefers the item to a random other one (a tie counts half)",
}


def check_scale(scale: str) -> None:
    """Refuse a word that is no scale."""
    if scale not in SCALES:
        raise BadInput(f"there is no scale {scale!r}; there are: {', '.join(SCALES)}")


def elo(score: float) -> float:
    """Log odds as Elo points.

    >>> round(elo(0.0)), round(elo(math.log(10)))
    (1000, 1400)
    """
    return ELO_MEAN + ELO_UNIT * score

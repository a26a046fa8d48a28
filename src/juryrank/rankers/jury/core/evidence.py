"""Evidence that "i is at least as good as j at resolution ε": the payoff, the bets, the wealth.

A pair's cells have values z = x + 2ε (an answer x in [-1, 1], positive for i; a refusal has z = 0 or, where
refusals count against the claim, z = -1 + 2ε; so has, always, a call that failed), and the claim is Z = Σ v z >= 0
over all of them. When a cell is drawn with chance π, let S be the seen part of Z. Then

    Y = S + (v/π) z                  has mean Z, given the past: the seen part, and a fair guess of the rest
    E ← E (1 + λ Y),  0 <= λ <= 1/B, B = max (v/π)(1 - 2ε) - S, so that no factor is negative

If the claim is false, E has a mean of at most 1 for ever, and reaches 1/α with probability at most α (Ville). λ
may use the pair's earlier answers and what was on record when the attempt began, never the draw itself. We bet
on 15 alternatives for the mean z of what is left, each with λ = mean Y / mean Y² under it, and E is their
mixture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MEANS = np.array([0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95])
MOST_RISKED = 0.95  # of what a bet may risk: one unwelcome answer never ruins it
LEAST_VARIANCE = 0.03  # of an answer under an alternative: unanimous so far is not unanimous for ever
SQUARES_KNOWN = 20.0  # answers' worth of trust in the search's mean square of answers
FLAT_SHARE = 0.02  # of the prior spread over all alternatives, relative to its peak
LEAST_SPREAD = 0.05  # of the prior around the search's guess
SLACK = 1e-12  # no bet divides by less


@dataclass(frozen=True, slots=True)
class Prior:
    """What the search believes of a claim when its attempt begins; on record before the first draw."""

    mean: float  # of the answers x
    spread: float  # standard deviation of that belief
    square: float  # mean square of the answers


@dataclass(frozen=True, slots=True)
class Seen:
    """A pair just before a draw, from the side of a claim: sums over cells drawn earlier, as they ended."""

    answers: float  # Σ v x
    answered: float  # Σ v of answers given
    against: float  # Σ v of cells that count against the claim: z = -1 + 2ε
    left: float  # Σ v of cells that could be drawn
    factor: float  # Σ V² / chance over judges: the size of a payoff's square
    worst: float  # the largest v/π of any cell that could be drawn
    square: float  # mean square of answers, the search's and the pair's own


UNKNOWN = Prior(mean=0.2, spread=0.4, square=1.0)  # of a claim that no search chose


class Resolutions:
    """The resolutions ε of a claim, finest last, with everything that depends on ε alone.

    `strict`: the claim is Z > 0. (Evidence is against Z <= 0 in any case; only counting can tell them apart.)
    """

    def __init__(self, values: tuple[float, ...], *, strict: bool = False) -> None:
        self.values, self.strict = values, strict
        self.twice = 2 * np.array(values)
        column = self.twice[:, None]
        self.lean = MEANS[None, :] - column  # the mean answer x under each alternative
        self.lean_squares = self.lean**2
        self.squares = MEANS[None, :] ** 2

    def __len__(self) -> int:
        return len(self.values)

    def seen_part(self, seen: Seen) -> Floats:
        """S for each resolution."""
        found: Floats = seen.answers + self.twice * (seen.answered + seen.against) - seen.against
        return found

    def prior(self, prior: Prior) -> Floats:
        """The logarithm of each alternative's share of the first stake."""
        spread = LEAST_SPREAD + prior.spread
        weights = np.exp(-0.5 * ((self.lean - prior.mean) / spread) ** 2) + FLAT_SHARE
        found: Floats = np.log(weights / weights.sum(axis=1, keepdims=True))
        return found

    def growth(self, seen: Seen, payoff: float, x: float, answered: float, against: float) -> Floats:
        """log(1 + λ Y) of one drawn cell, for each resolution and alternative; `payoff` is its v/π."""
        part = self.seen_part(seen)
        risk = np.maximum(seen.worst * (1 - self.twice) - part, SLACK)
        z = x + self.twice * (answered + against) - against
        return np.log1p(self._bets(seen, part, risk) * (part + payoff * z)[:, None])

    def _bets(self, seen: Seen, part: Floats, risk: Floats) -> Floats:
        """λ of each alternative: mean Y / mean Y² under it, at most what may be risked."""
        column = part[:, None]
        drift = seen.left * MEANS
        variance = np.maximum(seen.square - self.lean_squares, LEAST_VARIANCE)
        squared = seen.factor * (variance + self.squares) + (2 * drift + column) * column
        bets: Floats = (column + drift) / np.maximum(squared, SLACK)
        return np.minimum(np.maximum(bets, 0.0), (MOST_RISKED / risk)[:, None])


def log_sum_exp(shares: Floats) -> Floats:
    """log Σ exp of each row.

    >>> round(float(np.exp(log_sum_exp(np.log(np.array([[0.25, 0.5]]))))[0]), 6)
    0.75
    """
    top = np.maximum.reduce(shares, axis=1)  # as shares.max, without its detour through Python
    found: Floats = top + np.log(np.add.reduce(np.exp(shares - top[:, None]), axis=1))
    return found

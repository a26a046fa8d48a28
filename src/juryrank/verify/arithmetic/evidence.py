"""The evidence formulas, written a second time for the checker: nothing here is shared with the rankers.

    bets        log E = Σ log(1 ± λ)                                        certified, better-than-chance
    steady      log E = Σ_u [log ∫ p^a (1-p)^(n-a) dπ_u - sup_{p ≥ ½} (A log p + (n-A) log(1-p))]
                (π_u is any probability over accuracies that was fixed beforehand)
    majority    K(w, l) = Σ_{j ≤ w} C(n+1, j) / ((n+1) C(n, w)),  n = w + l     panel: a ratio of whole numbers
    scores      log mean_λ Π (1 + λ D),  D = (balance_i - balance_k) / 2m       panel, field-share

A claim at level α needs evidence of at least 1/α at some moment. docs/verify.md says why that is enough.
Logarithms that speak for a claim are rounded down and those that speak against it up (`rounding`), so that
evidence here is never more than fractions would give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from juryrank.verify.arithmetic.rounding import above, below, below_all
from juryrank.verify.room import Room

GRID = 30  # accuracies over which a prior of the steady model puts weights
ACCURACIES = [1 / (1 + math.exp(-x)) for x in (0.02, *(9.0 * k / (GRID - 1) for k in range(1, GRID)))]
_LOG_RIGHT = np.array([below(math.log(p)) for p in ACCURACIES])
_LOG_WRONG = np.array([below(math.log(1 - p)) for p in ACCURACIES])  # 1 - p is exact, so that both are of one p
_MIXED = 1 - 2.0**-40  # relative: the mixture's exponentials of up to 745, and their sum, are off by far less
SHAPES = (1e-4, 1e6)  # of a Beta: a ranker's lie between 7e-4 and 4e5, whatever it knows of a judge
_FINE = 60  # binary digits after the point of sums of many logs, which so add up exactly
CLOSE = 1e-6  # more than log gammas are off, of less than 10^6 answers: what is closer is decided in whole numbers
SCORE_BETS = (0.1, 0.2, 0.4, 0.65, 0.95)


def log_of_bet(bet: float, agrees: bool) -> float:
    """What one answer adds to log E, rounded down.

    >>> round(log_of_bet(0.5, True), 4), log_of_bet(1, False)
    (0.4055, -inf)
    """
    return -math.inf if bet >= 1 and not agrees else below(math.log1p(bet if agrees else -bet))


@dataclass(frozen=True, slots=True)
class AccuracyPrior:
    """A probability over accuracies: weights on the grid, and a Beta(α, β) with a weight of its own."""

    weights: Sequence[float]
    beta: tuple[float, float, float] = (0.0, 1.0, 1.0)  # weight, α, β


class Mixture:
    """log [Σ_k π_k p_k^a (1-p_k)^(n-a) + w B(α+a, β+n-a) / B(α, β)], answer by answer and rounded down.

    The Beta's part is a product of a factor per answer, (α+a)/(α+β+n) or (β+n-a)/(α+β+n), each at most 1. (As a
    difference of log gammas it could be anything where α and β are large.)

    >>> agreed = Mixture(AccuracyPrior([0.0] * 30, beta=(1.0, 2.0, 2.0)))
    >>> agreed.answer(True)
    >>> agreed.answer(True)
    >>> round(math.exp(agreed.log), 4)  # 2/4 · 3/5
    0.3
    """

    def __init__(self, prior: AccuracyPrior) -> None:
        given = np.array(prior.weights)
        held = given > 0
        self._weight: NDArray[np.float64] = np.array([below(math.log(weight)) for weight in given[held]])
        self._right, self._wrong = _LOG_RIGHT[held], _LOG_WRONG[held]
        weight, self._alpha, self._beta = prior.beta
        self._beta_weight = below(math.log(weight)) if weight > 0 else -math.inf
        self._beta_factors = 0  # their logs, in units of 2^-_FINE
        self._excess = max(0.0, math.nextafter(math.fsum([*prior.weights, weight]), math.inf) - 1)  # by rounding
        self.agreeing = self.disagreeing = 0

    def answer(self, agrees: bool) -> None:
        """One more answer."""
        if self._beta_weight > -math.inf:
            total = self._alpha + self._beta + (self.agreeing + self.disagreeing)
            said, other = self._alpha + self.agreeing, self._beta + self.disagreeing
            share, rest = (said, other) if agrees else (other, said)
            log = math.log(share / total) if share < rest else math.log1p(-rest / total)
            self._beta_factors += math.floor(math.ldexp(below(min(log, 0.0)), _FINE))
        self.agreeing += agrees
        self.disagreeing += not agrees

    @property
    def log(self) -> float:
        """The log of the mixture so far."""
        of_answers = self.agreeing * self._right + self.disagreeing * self._wrong
        logs = below_all(self._weight + of_answers, np.abs(self._weight) + np.abs(of_answers))
        factors = self._beta_factors * 2.0**-_FINE
        beta = below(self._beta_weight + factors, abs(self._beta_weight) + abs(factors))
        top = max(float(logs.max(initial=-math.inf)), beta)
        if top == -math.inf:
            return top
        mixed = math.log(_MIXED * (float(np.exp(logs - top).sum()) + math.exp(beta - top)))
        return min(0.0, below(top + mixed - self._excess, abs(top) + abs(mixed) + self._excess))


def log_of_best(right: int, answers: int) -> float:
    """sup over p from ½ to 1 of right·log p + (answers - right)·log(1-p), rounded up.

    >>> log_of_best(4, 4), round(math.exp(log_of_best(1, 4)), 4)
    (0.0, 0.0625)
    """
    if right >= answers:
        return 0.0
    share = max(right / answers, 0.5)  # rounded: at its maximum the sum is flat, so this takes nothing from it
    return min(0.0, above(right * math.log(share) + (answers - right) * math.log1p(-share)))


def majority(wins: int, losses: int) -> Fraction:
    """K(w, l), exactly.

    >>> majority(12, 0)
    Fraction(8191, 13)
    """
    n = wins + losses
    at_most, ways = 0, 1  # C(n+1, j), each from the one before
    for j in range(wins + 1):
        at_most += ways
        ways = ways * (n + 1 - j) // (j + 1)
    return Fraction(at_most, (n + 1) * math.comb(n, wins))


def settles(wins: int, losses: int, level: Fraction, room: Room) -> bool:
    """Do so many answers for and against settle a pair at this level: is K ≥ 1/α?

    >>> settles(11, 0, Fraction(1, 450), Room()), settles(12, 0, Fraction(1, 450), Room())
    (False, True)
    """
    if wins <= losses:
        return False
    beyond = log_of_majority(wins, losses) - (math.log(level.denominator) - math.log(level.numerator))
    if abs(beyond) > CLOSE:
        return beyond > 0
    answers = wins + losses
    room.take(answers * (1 + answers // 500), "the evidence of so many answers to the last digit")
    return majority(wins, losses) * level >= 1


def log_of_majority(wins: int, losses: int) -> float:
    """ln K(w, l), off by less than CLOSE.

    >>> abs(log_of_majority(12, 3) - math.log(majority(12, 3))) < 1e-12
    True
    """
    n, fewer = wins + losses, min(wins, losses)
    term = total = 1.0  # Σ_{j ≤ fewer} C(n+1, j) / C(n+1, fewer): what K sums, or what that lacks of all 2^(n+1)
    for j in range(fewer, 0, -1):
        term *= j / (n + 2 - j)
        total += term
        if term < total * 2.0**-60:
            break
    share = math.log(total) + _log_of_ways(n + 1, fewer) - (n + 1) * math.log(2)
    part = share if wins < losses else math.log1p(-math.exp(share))
    return (n + 1) * math.log(2) + part - math.log(n + 1) - _log_of_ways(n, wins)


def _log_of_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


@lru_cache(maxsize=10_000)
def logs_of_edge(difference: int, most: int) -> tuple[float, ...]:
    """What one person adds to the log of each score bet, rounded down: log(1 + λ D), D = difference / most.

    >>> [round(log, 4) for log in logs_of_edge(1, 2)]
    [0.0488, 0.0953, 0.1823, 0.2814, 0.3887]
    """
    return tuple(below(math.log1p(bet * (difference / most))) for bet in SCORE_BETS)


def log_of_mean(logs: Sequence[float]) -> float:
    """The log of the mean of what `logs` are the logs of, rounded down.

    >>> round(math.exp(log_of_mean([math.log(1), math.log(3)])), 9)
    2.0
    """
    top = max(logs)
    if top == -math.inf:
        return top
    mean = math.log(_MIXED * (math.fsum(math.exp(x - top) for x in logs) / len(logs)))
    return below(top + mean, abs(top) + abs(mean))


def logs_of_means(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same of many at once: each column of `logs` on its own.

    >>> both = logs_of_means(np.log([[1.0, 2.0], [3.0, 2.0]]))
    >>> [round(x, 9) for x in np.exp(both).tolist()]
    [2.0, 2.0]
    """
    top = logs.max(axis=0)
    held = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        mean = np.log(_MIXED * np.exp(logs - held).mean(axis=0))
    return np.where(np.isfinite(top), below_all(held + mean, np.abs(held) + np.abs(mean)), top)


def met_at_most(items: int, size: int) -> int:
    """How often one item can be met in a sitting of random matchings (m).

    >>> met_at_most(8, 10), met_at_most(3, 10)
    (3, 3)
    """
    matchings = items - 1 if items % 2 == 0 else items
    return max(1, min(-(-size // max(1, items // 2)), matchings))

"""The evidence formulas, written a second time for the checker: nothing here is shared with the rankers.

    bets        log E = Σ log(1 ± λ)                                        certified, better-than-chance
    steady      log E = Σ_u [log ∫ p^a (1-p)^(n-a) dπ_u - sup_{p ≥ ½} (A log p + (n-A) log(1-p))]
                (π_u is any probability over accuracies that was fixed beforehand)
    majority    K(w, l) = Σ_{j ≤ w} C(n+1, j) / ((n+1) C(n, w)),  n = w + l     panel: a ratio of whole numbers
    scores      log mean_λ Π (1 + λ D),  D = (balance_i - balance_k) / 2m       panel, field-share

A claim at level α needs evidence of at least 1/α at some moment. docs/verify.md says why that is enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

GRID = 30  # accuracies over which a prior of the steady model puts weights
_LOGITS = [0.02, *(9.0 * k / (GRID - 1) for k in range(1, GRID))]
_LOG_RIGHT = [-math.log1p(math.exp(-x)) for x in _LOGITS]
_LOG_WRONG = [-math.log1p(math.exp(x)) for x in _LOGITS]
CLOSE = 1e-6  # far more than the rounding of logs
SCORE_BETS = (0.1, 0.2, 0.4, 0.65, 0.95)


def log_of_bet(bet: float, agrees: bool) -> float:
    """What one answer adds to log E.

    >>> round(log_of_bet(0.5, True), 4), log_of_bet(1, False)
    (0.4055, -inf)
    """
    factor = 1 + bet if agrees else 1 - bet
    return math.log(factor) if factor > 0 else -math.inf


@dataclass(frozen=True, slots=True)
class AccuracyPrior:
    """A probability over accuracies: weights on the grid, and a Beta(α, β) with a weight of its own."""

    weights: Sequence[float]
    beta: tuple[float, float, float] = (0.0, 1.0, 1.0)  # weight, α, β


def log_of_mixture(prior: AccuracyPrior, agreeing: int, answers: int) -> float:
    """log [Σ_k π_k p_k^a (1-p_k)^(n-a) + w B(α+a, β+n-a) / B(α, β)].

    >>> round(math.exp(log_of_mixture(AccuracyPrior([0.0] * 29 + [1.0]), 1, 1)), 4)
    0.9999
    >>> round(math.exp(log_of_mixture(AccuracyPrior([0.0] * 30, beta=(1.0, 2.0, 2.0)), 2, 2)), 4)  # 2/4 · 3/5
    0.3
    """
    disagreeing = answers - agreeing
    logs = [
        math.log(weight) + agreeing * right + disagreeing * wrong
        for weight, right, wrong in zip(prior.weights, _LOG_RIGHT, _LOG_WRONG, strict=True)
        if weight > 0
    ]
    weight, alpha, beta = prior.beta
    if weight > 0:
        logs.append(
            math.log(weight)
            + (math.lgamma(alpha + agreeing) - math.lgamma(alpha))
            + (math.lgamma(beta + disagreeing) - math.lgamma(beta))
            - (math.lgamma(alpha + beta + answers) - math.lgamma(alpha + beta))
        )
    if not logs:
        return -math.inf
    top = max(logs)
    return top + math.log(math.fsum(math.exp(x - top) for x in logs))


def log_of_best(right: int, answers: int) -> float:
    """sup over p from ½ to 1 of right·log p + (answers - right)·log(1-p).

    >>> log_of_best(4, 4), round(math.exp(log_of_best(1, 4)), 4)
    (0.0, 0.0625)
    """
    if right >= answers:
        return 0.0
    share = max(right / answers, 0.5)
    return right * math.log(share) + (answers - right) * math.log1p(-share)


@lru_cache(maxsize=100_000)
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


def settles(wins: int, losses: int, level: Fraction) -> bool:
    """Do so many answers for and against settle a pair at this level: is K ≥ 1/α?

    >>> settles(11, 0, Fraction(1, 450)), settles(12, 0, Fraction(1, 450))
    (False, True)
    """
    if wins <= losses:
        return False
    n = wins + losses
    # with more for than against, the sum is at least half of all 2^(n+1): that decides all but the closest cases
    most = (n + 1) * math.log(2) - math.log(n + 1) - _log_of_ways(n, wins)
    needed = math.log(level.denominator) - math.log(level.numerator)
    if most < needed - CLOSE or most - math.log(2) > needed + CLOSE:
        return most > needed
    return majority(wins, losses) * level >= 1


def _log_of_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def log_of_majority(wins: int, losses: int) -> float:
    """ln K(w, l)."""
    exact = majority(wins, losses)
    return math.log(exact.numerator) - math.log(exact.denominator)


def log_of_mean(logs: Sequence[float]) -> float:
    """The log of the mean of what `logs` are the logs of.

    >>> round(math.exp(log_of_mean([math.log(1), math.log(3)])), 9)
    2.0
    """
    top = max(logs)
    if top == -math.inf:
        return top
    return top + math.log(math.fsum(math.exp(x - top) for x in logs) / len(logs))


def met_at_most(items: int, size: int) -> int:
    """How often one item can be met in a sitting of random matchings (m).

    >>> met_at_most(8, 10), met_at_most(3, 10)
    (3, 3)
    """
    matchings = items - 1 if items % 2 == 0 else items
    return max(1, min(-(-size // max(1, items // 2)), matchings))

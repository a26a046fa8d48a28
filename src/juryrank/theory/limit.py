"""How few answers could possibly be enough, if the best judge were known from the start.

Gu & Xu, "Optimal bounds for noisy sorting" (STOC 2023): sorting N items with one judge of accuracy p takes
(1/I(p) + 1/D(p)) N log2 N answers, to leading order in N, with I(p) = 1 - h2(p), D(p) = (2p-1) log2(p/(1-p)).

That leaves out what does not grow with N log N, and flatters every ranker of few items. The finite-N yardstick
adds what it takes to find the answer among all there could be and what it takes to be sure of it:

    order    log2(N!) / I(p)    + (N-1) log2((N-1)/δ) / D(p)
    top-k    log2(N over k) / I(p) + (N-1) log2(1/δ) / D(p)         best: k = 1

That the two terms add at finite N is not proven: it is a yardstick, not a bound. What is rigorous is Fano's bound,
((1-δ) log2(answers possible) - h2(δ)) / I(p), which is the first term alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from juryrank.core.levels import check_error, check_top
from juryrank.errors import BadInput


def information(accuracy: float) -> float:
    """Bits that one answer of this accuracy carries: I(p) = 1 - h2(p).

    >>> information(0.5), information(1.0)
    (0.0, 1.0)
    >>> round(information(0.9), 3)  # h2(0.9) = 0.469
    0.531
    """
    if not 0 <= accuracy <= 1:
        raise BadInput(f"an accuracy is a probability between 0 and 1; {accuracy!r} is not")
    return 1 + sum(p * math.log2(p) for p in (accuracy, 1 - accuracy) if p > 0)


def information_limit(items: int, accuracy: float) -> float:
    """The least expected number of answers, to leading order in the number of items.

    A judge who is always right leaves plain sorting; one at chance (or below) can never do it.

    >>> information_limit(8, 1.0)  # 8 log2 8
    24.0
    >>> information_limit(100, 0.5)
    inf
    >>> round(information_limit(100, 1 / (1 + math.exp(-1.5))))  # γ = 0.5
    2595
    """
    bits = information(accuracy)
    if items < 2:
        return 0.0
    if accuracy <= 0.5:
        return math.inf
    size = items * math.log2(items)
    if accuracy == 1:
        return size
    proving = (2 * accuracy - 1) * math.log2(accuracy / (1 - accuracy))
    return (1 / bits + 1 / proving) * size


@dataclass(frozen=True, slots=True)
class Limits:
    """Answers of one known judge: to leading order (None: only known for the order), a yardstick, a bound."""

    leading: float | None
    finite: float
    fano: float


def divergence(accuracy: float) -> float:
    """Bits by which one answer of this accuracy tells a pair from its reverse, on average: D(p || 1-p).

    >>> divergence(0.5), round(divergence(0.95), 2)
    (0.0, 3.82)
    """
    information(accuracy)  # refuses what is no accuracy
    if accuracy in (0, 1):
        return math.inf
    return (2 * accuracy - 1) * math.log2(accuracy / (1 - accuracy))


def limits(items: int, accuracy: float, *, error: float, k: int | None = None) -> Limits:
    """How few answers could be enough for the whole order, or for the k best items.

    >>> found = limits(100, 0.95, error=0.1)
    >>> round(found.leading), round(found.finite), round(found.fano)
    (1105, 993, 661)
    >>> round(limits(100, 0.95, error=0.1, k=1).finite)
    95
    """
    check_error(error)
    check_top(k, items)
    leading = information_limit(items, accuracy) if k is None else None
    if items < 2:
        return Limits(leading, 0.0, 0.0)
    bits = information(accuracy)
    if accuracy <= 0.5 or bits == 0:
        return Limits(leading, math.inf, math.inf)
    answers = _log2_factorial(items)
    if k is not None:
        answers -= _log2_factorial(k) + _log2_factorial(items - k)
    sure = math.log2((items - 1) / error) if k is None else math.log2(1 / error)
    finite = answers / bits + (items - 1) * sure / divergence(accuracy)
    fano = max(0.0, (1 - error) * answers - (1 - information(error))) / bits
    return Limits(leading, finite, fano)


def _log2_factorial(n: int) -> float:
    return math.lgamma(n + 1) / math.log(2)

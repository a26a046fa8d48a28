"""How few answers could possibly do, if the best judge were known from the start.

Gu & Xu, "Optimal bounds for noisy sorting" (STOC 2023): sorting N items with one judge of accuracy p takes
(1/I(p) + 1/((2p-1) log2(p/(1-p)))) N log2 N answers, to leading order in N, with I(p) = 1 - h2(p).
"""

from __future__ import annotations

import math

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

"""What inserting one item costs at a margin, F(x), and from it C_u* (best judge) and C_ave (all alike).

F(x)    = x⁻² (log log x⁻¹ + log(N/δ))        per inserted item, x = the margin asked with
C_u*(N) = Θ(N F(Δ_u*))                        one judge, the best, known from the start
C_ave(N) = Θ(N F(Δ̄_0))                        everybody asked equally often
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from juryrank.core.levels import check_error
from juryrank.errors import BadInput


def insertion_cost(margin: float, *, items: int, error: float) -> float:
    """The order of the answers it takes to insert one item at this margin. Paper: F(x).

    At a margin of 1/2 this is 4 (log log 2 + log(N/δ)); at or below zero no number of answers is enough.

    >>> round(insertion_cost(0.5, items=100, error=0.05), 2)  # 4 (-0.3665 + 7.6009)
    28.94
    >>> round(insertion_cost(0.1, items=100, error=0.05))  # 100 (0.8340 + 7.6009)
    843
    >>> insertion_cost(0.0, items=100, error=0.05)
    inf
    """
    check_error(error)
    if not margin <= 0.5:
        raise BadInput(f"a margin is an accuracy minus one half, at most 0.5; {margin!r} is more")
    if margin <= 0:
        return math.inf
    return (math.log(math.log(1 / margin)) + math.log(items / error)) / margin**2


def best_cost(accuracies: Sequence[float], *, items: int, error: float) -> float:
    """The order of the answers with the best judge alone. Paper: C_u*.

    >>> round(best_cost([0.6, 1.0], items=100, error=0.05))
    2894
    """
    return items * insertion_cost(max(margins(accuracies)), items=items, error=error)


def average_cost(accuracies: Sequence[float], *, items: int, error: float) -> float:
    """The order of the answers when everybody is asked equally often. Paper: C_ave.

    >>> round(average_cost([0.6, 1.0], items=100, error=0.05))  # 100 F(0.3): 100 * 7.7865 / 0.09
    8652
    """
    found = margins(accuracies)
    return items * insertion_cost(sum(found) / len(found), items=items, error=error)


def margins(accuracies: Sequence[float]) -> list[float]:
    """The judges' Δ = p - 1/2, checked.

    >>> margins([0.75, 0.5])
    [0.25, 0.0]
    """
    if not accuracies:
        raise BadInput("there is no judge; give at least one accuracy")
    for accuracy in accuracies:
        if not 0 <= accuracy <= 1:
            raise BadInput(f"an accuracy is a probability between 0 and 1; {accuracy!r} is not")
    return [accuracy - 0.5 for accuracy in accuracies]

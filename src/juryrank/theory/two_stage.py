"""Choosing a judge first, then ranking with that judge alone. Paper: C_tsr, C_mtsr, Lemma "alph-opt".

C_tsr(α)  = Θ(Δ̄⁻² (log log Δ̄⁻¹ + log 1/δ) + (M/α²) log 1/δ  + N F(Δ_u* - α))
C_mtsr(α) = Θ(Δ̄⁻² (log log Δ̄⁻¹ + log 4/δ) + (4L/α²) log 4/δ + N F(Δ_u* - α))
L         = min(⌈log(δ/4) / log G(b - α/2)⌉, M),  G = the distribution of margins, b = its upper end
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from juryrank.core.levels import check_error
from juryrank.errors import BadInput
from juryrank.theory.margins import insertion_cost, margins


def two_stage_cost(accuracies: Sequence[float], *, items: int, error: float, alpha: float) -> float:
    """The order of the answers when one α-optimal judge is chosen among all. Paper: C_tsr(α).

    >>> round(two_stage_cost([0.6, 0.8], items=100, error=0.05, alpha=0.1))  # 86.8 + 599.1 + 100 F(0.2) = 20192
    20878
    """
    found = _checked(accuracies, alpha)
    choosing = len(found) / alpha**2 * math.log(1 / error)
    return _first_pair(found, error) + choosing + _ranking(found, alpha, items, error)


def subset_two_stage_cost(
    accuracies: Sequence[float], *, items: int, error: float, alpha: float, subset: int
) -> float:
    """The same with the judge chosen among a random `subset` (see `subset_size`). Paper: C_mtsr(α).

    >>> round(subset_two_stage_cost([0.6, 0.8], items=100, error=0.05, alpha=0.1, subset=1))  # 121 + 1753 + 20192
    22066
    """
    found = _checked(accuracies, alpha)
    if not 1 <= subset <= len(found):
        raise BadInput(f"the subset is {subset!r}; it must be between 1 and the number of judges, {len(found)}")
    choosing = 4 * subset / alpha**2 * math.log(4 / error)
    return _first_pair(found, error / 4) + choosing + _ranking(found, alpha, items, error)


def subset_size(
    below: Callable[[float], float], *, upper: float, alpha: float, error: float, judges: int | None = None
) -> int:
    """How many random judges surely hold one within α of the best. Paper: Lemma "alph-opt" with α/2 and δ/4.

    `below(x)` is the share of judges with margin x or less, `upper` its upper end b; `judges` caps the answer.

    >>> uniform = lambda margin: min(max(margin / 0.5, 0.0), 1.0)  # accuracies even between 1/2 and 1
    >>> subset_size(uniform, upper=0.5, alpha=0.1, error=0.05)  # log(0.0125) / log(0.9) = 41.6
    42
    """
    if not 0 < alpha < upper:
        raise BadInput(f"alpha is {alpha!r}; it must lie between 0 and the best possible margin, {upper}")
    check_error(error)
    share = below(upper - alpha / 2)
    if not 0 <= share < 1:
        raise BadInput(f"the share of judges with margin {upper - alpha / 2} or less is {share!r}, not below 1")
    needed = 1 if share == 0 else max(math.ceil(math.log(error / 4) / math.log(share)), 1)
    return needed if judges is None else min(needed, judges)


def empirical(accuracies: Sequence[float]) -> tuple[Callable[[float], float], float]:
    """The distribution of margins seen in these judges, and its upper end: what `subset_size` takes.

    >>> below, upper = empirical([0.6, 0.7, 0.9, 0.9])
    >>> below(0.2), upper
    (0.5, 0.4)
    """
    found = sorted(margins(accuracies))
    return lambda margin: sum(1 for m in found if m <= margin + 1e-12) / len(found), found[-1]


def _checked(accuracies: Sequence[float], alpha: float) -> list[float]:
    found = margins(accuracies)
    if not 0 < alpha < max(found):
        raise BadInput(f"alpha is {alpha!r}; it must lie between 0 and the best judge's margin, {max(found):.4g}")
    return found


def _first_pair(found: Sequence[float], error: float) -> float:
    """Settling one pair with everybody: F with N = 1."""
    return insertion_cost(sum(found) / len(found), items=1, error=error)


def _ranking(found: Sequence[float], alpha: float, items: int, error: float) -> float:
    return items * insertion_cost(max(found) - alpha, items=items, error=error)

"""What a ranking costs that drops judges on the way. Paper: Theorem 2 for Ada-IIR, and Proposition 2's regime.

C_Alg = O(N F(Δ_u*))                                            as if the best judge were known
      + O(Σ_z 1{S_z < T} (F(Δ̄_0) - F(Δ_u*)))                    until anybody may be dropped
      + O(L(U_0) sqrt(log(2MN/δ)) Σ_z 1{S_z ≥ T} sqrt(M/S_z))   while the pool is not yet the best judge
T = 2 M² log(NM/δ);  S_z = answers before item z;  L(U_0) = (F(cΔ³) - F(Δ)) / (Δ - cΔ³), Δ = Δ_u*, c = 1/25
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from juryrank.rankers.paper.core.constants import PAPER
from juryrank.theory.limit import information_limit
from juryrank.theory.margins import average_cost, best_cost, insertion_cost, margins
from juryrank.theory.two_stage import empirical, subset_size, subset_two_stage_cost, two_stage_cost

LEAST_MARGIN_SHARE = 1 / 25  # the paper's c: active judges' average margin is at least c Δ_u*³ once T is reached


@dataclass(frozen=True, slots=True)
class AdaptiveCost:
    """Theorem 2's three terms, each an order of magnitude."""

    best: float  # N F(Δ_u*)
    waiting: float  # before anybody may be dropped
    learning: float  # after that, until the best judges are left

    @property
    def total(self) -> float:
        return self.best + self.waiting + self.learning


def slope(margin: float, *, items: int, error: float) -> float:
    """How much dearer an insertion gets per unit of margin lost. Paper: L(U_0), for the best judge's margin.

    >>> round(slope(0.5, items=100, error=0.05))  # (F(0.005) - F(0.5)) / 0.495, F(0.005) = 370732
    748894
    """
    floor = LEAST_MARGIN_SHARE * margin**3
    dearer = insertion_cost(floor, items=items, error=error) - insertion_cost(margin, items=items, error=error)
    return dearer / (margin - floor)


def adaptive_cost(
    accuracies: Sequence[float], *, items: int, error: float, answers_before: Sequence[float] | None = None
) -> AdaptiveCost:
    """Theorem 2. `answers_before[z]` is S_z for z = 2 .. N; left out, it is the paper's bound z log(z/δ).

    With equal judges there is nothing to wait for:

    >>> cost = adaptive_cost([0.9, 0.9], items=100, error=0.05)
    >>> round(cost.waiting), round(cost.best)  # 100 F(0.4)
    (0, 4696)
    """
    found = margins(accuracies)
    best, average, count = max(found), sum(found) / len(found), len(found)
    if average <= 0:
        return AdaptiveCost(items * insertion_cost(best, items=items, error=error), math.inf, math.inf)
    cheap, dear = (insertion_cost(margin, items=items, error=error) for margin in (best, average))
    threshold = 2 * count**2 * math.log(items * count / error)
    before = answers_before or [z * math.log(z / error) for z in range(2, items + 1)]
    early = sum(1 for answers in before if answers < threshold)
    late = sum(math.sqrt(count / answers) for answers in before if answers >= threshold)
    steep = slope(best, items=items, error=error) if count > 1 else 0.0
    learning = steep * math.sqrt(math.log(2 * count * items / error)) * late
    return AdaptiveCost(items * cheap, early * (dear - cheap), learning)


def many_judges_warning(items: int, judges: int) -> str | None:
    """Proposition 2 in plain words: with too many judges for the items, nobody is dropped in time to pay.

    >>> many_judges_warning(100, 5) is None
    True
    >>> print(many_judges_warning(100, 36))
    36 judges are many for 100 items: the promise that adaptive ranking costs about as much as knowing the best
    judge needs far fewer than √100 = 10. Expect little saving over asking everybody; invite fewer judges, or use
    a ranker that starts by choosing one (two-stage, subset-two-stage) or that learns sooner (certified).
    """
    root = math.sqrt(items)
    if judges < root or judges == 1:
        return None
    return (
        f"{judges} judges are many for {items} items: the promise that adaptive ranking costs about as much as "
        f"knowing the best\njudge needs far fewer than √{items} = {root:.3g}. Expect little saving over asking "
        "everybody; invite fewer judges, or use\na ranker that starts by choosing one (two-stage, "
        "subset-two-stage) or that learns sooner (certified)."
    )


# ----------------------------------------------------------------------------
# The formula behind each of the paper's rankers, by registry name.
def formula(ranker: str, accuracies: Sequence[float], *, items: int, error: float) -> float:
    """The order of the questions a ranker needs; for rankers without a formula, the information limit.

    >>> round(formula("oracle", [0.6, 1.0], items=100, error=0.05))
    2894
    """
    if ranker in FORMULAS:
        return FORMULAS[ranker](accuracies, items, error)
    return information_limit(items, max(accuracies))


def _two_stage(accuracies: Sequence[float], items: int, error: float) -> float:
    return two_stage_cost(accuracies, items=items, error=error, alpha=alpha_for(accuracies))


def _subset_two_stage(accuracies: Sequence[float], items: int, error: float) -> float:
    size = subset_for(accuracies, error) or len(accuracies)
    alpha = alpha_for(accuracies)
    return subset_two_stage_cost(accuracies, items=items, error=error, alpha=alpha, subset=size)


FORMULAS: Final[Mapping[str, Callable[[Sequence[float], int, float], float]]] = {
    "iir": lambda accuracies, items, error: average_cost(accuracies, items=items, error=error),
    "ada-iir": lambda accuracies, items, error: adaptive_cost(accuracies, items=items, error=error).total,
    "oracle": lambda accuracies, items, error: best_cost(accuracies, items=items, error=error),
    "two-stage": _two_stage,
    "subset-two-stage": _subset_two_stage,
}


def alpha_for(accuracies: Sequence[float]) -> float:
    """The paper's α where the best judge leaves room for it, else half of what that judge has."""
    best = max(margins(accuracies))
    return min(PAPER.judge_epsilon, best / 2) if best > 0 else PAPER.judge_epsilon


def subset_for(accuracies: Sequence[float], error: float) -> int | None:
    """Lemma "alph-opt"'s subset size for judges spread as these are; None where no judge beats chance."""
    if max(margins(accuracies)) <= 0:
        return None
    below, upper = empirical(accuracies)
    alpha = alpha_for(accuracies)
    return subset_size(below, upper=upper, alpha=alpha, error=error, judges=len(accuracies))

"""The formula behind each of the paper's rankers, by registry name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from juryrank.rankers.paper.core.constants import PAPER
from juryrank.theory.adaptive import adaptive_cost
from juryrank.theory.limit import information_limit
from juryrank.theory.margins import average_cost, best_cost, margins
from juryrank.theory.two_stage import empirical, subset_size, subset_two_stage_cost, two_stage_cost


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

"""The two evidence formulas of PROVE, with their theorem. (The levels δ_m are in `core/levels.py`.)

`juryrank verify` has these formulas a second time (`verify/arithmetic/`) and shares no code
with the ranker. What is fixed when a question is asked travels in `Question.terms`, so that everything can be
recomputed from a log:

    {"phase": "insert", "item": x}       search: x is being placed
    {"phase": "repair"}                  search: a doubtful link of the whole list
    {"phase": "prove", "attempt": m, "link": [better, worse], "bet": λ}
        the first question of attempt m also has   "list": [best, ..., worst], "top": k (only for a set of the
        k best), "level": δ_m and "surest": [k, ...]: all links, numbered as in `state.py`, surest
        first. The links before the first unproven one in that order are claimed, so it must be fixed here.
        under "steady" there is no "bet", but a judge's first question of attempt m has
        "prior": [π_u at each of ACCURACY_GRID] and, where many answers are to come, "beta": [w, α, β]
        (weights that sum to 1 with w, the weight of a Beta(α, β) distribution of accuracies)

Only answers to questions *asked* with phase "prove" count. They count in the order they were asked: under
better-than-chance per link, under steady per attempt; an answer waits until all earlier ones of its lane are
told or expired. Ties, skips, expiries and late answers leave all evidence as it is. (Elimination has its own terms
and its own theorem: `eliminate.py`. What a cross-examination asks for comes on top of this proof:
`rankers/certified/cross_examination/`.)

A link is proven when its evidence has *once* reached 1/δ_m. Attempt m ends without a certificate when the
ranker says so (the next attempt's first question, items that joined, or gold pairs that refute a judge). All
formulas are in logarithms.

**better-than-chance**: log E_k = Σ log(1 ± λ), + where the answer agrees with the list.
    A wrong link has E[1 + λy | past] = 1 - λ(2p - 1) ≤ 1, so it ever reaches 1/δ_m with probability ≤ δ_m.
**steady**: log E_k = Σ_u [ log ∫ p^a (1-p)^(n-a) dπ_u - sup_{p ≥ ½} (A log p + (n-A) log(1-p)) ]
    n, a: u's answers in this attempt, and how many agree with the list; w_i, l_i: for and against at link i;
    A = Σ_i max(w_i, l_i) - max(w_k - l_k, 0): no more of u's answers can be right if link k is wrong.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from juryrank.core.compiling import kernel

BET_LEAST, BET_MOST = 0.02, 0.98  # the proof needs 0 ≤ λ ≤ 1; at 1 a single answer against would end it all

GRID_SIZE: Final = 30
BETA: Final = GRID_SIZE  # place in a prior: the weight of its Beta, then α and β
PRIOR_SIZE: Final = GRID_SIZE + 3
# Accuracies that a judge may have: logits 0.02 .. 9 in equal steps
GRID_STEP: Final = 9.0 / (GRID_SIZE - 1)
_LOGITS = (0.02, *np.linspace(0.0, 9.0, GRID_SIZE).tolist()[1:])
ACCURACY_GRID: Final[tuple[float, ...]] = tuple(1.0 / (1.0 + math.exp(-x)) for x in _LOGITS)
LOG_RIGHT: Final[tuple[float, ...]] = tuple(math.log(p) for p in ACCURACY_GRID)
LOG_WRONG: Final[tuple[float, ...]] = tuple(math.log(1.0 - p) for p in ACCURACY_GRID)


@kernel
def log_bet(bet: float, agrees: bool) -> float:
    """What one answer adds to log E_k under better-than-chance.

    >>> round(log_bet(0.5, True), 4), round(log_bet(0.5, False), 4)
    (0.4055, -0.6931)
    """
    return math.log1p(bet) if agrees else math.log1p(-bet)


@kernel(inline=False)
def log_mixture(prior: Any, agree: int, answers: int) -> float:
    """log ∫ p^a (1-p)^(n-a) dπ(p), π being weights on ACCURACY_GRID and the weight of a Beta.

    >>> flat = [1 / GRID_SIZE] * GRID_SIZE + [0.0, 0.0, 0.0]
    >>> log_mixture(flat, 0, 0)
    0.0
    >>> round(math.exp(log_mixture([0.0] * GRID_SIZE + [1.0, 3.0, 1.0], 1, 1)), 9)  # the mean of Beta(3, 1)
    0.75
    """
    if answers == 0:
        return 0.0
    against = answers - agree
    beta = -math.inf
    if prior[BETA] > 0.0:
        a, b = prior[BETA + 1], prior[BETA + 2]
        beta = log_beta(a + agree, b + against) - log_beta(a, b)
    top = beta
    for k in range(GRID_SIZE):
        top = max(top, agree * LOG_RIGHT[k] + against * LOG_WRONG[k])
    total = prior[BETA] * math.exp(beta - top)
    for k in range(GRID_SIZE):
        total += prior[k] * math.exp(agree * LOG_RIGHT[k] + against * LOG_WRONG[k] - top)
    return top + math.log(total)


@kernel
def log_beta(a: float, b: float) -> float:
    """The logarithm of Euler's beta function."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@kernel
def log_supremum(right: int, answers: int) -> float:
    """sup over p ≥ ½ of right·log p + (answers - right)·log(1-p).

    >>> log_supremum(3, 3), round(log_supremum(1, 4), 4) == round(4 * math.log(0.5), 4)
    (0.0, True)
    """
    if answers == 0 or right >= answers:
        return 0.0
    share = right / answers
    if share <= 0.5:
        return -answers * math.log(2.0)
    return right * math.log(share) + (answers - right) * math.log(1.0 - share)


@kernel
def most_right(sum_of_larger: int, lead_at_link: int) -> int:
    """A: the most answers of one judge that can be right if link k is wrong.

    `sum_of_larger` is Σ_i max(w_i, l_i) over the attempt's links, `lead_at_link` is w_k - l_k.
    """
    return sum_of_larger - max(lead_at_link, 0)

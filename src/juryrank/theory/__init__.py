"""The paper's formulas, the information limit, and what a ranking will cost before it starts.

Everywhere `accuracy` is a judge's chance p of being right on a pair, and `margin` is the paper's Δ = p - 1/2.
The complexities are orders of magnitude: the paper gives them up to a constant factor (Θ, O). They tell which
ranker is cheaper and what happens when a number doubles; they are not forecasts. `juryrank plan` simulates
for those.
"""

from juryrank.theory.adaptive import AdaptiveCost, adaptive_cost, many_judges_warning
from juryrank.theory.limit import Limits, divergence, information_limit, limits
from juryrank.theory.margins import average_cost, best_cost, insertion_cost
from juryrank.theory.two_stage import subset_size, subset_two_stage_cost, two_stage_cost

__all__ = [
    "AdaptiveCost",
    "Limits",
    "adaptive_cost",
    "average_cost",
    "best_cost",
    "divergence",
    "information_limit",
    "insertion_cost",
    "limits",
    "many_judges_warning",
    "subset_size",
    "subset_two_stage_cost",
    "two_stage_cost",
]

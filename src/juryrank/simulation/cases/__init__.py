"""Made-up evaluations: systems on cases, judged by models with opinions of their own, and the jury played in them.

`play` makes the answers and asks until proven, many times over; `plan` says what an evaluation costs.
"""

from juryrank.simulation.cases.plan import CasePlan, plan_cases
from juryrank.simulation.cases.play import CaseRun, CaseSummary, CaseWorld, play_cases, simulate_cases

__all__ = ["CasePlan", "CaseRun", "CaseSummary", "CaseWorld", "plan_cases", "play_cases", "simulate_cases"]

"""Made-up evaluations: systems on cases, judged by models with opinions of their own, and the jury played in them.

`world` makes the answers, `play` asks until proven, `summary` repeats that, `plan` says what an evaluation costs.
"""

from juryrank.simulation.cases.plan import CasePlan, plan_cases
from juryrank.simulation.cases.play import CaseRun, CaseWorld, play_cases
from juryrank.simulation.cases.summary import CaseSummary, simulate_cases

__all__ = ["CasePlan", "CaseRun", "CaseSummary", "CaseWorld", "plan_cases", "play_cases", "simulate_cases"]

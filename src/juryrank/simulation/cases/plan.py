"""What an evaluation on cases costs: simulated, against the whole evaluation, in calls and in money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from juryrank.simulation.cases.summary import simulate_cases
from juryrank.simulation.cases.world import CaseWorld

OBJECTIVES = (("best", 0.05), ("best", 0.0), ("top-3", 0.05), ("order", 0.05))
QUICK_BUDGET = 40_000  # calls of one simulated run: beyond this the line says "more than"


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One objective: calls expected, an upper end that nine in ten runs stay below, and money."""

    objective: str
    resolution: float
    calls: float
    high: float
    share: float  # of the whole evaluation
    proven: float  # share of the runs that proved it within the budget
    money: float | None


@dataclass(frozen=True, slots=True)
class CasePlan:
    """The whole forecast."""

    systems: int
    judges: int
    cases: int
    error: float
    whole: int
    whole_money: float | None
    lines: tuple[CaseLine, ...]
    runs: int


def plan_cases(
    systems: int,
    cases: int,
    judges: int,
    *,
    error: float = 0.05,
    prices: Mapping[str, float] | None = None,
    gap: float = 0.35,
    runs: int = 5,
    seed: int = 0,
) -> CasePlan:
    """Simulate evaluations of this size; `gap`: how far apart you guess neighbours to be (log-odds of an answer).

    >>> plan_cases(3, 20, 1, runs=1, gap=2.0).whole
    120
    """
    world = CaseWorld(systems=systems, judges=judges, cases=cases, gap=gap, seed=seed)
    whole = systems * (systems - 1) * judges * cases
    mean_price = None if prices is None else sum(prices.values()) / max(len(prices), 1)
    lines = []
    for objective, resolution in OBJECTIVES:
        if objective.startswith("top-") and systems <= int(objective[4:]):
            continue
        found = simulate_cases(
            world, objective=objective, resolution=resolution, error=error, repeats=runs, seed=seed,
            budget=min(whole, QUICK_BUDGET),
        )  # fmt: skip
        money = None if mean_price is None else found.calls_mean * mean_price
        lines.append(
            CaseLine(
                objective,
                resolution,
                found.calls_mean,
                found.calls_high,
                found.calls_mean / max(whole, 1),
                found.proven_rate,
                money,
            )
        )
    return CasePlan(
        systems,
        judges,
        cases,
        error,
        whole,
        None if mean_price is None else whole * mean_price,
        tuple(lines),
        runs,
    )

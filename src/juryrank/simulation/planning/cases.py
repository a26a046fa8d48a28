"""What an evaluation on cases costs: simulated, against the whole evaluation, in calls and in money."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from juryrank.defaults import DEFAULT_ERROR, PLAN_GAP, PLAN_RUNS
from juryrank.errors import BadInput
from juryrank.simulation.players.cases import CaseWorld, simulate_cases

OBJECTIVES = (("best", 0.05), ("best", 0.0), ("top-3", 0.05), ("order", 0.05))
QUICK_BUDGET = 40_000  # calls of one simulated run: beyond this the line says "more than"


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One objective: the median of the calls, an upper end that nine in ten runs stay below, and money."""

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


Progress = Callable[[CasePlan, str], None]  # the plan so far, and what is simulated now


def plan_cases(
    systems: int,
    cases: int,
    judges: int,
    *,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    gap: float = PLAN_GAP,
    runs: int = PLAN_RUNS,
    seed: int = 0,
    progress: Progress | None = None,
) -> CasePlan:
    """Simulate evaluations of this size; `gap`: how far apart you guess neighbours to be (log-odds of an answer).

    >>> plan_cases(3, 20, 1, runs=1, gap=2.0).whole
    120
    """
    world = CaseWorld(systems=systems, judges=judges, cases=cases, gap=gap, seed=seed)
    whole = systems * (systems - 1) * judges * cases
    each = None if prices is None else _by_judge(prices, judges)
    whole_money = None if each is None else whole * sum(each.values()) / judges
    found = CasePlan(systems, judges, cases, error, whole, whole_money, (), runs)
    for objective, resolution in OBJECTIVES:
        if objective.startswith("top-") and systems <= int(objective[4:]):
            continue
        number = count(1)
        tell = (
            None
            if progress is None
            else partial(_tell, progress, found, f"{objective} within {resolution:g}", number)
        )
        seen = simulate_cases(
            world, objective=objective, resolution=resolution, error=error, repeats=runs, seed=seed,
            budget=min(whole, QUICK_BUDGET), prices=each, progress=tell,
        )  # fmt: skip
        money = None if each is None else seen.cost_median  # dear judges are asked less
        share = seen.calls_median / max(whole, 1)
        line = CaseLine(objective, resolution, seen.calls_median, seen.calls_high, share, seen.proven_rate, money)
        found = replace(found, lines=(*found.lines, line))
    return found


def _tell(progress: Progress, plan: CasePlan, goal: str, number: count[int], _played: int) -> None:
    progress(plan, f"{goal}, run {next(number)} of {plan.runs}")


def _by_judge(prices: Mapping[str, float], judges: int) -> dict[str, float]:
    """The price of each simulated judge; whoever has none costs 1, as in a ranking."""
    names = [f"judge-{u}" for u in range(1, judges + 1)]
    unknown = sorted(set(prices) - set(names))
    if unknown:
        raise BadInput(f"there is no judge {unknown[0]!r} to have a price; here they are judge-1 to {names[-1]}")
    return {f"j{u}": prices.get(name, 1.0) for u, name in enumerate(names)}

"""What an evaluation on cases costs: simulated, against the whole evaluation, in calls and in money."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any

from juryrank.defaults import DEFAULT_ERROR, PLAN_GAP, PLAN_RUNS
from juryrank.errors import BadInput
from juryrank.options import PAIRS, TOGETHER
from juryrank.rankers.jury.options import check_together
from juryrank.simulation.players.cases import CaseRun, CaseWorld, Evaluations, summarise, whole_of
from juryrank.simulation.sweep import HERE, Where, open_results, sweep

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
    forecast: float | None = None,
    runs: int = PLAN_RUNS,
    seed: int = 0,
    at_once: str = PAIRS,
    where: Where = HERE,
    progress: Progress | None = None,
) -> CasePlan:
    """Simulate evaluations of this size; `gap`: how far apart you guess neighbours to be (log-odds of an answer);
    `forecast`: how much of the answers forecasts will explain (R², from 0 to 1).

    >>> plan_cases(3, 20, 1, runs=1, gap=2.0).whole
    120
    """
    world = CaseWorld(systems=systems, judges=judges, cases=cases, gap=gap, seed=seed, forecast=forecast)
    if at_once == TOGETHER:
        check_together(systems)
    whole = whole_of(systems, judges, cases, together=at_once == TOGETHER)
    each = None if prices is None else _by_judge(prices, judges)
    whole_money = None if each is None else whole * sum(each.values()) / judges
    plan = CasePlan(systems, judges, cases, error, whole, whole_money, (), runs)
    if runs < 1:
        raise BadInput(f"runs is {runs}; it must be 1 or more")
    played_as = {"error": error, "budget": min(whole, QUICK_BUDGET), "prices": each, "at_once": at_once}
    evaluations = _Goals(world, seed, played_as)
    goals = [goal for goal in OBJECTIVES if not goal[0].startswith("top-") or systems > int(goal[0][4:])]
    played: dict[Goal, dict[int, CaseRun]] = {goal: {} for goal in goals}

    def so_far() -> CasePlan:
        """With the lines of the goals that have all their runs, up to the first that has not."""
        whole_goals = takewhile(lambda goal: len(played[goal]) == runs, goals)
        found = ((goal, [played[goal][k] for k in range(runs)]) for goal in whole_goals)
        return replace(
            plan, lines=tuple(_line(world, whole, *each_goal, error, paid=each is not None) for each_goal in found)
        )

    def tell(cell: tuple[str, float, int], run: CaseRun) -> None:
        objective, resolution, repeat = cell
        done = played[objective, resolution]
        done[repeat] = run
        if progress is not None:
            progress(so_far(), f"{objective} within {resolution:g}, run {len(done)} of {runs}")

    cells = [(*goal, repeat) for goal in goals for repeat in range(runs)]
    with open_results(where.out, asdict(evaluations), CaseRun.rebuilt) as results:
        for objective, resolution, repeat in cells:
            if (objective, resolution, repeat) in results:
                played[objective, resolution][repeat] = results[objective, resolution, repeat]
        sweep(evaluations, cells, where=where, results=results, progress=tell)
    return so_far()


Goal = tuple[str, float]


@dataclass(frozen=True, slots=True)
class _Goals:
    """A run of one goal."""

    world: CaseWorld
    seed: int
    options: dict[str, Any]

    def __call__(self, cell: tuple[str, float, int]) -> CaseRun:
        objective, resolution, repeat = cell
        options = {"objective": objective, "resolution": resolution, **self.options}
        return Evaluations(self.world, self.seed, options)(repeat)


def _line(
    world: CaseWorld, whole: int, goal: Goal, runs: Sequence[CaseRun], error: float, *, paid: bool
) -> CaseLine:
    objective, resolution = goal
    seen = summarise(world, runs, whole, objective=objective, resolution=resolution, error=error, seconds=0.0)
    money = seen.cost_median if paid else None  # dear judges are asked less
    share = seen.calls_median / max(whole, 1)
    return CaseLine(objective, resolution, seen.calls_median, seen.calls_high, share, seen.proven_rate, money)


def _by_judge(prices: Mapping[str, float], judges: int) -> dict[str, float]:
    """The price of each simulated judge; whoever has none costs 1, as in a ranking."""
    names = [f"judge-{u}" for u in range(1, judges + 1)]
    unknown = sorted(set(prices) - set(names))
    if unknown:
        raise BadInput(f"there is no judge {unknown[0]!r} to have a price; here they are judge-1 to {names[-1]}")
    return {f"j{u}": prices.get(name, 1.0) for u, name in enumerate(names)}

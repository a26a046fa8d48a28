"""`juryrank.plan`: what a ranking will cost, in the words of `juryrank.rank`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from juryrank.defaults import DEFAULT_SITTING
from juryrank.errors import BadInput
from juryrank.options import DEFAULT_ERROR
from juryrank.rankers.choice import GUESS, PEOPLE, TRUTH, WhoAnswers, choose
from juryrank.simulation.cases.plan import CasePlan, plan_cases
from juryrank.simulation.planning.people import TYPICAL_MAJORITY, PeoplePlan, plan_people
from juryrank.simulation.planning.plan import Plan, plan_rankers

RUNS, CASE_RUNS = 20, 10  # simulated, unless told otherwise
MANY_CALLS, FEW_RUNS = 1000, 5  # a whole evaluation of more calls than this is simulated less often


@overload
def plan(
    items: int,
    accuracies: Mapping[str, float] | Sequence[float],
    *,
    goal: str | None = None,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    runs: int | None = None,
    seed: int = 0,
    rankers: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan: ...
@overload
def plan(
    items: int,
    *,
    people: int,
    goal: str | None = None,
    error: float = DEFAULT_ERROR,
    runs: int | None = None,
    seed: int = 0,
    sitting: int = DEFAULT_SITTING,
    majority: float = TYPICAL_MAJORITY,
    unlike: str = "unequal",
) -> PeoplePlan: ...
@overload
def plan(
    items: int,
    *,
    cases: int,
    judges: int = 1,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    runs: int | None = None,
    seed: int = 0,
    gap: float = 0.35,
    progress: Callable[[str], None] | None = None,
) -> CasePlan: ...
def plan(
    items: int,
    accuracies: Mapping[str, float] | Sequence[float] | None = None,
    *,
    people: int | None = None,
    cases: int | None = None,
    goal: str | None = None,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    runs: int | None = None,
    seed: int = 0,
    **more: Any,
) -> Plan | PeoplePlan | CasePlan:
    """Forecast a ranking of so many items, by simulation; say who answers in one of three ways.

    accuracies   how often you guess each judge is right: [0.95, 0.8], or by name; the truth is to be proven
                 (more: rankers, options)
    people       how many people come; what most people would say is to be proven
                 (more: sitting, majority, unlike)
    cases        on how many cases systems are compared; what these judges say on all of them is to be proven
                 (more: judges, 1 unless told otherwise; gap; progress, told what is simulated now)

    >>> plan(6, people=40, goal="best", majority=0.9, runs=3).fewest
    10
    >>> plan(3, cases=20, runs=1, gap=2.0).whole
    120
    >>> plan(8, {"ann": 0.9, "bob": 0.7}, error=0.1, rankers=["oracle"]).estimates[0].how
    'simulated'
    """
    if sum(who is not None for who in (accuracies, people, cases)) != 1:
        raise BadInput("say who answers, in one way: accuracies=[0.95, 0.8], people=40, or cases=500")
    shared: dict[str, Any] = {"error": error, "runs": RUNS if runs is None else runs, "seed": seed}
    if people is not None:
        return plan_people(people, items, objective=planned(PEOPLE, goal), **shared, **more)
    if accuracies is not None:
        return plan_rankers(items, accuracies, objective=planned(TRUTH, goal), prices=prices, **shared, **more)
    if goal is not None:
        raise BadInput(f"a plan on cases shows every goal; leave goal={goal!r} out")
    judges = more.pop("judges", 1)
    many = items * (items - 1) * (cases or 0) * judges > MANY_CALLS
    shared["runs"] = runs if runs is not None else FEW_RUNS if many else CASE_RUNS
    return plan_cases(items, cases or 0, judges, prices=prices, **shared, **more)


def planned(about: str, goal: str | None) -> str:
    """The goal, if it can be proven of them.

    >>> planned("people", None), planned("truth", "top-3")
    ('ranges', 'top-3')
    """
    chosen = choose(WhoAnswers(people=about == PEOPLE), about=about, goal=goal)
    if chosen.name == GUESS:
        raise BadInput("goal='guess' proves nothing, and asks as much as you allow: there is nothing to plan")
    return str(chosen.options["objective"])

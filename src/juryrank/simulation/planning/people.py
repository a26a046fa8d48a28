"""Before a panel starts: what so many people can be expected to settle, and the fewest who can settle anything.

The guess that the user gives in plain words is turned into a family of worlds: items' scores are normal, so
spread that a typical pair is preferred by `majority` of the people; `unlike` says how people differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from juryrank.core.levels import Objective, check_error, check_top, read_objective
from juryrank.defaults import DEFAULT_ERROR, DEFAULT_SITTING, PLAN_ITEMS, PLAN_RUNS, TYPICAL_MAJORITY
from juryrank.errors import BadInput, UnknownName
from juryrank.options import PanelChoices
from juryrank.rankers.panel.core.bradley_terry import Floats
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.plans import Asked
from juryrank.rankers.panel.state import PanelOptions
from juryrank.rankers.panel.view import promised, rank_spans
from juryrank.rankers.panel.wording import objective_name
from juryrank.simulation.worlds.people import EVEN_SLOPES, UNEQUAL_SLOPES, Population

UNLIKE = ("alike", "unequal", "camps")
SIZES = (0.5, 1, 2, 4)  # panels, as multiples of the one asked about
CAMPS = (0.6, 0.25, 0.15)  # one large camp and two that see it differently


class OutOfTime(Exception):
    """A simulation was stopped before it had a result."""


@dataclass(frozen=True, slots=True)
class PanelSize:
    """What a panel of this size settled, on average over the simulated worlds."""

    people: int
    reached: float  # share of worlds in which the objective was settled
    pairs: float
    pairs_low: float  # in all but one world of ten, at least so many
    pairs_high: float
    groups: float
    best: float  # share of worlds in which the best item was settled
    width: float  # mean width of a range: ranks that an item can still have


@dataclass(frozen=True, slots=True)
class PeoplePlan:
    """The whole forecast."""

    people: int
    items: int
    objective: str
    error: float
    sitting: int
    majority: float
    unlike: str
    fewest: int  # people, all of one opinion, below which nothing can settle
    fewest_objective: int  # ... below which the objective cannot be settled
    pairs: int
    runs: int
    sizes: tuple[PanelSize, ...]


def plan_people(
    people: int,
    items: int,
    *,
    objective: str = PanelChoices.default("objective"),
    k: int | None = None,
    error: float = DEFAULT_ERROR,
    sitting: int = DEFAULT_SITTING,
    majority: float = TYPICAL_MAJORITY,
    unlike: str = "unequal",
    runs: int = PLAN_RUNS,
    seed: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> PeoplePlan:
    """What `people` people, each with one sitting, can be expected to settle about `items` items.

    `stop`: asked after each person; once it says yes, `OutOfTime` is raised.

    >>> plan = plan_people(40, 6, objective="best", majority=0.9, runs=3)
    >>> plan.fewest, plan.fewest_objective, [size.people for size in plan.sizes]
    (10, 10, [20, 40, 80, 160])
    """
    what, size = read_objective(objective, k)
    _check(people, items, what, size, sitting, majority, unlike, runs, error)
    options = PanelOptions(what, size, "population", "head-to-head", sitting, joining=True, beyond=0, spread=True)
    options.check(items=items, judges=0)
    panels = sorted({max(1, round(people * share)) for share in SIZES})
    found = [_play(items, options, error, majority, unlike, panels, [seed, run], stop) for run in range(runs)]
    fewest = _ballot(items, options, error).table.fewest
    return PeoplePlan(
        people=people,
        items=items,
        objective=objective_name(what, size),
        error=error,
        sitting=sitting,
        majority=majority,
        unlike=unlike,
        fewest=fewest,
        fewest_objective=max(fewest, math.ceil(_pairs_needed(items, what, size) * fewest / sitting)),
        pairs=items * (items - 1) // 2,
        runs=runs,
        sizes=tuple(_mean(count, [run[at] for run in found]) for at, count in enumerate(panels)),
    )


def _check(
    people: int, items: int, what: Objective, k: int | None, sitting: int, majority: float, unlike: str, runs: int,
    error: float,
) -> None:  # fmt: skip
    if people < 1:
        raise BadInput(f"{people} people is no panel; say how many will answer, 1 or more")
    if not 2 <= items <= PLAN_ITEMS:
        raise BadInput(f"the number of items is {items}; a panel is simulated for 2 to {PLAN_ITEMS} items")
    check_top(k, items)
    if sitting < 1 or runs < 1:
        raise BadInput("a sitting needs at least 1 question, and the simulation at least 1 run")
    if not 0.5 < majority < 1:
        raise BadInput(f"a typical majority of {majority:g} is impossible; it is a share above 0.5, such as 0.75")
    if unlike not in UNLIKE:
        raise UnknownName(f"unlike is {unlike!r}; how people differ is one of: {', '.join(UNLIKE)}")
    check_error(error)


def _pairs_needed(items: int, what: Objective, k: int | None) -> int:
    """Pairs that must be settled before the objective says anything."""
    if what is Objective.TOP and k is not None:
        return k * (items - k)
    return items - 1 if what is Objective.TIERS else 1


def world(items: int, majority: float, unlike: str, rng: np.random.Generator) -> Population:
    """A population in which a typical pair has about this majority."""
    slopes = EVEN_SLOPES if unlike == "alike" else UNEQUAL_SLOPES
    weights = np.array(CAMPS if unlike == "camps" else (1.0,))
    shapes = rng.normal(size=(len(weights), items))
    low, high = 0.0, 60.0
    for _ in range(30):  # the spread that gives this majority, by halving
        middle = (low + high) / 2
        people = Population(unlike, middle * shapes, weights, slopes)
        low, high = (middle, high) if _typical(people.theta()) < majority else (low, middle)
    return people


def _typical(theta: Floats) -> float:
    """The median over pairs of the share on the majority's side."""
    above = theta[np.triu_indices(len(theta), 1)]
    return float(np.median(np.maximum(above, 1 - above)))


def _ballot(items: int, options: PanelOptions, error: float) -> HeadToHead:
    ballot = options.new_count(items, 0, error=error, seed=0, large=False)
    assert isinstance(ballot, HeadToHead)
    return ballot


def _play(
    items: int, options: PanelOptions, error: float, majority: float, unlike: str, panels: list[int],
    seed: list[int], stop: Callable[[], bool],
) -> list[tuple[float, ...]]:  # fmt: skip
    """One world, one panel that grows: what is settled at each size. One person after another, nobody leaves."""
    rng = np.random.default_rng(seed)
    population = world(items, majority, unlike, rng)
    ballot = _ballot(items, options, error)
    asked = Asked.nothing(items)
    found, came = [], 0
    for count in panels:
        while came < count and not ballot.finished():
            if stop():
                raise OutOfTime
            came += 1
            person = population.person(rng)
            plan = ballot.plan(options.sitting, asked, rng)
            said = [(i, j) if person.prefers(i, j) else (j, i) for i, j in plan]
            ballot.count_person(came, said)
        found.append(_look(ballot))
    return found


def _look(ballot: HeadToHead) -> tuple[float, ...]:
    """What the statement would cover now."""
    order = ballot.order(ballot.guide())
    covered, lines = promised(ballot, order)
    width = float(np.mean([worst - best + 1 for best, worst in rank_spans(ballot, order)]))
    wanted = ballot.wanted_lines()
    reached = wanted <= set(lines) if wanted else not ballot.open_pairs.any()
    return float(reached), float(covered.sum()), float(len(lines) + 1), float(1 in lines), width


def _mean(people: int, seen: list[tuple[float, ...]]) -> PanelSize:
    reached, pairs, groups, best, width = np.array(seen).T
    low, high = np.percentile(pairs, [10, 90])
    return PanelSize(
        people=people,
        reached=float(reached.mean()),
        pairs=float(pairs.mean()),
        pairs_low=float(low),
        pairs_high=float(high),
        groups=float(groups.mean()),
        best=float(best.mean()),
        width=float(width.mean()),
    )

"""Before a study is made: what such a panel can be expected to settle. The same computation as `juryrank plan`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from juryrank.defaults import DEFAULT_SITTING, FORECAST_SECONDS, MOST_SIMULATED
from juryrank.rankers.choice import PEOPLE, WhoAnswers, choose
from juryrank.rankers.registry import ranker_class
from juryrank.report.words.formats import percent
from juryrank.server.studies.creating import GOALS
from juryrank.server.studies.intake import NewItem, look_alikes
from juryrank.simulation.planning.people import OutOfTime, PanelSize, PeoplePlan, plan_people
from juryrank.statements.numbers import number_of

LIKELY = 0.5  # of simulated panels: a panel that proves the aim more often than not is likely to
TOO_LONG = "What they prove takes longer to forecast than one waits for; ask"
BARE_SHOWN = 3  # names in the warning about items that have nothing else
AIMS = {"best": "the best one", "tiers": "every line between groups", "ranges": "every rank"}


def advice(
    *,
    items: int,
    judges: int,
    error: float,
    about: str = PEOPLE,
    goal: str | None = None,
    fresh: bool | None = None,
    sitting: int | None = None,
    quick: bool = False,
) -> str:
    """What this many people can be expected to find out about the aim; empty when nobody can say.

    `quick`: without the simulation, which is given up after FORECAST_SECONDS.

    >>> advice(items=10, judges=5, error=0.1, goal="top-3")
    '5 people give you an estimate of the top three. Proving anything takes at least 10 who answer the same pair.'
    """
    if items < 2 or not 0 < error < 1 or not judges:
        return ""
    chosen = choose(WhoAnswers(people=True, fresh=fresh), about=about, goal=goal)
    if chosen.options.get("about") == "panel":  # counted: any number of judges will do
        return ""
    fewest = ranker_class(chosen.name).fewest_answers(items=items, error=error, options=chosen.options)
    if fewest is None:
        return ""
    people, objective = about == PEOPLE, str(chosen.options["objective"])
    aim = _aim(objective) if people else "the order"
    start = f"{number_of(judges, 'person', 'people')} give{'s' if judges == 1 else ''} you an estimate of {aim}."
    if judges < fewest.answers:
        return f"{start} Proving anything takes at least {fewest.answers} who answer the same pair."
    if not people:
        return ""
    if quick or judges * items > MOST_SIMULATED:
        return start
    try:
        until = Deadline(time.monotonic() + FORECAST_SECONDS)
        plan = planned(judges, items, objective, error, sitting or DEFAULT_SITTING, until=until)
    except OutOfTime:
        return f"{start} {TOO_LONG} juryrank plan --people {judges} --items {items} --goal {objective}."
    return _ranks_left(start, plan) if objective == "ranges" else _chances(start, plan)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of the machine's clock. All are equal: a result that is known is one for any of them."""

    at: float = field(compare=False)

    def over(self) -> bool:
        return time.monotonic() >= self.at


@lru_cache(maxsize=200)
def planned(people: int, items: int, objective: str, error: float, sitting: int, *, until: Deadline) -> PeoplePlan:
    """What `juryrank plan --people` says, with its own settings."""
    return plan_people(people, items, objective=objective, error=error, sitting=sitting, stop=until.over)


def reading(minutes: int, limit: float) -> str:
    """A warning where reading takes longer than a person has.

    >>> reading(70, 60)
    'Reading takes a person about 70 minutes, and they have 60: give more time, or fewer questions per person.'
    >>> reading(60, 60)
    ''
    """
    if minutes <= limit:
        return ""
    return (
        f"Reading takes a person about {number_of(minutes, 'minute')}, and they have {limit:g}: give more time, "
        "or fewer questions per person."
    )


def _aim(objective: str) -> str:
    """What an estimate is about, in words.

    >>> _aim("top-3"), _aim("top-5"), _aim("best")
    ('the top three', 'the top 5', 'the best one')
    """
    return AIMS.get(objective) or dict(GOALS).get(objective) or f"the {objective.replace('-', ' ')}"


def _chances(start: str, plan: PeoplePlan) -> str:
    """For one aim: how often a panel of this size proved it, or the first larger one that mostly did."""
    here, larger = _sizes(plan)
    if here.reached >= LIKELY:
        return f"{start} They are likely to prove it too: {percent(here.reached)} of simulated panels did."
    enough = next((size for size in larger if size.reached >= LIKELY), None)
    if enough is None:
        return f"{start} Proving it takes more than {larger[-1].people}."
    return f"{start} Proving it takes about {enough.people}."


def _ranks_left(start: str, plan: PeoplePlan) -> str:
    """For ranges: how many ranks an item can still have, here and with the largest panel simulated."""
    here, larger = _sizes(plan)
    most, left, then = larger[-1].people, round(here.width), round(larger[-1].width)
    if then >= plan.items:
        return f"{start} Proving ranks takes more than {most}."
    if left >= plan.items:
        return f"{start} Proofs take more: {most} people leave an item about {then} of {plan.items} ranks."
    return f"{start} Proofs leave an item about {left} of {plan.items} ranks; {most} people about {then}."


def _sizes(plan: PeoplePlan) -> tuple[PanelSize, list[PanelSize]]:
    """The panel asked about, and the larger ones."""
    here = next(size for size in plan.sizes if size.people == plan.people)
    return here, [size for size in plan.sizes if size.people > plan.people]


def bare(items: Sequence[NewItem]) -> str:
    """A warning about items of a list of names and contents that have a name alone.

    >>> from juryrank.server.web.render import Content
    >>> bare([NewItem("Ann", Content("Once upon a time")), NewItem("Bob")])
    'There is nothing to show of “Bob”: judges would see the name.'
    """
    names = [f"“{item.id}”" for item in items if item.content is None or item.content.body == item.id]
    if not names or len(names) == len(items):
        return ""
    more = f" and {len(names) - BARE_SHOWN} more" if len(names) > BARE_SHOWN else ""
    seen = "the name" if len(names) == 1 else "their names"
    return f"There is nothing to show of {', '.join(names[:BARE_SHOWN])}{more}: judges would see {seen}."


def twins(names: Iterable[str]) -> str:
    """A warning about names that people cannot tell apart.

    >>> twins(["pay", "p\u0430y"])
    'Judges may not be able to tell these apart: “pay” and “pаy”.'
    """
    found = [f"“{one}” and “{other}”" for one, other in look_alikes(names)[:3]]
    return f"Judges may not be able to tell these apart: {'; '.join(found)}." if found else ""

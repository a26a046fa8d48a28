"""Before a study is made: what such a panel can be expected to settle. The same computation as `juryrank plan`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from juryrank.rankers import ranker_class
from juryrank.rankers.panel.ranker import DEFAULT_SITTING
from juryrank.server.studies.creating import PEOPLE, known_options
from juryrank.server.studies.intake import NewItem, look_alikes
from juryrank.simulation.planning.people import PeoplePlan, plan_people

FEW_PAIRS = 0.1  # a panel that settles a smaller share of all pairs is worth a warning
RARELY = 0.5  # of simulated panels: reaching the aim less often than this is worth a warning
MOST_SIMULATED = 1500  # people times items that are simulated while somebody waits: about three seconds
BARE_SHOWN = 3  # names in the warning about items that have nothing else
AIMS = {"best": "the best one", "tiers": "every line between groups"}


def advice(
    *,
    items: int,
    judges: int,
    error: float,
    ranker: str,
    objective: str,
    repeats: int | None = None,
    sitting: int | None = None,
    assume: str | None = None,
) -> str:
    """A warning when this few people would settle little; empty when they are enough, or when nobody can say.

    >>> advice(items=10, judges=5, error=0.1, ranker="panel", objective="ranges")[:60]
    'Expect estimates, no proofs: 5 people with 10 questions each'
    """
    if items < 2 or not 0 < error < 1 or not judges:
        return ""
    fewest = ranker_class(ranker).fewest_answers(
        items=items,
        error=error,
        options=known_options(ranker, objective=objective, repeats=repeats, assume=assume),
    )
    if fewest is None:
        return ""
    people, each = ranker == PEOPLE, sitting or DEFAULT_SITTING
    counted = f"{judges} {'person' if judges == 1 else 'people'} with {each} questions each"
    who = counted if people else f"{judges} {'judge' if judges == 1 else 'judges'}"
    if judges < fewest.answers:
        return (
            f"Expect estimates, no proofs: {who} prove nothing, as at least {fewest.answers} must answer "
            f"{'about the same item' if assume else 'the same pair'}, and all agree, before anything is proven. "
            f"{GUESSES}"
        )
    if not people or objective == "order" or judges * items > MOST_SIMULATED:
        return ""
    return _expected(who, planned(judges, items, objective, error, each, assume), judges)


GUESSES = "Estimates of every place are shown from the first answers on; more people can join while it runs."


@lru_cache(maxsize=200)
def planned(
    people: int, items: int, objective: str, error: float, sitting: int, assume: str | None = None
) -> PeoplePlan:
    """What `juryrank plan --people` says, with its own settings."""
    return plan_people(people, items, objective=objective, error=error, sitting=sitting, assume=assume)


def _expected(who: str, plan: PeoplePlan, judges: int) -> str:
    here = next(size for size in plan.sizes if size.people == judges)
    more = plan.sizes[-1]
    pairs = f"Expect estimates more than proofs: {who} prove about {here.pairs:.0f} of {plan.pairs} pairs"
    if plan.objective == "ranges":
        if here.pairs >= FEW_PAIRS * plan.pairs:
            return ""
        return f"{pairs}, {more.people} people about {more.pairs:.0f}. {GUESSES}"
    if here.reached >= RARELY:
        return ""
    aim = AIMS.get(plan.objective, f"the {plan.objective}")
    return (
        f"{pairs}, and {aim} in {here.reached:.0%} of simulated panels; {more.people} people in "
        f"{more.reached:.0%}. {GUESSES}"
    )


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

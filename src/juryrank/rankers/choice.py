"""Which ranker fits which judges, and why: the default everywhere, shown in results and changed by one word.

people               ->  panel, objective ranges      each answers a pair once; neighbours are close
a few named judges   ->  panel, about="panel"         too few to prove what most people would say: counted
simulated judges     ->  certified                    every answer is drawn anew
anything, fresh=True ->  certified                    the caller says so, and what it assumes
models, fresh        ->  jury, fresh                  what these models prefer; nothing is assumed of accuracy
anything, on cases   ->  jury                         what all of them say on all cases, from a part of the calls
functions, programs,
models that repeat   ->  panel, about="panel"         they may repeat themselves: each is asked a pair once
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.registry import ranker_class

PEOPLE: Final = ("people", "study")
SIMULATED: Final = ("simulation", "simulated")
CASES: Final = "cases"
CALLABLES: Final = ("callables", "functions", "programs")
MODELS: Final = "models"
OF_PEOPLE: Final = {"about", "relation"}  # options that say whether the promise is about people at large
FOR_SHORT_BUDGETS: Final = "guess"  # where a budget proves nothing


class Choice(NamedTuple):
    """A ranker's registry name, its options, and the reason in words."""

    name: str
    options: dict[str, Any]
    reason: str


def choose_ranker(*, source: str = "callables", fresh: bool | None = None, too_few: str = "") -> Choice:
    """The default ranker for judges from `source`; `fresh`: does a judge asked again answer anew?

    `too_few`: why the people who are named cannot prove what most people would say.

    >>> choose_ranker(source="people").name
    'panel'
    >>> name, options, reason = choose_ranker(source="callables", fresh=True)
    >>> name
    'certified'
    >>> choose_ranker(source="callables").options
    {'about': 'panel'}
    """
    if source == CASES:
        return Choice("jury", {}, _CASES_REASON)
    if source not in (*PEOPLE, *SIMULATED, *CALLABLES, MODELS):
        known = ", ".join((PEOPLE[0], SIMULATED[0], CALLABLES[0], MODELS, CASES))
        raise UnknownName(f"there is no source of judges {source!r}; there are: {known}")
    if source in PEOPLE and too_few:
        return Choice("panel", {"about": "panel"}, _NAMED_REASON.format(too_few))
    if source in PEOPLE:
        return Choice("panel", {"objective": "ranges"}, _PEOPLE_REASON)
    if source in SIMULATED and fresh is not False:
        return Choice("certified", {}, _SIMULATED_REASON)
    if source == MODELS:
        return (
            Choice("jury", {"fresh": True}, _MODELS_REASON)
            if fresh
            else Choice("panel", {"about": "panel"}, _REPEATING_REASON)
        )
    if fresh:
        return Choice("certified", {}, _FRESH_REASON)
    return Choice("panel", {"about": "panel"}, _CALLABLE_REASON)


def too_few_named(ranker: str, *, items: int, judges: int, error: float, options: Mapping[str, Any]) -> str:
    """What a proof takes that these named judges do not have, even of one mind; empty where they could do.

    >>> too_few_named("panel", items=4, judges=3, error=0.05, options={})
    'that takes at least 10 judges who all say the same about a pair; here are 3'
    """
    if not judges or items < 2 or not 0 < error < 1 or options.get("about") == "panel":
        return ""
    fewest = ranker_class(ranker).fewest_answers(items=items, error=error, options=options)
    if fewest is None or judges >= fewest.answers:
        return ""
    here = "is 1" if judges == 1 else f"are {judges}"
    return f"that takes at least {fewest.answers} judges who all say the same about {fewest.what}; here {here}"


def check_knows_cases(ranker: str) -> None:
    """Refuse a ranker that compares items only, where systems are compared on cases.

    >>> check_knows_cases("jury")
    """
    if not ranker_class(ranker).knows_cases:
        fits = choose_ranker(source=CASES).name
        raise BadInput(f"the ranker {ranker!r} knows no cases; leave ranker out, or use {fits!r}")


_CASES_REASON: Final = (
    "Ranker 'jury': on cases, the promise is about what these judges say on all of them, asked or not. Nothing is "
    "assumed about their accuracy."
)
_PEOPLE_REASON: Final = (
    "Ranker 'panel', ranges: people answer a pair once. The promise is about what most people would say; it is an "
    "order where the ranges leave one. For the true order: ranker='certified'."
)
_NAMED_REASON: Final = (
    "Ranker 'panel', about='panel': the result is the majority of exactly these judges, counted; nobody joins "
    "later. About people in general nothing could be proven: {}. If more will join, name ranker 'panel'."
)
_SIMULATED_REASON: Final = (
    "Ranker 'certified': simulated judges draw every answer anew, so the exact order can be proven. "
    "To treat them as people instead: ranker='panel'."
)
_FRESH_REASON: Final = (
    "Ranker 'certified': you said fresh=True, each answer is drawn anew, so the exact order can be proven. "
    "If a judge repeats itself when asked again, leave fresh out."
)
_MODELS_REASON: Final = (
    "Ranker 'jury', fresh: the promise is about what these models prefer on average, whether they are right or "
    "not. A model may be wrong about a pair for ever, so the exact order is promised only if you name "
    "ranker='certified'."
)
_REPEATING_REASON: Final = (
    "Ranker 'panel', about='panel': these models seem to repeat themselves, so each judge is asked a pair once, "
    "and the result is the majority of these judges, counted. It says nothing about who is right."
)
_CALLABLE_REASON: Final = (
    "Ranker 'panel', about='panel': these judges may repeat themselves, so each is asked a pair once and the "
    "result is the majority of these judges. If each answer is drawn anew: fresh=True."
)

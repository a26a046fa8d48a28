"""What a ranker is given, checked: names, prices, the error, budgets, its own options; and what it drafts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, SupportsIndex

from juryrank.core.levels import check_error
from juryrank.errors import BadInput, UnknownName
from juryrank.types import Judge

if TYPE_CHECKING:
    from juryrank.rankers.contract.ranker import Ranker

SHARED = frozenset({"budget", "error", "judges", "money", "prices", "seed"})  # options that every ranker takes


def check_limits(*, error: float, budget: int | None, money: float | None, seed: int) -> None:
    """Refuse an error that is no probability, budgets below 0, and a seed that is no whole number."""
    check_error(error)
    if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool) or budget < 0):
        raise BadInput(f"budget is {budget!r}; it is a whole number of questions, 0 or more")
    is_number = isinstance(money, int | float) and not isinstance(money, bool)
    if money is not None and not (is_number and money >= 0):
        raise BadInput(f"the budget in money is {money!r}; it is a number, 0 or more")
    if not isinstance(seed, SupportsIndex) or isinstance(seed, bool):
        raise BadInput(f"seed is {seed!r}; it is a whole number")


def check_options(ranker: type[Ranker], given: Iterable[str]) -> None:
    """Refuse an option that the ranker does not have, and say which ones it has."""
    known = option_names(ranker)
    unknown = sorted(set(given) - known)
    if unknown:
        raise BadInput(
            f"the ranker {ranker.name!r} has no option {unknown[0]!r}; it has: {', '.join(sorted(known))}"
        )


def option_names(ranker: type[Ranker]) -> frozenset[str]:
    """Every option that a ranker takes: what all take, and its own.

    >>> from juryrank.rankers.contract.ranker import Ranker
    >>> sorted(option_names(Ranker))
    ['budget', 'error', 'judges', 'money', 'prices', 'seed']
    """
    return SHARED | ranker.declared.names()


def distinct(values: Iterable[Hashable], *, what: str) -> list[Hashable]:
    """The values as a list, if each can be a name and none is listed twice.

    >>> distinct("abc", what="item")
    ['a', 'b', 'c']
    """
    kept = list(values)
    seen: set[Hashable] = set()
    for value in kept:
        try:
            if value in seen:
                raise BadInput(f"{what} {value!r} is listed twice; each {what} must be given once")
            seen.add(value)
        except TypeError:
            raise BadInput(
                f"{what} {value!r} cannot be used as a name (it is not hashable): give an id instead"
            ) from None
    return kept


def checked_prices(prices: Mapping[Judge, float] | None, *, judges: Sequence[Judge]) -> dict[Judge, float]:
    """What one answer of each judge costs: 1 each, unless prices are given for all.

    >>> checked_prices(None, judges=["ann"]), checked_prices({"ann": 2}, judges=["ann"])
    ({'ann': 1.0}, {'ann': 2.0})
    """
    if prices is None:
        return dict.fromkeys(judges, 1.0)
    if not isinstance(prices, Mapping):
        raise BadInput(f"prices is {prices!r}; give a price for each judge by name, such as {{'ann': 2}}")
    missing = [judge for judge in judges if judge not in prices]
    if missing:
        raise BadInput(f"judge {missing[0]!r} has no price; give every judge one, or none at all")
    for judge, price in prices.items():
        if judge not in judges:
            raise UnknownName(f"there is a price for {judge!r}, who is not a judge here")
        if not (isinstance(price, int | float) and price >= 0 and price < float("inf")):
            raise BadInput(f"the price of {judge!r} is {price!r}; it must be a number, 0 or more")
    return {judge: float(prices[judge]) for judge in judges}


# ----------------------------------------------------------------------------
# How a ranker takes answers that it did not ask for: another ranker's log, or imported votes
class RecordedUse(Enum):
    """What a refold under this ranker does with the answers of a log."""

    OPINIONS = "each judge is one sitting, with one opinion on a pair; every answer is used"
    EVIDENCE = "the list is the best guess from all answers; those about neighbours are its evidence"
    ANSWERS = "the ranker asks its own questions, and the log answers them as far as it can"


class RecordedTerms(Enum):
    """What the questions of imported votes carry, so that the ranker can count their answers."""

    NONE = "none"
    VOTES = "votes"  # the judges are a fixed list: each question is a vote
    SITTINGS = "sittings"  # people come in sittings, whose plan is on record


# ----------------------------------------------------------------------------
# A question as an algorithm chooses it, and the random streams that make a shown question of it
SIDE_STREAM, JUDGE_STREAM = 1, 2  # streams of chance: which side is shown left, which judge is asked


@dataclass(frozen=True, slots=True)
class Draft:
    """Judge and items by index, before the sides are drawn (`sided`: the first one is shown left).

    `lane`: answers of one lane count in the order they were asked; None: whenever they come.
    """

    judge: int
    first: int
    second: int
    lane: Hashable = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    case: str | None = None
    sided: bool = False
    shown: tuple[int, ...] = ()  # where several are shown together: all, in the order shown

"""Items and judges by name and by number, prices, and those who join or pause."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.contract.open_questions import OpenQuestions
from juryrank.types import Item, Judge, Question


class Roster:
    """A ranking's items and judges.

    >>> roster = Roster("ab", judges=["ann", "bob"])
    >>> roster.item("b"), roster.judge("ann"), roster.price(1)
    (1, 0, 1.0)
    """

    def __init__(
        self, items: Iterable[Item], *, judges: Iterable[Judge], prices: Mapping[Judge, float] | None = None
    ) -> None:
        self.items: list[Item] = distinct(items, what="item")
        self.judges: list[Judge] = distinct(judges, what="judge")
        self.prices: dict[Judge, float] = checked_prices(prices, judges=self.judges)
        self.paused: set[int] = set()
        self.asked = [0] * len(self.judges)  # questions, by judge; open ones included
        self.answered = [0] * len(self.judges)
        self._item_index = {item: k for k, item in enumerate(self.items)}
        self._judge_index = {judge: k for k, judge in enumerate(self.judges)}

    # ------------------------------------------------------------------ by name and by number
    def item(self, item: Item) -> int:
        """The number of an item."""
        try:
            return self._item_index[item]
        except (KeyError, TypeError):
            raise UnknownName(f"item {item!r} is not in this ranking") from None

    def judge(self, judge: Judge) -> int:
        """The number of a judge."""
        try:
            return self._judge_index[judge]
        except (KeyError, TypeError):
            some = ", ".join(map(str, self.judges[:5]))
            raise UnknownName(f"judge {judge!r} is not in this ranking; there are: {some}") from None

    def price(self, u: int) -> float:
        """What one answer of judge `u` costs."""
        return self.prices[self.judges[u]]

    # ------------------------------------------------------------------ joining
    def check_new_judge(self, judge: Judge) -> None:
        """Refuse a name that is taken."""
        if judge in self._judge_index:
            raise BadInput(f"judge {judge!r} is already here; names must differ")

    def add_judge(self, judge: Judge, *, price: float) -> int:
        """The number of a judge who joins."""
        self.prices.update(checked_prices({judge: price}, judges=[judge]))
        self._judge_index[judge] = len(self.judges)
        self.judges.append(judge)
        self.asked.append(0)
        self.answered.append(0)
        return len(self.judges) - 1

    def new_items(self, items: Iterable[Item]) -> list[Item]:
        """The items as a list, if none of them is here or given twice."""
        return distinct([*self.items, *items], what="item")[len(self.items) :]

    def add_items(self, items: Sequence[Item]) -> None:
        for item in items:
            self._item_index[item] = len(self.items)
            self.items.append(item)

    def rename(self, names: Mapping[str, str]) -> None:
        """Call items by other names from now on; the old ones are still understood."""
        self.items = distinct([names.get(str(item), item) for item in self.items], what="item")
        self._item_index |= {item: k for k, item in enumerate(self.items)}

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        """What changes after the start, as JSON values."""
        return {"paused": sorted(self.paused), "asked_of": self.asked, "answered_of": self.answered}

    def load(self, state: Mapping[str, Any]) -> None:
        self.paused = set(state["paused"])
        self.asked, self.answered = list(state["asked_of"]), list(state["answered_of"])


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
# Who is here and what is out: what every ranker knows, and the parts of a ranker share
class RosterView:
    """What follows from who is here and what is out; for rankers, and for the state that their parts share."""

    __slots__ = ()
    roster: Roster
    outstanding: OpenQuestions

    @property
    def items(self) -> list[Item]:
        return self.roster.items

    @property
    def judge_names(self) -> list[Judge]:
        return self.roster.judges

    @property
    def prices(self) -> dict[Judge, float]:
        """What one answer of each judge costs."""
        return self.roster.prices

    @property
    def questions(self) -> int:
        """How many questions were put to a judge, open ones included."""
        return sum(self.roster.asked)

    @property
    def cost(self) -> float:
        """What the questions cost at the judges' prices."""
        return self.outstanding.cost

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return self.outstanding.in_time


@dataclass(slots=True)
class SharedState(RosterView):
    """Who is here and what is out; a ranker's own state adds what its algorithm knows."""

    roster: Roster
    outstanding: OpenQuestions
    error: float
    seed: int

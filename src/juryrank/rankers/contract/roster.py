"""Who judges what: items and judges by name and by number, prices, and those who join or pause."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.contract.algorithm import Algorithm
from juryrank.types import Item, Judge


class Roster(Algorithm):
    """A ranker's items and judges."""

    def __init__(
        self, items: Iterable[Item], *, judges: Iterable[Judge], prices: Mapping[Judge, float] | None
    ) -> None:
        self.items: list[Item] = distinct(items, what="item")
        self.judge_names: list[Judge] = distinct(judges, what="judge")
        if self.needs_judges and not self.judge_names:
            raise BadInput("there is no judge to ask; give at least one")
        self.prices: dict[Judge, float] = checked_prices(prices, judges=self.judge_names)
        self._item_index = {item: k for k, item in enumerate(self.items)}
        self._judge_index = {judge: k for k, judge in enumerate(self.judge_names)}
        self._paused: set[int] = set()
        self._asked_of = [0] * len(self.judge_names)
        self._answered_of = [0] * len(self.judge_names)

    def add_judge(self, judge: Judge, *, price: float = 1.0) -> None:
        """A judge who joins later."""
        if judge in self._judge_index:
            raise BadInput(f"judge {judge!r} is already here; names must differ")
        self._judge_joining(judge)
        self.prices.update(checked_prices({judge: price}, judges=[judge]))
        self._judge_index[judge] = len(self.judge_names)
        self.judge_names.append(judge)
        self._asked_of.append(0)
        self._answered_of.append(0)
        self._judge_joined(len(self.judge_names) - 1)

    def pause_judge(self, judge: Judge) -> None:
        """Stop asking a judge: free of charge for every promise, as answers already given stay counted."""
        self._paused.add(self._judge(judge))

    def resume_judge(self, judge: Judge) -> None:
        self._paused.discard(self._judge(judge))

    def add_items(self, items: Iterable[Item]) -> None:
        """Items that join later (rankers that cannot take them say so)."""
        new = distinct([*self.items, *items], what="item")[len(self.items) :]
        self._items_joining(new)
        for item in new:
            self._item_index[item] = len(self.items)
            self.items.append(item)
        self._items_joined(len(new))

    def _item(self, item: Item) -> int:
        try:
            return self._item_index[item]
        except (KeyError, TypeError):
            raise UnknownName(f"item {item!r} is not in this ranking") from None

    def _judge(self, judge: Judge) -> int:
        try:
            return self._judge_index[judge]
        except (KeyError, TypeError):
            some = ", ".join(map(str, self.judge_names[:5]))
            raise UnknownName(f"judge {judge!r} is not in this ranking; there are: {some}") from None


def distinct(values: Iterable[Hashable], *, what: str) -> list[Hashable]:
    """The values as a list, if each can be a name and none is there twice.

    >>> distinct("abc", what="item")
    ['a', 'b', 'c']
    """
    kept = list(values)
    seen: set[Hashable] = set()
    for value in kept:
        try:
            if value in seen:
                raise BadInput(f"{what} {value!r} is there twice; each {what} must be given once")
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

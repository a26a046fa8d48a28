"""What a certified ranking is to prove: the whole order, the best item, or the set of the k best."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.core.levels import Objective, check_top, read_objective
from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.certified.core.objectives import links


@dataclass(frozen=True, slots=True)
class Aim:
    """An objective: `k` is None for the whole order, 1 for the best."""

    k: int | None
    steady: bool

    @property
    def kind(self) -> int:
        """By which rule the machine proves it: links of an order, links of a set, or elimination."""
        if self.k is None:
            return links.ORDER
        return links.ELIMINATION if self.k == 1 and not self.steady else links.SET

    @property
    def words(self) -> str:
        """
        >>> Aim(None, False).words, Aim(1, False).words, Aim(10, True).words
        ('order', 'best', 'top-10')
        """
        return "order" if self.k is None else "best" if self.k == 1 else f"top-{self.k}"

    def top(self, items: int) -> int:
        """How many items the set holds: never all of them, so that there is something to prove."""
        return max(1, min(self.k or 1, items - 1))


def read_aim(objective: object, k: object, *, assume: str, items: int) -> Aim:
    """An objective as people write it.

    >>> read_aim("top-3", None, assume="steady", items=8).k
    3
    >>> read_aim("tiers", None, assume="steady", items=8)
    Traceback (most recent call last):
        ...
    juryrank.errors.UnknownName: certified has no objective 'tiers'; it has: order, best, top-k (such as top-3)
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise BadInput(f"k is {k!r}; it is how many items are wanted at the top, 1 or more")
    known = (Objective.ORDER, Objective.TOP)
    try:
        found, size = read_objective(str(objective), k)
    except UnknownName:
        found, size = Objective.RANGES, None
    if found not in known:
        raise UnknownName(f"certified has no objective {objective!r}; it has: order, best, top-k (such as top-3)")
    if items > 1 or size == 0:  # of one item alone more may be wanted: others may join
        check_top(size, items)
    return Aim(size, assume == "steady")

"""What the calls of a run cost: one rule for the run that writes a log and for whoever reads it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from juryrank.log.bodies import IDENTICAL, MODEL, REFUSED, Aside, Asked, Expired, Probed, Told
from juryrank.log.fields import Body

NO_FEE = {IDENTICAL, MODEL, REFUSED}  # sources of answers without a call, or of a model without a price


class Paid:
    """Money: what a model's event says, and for each call of another judge its price, where prices are given.

    >>> paid = Paid({"program": 2.0})
    >>> paid.note(Aside(judge="program", left="a", right="b", answer="left", purpose="gold", n=1))
    >>> paid.total is None
    True
    >>> paid.note(Probed(judge="model", found={}, cost=0.5))
    >>> paid.total
    2.5
    """

    def __init__(self, prices: Mapping[str, float] | None) -> None:
        self._prices = prices or {}
        self._said: dict[str, float] = {}  # by judge
        self._calls: Counter[str] = Counter()  # of judges whose events say no cost
        self._judge: dict[int, str] = {}

    def note(self, body: Body) -> None:
        """Take in one event."""
        if isinstance(body, Asked):
            self._judge[body.q] = body.judge
        if not isinstance(body, Told | Expired | Aside | Probed):
            return
        judge = self._judge[body.q] if isinstance(body, Told | Expired) else body.judge
        if body.cost is not None:
            self._said[judge] = self._said.get(judge, 0.0) + body.cost
        elif not isinstance(body, Probed) and not (isinstance(body, Told) and body.source in NO_FEE):
            self._calls[judge] += 1

    @property
    def total(self) -> float | None:
        """All of it; None: no model's price is known."""
        if not self._said:
            return None
        fees = (self._prices.get(judge, 0.0) * calls for judge, calls in self._calls.items())
        return sum(self._said.values()) + sum(fees)

"""The proof on its own: any list, from anywhere, and any source of answers.

A list is fixed first; only questions asked after that count. Each list is an attempt with its own level δ_m, so
one prover may be given many lists, and all it ever certifies hold together with probability 1 - δ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from juryrank.errors import BadInput
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core.giving_up import go_on
from juryrank.rankers.certified.core.pair_answers import log_odds
from juryrank.rankers.certified.core.phases import LIST_AWAITED, NOTHING_TO_RANK, change_phase
from juryrank.rankers.certified.core.prove.attempt import adopt_list
from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.certified.state import Watched
from juryrank.rankers.contract.limits import Draft
from juryrank.types import Answer, Item, Judge, Question, Ranking

Source = Callable[[Question], Answer]


class Prover(Certified):
    """Proves lists that somebody else made.

    >>> prover = Prover("abc", judges=["ann"], error=0.1)
    >>> prover.prove("abc", lambda question: min(question.left, question.right)).certified
    True
    >>> prover.prove("cab", lambda question: min(question.left, question.right)).certified
    False
    """

    name: ClassVar[str] = "prover"
    title: ClassVar[str] = "prove a given list"

    def __init__(
        self, items: Iterable[Item], *, judges: Iterable[Judge], give_up: bool = True, **options: Any
    ) -> None:
        super().__init__(items, judges=judges, **options)
        self.give_up = give_up  # stop when all answers together speak against a link of the list
        self._hopeless = False
        self._machine.cursor.stay = 1
        change_phase(self._machine.cursor, LIST_AWAITED)

    def fix(self, order: Iterable[Item]) -> None:
        """The next attempt: from now on this list (best first) is being proven."""
        listed = [self.roster.item(item) for item in order]
        if sorted(listed) != list(range(len(self.items))):
            raise BadInput("the list to prove must name every item of this prover once, best first")
        self._hopeless = False
        go_on(self._machine)
        c = self._machine.cursor
        c.placed = c.next_arrival = c.items
        with Watched(self.state, "another list was tried"):
            adopt_list(self._views, np.array(listed, np.int64), int(c.attempt) + 1)
            if len(listed) < 2:
                change_phase(c, NOTHING_TO_RANK)

    def prove(self, order: Iterable[Item], source: Source) -> Ranking:
        """Fix the list and ask `source` until it is proven, hopeless, or the budget is spent."""
        self.fix(order)
        while (question := self.ask()) is not None:
            self.tell(question, source(question))
        return self.ranking

    def _choose(self, judge: int | None) -> Draft | None:
        return super()._choose(judge) if self._views.cursor.phase in (phases.PROVE, phases.CERTIFIED) else None

    def _count(self, question: Question, answer: Answer) -> None:
        super()._count(question, answer)
        s = self._views
        x, y = self.roster.item(question.left), self.roster.item(question.right)
        better, worse = (x, y) if s.place[x] < s.place[y] else (y, x)
        link = s.place[better] + 1 == s.place[worse]
        if self.give_up and link and log_odds(s.tallies, s.jury, better, worse) < 0.0:
            self._hopeless = True

    def _finished(self) -> bool:
        return self._hopeless or super()._finished()


def prove(order: Iterable[Item], source: Source, *, judges: Iterable[Judge], **options: Any) -> Ranking:
    """Prove one list by asking `source` about its neighbours; the options are those of `certified`.

    Judges who never change an answer are cross-examined: asked about other pairs too.

    For several lists use one `Prover`: separate calls of this function are separate promises.

    >>> prove("abc", lambda question: min(question.left, question.right), judges=["ann"], error=0.1).certified
    True
    """
    listed = list(order)
    return Prover(listed, judges=judges, **options).prove(listed, source)

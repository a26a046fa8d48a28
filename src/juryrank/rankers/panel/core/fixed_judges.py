"""The majority of these judges: a fixed list, each asked a pair once. No level: it is counted, not inferred.

A pair is settled when those who have not answered it could no longer turn it, be it that they were not asked yet
or that no answer came. Judges who tie or skip do not choose. A pair that ends level is an exact tie: it is never
settled, no line runs between its items, and they stand side by side in the order in which they were given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.rankers.panel.core.bradley_terry import Floats
from juryrank.rankers.panel.core.counting import Counting
from juryrank.rankers.panel.core.plans import across_top, cheapest_line
from juryrank.rankers.panel.core.tournament import consistent_order, gathered, impossible_lines, knots, reaches

Index = NDArray[np.int64]
TALLIES = ("wins", "heard", "silent", "even")  # by pair of items


class FixedJudges(Counting):
    """Votes of `judges` fixed judges on all pairs of `items`.

    >>> jury = FixedJudges(2, judges=3, objective=Objective.RANGES)
    >>> jury.vote(0, 0, 1, better=0)
    >>> jury.vote(1, 0, 1, better=0)
    >>> bool(jury.settled[0, 1])        # two of three
    True
    """

    level = 0.0

    def __init__(self, items: int, *, judges: int, objective: Objective, k: int | None = None) -> None:
        self.judges, self.objective, self.k = judges, objective, k
        self._blank(items)
        self.heard = np.zeros((items, items), dtype=np.int64)  # judges who answered, tied, skipped or timed out
        self.silent = np.zeros((items, items), dtype=np.int64)  # those of them who gave no answer at all
        self.even = np.zeros((items, items), dtype=np.int64)  # those of them who called it a tie
        self.asked = np.zeros((judges, items, items), dtype=bool)
        self._settled = np.zeros((items, items), dtype=bool)
        # for an order: row over column along a chain, ties and pairs without a choice counting in both directions
        self._reached = np.zeros((items, items), dtype=bool)

    @property
    def settled(self) -> NDArray[np.bool_]:
        return self._settled

    def ask(self, judge: int, i: int, j: int) -> None:
        """The pair is out with a judge: never again with the same one."""
        self.asked[judge, i, j] = self.asked[judge, j, i] = True

    def was_asked(self, judge: int, i: int, j: int) -> bool:
        return bool(self.asked[judge, i, j])

    def vote(
        self, judge: int, i: int, j: int, *, better: int | None, even: bool = False, silent: bool = False
    ) -> None:
        """What a judge said about a pair; None: no choice, but a tie (`even`), a skip, or nothing (`silent`)."""
        self.ask(judge, i, j)
        for first, second in ((i, j), (j, i)):
            self.heard[first, second] += 1
            self.silent[first, second] += silent
            self.even[first, second] += even
        if better is not None:
            self.wins[better, j if better == i else i] += 1
        missing = self.judges - self.heard[i, j] + self.silent[i, j]  # whoever gave no answer might turn it
        lead = self.wins[i, j] - self.wins[j, i]
        self._settled[i, j] = lead > missing
        self._settled[j, i] = -lead > missing
        for first, second, ahead in ((i, j, lead), (j, i, -lead)):
            if self.objective is Objective.ORDER and (ahead > missing or ahead == missing == 0):
                self._chain(first, second)

    def join(self, more: int, *, arrived: int = 0) -> None:
        """More items: nothing that was settled changes."""
        fresh = FixedJudges(self.items + more, judges=self.judges, objective=self.objective, k=self.k)
        for name in (*TALLIES, "asked", "_settled", "_reached"):
            getattr(fresh, name)[..., : self.items, : self.items] = getattr(self, name)
        self.__dict__.update(fresh.__dict__)

    @property
    def open_pairs(self) -> NDArray[np.bool_]:
        """For each pair: neither settled nor fully heard."""
        return self._still_open()[self.pairs]

    def _still_open(self) -> NDArray[np.bool_]:
        """The same as a table of items: a thousand of them have half a million pairs, too many for a list."""
        return np.triu(~(self._settled | self._settled.T) & (self.heard < self.judges), 1)

    @property
    def unanswered(self) -> NDArray[np.bool_]:
        """For each pair: every judge was asked, and answers that never came leave it without a verdict."""
        i, j = self.pairs
        out: NDArray[np.bool_] = super().open_pairs & (self.heard[i, j] >= self.judges) & (self.silent[i, j] > 0)
        return out

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Pairs on which everybody answered, somebody chose or called it a tie, and neither side has more."""
        level: NDArray[np.bool_] = (self.heard - self.silent >= self.judges) & (self.wins == self.wins.T)
        return level & (self.wins + self.even > 0)

    @property
    def not_below(self) -> NDArray[np.bool_]:
        return self._settled | self.tied

    def shown(self, guess: Floats) -> list[int]:
        """Circles and ties side by side, in an order that hangs on nothing but what is settled among them."""
        over = self.not_below
        if not (together := knots(over)):
            return super().shown(guess)
        inner = np.zeros_like(over)
        for block in together:
            inner[np.ix_(block, block)] = self._settled[np.ix_(block, block)]
        lead = (inner.sum(axis=1) - inner.sum(axis=0)).astype(float)
        return gathered(over, self.order(guess), inside=gathered(inner, consistent_order(inner, lead)))

    def missing_votes(self) -> NDArray[np.int64]:
        """For each pair: how many more votes for its leader settle it."""
        return self._votes_missing(*self.pairs)

    def _votes_missing(self, i: Index, j: Index) -> NDArray[np.int64]:
        lead = np.abs(self.wins[i, j] - self.wins[j, i])
        left = self.judges - self.heard[i, j] + self.silent[i, j]
        votes: NDArray[np.int64] = np.maximum((left - lead) // 2 + 1, 1)
        return votes

    # ------------------------------------------------------------------ what to ask
    def needed_first(self) -> NDArray[np.bool_]:
        """Row and column: does the objective need this pair before others?"""
        if self.objective is Objective.ORDER:
            return self._for_an_order()
        table = np.zeros((self.items, self.items), dtype=bool)
        if self.objective is Objective.TOP and self.k is not None:
            table[self.pairs] = across_top(self.guide(), self.k, self.pairs)
        elif self.objective is Objective.TIERS:
            s, votes = self.guide(), self.missing_votes().astype(float)
            line = cheapest_line(s, votes, self.open_pairs, self.pairs, skip=impossible_lines(self.not_below))
            if line is not None:
                table[self.pairs] = across_top(s, line, self.pairs)
        return table

    def next_pair(self, judges: Sequence[int], first: NDArray[np.bool_]) -> tuple[int, int] | None:
        """The pair to ask one of these judges about: needed first, nearest to a majority, deciding most.

        >>> FixedJudges(3, judges=1, objective=Objective.ORDER).next_pair([0], np.ones((3, 3), dtype=bool))
        (0, 1)
        """
        left = self._still_open() & ~self.asked[list(judges)].all(axis=0)
        if (wanted := left & first).any():
            left = wanted
        if not left.any():
            return None
        decides = self._decides()
        if self.judges == 1:  # then every open pair takes one vote, and was never asked
            best = int(np.where(left, decides, -1).argmax())
            return best // self.items, best % self.items
        i, j = np.nonzero(left)
        order = np.lexsort((-self.asked[:, i, j].sum(axis=0), -decides[i, j], self._votes_missing(i, j)))
        return int(i[order[0]]), int(j[order[0]])

    def _decides(self) -> NDArray[np.int64]:
        """Row and column: how many pairs an answer decides for an order, whichever way it goes.

        Asking where that is most takes about N log2 N pairs instead of all.
        """
        if self.objective is not Objective.ORDER:
            return np.zeros((self.items, self.items), dtype=np.int64)
        above, below = 1 + self._reached.sum(axis=0), 1 + self._reached.sum(axis=1)
        one_way = np.outer(above, below)
        pairs: NDArray[np.int64] = np.minimum(one_way, one_way.T)
        return pairs

    # ------------------------------------------------------------------ an order
    def _for_an_order(self) -> NDArray[np.bool_]:
        """Row and column: is this pair needed next for an order?

        First pairs that no chain decides. Once chains decide all of them, the items stand in blocks (one item, a
        tie, a circle), and pairs within a block or between neighbours are compared if nobody has done it yet.
        """
        unreached = ~(self._reached | self._reached.T)
        np.fill_diagonal(unreached, val=False)
        if unreached.any():
            return unreached
        above = (self._reached & ~self._reached.T).sum(axis=0)
        block = np.unique(above, return_inverse=True)[1]
        near: NDArray[np.bool_] = np.abs(block[:, None] - block[None, :]) <= 1
        return near

    def undecided(self) -> int:
        """How many pairs no chain of answers decides (where an order is asked for)."""
        return int((~(self._reached | self._reached.T)).sum() - (~self._reached.diagonal()).sum()) // 2

    def left_to_ask(self) -> int:
        """How many pairs are open and needed, once chains decide all of them."""
        wanted = self._still_open()
        return int((wanted & self._for_an_order() if self.objective is Objective.ORDER else wanted).sum())

    def _chain(self, upper: int, lower: int) -> None:
        """`upper` is not below `lower`, and so is all that reaches it not below all that `lower` reaches."""
        over, under = self._reached[:, upper].copy(), self._reached[lower].copy()
        over[upper] = under[lower] = True
        self._reached[over] |= under

    def promised_pairs(self) -> int:
        """How many counted pairs the statement covers; of an order, all but those that a circle or a tie joins.

        Whatever goes in a circle reaches itself, so that only those items are looked at.
        """
        everything = int(self._settled.sum())
        inside = np.flatnonzero(self._reached.diagonal())
        if not len(inside):
            return everything
        circles = [inside[circle] for circle in knots(self.not_below[np.ix_(inside, inside)])]
        return everything - sum(int(self._settled[np.ix_(circle, circle)].sum()) for circle in circles)

    def finished(self) -> bool:
        """As for a population; an order is done when nothing that it needs is open."""
        if self.objective is not Objective.ORDER or self.items < 2:
            return super().finished()
        return not (self._still_open() & self._for_an_order()).any()

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        rows = [[int(u), int(i), int(j)] for u, i, j in zip(*np.nonzero(self.asked), strict=True) if i < j]
        return {"asked": rows} | {name: getattr(self, name).tolist() for name in TALLIES}

    def load(self, state: Mapping[str, Any]) -> None:
        shape = (self.items, self.items)
        for name in TALLIES:
            setattr(self, name, np.array(state[name], dtype=np.int64).reshape(shape))
        for u, i, j in state["asked"]:
            self.ask(u, i, j)
        lead, missing = self.wins - self.wins.T, self.judges - self.heard + self.silent
        self._settled = lead > missing
        if self.objective is Objective.ORDER:
            self._reached = reaches(self._settled | ((lead == 0) & (missing == 0)))

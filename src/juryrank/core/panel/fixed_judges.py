"""The majority of these judges: a fixed list, each asked a pair once. No level: it is counted, not inferred.

A pair is settled when those who have not answered it yet could no longer turn it. Judges who tie or skip do
not choose. A pair that ends level is an exact tie: it is never settled, but as each side then has at least half,
it stands in the way of no line and of no order.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.core.panel.counting import Counting
from juryrank.core.panel.plans import across_top, cheapest_line
from juryrank.core.panel.tournament import consistent_order, impossible_lines


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
        self.asked = np.zeros((judges, items, items), dtype=bool)
        self._settled = np.zeros((items, items), dtype=bool)

    @property
    def settled(self) -> NDArray[np.bool_]:
        return self._settled

    def ask(self, judge: int, i: int, j: int) -> None:
        """The pair is out with a judge: never again with the same one."""
        self.asked[judge, i, j] = self.asked[judge, j, i] = True

    def vote(self, judge: int, i: int, j: int, *, better: int | None, silent: bool = False) -> None:
        """What a judge said about a pair; None: no choice, `silent`: not even that."""
        self.ask(judge, i, j)
        self.heard[i, j] += 1
        self.heard[j, i] += 1
        self.silent[i, j] += silent
        self.silent[j, i] += silent
        if better is not None:
            self.wins[better, j if better == i else i] += 1
        missing = self.judges - self.heard[i, j]
        lead = self.wins[i, j] - self.wins[j, i]
        self._settled[i, j] = lead > missing
        self._settled[j, i] = -lead > missing

    def join(self, more: int, *, arrived: int = 0) -> None:
        """More items: nothing that was settled changes."""
        old, before, silent = self.items, (self.wins, self.heard, self.asked, self._settled), self.silent
        fresh = FixedJudges(old + more, judges=self.judges, objective=self.objective, k=self.k)
        fresh.wins[:old, :old], fresh.heard[:old, :old] = before[0], before[1]
        fresh.asked[:, :old, :old], fresh._settled[:old, :old] = before[2], before[3]
        fresh.silent[:old, :old] = silent
        self.__dict__.update(fresh.__dict__)

    @property
    def open_pairs(self) -> NDArray[np.bool_]:
        """For each pair: neither settled nor fully heard."""
        i, j = self.pairs
        return super().open_pairs & (self.heard[i, j] < self.judges)

    @property
    def unanswered(self) -> NDArray[np.bool_]:
        """For each pair: every judge was asked, and none of them gave an answer."""
        i, j = self.pairs
        out: NDArray[np.bool_] = self.silent[i, j] >= self.judges
        return out

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Pairs on which everybody was heard, somebody chose, and neither side has more."""
        level: NDArray[np.bool_] = (self.heard >= self.judges) & (self.wins == self.wins.T)
        return level & (self.wins > 0)

    def at_least_half(self, order: list[int]) -> NDArray[np.bool_]:
        """Settled pairs, and exact ties broken along `order`."""
        place = np.empty(self.items, dtype=np.int64)
        place[order] = np.arange(self.items)
        return self._settled | (self.tied & (place[:, None] < place[None, :]))

    def missing_votes(self) -> NDArray[np.int64]:
        """For each pair: how many more votes for its leader settle it."""
        i, j = self.pairs
        lead = np.abs(self.wins[i, j] - self.wins[j, i])
        left = self.judges - self.heard[i, j]
        votes: NDArray[np.int64] = np.maximum((left - lead) // 2 + 1, 1)
        return votes

    def priorities(self) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """For each pair: does the objective need it first; how many votes it still takes."""
        votes, open_ = self.missing_votes(), self.open_pairs
        if self.objective is Objective.TOP and self.k is not None:
            return across_top(self.guide(), self.k, self.pairs), votes
        if self.objective is Objective.ORDER:
            return self.neighbours(consistent_order(self.settled, self.guide())), votes
        if self.objective is Objective.TIERS:
            s = self.guide()
            line = cheapest_line(s, votes.astype(float), open_, self.pairs, skip=impossible_lines(self.settled))
            if line is not None:
                return across_top(s, line, self.pairs), votes
        return np.zeros(len(votes), dtype=bool), votes

    def finished(self) -> bool:
        """As for a population; an order is done when a chain of settled pairs holds every item."""
        if self.objective is not Objective.ORDER or self.items < 2 or not self.open_pairs.any():
            return super().finished()
        order = self.order(self.guide())
        holds = self.at_least_half(order)
        return all(holds[a, b] for a, b in itertools.pairwise(order))

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        rows = [[int(u), int(i), int(j)] for u, i, j in zip(*np.nonzero(self.asked), strict=True) if i < j]
        found = {"wins": self.wins.tolist(), "heard": self.heard.tolist(), "asked": rows}
        return {**found, "silent": self.silent.tolist()} if self.silent.any() else found

    def load(self, state: Mapping[str, Any]) -> None:
        shape = (self.items, self.items)
        self.wins = np.array(state["wins"], dtype=np.int64).reshape(shape)
        self.heard = np.array(state["heard"], dtype=np.int64).reshape(shape)
        if "silent" in state:
            self.silent = np.array(state["silent"], dtype=np.int64).reshape(shape)
        for u, i, j in state["asked"]:
            self.ask(u, i, j)
        self._settled = self.wins - self.wins.T > self.judges - self.heard

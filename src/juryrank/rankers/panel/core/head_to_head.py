"""The counted answers of a panel: tallies, evidence, settled pairs. What the promise rests on.

    ballot.count(better, worse)      one answer, in the order of arrival of the sittings
    ballot.join(more)                more items: the next epoch, at its own level

A settled pair stays settled. After items have joined, a pair counts as settled at the new level if its
evidence ever reached it; pairs settled for `ranges` in an earlier epoch stay, as the epochs' errors add up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from juryrank.core.lead_table import LeadTable, log_evidence
from juryrank.core.levels import Objective, epoch_error, false_proofs
from juryrank.rankers.panel.core.bradley_terry import Floats
from juryrank.rankers.panel.core.counting import NOBODY, BySittings, Plan
from juryrank.rankers.panel.core.plans import (
    CAPPED_FROM,
    Asked,
    Needs,
    across_top,
    cheapest_line,
    choose,
    for_estimates,
    needs,
    newcomers,
)
from juryrank.rankers.panel.core.tournament import impossible_lines


def level_of(items: int, objective: Objective, *, error: float, epoch: int = 0, joining: bool = True) -> float:
    """How likely a pair may be settled wrongly."""
    return epoch_error(error, epoch, joining=joining) / false_proofs(items, objective)


class HeadToHead(BySittings):
    """Tallies of N items at error δ for one objective.

    >>> ballot = HeadToHead(3, error=0.1, objective=Objective.RANGES, joining=False)
    >>> for _ in range(ballot.table.fewest):
    ...     ballot.count(0, 1)
    >>> bool(ballot.settled[0, 1]), ballot.table.fewest
    (True, 7)
    """

    def __init__(
        self,
        items: int,
        *,
        error: float,
        objective: Objective,
        k: int | None = None,
        joining: bool = True,
        spread: bool = False,
    ) -> None:
        self.error, self.objective, self.k, self.joining, self.spread = error, objective, k, joining, spread
        self.epoch = 0
        self._start(items)

    def _start(self, items: int) -> None:
        self._blank(items)
        self.evidence = np.zeros((items, items))  # ln K of row over column
        self.peak = np.zeros((items, items, 2), dtype=np.int64)  # the tally at which ln K was largest
        self.peak_evidence = np.zeros((items, items))
        self._settled = np.zeros((items, items), dtype=bool)
        self._set_level()

    def _set_level(self) -> None:
        self.level = level_of(self.items, self.objective, error=self.error, epoch=self.epoch, joining=self.joining)
        self.table = LeadTable(self.level)

    @property
    def settled(self) -> NDArray[np.bool_]:
        return self._settled

    @property
    def fewest_alike(self) -> int | None:
        return self.table.fewest

    def count_person(self, number: int, preferences: Plan, *, own: frozenset[int] = NOBODY) -> None:
        for better, worse in preferences:
            self.count(better, worse)

    def count(self, better: int, worse: int) -> None:
        """One more answer: `better` preferred to `worse`."""
        self.wins[better, worse] += 1
        w, against = int(self.wins[better, worse]), int(self.wins[worse, better])
        self.evidence[better, worse] = log_evidence(w, against)
        self.evidence[worse, better] = log_evidence(against, w)
        if self.evidence[better, worse] > self.peak_evidence[better, worse]:
            self.peak_evidence[better, worse] = self.evidence[better, worse]
            self.peak[better, worse] = w, against
        if self.table.settles(w, against) and not self._settled[worse, better]:
            self._settled[better, worse] = True  # the first direction stands: an exact tie is broken once

    def join(self, more: int, *, arrived: int = 0) -> None:
        """`more` items join: the tallies stay, new statements use the next epoch's level."""
        old = self.items
        kept = (self.wins, self.evidence, self.peak, self.peak_evidence, self._settled)
        self.epoch += 1
        self._start(old + more)
        self.wins[:old, :old], self.evidence[:old, :old] = kept[0], kept[1]
        self.peak[:old, :old], self.peak_evidence[:old, :old] = kept[2], kept[3]
        if self.objective is Objective.RANGES:
            self._settled[:old, :old] = kept[4]
        for i, j in zip(*np.nonzero(self.peak_evidence), strict=True):
            if not kept[4][j, i] and self.table.settles(*map(int, self.peak[i, j])):
                self._settled[i, j] = True

    # ------------------------------------------------------------------ what to ask
    def needs(self, s: Floats) -> Needs:
        """People needed for each pair."""
        return needs(self.wins, self.evidence, s, math.log(1 / self.level), self.pairs)

    def plan(self, size: int, asked: Asked, rng: Generator, *, without: frozenset[int] = NOBODY) -> Plan:
        """The most useful questions first; pairs that look equally useful in random order.

        `spread`: every item is heard of first, so that estimates come early; then no item in more than a third
        where others are as useful; all in random order.
        """
        if self.items < 2:
            return []
        s = self.guide()
        need, open_ = self.needs(s), self.open_pairs
        if without:
            open_ = open_ & ~np.isin(self.pairs, list(without)).any(axis=0)
        heard, waiting = asked.heard(self.wins, self.pairs), asked.waiting
        known = for_estimates(size, s, heard, open_, rng) if self.spread else []
        open_[known] = False
        new, first = newcomers(heard, self.pairs), self.first(s, need.people, open_)
        class_ = np.where(new, 0, np.where(first, 1, 2))
        spread = self.pairs if self.spread and self.items >= CAPPED_FROM else None
        luck = rng.random(len(waiting))
        rest = choose(size - len(known), need.people, open_, class_, waiting, luck, spread, known)
        chosen = rng.permutation([*known, *map(int, rest)]) if self.spread else rest
        i, j = self.pairs
        return [(int(i[c]), int(j[c])) for c in chosen]

    def first(self, s: Floats, people: Floats, open_: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The pairs that the objective needs."""
        if self.objective is Objective.TOP and self.k is not None:
            return across_top(s, self.k, self.pairs)
        if self.objective is Objective.TIERS:
            line = cheapest_line(s, people, open_, self.pairs, skip=impossible_lines(self.settled))
            if line is not None:
                return across_top(s, line, self.pairs)
        return np.zeros(len(open_), dtype=bool)

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        return {
            "epoch": self.epoch,
            "wins": self.wins.tolist(),
            "peak": self.peak.tolist(),
            "settled": self._settled.astype(int).tolist(),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.epoch = int(state["epoch"])
        self._set_level()
        self.wins = np.array(state["wins"], dtype=np.int64).reshape(self.items, self.items)
        self.peak = np.array(state["peak"], dtype=np.int64).reshape(self.items, self.items, 2)
        self._settled = np.array(state["settled"], dtype=bool).reshape(self.items, self.items)
        for i, j in zip(*np.nonzero(self.wins + self.wins.T), strict=True):
            self.evidence[i, j] = log_evidence(int(self.wins[i, j]), int(self.wins[j, i]))
            if self.peak[i, j].any():
                self.peak_evidence[i, j] = log_evidence(*map(int, self.peak[i, j]))

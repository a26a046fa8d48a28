"""People head to head over many items: the tallies and levels of `core.head_to_head`, and other plans.

First every item is heard of, the likely first places more often; then come the pairs among those places.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from juryrank.core.lead_table import LeadTable, log_evidence
from juryrank.core.levels import Objective, epoch_error, false_proofs
from juryrank.core.relation import Relation, lines_of
from juryrank.rankers.guess.core.many import RunningScores
from juryrank.rankers.panel.core.counting import NOBODY, Plan
from juryrank.rankers.panel.core.plans import across_top, all_pairs, choose, needs

Pair = tuple[int, int]


def sorted_pair(i: int, j: int) -> Pair:
    return (i, j) if i < j else (j, i)


class LargeCount(ABC):
    """Counted answers about many items. `settled`: "i over j" is settled, and stays so."""

    objective: Objective
    k: int | None
    items: int
    level: float
    settled: Relation
    wins: dict[Pair, int]  # by (better, worse)

    @property
    def fewest_alike(self) -> int | None:
        """How many answers, all the same, settle a pair, where that is a matter of proof."""
        return None

    @property
    def chose_any(self) -> bool:
        return bool(self.wins)

    def tally(self, i: int, j: int) -> Pair:
        """How many prefer i to j, and j to i."""
        return self.wins.get((i, j), 0), self.wins.get((j, i), 0)

    @abstractmethod
    def join(self, more: int, *, arrived: int = 0) -> None: ...

    @abstractmethod
    def state(self) -> dict[str, Any]: ...

    @abstractmethod
    def load(self, state: Mapping[str, Any]) -> None: ...

    def wanted_lines(self) -> set[int]:
        """The sizes of top groups that the objective asks for."""
        if self.objective is Objective.TOP and self.k is not None:
            return {self.k}
        return set(range(1, self.items)) if self.objective is Objective.TIERS else set()

    def finished(self) -> bool:
        """Every pair is settled, or the line that is asked for."""
        if len(self.settled) >= self.items * (self.items - 1) // 2:
            return True
        if self.objective is not Objective.TOP or self.k is None:
            return False
        if len(self.settled) < self.k * (self.items - self.k):
            return False
        below, above = self.settled.degrees(self.items)
        order = [int(i) for i in np.argsort(above - below, kind="stable")]
        return self.k in lines_of(below, above, order)


FIELD, MOST_FIELD = 64, 1024  # of the first places, pairs of which are looked at; it widens as they settle
LOGITS = 2.0  # per unit of the scores: the guide of a plan is in log odds; untuned


class LargeBallot(LargeCount):
    """Tallies of many items at error δ for one objective.

    >>> ballot = LargeBallot(2000, error=0.1, objective=Objective.RANGES, joining=False)
    >>> for _ in range(ballot.table.fewest):
    ...     ballot.count(0, 1)
    >>> (0, 1) in ballot.settled, ballot.table.fewest
    (True, 29)
    """

    def __init__(
        self, items: int, *, error: float, objective: Objective, k: int | None = None, joining: bool = True
    ) -> None:
        self.items, self.error, self.objective, self.k, self.joining = items, error, objective, k, joining
        self.epoch = 0
        self.settled = Relation()
        self.wins = {}
        self.peak: dict[Pair, Pair] = {}  # the tally at which ln K was largest, by (better, worse)
        self.scores = RunningScores(items, judges=1)
        self._set_level()

    def _set_level(self) -> None:
        share = epoch_error(self.error, self.epoch, joining=self.joining)
        self.level = share / false_proofs(self.items, self.objective)
        self.table = LeadTable(self.level)

    @property
    def fewest_alike(self) -> int | None:
        return self.table.fewest

    def evidence(self, i: int, j: int) -> float:
        """ln K of i over j."""
        return log_evidence(*self.tally(i, j))

    def peak_evidence(self, i: int, j: int) -> float:
        """The most that ever was."""
        return max(0.0, log_evidence(*self.peak[i, j])) if (i, j) in self.peak else 0.0

    def count_person(self, number: int, preferences: Plan, *, own: frozenset[int] = NOBODY) -> None:
        for better, worse in preferences:
            self.count(better, worse)

    def count(self, better: int, worse: int) -> None:
        """One more answer: `better` preferred to `worse`."""
        self.wins[better, worse] = self.wins.get((better, worse), 0) + 1
        self.scores.hear(0, winner=better, loser=worse)
        now = self.tally(better, worse)
        if log_evidence(*now) > self.peak_evidence(better, worse):
            self.peak[better, worse] = now
        if self.table.settles(*now) and (worse, better) not in self.settled:
            self.settled.add(better, worse)  # the first direction stands: an exact tie is broken once

    def join(self, more: int, *, arrived: int = 0) -> None:
        """`more` items join: the tallies stay, new statements use the next epoch's level."""
        before = self.settled
        self.items += more
        self.epoch += 1
        self._set_level()
        self.scores.grow(items=more)
        self.settled = Relation(before if self.objective is Objective.RANGES else ())
        for i, j in sorted(self.peak):
            if (j, i) not in before and self.table.settles(*self.peak[i, j]):
                self.settled.add(i, j)

    # ------------------------------------------------------------------ what to ask
    def plan(
        self,
        size: int,
        places: NDArray[np.int64],
        waiting: Mapping[Pair, int],
        rng: Generator,
        *,
        without: frozenset[int] = NOBODY,
    ) -> Plan:
        """Up to `size` pairs. `places`: how often each item was asked about; `waiting`: pairs before people."""
        known = self._for_estimates(size, places, waiting, rng, without)
        plan = known + self._in_front(size - len(known), set(known), waiting, rng, without)
        return [plan[k] for k in rng.permutation(len(plan))]

    def _for_estimates(
        self,
        size: int,
        places: NDArray[np.int64],
        waiting: Mapping[Pair, int],
        rng: Generator,
        without: frozenset[int],
    ) -> Plan:
        """Those owed most questions, each beside the nearest that are owed some, too."""
        owed = self.scores.owed(places)
        owed[list(without)] = -np.inf
        chosen: Plan = []
        met = np.zeros(self.items, dtype=np.int64)
        most = max(1, size // 3)
        luck = rng.random(self.items)
        while len(chosen) < size:
            first = np.where(met < most, owed - met, -np.inf)
            x = int(np.argmax(first + 1e-3 * luck))
            if first[x] <= 0:
                break
            near = self.scores.opponents(x, luck=luck)
            near = near[np.argsort(first[near] <= 0, kind="stable")]
            taken = {sorted_pair(*pair) for pair in chosen}
            y = next((int(y) for y in near if first[y] > -np.inf and self._open(x, int(y), taken, waiting)), None)
            if y is None:
                met[x] = most
                continue
            chosen.append((x, y))
            met[[x, y]] += 1
        return chosen

    def _open(self, x: int, y: int, taken: set[Pair], waiting: Mapping[Pair, int]) -> bool:
        pair = sorted_pair(x, y)
        return not (pair in taken or pair in waiting or (x, y) in self.settled or (y, x) in self.settled)

    def _in_front(
        self, size: int, taken: set[Pair], waiting: Mapping[Pair, int], rng: Generator, without: frozenset[int]
    ) -> Plan:
        """The most useful pairs among the first places, by the rule for few items."""
        if not size:
            return []
        order = np.argsort(-self.scores.mean, kind="stable")
        order = order[~np.isin(order, list(without))]
        field = max(FIELD, 4 * (self.k or 0))
        while True:
            chosen = order[:field]
            plan = self._among(chosen, size, {sorted_pair(*pair) for pair in taken}, waiting, rng)
            if len(plan) == size or field >= min(len(order), MOST_FIELD):
                return plan
            field *= 4

    def _among(
        self, chosen: NDArray[np.int64], size: int, taken: set[Pair], waiting: Mapping[Pair, int], rng: Generator
    ) -> Plan:
        n, pairs = len(chosen), all_pairs(len(chosen))
        number = {int(item): place for place, item in enumerate(chosen)}
        wins, evidence = np.zeros((n, n), dtype=np.int64), np.zeros((n, n))
        closed = np.zeros((n, n), dtype=bool)
        for (i, j), times in self.wins.items():
            if i in number and j in number:
                wins[number[i], number[j]] = times
                evidence[number[i], number[j]] = self.evidence(i, j)
                evidence[number[j], number[i]] = self.evidence(j, i)
        for i, j in [*self.settled, *taken]:
            if i in number and j in number:
                closed[number[i], number[j]] = closed[number[j], number[i]] = True
        out = np.zeros((n, n), dtype=np.int64)
        for (i, j), times in waiting.items():
            if i in number and j in number:
                out[number[i], number[j]] = out[number[j], number[i]] = times
        s = LOGITS * self.scores.mean[chosen]
        people = needs(wins, evidence, s, math.log(1 / self.level), pairs).people
        wanted = np.zeros(len(pairs[0]), dtype=bool)
        if self.objective is Objective.TOP and self.k is not None:
            wanted = across_top(s, self.k, pairs)
        luck = rng.random(len(wanted))
        class_ = np.where(wanted, 1, 2)
        best = choose(size, people, ~closed[pairs], class_, out[pairs], luck, pairs)
        return [(int(chosen[pairs[0][c]]), int(chosen[pairs[1][c]])) for c in best]

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        return {
            "epoch": self.epoch,
            "won": [[*pair, times] for pair, times in self.wins.items()],
            "peak": [[*pair, *tally] for pair, tally in self.peak.items()],
            "settled": sorted(self.settled),
            "scores": self.scores.state(),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.epoch = int(state["epoch"])
        self._set_level()
        self.wins = {(i, j): times for i, j, times in state["won"]}
        self.peak = {(i, j): (ahead, against) for i, j, ahead, against in state["peak"]}
        self.settled = Relation((i, j) for i, j in state["settled"])
        self.scores.load(state["scores"])

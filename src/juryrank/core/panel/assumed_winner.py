"""The best item, where it is taken for granted that a majority prefers some item to every other one.

Whoever that item t is, somebody who chooses between t and y says "t loses" with probability below one half. A plan
accuses some items, each of them at one place at most, and fixes this before anybody answers. After l losses and w
wins of x at the places that accused it, whoever the other item was, the evidence against "x is t" is K(l, w) of
`core/lead_table.py`: the factor 1 + λ for a loss, 1 - λ for a win, averaged over all λ from 0 to 1. Only t's
evidence could say something false, so δ is not shared: x is ruled out when K reaches 1/δ, and the one that is left
is t (docs/best.md).

An item that joins later is tested at its epoch's level; those that were there keep theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from juryrank.core.lead_table import LeadTable, log_evidence
from juryrank.core.levels import Objective, epoch_error
from juryrank.core.panel.bradley_terry import Floats, sigmoid
from juryrank.core.panel.counting import NOBODY, BySittings, Plan
from juryrank.core.panel.plans import Asked, guessed_share, other_pairs
from juryrank.core.panel.tournament import consistent_order

LEAST_EDGE = 0.1  # an item is accused where it is guessed to lose by so much (share for minus share against)
Accused = Sequence[tuple[int, ...]]  # by place of a plan: the items that it accuses


class AssumedWinner(BySittings):
    """What speaks against each item, and who is left.

    >>> ballot = AssumedWinner(3, error=0.1, joining=False)
    >>> for person in range(1, 6):
    ...     ballot.begin(person, [(0, 1), (0, 2)], [(1,), (2,)])
    ...     ballot.count_person(person, [(0, 1), (0, 2)], arrived=person)
    >>> ballot.left, ballot.table.fewest
    ([0], 5)
    """

    def __init__(self, items: int, *, error: float, joining: bool = True, spread: bool = False) -> None:
        self.objective, self.k = Objective.TOP, 1
        self.error, self.joining, self.spread = error, joining, spread
        self.epoch = 0
        self._blank(items)
        self.tally = np.zeros((items, 2), dtype=np.int64)  # losses and wins where the item was accused
        self.peak_evidence = np.zeros(items)  # the most ln K so far: what ruled an item out, whatever came after
        self.out = np.zeros(items, dtype=bool)
        self.since = np.zeros(items, dtype=np.int64)  # the epoch in which the item joined
        self._tables: dict[int, LeadTable] = {}
        self._accused: dict[int, list[tuple[int, int]]] = {}  # of sittings not counted yet: (item, against whom)

    @property
    def level(self) -> float:  # type: ignore[override]
        """The level at which items that join now are ruled out."""
        return epoch_error(self.error, self.epoch, joining=self.joining)

    def level_of(self, x: int) -> float:
        """The level at which x is ruled out: that of the epoch in which it joined."""
        return epoch_error(self.error, int(self.since[x]), joining=self.joining)

    @property
    def table(self) -> LeadTable:
        return self._table(self.epoch)

    def _table(self, epoch: int) -> LeadTable:
        if epoch not in self._tables:
            self._tables[epoch] = LeadTable(epoch_error(self.error, epoch, joining=self.joining))
        return self._tables[epoch]

    @property
    def left(self) -> list[int]:
        """The items that may still be the one."""
        return [int(x) for x in np.flatnonzero(~self.out)]

    @property
    def settled(self) -> NDArray[np.bool_]:
        """The last one left, once somebody preferred it, is over everybody; until then nothing is settled."""
        found, left = np.zeros((self.items, self.items), dtype=bool), self.left
        if len(left) == 1 and self.wins[left[0]].any():  # one that has just joined was preferred by nobody
            found[left[0], np.arange(self.items) != left[0]] = True
        return found

    def finished(self) -> bool:
        """Is one left, or nobody: then there is no such item (or the promise failed)?"""
        return self.items < 2 or not self.left or bool(self.settled.any())

    def order(self, guess: Floats) -> list[int]:
        """The best guess, with somebody who is left in front."""
        order = consistent_order(self.settled, guess)
        first = next((x for x in order if not self.out[x]), None)
        return order if first is None else [first, *(x for x in order if x != first)]

    # ------------------------------------------------------------------ counting
    def begin(self, number: int, plan: Plan, accused: Accused | None = None) -> None:
        """Sitting `number` begins; `accused` as recorded, else as this ballot would have it."""
        places = zip(plan, self.accuse(plan) if accused is None else accused, strict=False)
        self._accused[number] = [(x, j if x == i else i) for (i, j), found in places for x in found]

    def count_person(
        self, number: int, preferences: Plan, *, arrived: int, own: frozenset[int] = frozenset()
    ) -> None:
        said = set(preferences)
        for x, y in self._accused.pop(number, ()):
            self.tally[x] += (y, x) in said, (x, y) in said
            self.peak_evidence[x] = max(self.peak_evidence[x], self.evidence_against(x))
            if self._table(int(self.since[x])).settles(*map(int, self.tally[x])):
                self.out[x] = True  # for good: it reached its level once
        for better, worse in preferences:
            self.wins[better, worse] += 1

    def evidence_against(self, x: int) -> float:
        """ln K that x is not the one."""
        return log_evidence(*map(int, self.tally[x]))

    def join(self, more: int, *, arrived: int = 0) -> None:
        """`more` items join at the next epoch's level. Who wins among all of them, and was there, won before."""
        old, wins = self.items, self.wins
        self.epoch += 1
        self._blank(old + more)
        self.wins[:old, :old] = wins
        self.tally = np.concatenate([self.tally, np.zeros((more, 2), dtype=np.int64)])
        self.peak_evidence = np.concatenate([self.peak_evidence, np.zeros(more)])
        self.out = np.concatenate([self.out, np.zeros(more, dtype=bool)])
        self.since = np.concatenate([self.since, np.full(more, self.epoch)])

    # ------------------------------------------------------------------ what to ask
    def plan(self, size: int, asked: Asked, rng: Generator, *, without: frozenset[int] = NOBODY) -> Plan:
        """Everybody left against the best guess, its first rival always; other places by lot, for estimates."""
        if self.items < 2:
            return []
        by_guess = np.lexsort((rng.random(self.items), -self.guide()))
        left = [int(x) for x in by_guess if not self.out[x] and int(x) not in without]
        against = [(x, left[0]) for x in left[1:]]
        if len(against) > size:
            others = 1 + rng.permutation(len(against) - 1)[: size - 1]
            against = [against[k] for k in [0, *sorted(map(int, others))]]
        more = rng.permutation(other_pairs(self.pairs, against, without))[: size - len(against)]
        chosen = against + [(int(self.pairs[0][c]), int(self.pairs[1][c])) for c in more]
        return [chosen[k] for k in rng.permutation(len(chosen))] if self.spread else chosen

    def accuse(self, plan: Plan) -> list[tuple[int, ...]]:
        """For each place the items that are guessed to lose there; each is accused once."""
        guess, accused = self.guide(), set[int]()
        found = []
        for i, j in plan:
            now = [
                x
                for x, y in ((i, j), (j, i))
                if x not in accused and not self.out[x] and self._edge(guess, x, y) >= LEAST_EDGE
            ]
            accused.update(now)
            found.append(tuple(now))
        return found

    def _edge(self, guess: Floats, x: int, y: int) -> float:
        """By how much x is guessed to lose to y: from the tally of the pair and the guide."""
        return float(2 * guessed_share(self.wins[y, x], self.wins[x, y], sigmoid(guess[y] - guess[x])) - 1)

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        return {
            "epoch": self.epoch,
            "wins": self.wins.tolist(),
            "tally": self.tally.tolist(),
            "peak": self.peak_evidence.tolist(),
            "out": [int(x) for x in self.out],
            "since": self.since.tolist(),
            "accused": [[number, pairs] for number, pairs in sorted(self._accused.items())],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.epoch = int(state["epoch"])
        self.wins = np.array(state["wins"], dtype=np.int64).reshape(self.items, self.items)
        self.tally = np.array(state["tally"], dtype=np.int64).reshape(self.items, 2)
        now = [max(self.evidence_against(x), 0.0) for x in range(self.items)]
        self.peak_evidence = np.array(state.get("peak", now), dtype=np.float64)
        self.out = np.array(state["out"], dtype=bool)
        self.since = np.array(state["since"], dtype=np.int64)
        self._accused = {int(number): [(int(x), int(y)) for x, y in pairs] for number, pairs in state["accused"]}

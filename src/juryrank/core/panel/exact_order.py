"""The objective `order`: if the majority's preferences contain no cycle, this is their order.

    search   ask neighbours of the guide's order until it looks right, then fix the list (attempt m, level δ_m)
    prove    only sittings planned after that count; all N-1 links must be settled, each at δ_m
    a link's whole tally turns against the list: the attempt is over, its evidence gone, back to search

A wrong list has one first wrong link, fixed with the list: no correction for the number of links. Links are
claimed before the end in an order fixed with the list (surest first), up to the first unproven one.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from juryrank.core.lead_table import LeadTable, log_evidence
from juryrank.core.levels import Objective, level_of
from juryrank.core.panel.bradley_terry import Floats
from juryrank.core.panel.counting import NOBODY, BySittings, Plan
from juryrank.core.panel.plans import Asked
from juryrank.core.panel.tournament import consistent_order, reaches

DOUBT_TO_FIX = 0.5  # the list is fixed when fewer wrong links than this are expected (promises nothing; untuned)


class ExactOrder(BySittings):
    """Tallies, and the current list with the evidence of its links."""

    def __init__(self, items: int, *, error: float) -> None:
        self.objective, self.k = Objective.ORDER, None
        self.error = error
        self.attempt = 0  # attempts begun
        self._start(items)

    def _start(self, items: int) -> None:
        self._blank(items)
        self.claimed = np.zeros((items, items), dtype=bool)  # of all attempts
        self._search()

    def _search(self) -> None:
        """No list: its level, if it had one, is spent."""
        self.list: list[int] = []
        self.claim_order: list[int] = []
        self.from_sitting = 0
        self._set_level(self.attempt + 1)
        self.tally = np.zeros((max(self.items - 1, 0), 2), dtype=np.int64)
        self.proven = np.zeros(max(self.items - 1, 0), dtype=bool)

    @property
    def settled(self) -> NDArray[np.bool_]:
        """What is claimed, with what follows if there is no cycle."""
        return reaches(self.claimed)

    def _set_level(self, attempt: int) -> None:
        self.level = level_of(self.error, attempt)
        self.table = LeadTable(self.level)

    def count_person(
        self, number: int, preferences: Plan, *, arrived: int, own: frozenset[int] = frozenset()
    ) -> None:
        """One sitting; those begun so far were planned before a list that is fixed now, so none counts for it."""
        for better, worse in preferences:
            self.wins[better, worse] += 1
        if self.list and number >= self.from_sitting:
            self._prove(preferences)
        if self.list and not self.proven.all() and self._turned():
            self._search()
        if not self.list:
            self._fix(arrived)

    def _prove(self, preferences: Plan) -> None:
        place = {item: k for k, item in enumerate(self.list)}
        for better, worse in preferences:
            link = min(place[better], place[worse])
            if abs(place[better] - place[worse]) != 1:
                continue
            self.tally[link, 0 if place[better] < place[worse] else 1] += 1
            if self.table.settles(int(self.tally[link, 0]), int(self.tally[link, 1])):
                self.proven[link] = True
        for link in self.claim_order:
            if not self.proven[link]:
                break
            self.claimed[self.list[link], self.list[link + 1]] = True

    def _turned(self) -> bool:
        return any(self.wins[b, a] > self.wins[a, b] for a, b in zip(self.list, self.list[1:], strict=False))

    def _fix(self, arrived: int) -> None:
        order = self.order(self.guide())
        doubts = [self._doubt(a, b) for a, b in itertools.pairwise(order)]
        if not doubts or sum(doubts) > DOUBT_TO_FIX:
            return
        self.attempt += 1
        self.list, self.from_sitting = order, arrived + 1
        self.claim_order = [int(link) for link in np.argsort(doubts, kind="stable")]

    def adopt(self, attempt: int, order: list[int], claim_order: list[int], from_sitting: int) -> None:
        """Follow a recorded list: a replay on another processor must not fix a different one.

        List and order of claims are fixed once per attempt; proven links are counted by their place in both.
        """
        if (attempt, order, claim_order) == (self.attempt, self.list, self.claim_order):
            return
        self._search()
        self.attempt, self.list, self.claim_order, self.from_sitting = attempt, order, claim_order, from_sitting
        self._set_level(attempt)

    def _doubt(self, better: int, worse: int) -> float:
        """P(share < ½ | tally), from a uniform prior: K against over K for plus K against."""
        w, against = int(self.wins[better, worse]), int(self.wins[worse, better])
        return float(1 / (1 + np.exp(log_evidence(w, against) - log_evidence(against, w))))

    def order(self, guess: Floats) -> list[int]:
        """The list being proven, or the best guess with neighbours swapped where their tally says so."""
        if self.list:
            return list(self.list)
        order = consistent_order(self.settled, guess)
        for _ in range(self.items):
            neighbours = itertools.pairwise(order)
            against = [k for k, (a, b) in enumerate(neighbours) if self.wins[b, a] > self.wins[a, b]]
            if not against:
                break
            k = against[0]
            order[k], order[k + 1] = order[k + 1], order[k]
        return order

    def plan(self, size: int, asked: Asked, rng: Generator, *, without: frozenset[int] = NOBODY) -> Plan:
        """Links of the list that are not proven, or neighbours of the guide's order, least certain first."""
        if self.items < 2:
            return []
        order = self.order(self.guide())
        links = [(order[k], order[k + 1]) for k in range(self.items - 1) if not (self.list and self.proven[k])]
        links = [link for link in links if without.isdisjoint(link)]
        sure = np.array([self._sureness(a, b) for a, b in links])
        return [links[k] for k in np.lexsort((rng.random(len(links)), sure))[:size]]

    def have(self, pairs: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Floats:
        """ln K that each pair has towards its proof: that of a link since the list was fixed, else none."""
        known = {
            frozenset(link): max(0.0, log_evidence(int(w), int(against)))
            for link, (w, against) in zip(itertools.pairwise(self.list), self.tally, strict=False)
        }
        return np.array([known.get(frozenset((int(i), int(j))), 0.0) for i, j in zip(*pairs, strict=True)])

    def _sureness(self, better: int, worse: int) -> float:
        return log_evidence(int(self.wins[better, worse]), int(self.wins[worse, better]))

    def finished(self) -> bool:
        """Is every link of the present list proven?"""
        return self.items < 2 or (bool(self.list) and bool(self.proven.all()))

    def join(self, more: int, *, arrived: int = 0) -> None:
        """A joining item ends the attempt; claims already made stay, as all attempts' errors add up to δ."""
        old, wins, claimed = self.items, self.wins, self.claimed
        self._start(old + more)
        self.wins[:old, :old], self.claimed[:old, :old] = wins, claimed

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        return {
            "attempt": self.attempt,
            "wins": self.wins.tolist(),
            "claimed": self.claimed.astype(int).tolist(),
            "list": self.list,
            "claim_order": self.claim_order,
            "from_sitting": self.from_sitting,
            "tally": self.tally.tolist(),
            "proven": [int(x) for x in self.proven],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        shape = (self.items, self.items)
        self.attempt, self.list = state["attempt"], list(state["list"])
        self._set_level(self.attempt if self.list else self.attempt + 1)
        self.wins = np.array(state["wins"], dtype=np.int64).reshape(shape)
        self.claimed = np.array(state["claimed"], dtype=bool).reshape(shape)
        self.claim_order, self.from_sitting = list(state["claim_order"]), state["from_sitting"]
        self.tally = np.array(state["tally"], dtype=np.int64).reshape(-1, 2)
        self.proven = np.array(state["proven"], dtype=bool)

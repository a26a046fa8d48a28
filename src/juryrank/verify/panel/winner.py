"""Where a winner is assumed: what speaks against each item, whoever it lost to, counted from the raw answers.

An item is ruled out when K(losses, wins) at the places that accused it reaches one over the level of the epoch in
which it joined: if it is the winner, a majority prefers it to whoever it met there. docs/best.md has the proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from juryrank.types import Link
from juryrank.verify.arithmetic.evidence import settles
from juryrank.verify.arithmetic.levels import epoch_level
from juryrank.verify.panel.counts import Claims, Pair, as_number, most_of_majority
from juryrank.verify.panel.options import WINNER, PanelOptions
from juryrank.verify.panel.sittings import SittingRead
from juryrank.verify.room import Room


class Winner(Claims):
    """Losses and wins of each item where it was accused, and who is ruled out."""

    def __init__(self, items: Sequence[str], options: PanelOptions, error: float, room: Room) -> None:
        super().__init__(items, options, room)
        self.error, self.epoch = error, 0
        self.since = dict.fromkeys(items, 0)
        self.defeats: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.history: dict[str, list[tuple[int, int]]] = {}  # item -> its tallies, one after another
        self.out: set[str] = set()
        self.preferred: set[str] = set()  # by anybody, in what was counted
        self._silent: frozenset[frozenset[str]] = frozenset()  # pairs of the next person without a word

    def without(self, sitting: SittingRead) -> None:
        self._silent = frozenset(sitting.missing())

    def holds(self, other: Claims, shown: Sequence[str]) -> bool:
        return isinstance(other, Winner) and other.out <= self.out and super().holds(other, shown)

    def _level(self, epoch: int) -> Fraction:
        return epoch_level(self.error, epoch, joining=self.options.joining)

    @property
    def level(self) -> float | None:
        return float(self._level(0)) if not self.epoch else None

    @property
    def levels(self) -> tuple[float, ...]:
        return tuple(float(self._level(epoch)) for epoch in range(self.epoch + 1))

    def count(self, sitting: SittingRead) -> None:
        chosen = {frozenset(pair): pair for pair in sitting.preferences()}
        for accused, pair in zip(sitting.accused, sitting.plan, strict=False):
            for item in accused:
                if pair in chosen:
                    (self.won if chosen[pair][0] == item else self.defeats)[item] += 1
                self.won[item] += pair in self._silent
                self.history.setdefault(item, []).append((self.defeats[item], self.won[item]))
                level = self._level(self.since.get(item, 0))
                if item in self.since and settles(self.defeats[item], self.won[item], level):
                    self.out.add(item)
        self.preferred |= {better for better, _ in chosen.values()}
        self._conclude()

    def _conclude(self) -> None:
        """The last one left is the winner, once somebody preferred it to anything."""
        self.room.take(len(self.items), "who is left of so many items")
        left = [item for item in self.items if item not in self.out]
        found = len(left) == 1 and left[0] in self.preferred
        self.settled = {(left[0], other) for other in self.items if other != left[0]} if found else set()

    def join(self, items: Sequence[str], *, arrived: int) -> None:
        """Who is ruled out stays so: the winner of all of them, if it was there, was the winner before."""
        self.items += items
        self.epoch += 1
        self.since |= dict.fromkeys(items, self.epoch)
        self._conclude()

    def spans(self, items: Sequence[str], settled: set[Pair]) -> dict[str, tuple[int, int]]:
        if settled or self.out >= set(items):
            return super().spans(items, settled)
        return {item: (2 if item in self.out else 1, len(items)) for item in items}

    def links(self, shown: Sequence[str], settled: set[Pair]) -> tuple[Link, ...]:
        """The first one over every other, with what speaks against the other; none is settled before all are."""
        found = []
        for item in shown[1:]:
            answers = self.defeats[item], self.won[item]
            level = float(self._level(self.since.get(item, 0)))
            most = max(most_of_majority(self.history.get(item, ()), self.room), 0.0)
            found.append(Link(shown[0], item, bool(settled), as_number(most), level, *answers))
        return tuple(found)

    def details(self) -> dict[str, Any]:
        return {"assume": WINNER, "eliminated": sorted(self.out)}

    @property
    def narrowed(self) -> bool:
        return bool(self.out) and not self.out >= set(self.items)

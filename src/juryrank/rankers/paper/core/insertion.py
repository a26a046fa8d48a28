"""An insertion ranking fed with one answer at a time: the walk, its tables, and who said what. Paper: IIR.

Credit is given when an item has found its place: an answer about it was right if it agrees with that place
(the paper's n_z, A_z and B_z).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.rankers.paper.core import state as walk_state
from juryrank.rankers.paper.core import walk as walks
from juryrank.rankers.paper.core.constants import Constants, Tables, tables

FIRST_ATTEMPTS = 2  # most items are in by the second attempt; later tables are made when needed


class Insertion:
    """Ranks `items` (numbers), asking one pair at a time. `placed` counts; `order` is best first."""

    def __init__(self, items: Sequence[int], *, error: float, constants: Constants) -> None:
        self.items = list(items)
        self._item_error = error / max(len(self.items) - 1, 1)
        self._constants = constants
        self._walk = walk_state.live(walk_state.start(len(self.items), constants))
        self._tables = self._make_tables(FIRST_ATTEMPTS)
        self._said: dict[tuple[int, int], list[int]] = {}  # (opponent, judge): newcomer better, newcomer worse
        if not self.finished:
            walks.begin(self._walk, self._tables, 1)

    def _make_tables(self, attempts: int) -> Tables:
        return tables(len(self.items), self._item_error, self._constants, attempts=attempts)

    @property
    def finished(self) -> bool:
        return bool(self._walk.cursor.finished)

    @property
    def placed(self) -> int:
        return min(int(self._walk.cursor.n_ranked), len(self.items))

    @property
    def duel(self) -> int:
        """The number of the running duel."""
        return int(self._walk.cursor.duel)

    @property
    def longest(self) -> int:
        """The most answers that the running duel can take."""
        return int(walks.longest_duel(self._walk, self._tables))

    @property
    def answers(self) -> int:
        """Answers counted in the running duel."""
        return int(self._walk.cursor.answers)

    @property
    def pair(self) -> tuple[int, int]:
        """The newcomer and the ranked item it meets now."""
        return self.items[self._walk.cursor.newcomer], self.items[walks.opponent(self._walk)]

    @property
    def order(self) -> list[int]:
        """Placed items, best first."""
        return [self.items[k] for k in self._walk.ranked[: self.placed][::-1]]

    @property
    def flight(self) -> dict[int, float]:
        """The newcomer with the middle one of the gaps (best first) that its walk has reached."""
        if self.finished or not self._said:
            return {}
        walk, placed = self._walk, self.placed
        left, right = walk.path[walk.cursor.depth]
        middle = placed - (left + right + 1) / 2  # positions are worst first, gaps best first
        return {self.items[walk.cursor.newcomer]: middle}

    def answer(self, judge: int, won: bool) -> Mapping[int, tuple[int, int]] | None:
        """One answer about `pair`. Once the newcomer has its place: per judge, answers and those right."""
        said = self._said.setdefault((int(walks.opponent(self._walk)), judge), [0, 0])
        said[0 if won else 1] += 1
        place = walks.answer(self._walk, self._tables, won)
        if place == walks.GOING_ON:
            return None
        if place == walks.UNSURE:
            self._next_attempt()
            return None
        return self._insert(place)

    def _next_attempt(self) -> None:
        attempt = int(self._walk.cursor.attempt) + 1
        if attempt > self._tables.n_attempts:
            self._tables = self._make_tables(attempt)
        walks.begin(self._walk, self._tables, attempt)

    def _insert(self, place: int) -> Mapping[int, tuple[int, int]]:
        below = set(self._walk.ranked[:place].tolist())
        credit: dict[int, tuple[int, int]] = {}
        for (opponent, judge), (better, worse) in self._said.items():
            answered, right = credit.get(judge, (0, 0))
            credit[judge] = (answered + better + worse, right + (better if opponent in below else worse))
        self._said.clear()
        walks.insert(self._walk, place)
        if not self.finished:
            walks.begin(self._walk, self._tables, 1)
        return credit

    def to_json(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "walk": walk_state.to_json(self._walk),
            "attempts": self._tables.n_attempts,
            "said": [[*key, *counts] for key, counts in self._said.items()],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Become what `to_json` described."""
        self.items = list(state["items"])
        self._walk = walk_state.from_json(state["walk"])
        self._tables = self._make_tables(state["attempts"])
        self._said = {(row[0], row[1]): [row[2], row[3]] for row in state["said"]}

"""All systems at once: a draw is (judge, case, one of two opposite orders) from one table that all pairs share.

The answer orders all that were shown, so it says something about every pair of them: a draw enters the book of
each pair, with the same v and π, and is evidence for every claim of every list fixed before it. Nothing is chosen
but whether a list is fixed now. Draws are counted in the one order in which they were drawn.

A case that a system has no output for is no draw for its pairs. Given that a draw is one for a pair, the chance of
a judge is what the draw gives to the open cells of that pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.candidates import allowed_open
from juryrank.rankers.jury.core.machine import OUT_AT_LEAST, OUT_SHARE, Machine, NextQuestion
from juryrank.rankers.jury.core.pair import Drawn, PairBook
from juryrank.rankers.jury.core.table import ALL, Pair, Table

LOOK_AFTER = 6  # answers before a list is looked for
FIX_AT = 0.25  # sum of doubts at which a list is fixed: of pairs .4, but one answer tells pairs much alike


class MachineOfAll(Machine):
    """The machine where each question shows all systems."""

    together = True

    def __init__(self, table: Table, items: int, **given: Any) -> None:
        super().__init__(table, items, **given)
        self._begin_anew(table)

    def _begin_anew(self, table: Table) -> None:
        """Every cell is new."""
        self.shared = PairBook(table, ALL)
        self.places: list[dict[Pair, int]] = []  # of each draw: its place in the book of each pair
        self.books = {pair: PairBook(table, pair) for pair in combinations(range(self.items), 2)}
        self.drawn = self.most_counted = 0
        self.line.clear()
        self.refit_at = LOOK_AFTER

    def book(self, pair: Pair) -> PairBook:
        return self.shared if pair == ALL else self.books[pair]

    # ------------------------------------------------------------------ what happens
    def change(self, table: Table, items: int) -> None:
        """A judge joined or left: what was drawn stays. A system joined: every cell shows more, and is new."""
        if items == self.items:
            self.shared = self.shared.under(table)
        else:
            before, self.items = self.items, items
            self._begin_anew(table)
            self.items = before
        super().change(table, items)

    def undraw(self, pair: Pair, *, began: bool) -> None:
        """Take back the last draw, which is on no record."""
        self.shared.drawn.pop()
        self.drawn -= 1
        if self.line:
            self.line.pop()
        if began:
            self.attempts.pop()
            self.refutation = None
        for one in self.places.pop():
            self.books[one].drawn.pop()
        for book in (self.shared, *self.books.values()):
            book.counted = min(book.counted, len(book.drawn))
        self.shared = self.shared.under(self.table)
        self.books = {one: book.under(self.table) for one, book in self.books.items()}

    def entered(self, pair: Pair) -> None:
        """The last draw is one for each pair that has its case."""
        drawn, places = self.shared.drawn[-1], dict[Pair, int]()
        for book in self._with_case(drawn):
            places[book.pair] = len(book.drawn)
            book.enter(replace(drawn, chances=self._chances_for(book, drawn)))
        self.places.append(places)
        self.drawn += 1
        self.line.append((ALL, drawn))
        self.advance()

    def _with_case(self, drawn: Drawn) -> list[PairBook]:
        case, absent = drawn.cell // self.table.sides, self.table.absent
        return [book for book in self.books.values() if case not in absent.get(book.pair, ())]

    def _chances_for(self, book: PairBook, drawn: Drawn) -> tuple[float, ...]:
        """Of each judge, given that the draw is one for this pair."""
        if book.total == self.shared.total:
            return drawn.chances
        whole = list(self.shared.open_weight)
        whole[drawn.judge] += int(self.table.cell_weights[drawn.cell])  # before it was drawn
        rows = zip(drawn.chances, book.open_weight, whole, strict=True)
        parts = [chance * own / open_ if chance else 0.0 for chance, own, open_ in rows]
        return tuple(part / sum(parts) for part in parts)

    def settle_all(self, place: int, values: Mapping[Pair, float] | None, *, failed: bool = False) -> None:
        """An answer came back (None: a refusal, or it `failed`)."""
        self.shared.settle(place, None if values is None else 0.0, failed=failed)
        for pair, own in self.places[place].items():
            self.books[pair].settle(own, None if values is None else values[pair], failed=failed)
        self.advance()

    def drop(self, pair: Pair, place: int) -> None:
        for one, own in self.places[place].items():
            drawn = self.books[one].drawn[own]
            drawn.aside = drawn.aside or not drawn.settled
        super().drop(pair, place)

    def _count_next(self) -> None:
        """The next draw is evidence for all pairs, and the search learns of it."""
        self.line.popleft()
        for pair, own in self.places[self.shared.counted].items():
            book = self.books[pair]
            self._count_cell(book, book.drawn[own])
        self.shared.count()
        if self.counted >= self.refit_at:
            self._refit()
            self.refit_at = self.counted + 1

    def read_places(self) -> None:
        """Where each draw stands in the books of the pairs, once these are read."""
        so_far = Counter[Pair]()
        for drawn in self.shared.drawn:
            pairs = [book.pair for book in self._with_case(drawn)]
            self.places.append({pair: so_far[pair] for pair in pairs})
            so_far.update(pairs)

    # ------------------------------------------------------------------ what to ask next
    def plan(self, aside: Collection[int], *, hold: bool = True) -> NextQuestion | None:
        """The next draw, and the list that is fixed with it."""
        if not any(weight for u, weight in enumerate(self.shared.open_weight) if u not in aside):
            return None
        due = self._due_foreseen()
        if due is None and hold and len(self.line) >= self._most_out(self.working):
            return None
        return NextQuestion(ALL, due)

    def _list_due(self) -> Attempt | None:
        if self.required:
            return None if self.current else self._as_required()
        if self.counted < LOOK_AFTER or self.working is not None:
            return None
        listed = self._claims_of(self.order)
        doubts = self._doubts(listed, self.goal)
        if doubts.sum() <= FIX_AT + self.leniency.slack and not self._contradicted(listed, self.goal):
            known = self._known_list(listed)
            return None if known else self._fixed(self.order, listed, doubts, self.goal)
        found = self._coarser(doubts, new=True)
        return None if found in self.current else found

    def _most_out(self, working: Attempt | None) -> int:
        """How many draws may wait to be counted: as many as the claim needs that needs most; a share of all."""
        if working is None:
            return max(OUT_AT_LEAST, self.counted // OUT_SHARE)
        step = min(working.steps, len(self.resolutions) - 1) if self.required else self.goal
        return max(allowed_open(self, working, at, step) for at in range(len(working.claims)))

    def has_enough_out(self, pair: Pair) -> bool:
        return self.working is not None and len(self.line) >= self._most_out(self.working)

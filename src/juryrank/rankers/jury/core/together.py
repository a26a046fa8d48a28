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
from juryrank.rankers.jury.core.machine import FAR, OUT_AT_LEAST, OUT_SHARE, Machine, NextQuestion
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
        self.drawn = self.told = self.set_aside = self.most_drawn = 0
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
        gone = self.shared.drawn.pop()
        self.drawn -= 1
        self.most_drawn -= 1
        self.set_aside -= gone.aside
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
        self.most_drawn += 1

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
        self.told += 1
        for pair, own in self.places[place].items():
            book = self.books[pair]
            book.settle(own, None if values is None else values[pair], failed=failed)
            for opinion in self._opinions:
                opinion.learn(book)
        self.count_due(self.shared)
        if self.told >= self.refit_at:
            self._refit()
            self.refit_at = self.told + 1

    def drop(self, pair: Pair, place: int) -> None:
        for one, own in self.places[place].items():
            book = self.books[one]
            if not book.drawn[own].settled:
                book.drawn[own].aside = True
                book.out -= 1
        super().drop(pair, place)

    def count_due(self, book: PairBook) -> None:
        """Count what can be counted of all pairs, in the one order drawn."""
        changed = dict[Pair, PairBook]()
        while self.shared.due() is not None:
            for pair, own in self.places[self.shared.counted].items():
                changed[pair] = one = self.books[pair]
                for attempt in self._counting:
                    attempt.count(one, one.drawn[own], refusals_against=self.refusals_against)
                one.count()
            self.shared.count()
        for one in changed.values():
            self.recount(one)

    def read_places(self) -> None:
        """Where each draw stands in the books of the pairs, once these are read."""
        so_far = Counter[Pair]()
        for drawn in self.shared.drawn:
            pairs = [book.pair for book in self._with_case(drawn)]
            self.places.append({pair: so_far[pair] for pair in pairs})
            so_far.update(pairs)
        self.most_drawn = len(self.places)

    # ------------------------------------------------------------------ what to ask next
    def plan(self, aside: Collection[int], *, hold: bool = True) -> NextQuestion | None:
        """The next draw, and the list that is fixed with it."""
        if not any(weight for u, weight in enumerate(self.shared.open_weight) if u not in aside):
            return None
        begins = self._to_fix()
        if hold and self.out >= self._most_out(begins or self.working):
            return None
        return NextQuestion(ALL, begins)

    def _to_fix(self) -> Attempt | None:
        if self.required:
            fixed = None if self.current else self._as_required()
        elif self.told < LOOK_AFTER or self.working is not None:
            return None
        else:
            listed = self._claims_of(self.order)
            doubts = self._doubts(listed, self.goal)
            if doubts.sum() <= FIX_AT + self.leniency.slack and not self._contradicted(listed, self.goal):
                known = self._known_list(listed)
                fixed = None if known else self._fixed(self.order, listed, doubts, self.goal)
            else:
                coarse = self._coarser(far=bool(doubts.sum() > FAR + self.leniency.slack))
                fixed = None if coarse in self.current else coarse
        if fixed is not None:
            self._count_known(fixed)
        return fixed

    def _most_out(self, working: Attempt | None) -> int:
        """How many draws may be out: as many as the claim needs that needs most; a share of the search's."""
        if working is None:
            return max(OUT_AT_LEAST, self.told // OUT_SHARE)
        step = min(working.steps, len(self.resolutions) - 1) if self.required else self.goal
        return max(allowed_open(self, working, at, step) for at in range(len(working.claims)))

    def has_enough_out(self, pair: Pair) -> bool:
        return self.working is not None and self.out >= self._most_out(self.working)

"""All systems at once, written a second time: one table of draws, and what each draw says of every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from juryrank.verify.jury.book import Book
from juryrank.verify.jury.cells import Draw
from juryrank.verify.jury.setup import JuryOptions, hashed
from juryrank.verify.jury.walk import LogWalk, ends_unsaid
from juryrank.verify.record import Asked, Record
from juryrank.verify.room import Room


class CommonTable(Book):
    """The table that all pairs share."""

    def __init__(self, setup: JuryOptions, first: str, second: str, room: Room) -> None:
        super().__init__(setup, first, second, room, gone=setup.alone)
        self.hung_on = ("juryrank draw of all", list(setup.items))


class WalkOfAll(LogWalk):
    """The walk where each question shows all that have an output for its case."""

    def __init__(self, setup: JuryOptions, record: Record) -> None:
        super().__init__(setup, record)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.books = {}
        self.common = CommonTable(self.setup, "", "", self.record.room)
        self._parts: list[list[tuple[Book, Draw]]] = []  # of each draw: the same for each pair
        self._keys: dict[int, str] = {}  # by judge: the key of the draws when it was first drawn

    def run(self) -> None:
        super().run()
        known = 0  # whatever was drawn after one that is open is not counted yet, for any pair
        while known < len(self.common.draws) and self.common.draws[known].settled:
            known += 1
        for part in self._parts[known:]:
            for book, _ in part:
                book.draws.pop()

    def book(self, one: str, other: str) -> Book:
        return self.common

    def _pair(self, first: str, second: str) -> Book:
        pair = frozenset((first, second))
        if pair not in self.books:
            self.books[pair] = Book(self.setup, first, second, self.record.room)
        return self.books[pair]

    def _changes(self, setup: JuryOptions) -> None:
        more = setup.items != self.setup.items
        super()._changes(setup)
        if more:  # every cell shows more than before: all are new
            self._begin_anew()
            return
        self.common = self.common.under(setup)
        parts = {id(draw): book for book in self.books.values() for draw in book.draws}
        self._parts = [[(parts[id(draw)], draw) for _, draw in part] for part in self._parts]

    # ------------------------------------------------------------------ one question
    def _ahead(self, row: Mapping[str, Any]) -> None:
        self._draw("", "", row)

    def _draw(self, one: str, other: str, terms: Mapping[str, Any]) -> None:
        super()._draw(one, other, terms)
        whole = self.common.draws[-1]
        self._keys.setdefault(whole.judge, self.setup.key)
        self.record.room.take(len(self.setup.items) ** 2 * len(self.setup.judges), "every pair of each draw")
        part = []
        for first, second in combinations(self.setup.shown_in(whole.cell[0]), 2):
            book = self._pair(first, second)
            draw = Draw(whole.judge, whole.cell, whole.whole, (), whole.calls, whole.aside, without=whole.without)
            draw.chances = self._chances(book, whole)
            book.take(draw)
            part.append((book, draw))
        self._parts.append(part)

    def _chances(self, book: Book, whole: Draw) -> tuple[float, ...]:
        """Of each judge, given that the draw is one for this pair."""
        if book.total == self.common.total:
            return whole.chances
        before = self.common.open_weights()
        before[whole.judge] += whole.whole
        own = book.open_weights()
        parts = [chance * own[u] / before[u] if chance else 0.0 for u, chance in enumerate(whole.chances)]
        return tuple(part / sum(parts) for part in parts)

    def _drawn_before(self, after: int) -> Counter[frozenset[str]]:
        pairs = (frozenset((book.first, book.second)) for part in self._parts[:after] for book, _ in part)
        return Counter(pairs)

    def _check_shown(self, book: Book, draw: Draw, q: Asked, call: int) -> None:
        case, turned = draw.cell
        judge, name = self.setup.judges[draw.judge], self.setup.cases[case]
        items = self.setup.shown_in(case)
        key = self._keys[draw.judge]
        due = sorted(items, key=lambda item: hashed(["juryrank order", key, judge, name, items, item]))
        if turned:
            due.reverse()
        if (q.judge, q.case, list(q.shown)) != (judge, name, due):
            raise ValueError(f"the draw is {judge}, case {name!r}, in the order {due}; another one was asked")

    def _takes(self, book: Book, draw: Draw, q: Asked, call: int) -> None:
        draw.calls[call] = q
        if q.open:
            return
        said = q.in_time and not q.taken_back and q.answer != "skip"
        draw.answers[call], draw.failed = 0.0 if said else None, float(ends_unsaid(q))
        place = {item: at for at, tier in enumerate(q.order or ()) for item in tier}
        for pair, part in self._parts[q.terms["place"]]:
            lead = place.get(pair.second, 0) - place.get(pair.first, 0)  # without an order, all are equal
            part.answers[call] = float((lead > 0) - (lead < 0)) if said else None
            part.failed = draw.failed

    def _set_aside(self, judge: int) -> None:
        super()._set_aside(judge)
        for draw in self.common.draws:
            if draw.judge == judge and draw.calls[0] is None:
                draw.aside = True

    @property
    def drawn(self) -> int:
        return len(self.common.draws)


def walk_of(setup: JuryOptions, record: Record) -> LogWalk:
    """The walk through a log of this kind."""
    return (WalkOfAll if setup.together else LogWalk)(setup, record)

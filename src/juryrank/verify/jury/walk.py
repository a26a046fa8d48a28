"""Through the log: every question must be a cell drawn by the rule, shown as drawn, and sent once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

from juryrank.verify.jury.book import Book
from juryrank.verify.jury.cells import Draw, fixed_side
from juryrank.verify.jury.forecasts import OfPair, read_pairs
from juryrank.verify.jury.lists import Listed, read_list
from juryrank.verify.jury.outputs import RecordedOutputs
from juryrank.verify.jury.setup import JuryOptions
from juryrank.verify.record import Asked, Record
from juryrank.verify.record.record import GRADED_AS
from juryrank.verify.terms import is_number, is_whole

KNOWN_TERMS = {"place", "chances", "list", "call", "ahead", "first", "second", "aside"}


class LogWalk:
    """Books and lists as the questions of a log build them."""

    def __init__(self, setup: JuryOptions, record: Record) -> None:
        self.setup, self.record = setup, record
        self.books: dict[frozenset[str], Book] = {}
        self.lists: list[Listed] = []
        self.since = 0  # lists before this one were about another table: they prove nothing about this one
        self.changed = False  # did anybody join or leave since the start?
        self.dropped: set[int] = set()  # judges who left after answers had been seen
        self.joined: list[str] = []  # judges and items that were not there at the start
        self.foreign = 0  # questions that belong to no draw: they prove nothing
        self._order: list[frozenset[str]] = []  # the pairs of all cells, in the order drawn
        self.pauses = 0  # how often somebody was set aside, or came back
        self._paused: set[int] = set()
        self._then: set[int] = set()  # who was set aside at the moment that cells drawn ahead have reached
        self._since: deque[int] = deque()  # who was set aside, or came back, between that moment and now
        self._numbers: set[int] = set()  # of all lists
        self._claims: set[frozenset[tuple[str, str]]] = set()  # of the lists about this table
        self._number = {judge: u for u, judge in enumerate(setup.judges)}
        self._place = {item: at for at, item in enumerate(setup.items)}

    def run(self) -> None:
        """All events in order; raises ValueError with the question that breaks a rule."""
        self.foreseen: dict[frozenset[str], OfPair] = {}  # forecasts of the pairs of lists so far
        self.outputs = RecordedOutputs(self.record, self.setup.required)
        asked = {q.seq: q for q in self.record.asked}
        for event in self.record.events:
            if event["seq"] in asked:
                self._question(asked[event["seq"]])
            elif event["kind"] in HANDLED:
                HANDLED[event["kind"]](self, event)

    # ------------------------------------------------------------------ who is in the table
    def _pauses(self, event: Mapping[str, Any]) -> None:
        self._set_aside(self._number[event["data"]["judge"]])

    def _leaves(self, event: Mapping[str, Any]) -> None:
        self._pauses(event)
        u = self._number[event["data"]["judge"]]
        left = self.setup.left | {u}
        if self.setup.joining and len(left) < len(self.setup.judges):
            self.record.room.take(len(self.record.questions), "every question again for each judge who left")
            if any(q.told is not None and q.told < event["seq"] for q in self.record.asked):
                self.dropped.add(u)
            self._changes(self.setup.without(left))

    def _resumes(self, event: Mapping[str, Any]) -> None:
        u = self._number[event["data"]["judge"]]
        self._set_paused(u, paused=False)
        self.dropped.discard(u)
        if u in self.setup.left:
            self._changes(self.setup.without(self.setup.left - {u}))

    def _judge_joins(self, event: Mapping[str, Any]) -> None:
        judge = event["data"]["judge"]
        self._number[judge] = len(self._number)
        self.joined.append(judge)
        setup = self.setup.with_judge(judge, float(event["data"].get("price", 1.0)))
        self._changes(setup.drawn_anew(event["data"].get("entropy")))

    def _items_join(self, event: Mapping[str, Any]) -> None:
        for item in event["data"]["items"]:
            self._place[item] = len(self._place)
            self.joined.append(item)
        setup = self.setup.with_items(event["data"]["items"])
        self._changes(setup.drawn_anew(event["data"].get("entropy")))

    def _changes(self, setup: JuryOptions) -> None:
        """Another table: what was seen stays seen, and evidence begins anew."""
        self.record.room.take(10 * self._drawn() + 5 * len(setup.judges) + len(setup.items), "so many tables")
        self.setup, self.since, self.changed = setup, len(self.lists), True
        self._claims.clear()
        self.books = {pair: book.under(setup) for pair, book in self.books.items()}

    @property
    def drawn(self) -> int:
        """Cells that were drawn."""
        return sum(len(book.draws) for book in self.books.values())

    def _drawn(self) -> int:
        return sum(len(book.draws) + 1 for book in self.books.values())

    def book(self, one: str, other: str) -> Book:
        first, second = sorted((one, other), key=self._place.__getitem__)
        pair = frozenset((first, second))
        if pair not in self.books:
            self.books[pair] = Book(self.setup, first, second, self.record.room)
            if pair in self.foreseen:
                self.books[pair].foresee(self.foreseen[pair])
        return self.books[pair]

    def found(self, one: str, other: str) -> Book | None:
        return self.books.get(frozenset((one, other)))

    # ------------------------------------------------------------------ one question
    def _question(self, q: Asked) -> None:
        try:
            for row in q.terms.get("ahead") or ():
                self._ahead(row)
            if not is_whole(q.terms.get("place")):
                self.foreign += 1
                return
            self._since.clear()  # it is drawn now, and what comes next is not drawn before
            self._then = set(self._paused)
            self._sent(q)
        except (ValueError, KeyError, TypeError, IndexError) as problem:
            raise ValueError(f"question {q.id}: {problem}") from None

    def _ahead(self, row: Mapping[str, Any]) -> None:
        self._draw(row["first"], row["second"], row)

    def _sent(self, q: Asked) -> None:
        book = self.book(q.left, q.right)
        place, call = q.terms["place"], q.terms.get("call", 0)
        if not is_whole(call):
            raise ValueError("it does not say which side of its cell it is")
        if place == len(book.draws) and call == 0:
            self._draw(q.left, q.right, q.terms)
        draw = book.draws[place]
        if draw.calls[call] is not None or draw.aside:
            raise ValueError("its cell was asked before, or is out of play")
        if call == 1 and draw.calls[0] is None:
            raise ValueError("the second side is asked before the first")
        self._check_shown(book, draw, q, call)
        self.outputs.check(q)
        self._takes(book, draw, q, call)

    def _takes(self, book: Book, draw: Draw, q: Asked, call: int) -> None:
        """What came back for a draw."""
        draw.calls[call] = q
        if not q.open:
            draw.answers[call] = _value(q, first_left=q.left == book.first)
            draw.failed += ends_unsaid(q) / len(draw.calls)

    def _check_shown(self, book: Book, draw: Draw, q: Asked, call: int) -> None:
        case, side = draw.cell
        name, judge = self.setup.cases[case], self.setup.judges[draw.judge]
        if self.setup.both:
            side = call
        elif self.setup.recorded:
            side = 0
        elif self.setup.single:
            side = fixed_side(self.setup, book.first, book.second, judge, name)
        left = book.first if side == 0 else book.second
        if (q.judge, q.case, q.left) != (judge, name, left):
            raise ValueError(f"the draw is {judge}, case {name!r}, {left} on the left; another one was asked")

    def _draw(self, one: str, other: str, terms: Mapping[str, Any]) -> None:
        book = self.book(one, other)
        chances = terms["chances"]
        if terms["place"] != len(book.draws):
            raise ValueError("a place within its pair is left out or taken twice")
        if not isinstance(chances, list) or not all(is_number(chance) and chance >= 0 for chance in chances):
            raise ValueError("its chances are not numbers")
        if strange := sorted(set(terms) - KNOWN_TERMS):
            raise ValueError(f"its terms hold {strange[0]!r}, which this ranker does not write")
        if "list" in terms:
            listed = read_list(self.setup, terms["list"], self.record.room)
            self._foresee(listed, terms["list"])
            self._fix(listed)
        while misfit := book.misfit(chances, self._then):
            if not self._since:
                raise ValueError(misfit)
            self._then ^= {self._since.popleft()}  # it was drawn later than that
        book.draw(chances).aside = bool(terms.get("aside"))
        self._order.append(frozenset((one, other)))

    def _fix(self, listed: Listed) -> None:
        """What is drawn of a list's pairs after its place counts for it, and nothing of another table."""
        if listed.number in self._numbers:
            raise ValueError(f"the level of list {listed.number} is used a second time")
        if frozenset(listed.claims) in self._claims:
            raise ValueError(f"list {listed.number} is fixed a second time")
        if listed.after > self.drawn:
            raise ValueError(f"list {listed.number} is fixed after cells that are not drawn yet")
        self.record.room.take(listed.after, "every draw again for each list")
        before = self._drawn_before(listed.after)
        for claim in listed.claims:
            book = self.found(*claim)
            listed.starts[claim] = max(before[frozenset(claim)], book.since) if book else 0
        self._numbers.add(listed.number)
        self._claims.add(frozenset(listed.claims))
        self.lists.append(listed)

    def _drawn_before(self, after: int) -> Counter[frozenset[str]]:
        """How many of the first cells drawn are of each pair."""
        return Counter(self._order[:after])

    def _foresee(self, listed: Listed, terms: Mapping[str, Any]) -> None:
        """The forecasts of a list's pairs are known with it, or from an earlier one; who joined has none."""
        if listed.foresight is None:
            return
        self.foreseen |= read_pairs(self.setup, terms, self.record.room)
        for better, worse in listed.claims:
            pair = frozenset((better, worse))
            if max(self._place[better], self._place[worse]) >= self.setup.first_items:
                self.foreseen[pair] = ()
            if pair not in self.foreseen:
                raise ValueError(f"list {listed.number} does not bring the forecasts of {better} and {worse}")
            if pair in self.books and self.books[pair].forecasts is None:
                self.books[pair].foresee(self.foreseen[pair])

    def _set_aside(self, judge: int) -> None:
        """Cells drawn for a judge and not sent when it is set aside count against every claim."""
        self._set_paused(judge, paused=True)
        self.record.room.take(2 * self._drawn(), "every draw again for each judge set aside")
        for book in self.books.values():
            for draw in book.draws:
                if draw.judge == judge and any(call is None for call in draw.calls):
                    draw.aside = True

    def _set_paused(self, judge: int, *, paused: bool) -> None:
        if paused != (judge in self._paused):
            self.pauses += 1  # cells sent with the first question may have been drawn before it, too
            self.record.room.take(len(self.setup.judges), "all chances for each judge set aside")
            self._paused ^= {judge}
            self._since.append(judge)


HANDLED = {
    "judge_paused": LogWalk._pauses,
    "judge_removed": LogWalk._leaves,
    "judge_resumed": LogWalk._resumes,
    "judge_added": LogWalk._judge_joins,
    "items_added": LogWalk._items_join,
}


def ends_unsaid(q: Asked) -> bool:
    """Did it end without a word of its judge? A refusal is said; what expired, failed or was taken back is not."""
    return not q.in_time or q.taken_back or q.failed


def _value(q: Asked, *, first_left: bool) -> float | None:
    """An answer from the side of the pair's first item; None: there is none."""
    if not q.in_time or q.taken_back or q.answer == "skip":
        return None
    left = float(GRADED_AS[str(q.answer)]) if q.grade is None else q.grade
    return left if first_left else -left

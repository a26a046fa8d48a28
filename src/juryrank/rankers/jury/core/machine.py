"""Search, then prove: which pair to ask about next, and when to fix a list.

    SEARCH ──fix: the doubts of all claims sum to at most FIX_AT──▶ PROVE ──all claims proven──▶ done
       ▲                                                              │
       └──given up: a claim is counted false, or an sd below its edge─┘
    either ──counted: no choice can meet the objective──▶ done

What is known here is known in the order drawn: after each cell counted, the search looks whether a list is due.
It is fixed there, and every cell drawn later counts for it, also those that are out or back by then: so who
answers when changes neither a list nor its place among the answers. Counting goes on once the list is on record,
with the next question. That a list is given up only says what to ask; one whose claims look true again is taken up
again. `plan` only looks; what changes is written with a question, so that a log of questions is the whole story.
Everything here is guesswork that promises nothing; evidence lives in `attempt`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core import chance
from juryrank.core.levels import Objective, level_of
from juryrank.rankers.jury.core.attempt import Attempt, Counted
from juryrank.rankers.jury.core.candidates import (
    ALIKE,
    allowed_open,
    answers_needed,
    candidate,
    needs_more,
    would_need_more,
)
from juryrank.rankers.jury.core.claims import Claim, ClaimList, impossible, needed_by
from juryrank.rankers.jury.core.counting import by_count, countable, refutation_of
from juryrank.rankers.jury.core.evidence import UNKNOWN, Prior, Resolutions
from juryrank.rankers.jury.core.forecasts import Foresight, Rows, foresight_of
from juryrank.rankers.jury.core.opinion import CONFIRMED, DROPPED, KNOWN, Opinion, Places, Start
from juryrank.rankers.jury.core.pair import Drawn, PairBook
from juryrank.rankers.jury.core.table import Pair, Table

SEARCH_RULE = 3  # goes on record with each list: whoever changes what the search does gives it another number
FIX_AT = 0.4  # sum of doubts at which a list is fixed; from .3 to .5 makes no difference that can be measured
FAR = 0.8  # sum of doubts above which a list for the finest resolution is not to be expected soon
REACH = 3.0  # of ε when a list is fixed, in log-odds: a little inside the claim's own edge
EDGE = 4.0  # of ε when a claim is given up: a mean answer of -2ε is log-odds of -4ε
RANDOM_PER_ITEM = 2  # random questions per item before strengths are worth a look
REFIT_LOOKS = 8  # where the search looks at its start, strengths are fitted after 1/8 of an answer per item
REFIT_SHARE = 40  # strengths are fitted again after 1/40 more answers, and after 3 at least
LEAST_OUT = 4  # cells of a pair that may be out together where they go in batches
OUT_AT_LEAST, OUT_SHARE = 8, 4  # cells of the search drawn and not counted: 8, or 1/4 of what is counted
EVEN = 1.02  # a doubt d is asked by min(d, EVEN - d): nearest to even odds first, the hopeless before the sure
LOST = 0.8  # doubt of a claim at which even the likeliest list is lost: counting that claim false is the way on
DIGITS = 6  # of a prior on record
NARROWEST = 0.25  # spread of a prior that rests on the start alone
WARM_STREAM, PARTNER_STREAM = 21, 22  # streams of chance: the first, random pairs
SECOND = 1  # falling resolution: a coarser list is fixed for the second step at least, so that it is worth having
BESIDE = (
    0.05  # of the answers so far: what coarser steps, all in all, may lose where the finest needs another list
)
EVER = 2.0  # a lead of doubt d is lost at some time with a chance of 2d: the reflection principle of random walks
FINEST = 1  # the number, and with it the level, that is kept for the first list fixed for the finest resolution


@dataclass(frozen=True, slots=True)
class Leniency:
    """How a recorded choice is looked at again: another processor's last digits may have tipped it."""

    slack: float = 0.0  # added to what is compared with a threshold
    prefer: Pair | None = None  # the pair that was asked about: it wins where two are alike


LAST_DIGITS = 2e-6  # by which rounded doubts may differ between processors
STRICT = Leniency()
EITHER_WAY = (0.0, LAST_DIGITS, -LAST_DIGITS)  # slacks to look with, the rule itself first


@dataclass(frozen=True, slots=True)
class NextQuestion:
    """The next question: its pair, and the list that is fixed with it, before the cell is drawn."""

    pair: Pair
    begins: Attempt | None = None


class Machine:
    """All pairs' books, the search's opinion, the attempts so far."""

    together = False  # does each question show all systems?

    def __init__(
        self,
        table: Table,
        items: int,
        *,
        objective: Objective,
        k: int | None,
        error: float,
        resolutions: Resolutions,
        seed: int,
        refusals_against: bool = False,
        required: Sequence[Claim] = (),
        start: Start | None = None,
        forecast: Callable[[Pair], Rows] | None = None,
    ) -> None:
        self.forecast = forecast  # of a pair's cells: on record before the seed, and used from a list on
        self.foreseen: set[Pair] = set()  # the pairs of the lists about this table, where there are forecasts
        self.table, self.items, self.objective, self.k = table, items, objective, k
        self.error, self.resolutions, self.seed = error, resolutions, seed
        self.refusals_against, self.required = refusals_against, list(required)
        self.books: dict[Pair, PairBook] = {}
        self.start = start
        self.opinion = Opinion(items, start)
        self.today = Opinion(items) if start is not None else self.opinion  # from today's answers alone
        self._opinions = (self.opinion,) if start is None else (self.opinion, self.today)
        self.attempts: list[Attempt] = []
        self.refutation: Attempt | None = None  # of what is required: the last list's claims turned round
        self.changed = False  # did anybody join or leave since the start?
        self.since = 0  # attempts before this one were about another table: they are over
        self.order = chance.shuffled(range(items), seed, WARM_STREAM)
        self.coarse_order = list(self.order)  # the likeliest at the coarser resolution that comes next
        self.goal = len(resolutions) - 1  # the step to be reached: the finest one not counted out
        self.loses = self._no_claims()  # counted false
        self.closed = self._no_claims()  # counted false, or all asked without an answer: never to be proven
        self.known_true = self._no_claims()  # counted true
        self.most_counted = 0  # cells of one pair, or fewer
        self.drawn = 0
        self.line: deque[tuple[Pair, Drawn]] = deque()  # what is drawn and not counted, in the order drawn
        self.due: Attempt | None = None  # the list that the next question fixes; nothing is counted before that
        self.degree = np.zeros(items, dtype=np.int64)
        self.refit_at = RANDOM_PER_ITEM * items
        self.leniency = self.usual = STRICT
        self._none: dict[int, bool] = {}  # step: no choice can meet the objective; of `loses` as it is
        self._needed: list[tuple[list[int], ClaimList]] = []  # the claims of the orders looked at last
        self._everyone = ClaimList.of([])  # a claim about each pair, once the search has asked for it
        self._by_pair: dict[Pair, tuple[PairBook, int, dict[Claim, Counted]]] = {}  # as counted last
        self._busy: set[Pair] = set()  # pairs with a cell out, and some that had one
        if start is not None:
            self._refit()
        self._look()

    # ------------------------------------------------------------------ what happens
    def book(self, pair: Pair) -> PairBook:
        """A pair's book; one is opened when the pair is first asked about."""
        if pair not in self.books:
            self.books[pair] = PairBook(self.table, pair)
            if pair in self.foreseen and self.forecast is not None:
                self.books[pair].foresee(self.forecast(pair))
        return self.books[pair]

    def change(self, table: Table, items: int) -> None:
        """Judges or items joined or left: another table, about which nothing is fixed or proven yet.

        Answers stay what they are and move S; evidence begins anew with the next attempt, at its own level.
        """
        self.order += range(self.items, items)
        self.coarse_order, self.goal = list(self.order), len(self.resolutions) - 1
        self.degree = np.concatenate((self.degree, np.zeros(items - self.items, dtype=np.int64)))
        self.table, self.items, self.since, self.changed = table, items, len(self.attempts), True
        self.refutation = None
        self.loses, self.closed, self.known_true = (self._no_claims() for _ in range(3))
        self._none, self._needed, self._busy = {}, [], set(self.books)
        self.foreseen.clear()
        for book in self.books.values():
            book.forecast = None
        self.books = {pair: book.under(table) for pair, book in self.books.items()}
        for book in self.books.values():
            book.since = len(book.drawn)
        self.opinion = Opinion(items, self.start)
        self.today = self.opinion if self.start is None else Opinion(items)
        self._opinions = (self.opinion,) if self.start is None else (self.opinion, self.today)
        for opinion in self._opinions:
            opinion.load([], self.books)
        for book in self.books.values():
            self.recount(book)
        if self.counted:
            self._refit()
        self._look()
        self.advance()

    def _no_claims(self) -> NDArray[np.bool_]:
        """Resolutions x items x items."""
        return np.zeros((len(self.resolutions), self.items, self.items), dtype=bool)

    def undraw(self, pair: Pair, *, began: bool) -> None:
        """Take back the last draw of a pair, which is on no record; `began`: it also fixed the last list."""
        book = self.books[pair]
        book.drawn.pop()
        self.drawn -= 1
        if self.line:
            self.line.pop()
        self.degree[list(pair)] -= 1
        if began:
            self.attempts.pop()
            self.refutation = None
        book.counted = min(book.counted, len(book.drawn))
        self.books[pair] = book.under(self.table)
        if not book.drawn:
            del self.books[pair]

    @property
    def current(self) -> list[Attempt]:
        """The attempts about the table as it is now."""
        return self.attempts[self.since :]

    @property
    def _counting(self) -> list[Attempt]:
        """All for which answers are evidence now."""
        return self.current if self.refutation is None else [*self.current, self.refutation]

    @property
    def counted(self) -> int:
        """Cells counted, of all pairs together, in the order drawn."""
        return self.drawn - len(self.line)

    def begin(self, attempt: Attempt) -> None:
        """The list that is due goes on record, and cells drawn after its place count.

        Those before, or of another table, may decide some of its claims.
        """
        self.due = None
        while self.counted < attempt.after and self.line[0][1].settled:
            self._count_next()  # another processor's last digits: it was due later
        of = {pair: self.books[pair] for pair in attempt.place if pair in self.books}
        attempt.starts = {
            pair: max(of[pair].counted, of[pair].since) if pair in of else 0 for pair in attempt.place
        }
        self._count_known(attempt)
        self.foresee(attempt)
        self.attempts.append(attempt)
        if self.required:
            self.refutation = refutation_of(attempt)
            self._count_known(self.refutation)

    def foresee(self, attempt: Attempt) -> None:
        """Forecasts of the pairs of a list are used from here on."""
        if attempt.foresight is None or self.forecast is None:
            return
        for pair in attempt.place.keys() - self.foreseen:
            if pair in self.books:
                self.books[pair].foresee(self.forecast(pair))
        self.foreseen |= attempt.place.keys()

    def entered(self, pair: Pair) -> None:
        """A cell of this pair is out."""
        self.drawn += 1
        self.line.append((pair, self.books[pair].drawn[-1]))
        self._busy.add(pair)
        for item in pair:
            self.degree[item] += 1
        self.advance()

    def settle(self, pair: Pair, place: int, x: float | None, *, failed: bool = False) -> None:
        """One call came back (None: a refusal, or it `failed`)."""
        self.books[pair].settle(place, x, failed=failed)
        self.advance()

    def advance(self) -> None:
        """Count what can be counted, in the order drawn, up to where a list is due."""
        while self.due is None and self.line and self.line[0][1].settled:
            self._count_next()
            self._look()

    def _count_next(self) -> None:
        """The next cell is evidence, and the search learns of it."""
        pair, drawn = self.line.popleft()
        book = self.books[pair]
        self._count_cell(book, drawn)
        if self.counted >= self.refit_at or book.known >= KNOWN:
            self._refit()

    def _count_cell(self, book: PairBook, drawn: Drawn) -> None:
        """One cell of one pair."""
        for attempt in self._counting:
            attempt.count(book, drawn, refusals_against=self.refusals_against)
        book.count()
        self.most_counted = max(self.most_counted, book.counted)
        for opinion in self._opinions:
            opinion.learn(book)
        self.recount(book)

    def drop(self, pair: Pair, place: int) -> None:
        """A cell will not be sent: its judge was set aside."""
        drawn = self.book(pair).drawn[place]
        if not drawn.settled:
            drawn.aside = True
        self.advance()

    def _look(self) -> None:
        """Is a list due now, after what is counted? Only where a question can put it on record."""
        found = self._list_due()
        if found is None or not any(self._can_draw(pair, ()) for pair in found.place):
            found = None
        else:
            found.after = self.counted
        self.due = found

    def recount(self, book: PairBook) -> None:
        """What the counted cells of a pair decide, whatever the others will say."""
        if self.refutation is not None:
            self._count_pair(self.refutation, book)
        counted = self._counted(book, self.resolutions)
        if not counted:
            return
        for attempt in self.current:
            attempt.recount(book.pair, counted)
        for (better, worse), (true, false) in counted.items():
            if (self.loses[:, better, worse] != false).any():
                self.loses[:, better, worse] = false
                self._none.clear()
            self.known_true[:, better, worse] = true
            closed = ~true if book.all_counted else false
            if (closed & ~self.closed[:, better, worse]).any():
                self.refit_at = min(self.refit_at, self.counted)  # another list may be likelier now
            self.closed[:, better, worse] = closed

    def _count_known(self, attempt: Attempt) -> None:
        """What the cells counted so far decide of a list's claims: of a pair with no cell left, all of it."""
        for pair in attempt.place.keys() & self.books.keys():
            self._count_pair(attempt, self.books[pair])

    def _count_pair(self, attempt: Attempt, book: PairBook) -> None:
        if counted := self._counted(book, attempt.resolutions):
            attempt.recount(book.pair, counted)

    def _counted(self, book: PairBook, resolutions: Resolutions) -> dict[Claim, Counted]:
        """Both claims about a pair, as counted; nothing where the counted cells cannot decide anything."""
        if not countable(resolutions, book):
            return {}
        ours, as_it_is = resolutions is self.resolutions, (book, book.counted)
        if ours and book.pair in self._by_pair and self._by_pair[book.pair][:2] == as_it_is:
            return self._by_pair[book.pair][2]
        (i, j), against = book.pair, self.refusals_against
        signs = {(i, j): 1, (j, i): -1}
        found = {
            claim: by_count(resolutions, book, sign, refusals_against=against) for claim, sign in signs.items()
        }
        if ours:
            self._by_pair[book.pair] = (*as_it_is, found)
        return found

    def _refit(self) -> None:
        looking = self.start is not None and self.counted < RANDOM_PER_ITEM * self.items
        few = max(1, self.items // REFIT_LOOKS) if looking else 3
        self.refit_at = self.counted + max(few, self.counted // REFIT_SHARE)
        for opinion in self._opinions:
            opinion.fit()
        for step in range(len(self.resolutions) - 1, -1, -1):  # where the finest is out of reach, a coarser one
            self.goal, self.order = step, self._candidate(step)
            claims = self._claims_of(self.order)
            if not self.closed[step][claims.better, claims.worse].any():
                break
        coarse = self._coarse_step
        self.coarse_order = self.order if coarse == self.goal else self._candidate(coarse)

    def _candidate(self, step: int) -> list[int]:
        how = (self.resolutions.values[step], REACH, self.closed[step])
        return candidate(self.opinion, self.objective, self.k, *how)

    # ------------------------------------------------------------------ what is known
    @property
    def best(self) -> Attempt | None:
        """The attempt that proved most: the finest resolution, else the most claims, else the last one fixed."""
        counted = self.by_count
        last_first = self.current[::-1]
        known = [*last_first, counted] if counted else last_first
        return max(known, key=lambda a: (a.steps, int(a.stated.sum())), default=None)

    @property
    def by_count(self) -> Attempt | None:
        """The list as it stands now, if counting alone decides all its claims: that needs no attempt."""
        if self.table.fresh or self.items < 2:
            return None
        orders = (
            [self.order] if self.required or self.coarse_order == self.order else [self.order, self.coarse_order]
        )
        found = [counted for order in orders if (counted := self._by_count(order)) is not None]
        return max(found, key=lambda a: a.steps, default=None)

    def _by_count(self, order: list[int]) -> Attempt | None:
        claims = self.required or self._claims_of(order).claims
        found: list[dict[Claim, Counted]] = []
        for claim in claims:  # most lists fail at the first one: this is asked after every answer
            book = self.books.get(pair_of(*claim))
            counted = {} if book is None else self._counted(book, self.resolutions)
            if not counted or not counted[claim][0][0]:  # not even at the coarsest resolution
                return None
            found.append(counted)
        attempt = self.attempt(FINEST, order, claims, [UNKNOWN] * len(claims))
        for claim, counted in zip(claims, found, strict=True):
            attempt.recount(pair_of(*claim), counted)
        return attempt

    @property
    def step(self) -> int:
        """How many resolutions are proven for a whole list."""
        proven = max((attempt.steps for attempt in self.current), default=0)
        counted = self.by_count
        return max(proven, counted.steps) if counted else proven

    @property
    def none_exists(self) -> bool:
        """Is it counted that no choice meets the objective at the next resolution?"""
        return self.items > 1 and self._none_at(self.step)

    def _none_at(self, step: int) -> bool:
        if self.required or step == len(self.resolutions):
            return False
        if step not in self._none:
            self._none[step] = impossible(self.loses[step], self.objective, self.k)
        return self._none[step]

    def _claims_of(self, order: list[int]) -> ClaimList:
        """What the objective needs for an order; the last two are kept, as it is asked before every question."""
        for known, claims in self._needed:
            if known is order and len(known) == self.items:
                return claims
        found = needed_by(self.objective, order, self.k)
        self._needed = [(order, found), *self._needed[:1]]
        return found

    @property
    def done(self) -> bool:
        step = 0 if self.items < 2 else self.step
        if self.items < 2 or step == len(self.resolutions) or self._none_at(step):
            return True
        return self._lost(step)

    def _lost(self, step: int) -> bool:
        """Is nothing left to prove of what is required: refuted at the next step, or counted false there?"""
        if not self.required:
            return False
        last = step == len(self.resolutions) - 1
        return any(self.loses[step][claim] for claim in self.required) or (last and self.refuted)

    @property
    def refuted(self) -> bool:
        """Is it proven, at the finest resolution, that not all of what is required holds?"""
        return self.refutation is not None and bool(self.refutation.proven.any())

    @property
    def _coarse_step(self) -> int:
        """The coarser step that comes next; the goal itself where there is none."""
        return min(max(self.step, SECOND), self.goal)

    @property
    def working(self) -> Attempt | None:
        """The list to be proven now: the last one fixed for the goal that is not given up."""
        if self.required:
            return self.current[-1] if self.current else None
        return self._last_alive(self.goal, [a for a in self.current if a.goal >= self.goal])

    def _last_alive(self, step: int, lists: Sequence[Attempt]) -> Attempt | None:
        return next((a for a in reversed(lists) if not (self._given_up(a, step) or self._stuck(a, step))), None)

    # ------------------------------------------------------------------ what to ask next
    def plan(self, aside: Collection[int], *, hold: bool = True) -> NextQuestion | None:
        """The next question; None: everything that could help is out already, or cannot be drawn now.

        `hold`: keep questions back that may turn out needless. For judges who come when they like nothing is held
        back: what is drawn for others waits for them.
        """
        due = self._due_foreseen()
        if due is not None and (self.required or due.goal == self.goal):
            pair = self._first_of(due, aside)
            return None if pair is None else NextQuestion(pair, due)
        working = self.working
        if working is not None:
            pair = self._to_prove(working, aside, hold=hold, step=self._step_of(working))
            return None if pair is None else NextQuestion(pair)
        pair = self._to_look(self.drawn, aside)
        if pair is not None:
            return NextQuestion(pair)
        listed = self._claims_of(self.order)
        doubts = self._doubts(listed, self.goal)
        if self._credible(listed, doubts) and (known := self._known_list(listed)) is not None:
            pair = self._to_prove(known, aside, hold=hold, step=self.goal)
            return None if pair is None else NextQuestion(pair)
        coarse = due or self._coarser(doubts, new=False)
        if coarse is not None and self._cheap(coarse, self._coarse_step, 1.0):
            pair = self._to_prove(coarse, aside, hold=hold, step=self._coarse_step)
            if pair is not None:
                return NextQuestion(pair, due)
        if due is None and hold and len(self.line) >= max(OUT_AT_LEAST, self.counted // OUT_SHARE):
            return None  # the answers that are out may change what is worth asking
        pair = self._to_search(listed, doubts, aside)
        return None if pair is None else NextQuestion(pair, due)

    def _list_due(self) -> Attempt | None:
        """The list that is to be fixed after what is counted, whatever is out; None: there is none."""
        if self.required:
            return None if self.current else self._as_required()
        if self.working is not None or self._to_look(self.counted, ()) is not None:
            return None
        listed = self._claims_of(self.order)
        doubts = self._doubts(listed, self.goal)
        if self._credible(listed, doubts):
            known = self._known_list(listed)
            return self._fixed(self.order, listed, doubts, self.goal) if known is None else None
        found = self._coarser(doubts, new=True)
        return None if found in self.current else found

    def _credible(self, listed: ClaimList, doubts: NDArray[np.float64]) -> bool:
        """Is the list for the goal likely enough to be fixed?"""
        likely = self.counted and doubts.sum() <= FIX_AT + self.leniency.slack
        return bool(likely and not self._contradicted(listed, self.goal))

    def _to_look(self, looked: int, aside: Collection[int]) -> Pair | None:
        """A pair for one of the first questions, after so many: random, or to see whether the start holds."""
        if looked >= RANDOM_PER_ITEM * self.items or self._holds():
            return None
        return self._pair_to_look(aside) or self._random_pair(aside)

    def _step_of(self, working: Attempt) -> int:
        """The step at which a list is proven next: a coarser one first, where that is new and cheap."""
        if self.required:
            return min(working.steps, len(self.resolutions) - 1)
        step = max(working.steps, self.step)  # what another list has proven is not proven again
        if step >= self.goal:
            return self.goal
        lost = EVER * float(self._doubts(working, self.goal).sum())
        coarse = min(max(step, SECOND), self.goal)
        return step if self._cheap(working, coarse, lost) else self.goal

    def _coarser(self, finest: NDArray[np.float64], *, new: bool) -> Attempt | None:
        """The list for the coarser step that comes next. A `new` one is fixed where the search takes long.

        That is, where the `finest` is far from being fixed by its doubts, and once as many answers are counted as
        this one needs: systems that are about equal keep the search busy, and its answers count for the coarser
        list too.
        """
        step = self._coarse_step
        if step == self.goal or not self.counted:
            return None
        found = self._last_alive(step, self.current)
        if found is None:
            listed = self._claims_of(self.coarse_order)
            doubts = self._doubts(listed, step)
            far = finest.sum() > FAR + self.leniency.slack
            if not far or doubts.sum() > FIX_AT + self.leniency.slack:
                return None
            if (known := self._known_list(listed)) is not None or not new:
                return known
            level, enough = level_of(self.error, self._next_number(finest=False)), self.counted
            if would_need_more(self, listed, step, level=level, than=enough * (1 + self.leniency.slack)):
                return None
            found = self._fixed(self.coarse_order, listed, doubts, step)
            self._count_known(found)
        return found

    def _cheap(self, attempt: Attempt, step: int, lost: float) -> bool:
        """Are the answers that a list needs at a coarser step few, against those asked for so far?

        They are of no use to another list that is fixed later for the finest step: `lost` is the chance of that.
        """
        share = BESIDE / max(self.goal - SECOND, 1)  # of each coarser step
        few = share * self.drawn * (1 + self.leniency.slack)
        return not needs_more(self, attempt, step, than=few, share=min(lost, 1.0))

    def _known_list(self, listed: ClaimList) -> Attempt | None:
        """The list with these claims, if it is fixed already: no list is fixed twice."""
        return next((attempt for attempt in self.current if attempt.claimed == listed.claimed), None)

    @property
    def numbers(self) -> set[int]:
        """The numbers that are used: a level is used once, whatever the table was."""
        return {attempt.number for attempt in self.attempts}

    def _next_number(self, *, finest: bool) -> int:
        """The number of a new list, whose level is used once; the first is kept for the finest resolution."""
        number, used = FINEST if finest else FINEST + 1, self.numbers
        while number in used:
            number += 1
        return number

    def _doubts(self, listed: ClaimList | Attempt, step: int) -> NDArray[np.float64]:
        better, worse = listed.better, listed.worse
        doubts = self.opinion.doubts(better, worse, self.resolutions.values[step], REACH)
        closed = self.closed[step]
        return np.where(closed[better, worse], 1.0, doubts) if closed.any() else doubts

    def _as_required(self) -> Attempt:
        """The claims that were asked for, with nothing known about them but where the search starts."""
        lead = np.zeros(self.items)
        for better, worse in self.required:
            lead[better] += 1
            lead[worse] -= 1
        order = np.argsort(-lead, kind="stable").tolist()
        number = self._next_number(finest=True)
        priors = [self._from_start(claim) for claim in self.required]
        foresight = None if self.forecast is None else Foresight()  # nothing was asked yet
        return self.attempt(number, order, self.required, priors, foresight=foresight)

    def _from_start(self, claim: Claim) -> Prior:
        """What the start says of a claim before any answer, with room for what has changed."""
        gap, spread = (0.0, 0.0) if self.start is None else self.start.gap(*claim)
        mean = math.tanh(gap / 2)
        if mean <= UNKNOWN.mean:  # bets are on the claim being true: what speaks against it is no bet
            return UNKNOWN
        return Prior(round(mean, DIGITS), round(max(spread * (1 - mean * mean) / 2, NARROWEST), DIGITS), 1.0)

    def _given_up(self, attempt: Attempt, step: int) -> bool:
        """Is a claim counted false, or an sd below its edge, at this step?"""
        unproven = ~attempt.proven[:, step]
        if np.count_nonzero(attempt.counted_false[:, step] & unproven):
            return True
        at = (attempt.better[unproven], attempt.worse[unproven])
        return any(self._behind(opinion, at, step) for opinion in self._opinions)

    def _behind(self, opinion: Opinion, at: Any, step: int) -> bool:
        """Is one of these claims an sd below its edge?"""
        places = at[0] * self.items + at[1]
        lead = opinion.odds.take(places) + EDGE * self.resolutions.values[step] + self.leniency.slack
        if not (lead < 0).any():
            return False
        return bool((lead < -np.sqrt(opinion.spread.take(places))).any())

    def _holds(self) -> bool:
        """Do today's answers confirm the strengths that the search started from?"""
        return self.start is not None and self.start.trust[-1] <= CONFIRMED + self.leniency.slack

    def _pair_to_look(self, aside: Collection[int]) -> Pair | None:
        """The pair about which the start says most, and little was asked: to see whether it still holds."""
        if self.start is None or self.start.trust[-1] >= DROPPED + self.leniency.slack:
            return None
        n = len(self.start.means)
        asked = 1.0 + self.degree[:n]
        says = np.abs(self.start.means[:, None] - self.start.means[None, :]) / (asked[:, None] * asked[None, :])
        first, second = np.triu_indices(n, 1)
        for at in self._largest_first(says[first, second], first, second):
            pair = (int(first[at]), int(second[at]))
            if says[pair] > 0 and self._can_draw(pair, aside):
                return pair
        return None

    def _contradicted(self, listed: ClaimList, step: int) -> bool:
        """Do today's answers alone speak against a list that the start makes likely?"""
        return self.start is not None and self._behind(self.today, (listed.better, listed.worse), step)

    def _stuck(self, attempt: Attempt, step: int) -> bool:
        """Is a claim all asked and never to be proven, because nobody gave an answer?"""
        if not self.closed[step].any():
            return False
        closed = self.closed[step][attempt.better, attempt.worse]
        return bool(np.count_nonzero(closed & ~attempt.proven[:, step]))

    def _fixed(self, order: list[int], listed: ClaimList, doubts: NDArray[np.float64], step: int) -> Attempt:
        """A list with its claims, surest first, and what the search believes of each."""
        squares = sum(book.squares for book in self.books.values()) + 20.0
        square = round(squares / (sum(book.counted for book in self.books.values()) + 20.0), DIGITS)
        sequence = [listed.claims[a] for a in np.argsort(np.round(doubts, ALIKE), kind="stable")]
        number = self._next_number(finest=step == self.goal)
        return self.attempt(number, order, sequence, [self._prior(c, square) for c in sequence], goal=step)

    def attempt(
        self,
        number: int,
        order: list[int],
        claims: list[Claim],
        priors: list[Prior],
        *,
        goal: int = -1,
        foresight: Foresight | None = None,
    ) -> Attempt:
        return Attempt(
            number, error=self.error, resolutions=self.resolutions, order=order, claims=claims, priors=priors,
            goal=goal, foresight=foresight,
        )  # fmt: skip

    def _due_foreseen(self) -> Attempt | None:
        """The list that is due, with what the answers about its pairs say of their forecasts.

        Not before it is asked for: whoever replays a log knows forecasts with the question that brings them.
        """
        due = self.due
        if due is None or self.forecast is None or due.foresight is not None:
            return due
        told = []
        for pair in sorted(pair_of(*claim) for claim in due.claims):
            if (book := self.books.get(pair)) is not None and book.counted:
                cells = [drawn for drawn in book.drawn[: book.counted] if drawn.answered]
                rows = self.forecast(pair)
                told.append(([d.x for d in cells], [int(rows[d.judge][d.cell]) for d in cells]))
        due.foresight = foresight_of(told, due.priors[0].square)
        return due

    def _prior(self, claim: Claim, square: float) -> Prior:
        mean = float(np.tanh(self.opinion.odds[claim] / 2))
        spread = float(np.sqrt(self.opinion.spread[claim])) * 0.5 * (1 - mean * mean)
        return Prior(round(mean, DIGITS), round(spread, DIGITS), square)

    def _first_of(self, attempt: Attempt, aside: Collection[int]) -> Pair | None:
        """The first question of a new list; counted cells may prove some of its claims already."""
        self._count_known(attempt)
        first = self._to_prove(attempt, aside)
        return first or next((pair for pair in attempt.place if self._can_draw(pair, aside)), None)

    def _to_prove(
        self, attempt: Attempt, aside: Collection[int], *, hold: bool = True, step: int | None = None
    ) -> Pair | None:
        """The most doubtful claim that the questions already out may not settle."""
        step = min(attempt.steps, len(self.resolutions) - 1) if step is None else step
        open_claims = np.flatnonzero(~attempt.proven[:, : step + 1].all(axis=1))  # or nothing finer is stated
        in_turn: Iterable[int] = range(len(open_claims))
        if len(open_claims) > 1:  # one alone needs no comparison
            at = (attempt.better[open_claims], attempt.worse[open_claims])
            doubts = self.opinion.doubts(*at, self.resolutions.values[step], REACH)
            in_turn = self._largest_first(doubts, *at)
        for place in in_turn:
            claim = int(open_claims[place])
            pair = pair_of(*attempt.claims[claim])
            out = self._out(pair)
            if hold and out and out >= allowed_open(self, attempt, claim, step):
                continue
            if self._can_draw(pair, aside):
                return pair
        return None

    def has_enough_out(self, pair: Pair) -> bool:
        """While a list is being proven: are as many cells of a pair out as its claim is likely to need?"""
        working = self.working
        if working is None:
            return False
        at, step = working.place.get(pair), self._step_of(working)
        return at is None or self._out(pair) >= max(LEAST_OUT, answers_needed(self, working, at, step))

    def _to_search(self, listed: ClaimList, doubts: NDArray[np.float64], aside: Collection[int]) -> Pair | None:
        """The claim nearest to even odds; once those are known, any pair. A lost list is refuted first."""
        lost = int(np.argmax(doubts)) if len(doubts) else 0
        if len(doubts) and doubts[lost] > LOST + self.leniency.slack and self._can_draw(listed.pair(lost), aside):
            return listed.pair(lost)  # what else it claims does not matter
        found = self._most_even(listed, doubts, aside)
        if found is not None or np.count_nonzero(self._outs(listed)):
            return found
        if len(self._everyone.better) != self.items * (self.items - 1) // 2:
            self._everyone = ClaimList.of(list(combinations(range(self.items), 2)))
        return self._most_even(self._everyone, self._doubts(self._everyone, self.goal), aside)

    def _outs(self, listed: ClaimList) -> NDArray[np.int64]:
        """How many cells are out of each claim's pair."""
        self._busy = {pair for pair in self._busy if self._out(pair)}
        out = np.zeros((self.items, self.items), dtype=np.int64)
        for i, j in self._busy:
            out[i, j] = out[j, i] = self._out((i, j))
        found: NDArray[np.int64] = out[listed.better, listed.worse]
        return found

    def _most_even(self, listed: ClaimList, doubts: NDArray[np.float64], aside: Collection[int]) -> Pair | None:
        score = np.minimum(doubts, EVEN - doubts) / (1 + self._outs(listed))
        for at in self._largest_first(score, listed.better, listed.worse):
            pair = listed.pair(at)
            if self._can_draw(pair, aside):
                return pair
        return None

    def _largest_first(self, score: NDArray[np.float64], one: Places, other: Places) -> Iterator[int]:
        """Places in falling order; those that differ in the last digits only, as they come."""
        found = np.round(score, ALIKE)
        if self.leniency.prefer is not None:
            i, j = self.leniency.prefer
            found = found + LAST_DIGITS * (((one == i) & (other == j)) | ((one == j) & (other == i)))
        if len(found):
            yield int(np.argmax(found))  # mostly the only one that is wanted: thousands need not be sorted
        yield from np.argsort(-found, kind="stable")[1:].tolist()

    def _random_pair(self, aside: Collection[int]) -> Pair | None:
        """The item asked about least, with a random partner."""
        least = np.flatnonzero(self.degree == self.degree.min()).tolist()
        first = min(least, key=lambda i: chance.uniform(self.seed, WARM_STREAM + i, self.drawn))
        others = [i for i in range(self.items) if i != first]
        start = int(chance.uniform(self.seed, PARTNER_STREAM, self.drawn) * len(others))
        for second in others[start:] + others[:start]:
            pair = pair_of(first, second)
            if self._can_draw(pair, aside):
                return pair
        return None

    # ------------------------------------------------------------------ what is out
    @property
    def out(self) -> int:
        """Cells that are out and not back."""
        return sum(not drawn.settled for _, drawn in self.line)

    def _out(self, pair: Pair) -> int:
        """Cells of a pair that are drawn and not counted."""
        book = self.books.get(pair)
        return 0 if book is None else len(book.drawn) - book.counted

    @property
    def fewest_left(self) -> float:
        """So many cells of each pair, or more, are not counted yet."""
        return math.inf if self.table.fresh else self.table.fewest_cells - self.most_counted

    def cells_left(self, pair: Pair) -> float:
        """How many cells of a pair are not counted yet: there is no end of fresh ones."""
        if self.table.fresh:
            return math.inf
        counted = self.books[pair].counted if pair in self.books else 0
        return self.table.active * self.table.judge_cells(pair) - counted

    def _can_draw(self, pair: Pair, aside: Collection[int]) -> bool:
        book = self.books.get(pair)
        if book is None:
            return self.table.total(pair) > 0 and len(aside) < self.table.judges
        return any(weight for u, weight in enumerate(book.open_weight) if u not in aside)


def pair_of(i: int, j: int) -> Pair:
    """The pair's items, the smaller number first.

    >>> pair_of(3, 1)
    (1, 3)
    """
    return (i, j) if i < j else (j, i)

"""Search, then prove: which pair to ask about next, when to fix a list, when to give one up.

    SEARCH ──fix: the doubts of all claims sum to at most FIX_AT──▶ PROVE ──all claims proven──▶ done
       ▲                                                              │
       └──give up: a claim is counted false, or an sd below its edge──┘
    either ──counted: no choice can meet the objective──▶ done

`plan` only looks; the phase changes when a planned question is entered, so that a log of questions is the whole
story. Everything here is guesswork that promises nothing; evidence lives in `attempt`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.core import chance
from juryrank.core.jury.attempt import Attempt, Counted
from juryrank.core.jury.candidates import candidate
from juryrank.core.jury.claims import Claim, impossible, needed
from juryrank.core.jury.evidence import Prior, Resolutions
from juryrank.core.jury.needs import allowed_open
from juryrank.core.jury.opinion import KNOWN, Opinion
from juryrank.core.jury.pair import Drawn, PairBook
from juryrank.core.jury.table import Pair, Table
from juryrank.core.levels import Objective

FIX_AT = 0.4  # sum of doubts at which a list is fixed; from .3 to .5 makes no difference that can be measured
REACH = 3.0  # of ε when a list is fixed, in log-odds: a little inside the claim's own edge
EDGE = 4.0  # of ε when a claim is given up: a mean answer of -2ε is log-odds of -4ε
RANDOM_PER_ITEM = 2  # random questions per item before strengths are worth a look
REFIT_SHARE = 40  # strengths are fitted again after 1/40 more answers, and after 3 at least
OUT_AT_LEAST, OUT_SHARE = 4, 8  # questions of the search out at once: 4, or 1/8 of what is told
EVEN = 1.02  # a doubt d is asked by min(d, EVEN - d): nearest to even odds first, the hopeless before the sure
LOST = 0.8  # doubt of a claim at which even the likeliest list is lost: counting that claim false is the way on
DIGITS = 6  # of a prior on record
TURNED = 1.5  # sds below the finest edge at which a list that has proven something makes way for a better one
HOPELESS = 3.5  # sds below its edge at which a required claim is given up
UNKNOWN = Prior(mean=0.2, spread=0.4, square=1.0)  # of a required claim: whoever requires it has a reason to hope
WARM_STREAM, PARTNER_STREAM = 21, 22  # streams of chance: the first, random pairs
SECOND = 1  # falling resolution: the first list is fixed for the second step, so that it is worth sharpening


@dataclass(frozen=True, slots=True)
class NextQuestion:
    """The next question: its pair, the attempt it belongs to (0: search), and that attempt if it begins here."""

    pair: Pair
    attempt: int
    begins: Attempt | None = None


class Machine:
    """All pairs' books, the search's opinion, the attempts so far."""

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
    ) -> None:
        self.table, self.items, self.objective, self.k = table, items, objective, k
        self.error, self.resolutions, self.seed = error, resolutions, seed
        self.refusals_against, self.required = refusals_against, list(required)
        self.books: dict[Pair, PairBook] = {}
        self.opinion = Opinion(items)
        self.attempts: list[Attempt] = []
        self.since = 0  # attempts before this one were about another table: they are over
        self.proving = False
        self.order = chance.shuffled(range(items), seed, WARM_STREAM)
        self.loses = self._no_claims()  # counted false
        self.closed = self._no_claims()  # counted false, or all asked without an answer: never to be proven
        self.drawn = 0
        self.told = 0
        self.set_aside = 0  # drawn cells that will never be told
        self.degree = np.zeros(items, dtype=np.int64)
        self.refit_at = RANDOM_PER_ITEM * items

    # ------------------------------------------------------------------ what happens
    def book(self, pair: Pair) -> PairBook:
        """A pair's book; one is opened when the pair is first asked about."""
        if pair not in self.books:
            self.books[pair] = PairBook(self.table, pair)
        return self.books[pair]

    def change(self, table: Table, items: int) -> None:
        """Judges or items joined or left: another table, about which nothing is fixed or proven yet.

        Answers stay what they are and move S; evidence begins anew with the next attempt, at its own level.
        """
        self.order += range(self.items, items)
        self.degree = np.concatenate((self.degree, np.zeros(items - self.items, dtype=np.int64)))
        self.table, self.items, self.since, self.proving = table, items, len(self.attempts), False
        self.loses, self.closed = self._no_claims(), self._no_claims()
        self.books = {pair: book.under(table) for pair, book in self.books.items()}
        self.opinion = Opinion(items)
        self.opinion.load([], self.books)
        for book in self.books.values():
            self.recount(book)
        if self.told:
            self._refit()

    def _no_claims(self) -> NDArray[np.bool_]:
        """Resolutions x items x items."""
        return np.zeros((len(self.resolutions), self.items, self.items), dtype=bool)

    def undraw(self, pair: Pair, *, began: bool) -> None:
        """Take back the last draw of a pair, which is on no record; `began`: it also fixed the last list."""
        book = self.books[pair]
        gone = book.drawn.pop()
        self.drawn -= 1
        self.set_aside -= gone.aside
        self.degree[list(pair)] -= 1
        if began:
            self.attempts.pop()
        book.counted = min(book.counted, len(book.drawn))
        self.books[pair] = book.under(self.table)
        if not book.drawn:
            del self.books[pair]

    @property
    def current(self) -> list[Attempt]:
        """The attempts about the table as it is now."""
        return self.attempts[self.since :]

    def begin(self, attempt: Attempt) -> None:
        """A new list is fixed; cells counted before may decide some of its claims, and need no more answers."""
        self._count_known(attempt)
        self.attempts.append(attempt)

    def entered(self, pair: Pair, drawn: Drawn) -> None:
        """A cell of this pair is out."""
        self.drawn += 1
        for item in pair:
            self.degree[item] += 1
        self.proving = drawn.attempt == len(self.attempts) > 0

    def settle(self, pair: Pair, place: int, x: float | None) -> None:
        """One call came back (None: a refusal); the search looks at it now, the proof in the order drawn."""
        book = self.books[pair]
        before = book.told.cells
        book.settle(place, x)
        if book.told.cells > before:
            self.told += 1
            self.opinion.learn(book)
        self.count_due(book)
        if book.told.cells > before and (self.told >= self.refit_at or book.known >= KNOWN):
            self._refit()

    def count_due(self, book: PairBook) -> None:
        """Count what can be counted of a pair, in the order drawn."""
        changed = False
        while (drawn := book.due()) is not None:
            if drawn.attempt > self.since:
                self.attempts[drawn.attempt - 1].count(book, drawn, refusals_against=self.refusals_against)
            book.count()
            changed = True
        if changed:
            self.recount(book)

    def recount(self, book: PairBook) -> None:
        """What the counted cells of a pair decide, whatever the others will say."""
        counted = self._counted(book)
        if not counted:
            return
        for attempt in self.current:
            attempt.recount(book.pair, counted)
        for (better, worse), (true, false) in counted.items():
            self.loses[:, better, worse] = false
            closed = ~true if book.all_counted else false
            if (closed & ~self.closed[:, better, worse]).any():
                self.refit_at = min(self.refit_at, self.told)  # another list may be likelier now
            self.closed[:, better, worse] = closed

    def _count_known(self, attempt: Attempt) -> None:
        """What the cells counted so far decide of a list's claims: of a pair with no cell left, all of it."""
        for pair in attempt.place.keys() & self.books.keys():
            if counted := self._counted(self.books[pair]):
                attempt.recount(pair, counted)

    def _counted(self, book: PairBook) -> dict[Claim, Counted]:
        """Both claims about a pair, as counted; nothing where the counted cells cannot decide anything."""
        if not self.resolutions.countable(book.unknown):
            return {}
        (i, j), against = book.pair, self.refusals_against
        signs = {(i, j): 1, (j, i): -1}
        return {
            claim: self.resolutions.by_count(book.standing(sign, refusals_against=against), book.unknown)
            for claim, sign in signs.items()
        }

    def _refit(self) -> None:
        self.refit_at = self.told + max(3, self.told // REFIT_SHARE)
        self.opinion.fit()
        for step in range(self._goal_step, -1, -1):  # where the goal is out of reach, a coarser one
            how = (self.resolutions.values[step], REACH, self.closed[step])
            self.order = candidate(self.opinion, self.objective, self.k, *how)
            claims = np.array(needed(self.objective, self.order, self.k), dtype=np.int64).reshape(-1, 2).T
            if not self.closed[step][*claims].any():
                break

    # ------------------------------------------------------------------ what is known
    @property
    def best(self) -> Attempt | None:
        """The attempt that proved most: the finest resolution, else the most claims, else the last."""
        counted = self.by_count
        known = [*self.current, counted] if counted else self.current
        return max(known, key=lambda a: (a.steps, int(a.stated.sum()), a.number), default=None)

    @property
    def by_count(self) -> Attempt | None:
        """The list as it stands now, if counting alone decides all its claims: that needs no attempt."""
        if self.table.fresh or self.items < 2:
            return None
        claims = self.required or needed(self.objective, self.order, self.k)
        found: list[dict[Claim, Counted]] = []
        for claim in claims:  # most lists fail at the first one: this is asked after every answer
            book = self.books.get(pair_of(*claim))
            counted = {} if book is None else self._counted(book)
            if not counted or not counted[claim][0][0]:  # not even at the coarsest resolution
                return None
            found.append(counted)
        number = max(len(self.attempts), 1)
        attempt = self.attempt(number, self.order, claims, [UNKNOWN] * len(claims))
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
        return impossible(self.loses[step], self.objective, self.k)

    @property
    def done(self) -> bool:
        step = 0 if self.items < 2 else self.step
        if self.items < 2 or step == len(self.resolutions) or self._none_at(step):
            return True
        return bool(self.required) and self.refuted

    @property
    def refuted(self) -> bool:
        """Is a required claim counted false at the next resolution, or far below its edge?"""
        attempt = self.current[-1] if self.current else None
        if attempt is None or attempt.steps == len(self.resolutions):
            return False
        return self._given_up(attempt, HOPELESS)

    @property
    def _goal(self) -> float:
        """The resolution that a new list is fixed for."""
        return self.resolutions.values[self._goal_step]

    @property
    def _goal_step(self) -> int:
        first = min(SECOND, len(self.resolutions) - 1)
        return min(max(self.step, first), len(self.resolutions) - 1)

    # ------------------------------------------------------------------ what to ask next
    def plan(self, aside: Collection[int], *, hold: bool = True) -> NextQuestion | None:
        """The next question; None: everything that could help is out already, or cannot be drawn now.

        `hold`: keep questions back that may turn out needless. For judges who come when they like nothing is held
        back: what is drawn for others waits for them.
        """
        if self.required and not self.current:
            return self._first_of(self._as_required(), aside)
        if self.proving:
            attempt = self.attempts[-1]
            if self.required or not (self._given_up(attempt) or self._turned(attempt) or self._stuck(attempt)):
                pair = self._to_prove(attempt, aside, hold=hold)
                return None if pair is None else NextQuestion(pair, attempt.number)
        if self.drawn < RANDOM_PER_ITEM * self.items:
            pair = self._random_pair(aside)
            if pair is not None:
                return NextQuestion(pair, 0)
        claims = needed(self.objective, self.order, self.k)
        doubts = self._doubts(claims, self._goal)
        if self.told and doubts.sum() <= FIX_AT:
            return self._first_of(self._fixed(claims, doubts), aside)
        if hold and self.out >= max(OUT_AT_LEAST, self.told // OUT_SHARE):
            return None  # the answers that are out may change what is worth asking
        pair = self._to_search(claims, doubts, aside)
        return None if pair is None else NextQuestion(pair, 0)

    def _doubts(self, claims: list[Claim], epsilon: float) -> NDArray[np.float64]:
        better, worse = np.array(claims, dtype=np.int64).reshape(-1, 2).T
        doubts = self.opinion.doubts(better, worse, epsilon, REACH)
        return np.where(self.closed[self._goal_step][better, worse], 1.0, doubts)

    def _as_required(self) -> Attempt:
        """The claims that were asked for, with nothing known about them."""
        lead = np.zeros(self.items)
        for better, worse in self.required:
            lead[better] += 1
            lead[worse] -= 1
        order = np.argsort(-lead, kind="stable").tolist()
        return self.attempt(len(self.attempts) + 1, order, self.required, [UNKNOWN] * len(self.required))

    def _given_up(self, attempt: Attempt, far: float = 1.0) -> bool:
        """Is a claim counted false, or `far` sds below its edge, at the resolution to be proven now?"""
        step = attempt.steps
        if step == len(self.resolutions):
            return True
        unproven = ~attempt.proven[:, step]
        if (attempt.counted_false[:, step] & unproven).any():
            return True
        at = (attempt.better[unproven], attempt.worse[unproven])
        odds, spread = self.opinion.odds[at], self.opinion.spread[at]
        return bool((odds + EDGE * self.resolutions.values[step] < -far * np.sqrt(spread)).any())

    def _stuck(self, attempt: Attempt) -> bool:
        """Is a claim all asked and never to be proven, because nobody gave an answer?"""
        step = min(attempt.steps, len(self.resolutions) - 1)
        closed = self.closed[step][attempt.better, attempt.worse]
        return bool((closed & ~attempt.proven[:, step]).any())

    def _turned(self, attempt: Attempt) -> bool:
        """Is something proven, but the finest resolution clearly out of reach? Then another list may reach it."""
        if not attempt.steps:
            return False
        at = (attempt.better, attempt.worse)
        odds, spread = self.opinion.odds[at], self.opinion.spread[at]
        edge = EDGE * self.resolutions.values[-1]
        return bool((odds + edge < -TURNED * np.sqrt(spread)).any())

    def _fixed(self, claims: list[Claim], doubts: NDArray[np.float64]) -> Attempt:
        """A list with its claims, surest first, and what the search believes of each."""
        squares = sum(book.told.squares for book in self.books.values()) + 20.0
        square = round(squares / (self.told + 20.0), DIGITS)
        sequence = [claims[a] for a in np.argsort(doubts, kind="stable")]
        return self.attempt(
            len(self.attempts) + 1, self.order, sequence, [self._prior(c, square) for c in sequence]
        )

    def attempt(self, number: int, order: list[int], claims: list[Claim], priors: list[Prior]) -> Attempt:
        return Attempt(
            number, error=self.error, resolutions=self.resolutions, order=order, claims=claims, priors=priors
        )

    def _prior(self, claim: Claim, square: float) -> Prior:
        mean = float(np.tanh(self.opinion.odds[claim] / 2))
        spread = float(np.sqrt(self.opinion.spread[claim])) * 0.5 * (1 - mean * mean)
        return Prior(round(mean, DIGITS), round(spread, DIGITS), square)

    def _first_of(self, attempt: Attempt, aside: Collection[int]) -> NextQuestion | None:
        """The first question of a new list; counted cells may prove some of its claims already."""
        self._count_known(attempt)
        first = self._to_prove(attempt, aside)
        if first is None:
            first = next((p for p in attempt.place if self._can_draw(p, aside)), None)
        return None if first is None else NextQuestion(first, attempt.number, begins=attempt)

    def _to_prove(self, attempt: Attempt, aside: Collection[int], *, hold: bool = True) -> Pair | None:
        """The most doubtful claim that the questions already out may not settle."""
        step = min(attempt.steps, len(self.resolutions) - 1)
        open_claims = np.flatnonzero(~attempt.proven[:, step])
        if len(open_claims) > 1:  # one alone needs no comparison
            at = (attempt.better[open_claims], attempt.worse[open_claims])
            doubts = self.opinion.doubts(*at, self.resolutions.values[step], REACH)
            open_claims = open_claims[np.argsort(-doubts, kind="stable")]
        for claim in open_claims.tolist():
            pair = pair_of(*attempt.claims[claim])
            out = self._out(pair)
            if hold and out and out >= allowed_open(self, attempt, claim, step):
                continue
            if self._can_draw(pair, aside):
                return pair
        return None

    def _to_search(self, claims: list[Claim], doubts: NDArray[np.float64], aside: Collection[int]) -> Pair | None:
        """The claim nearest to even odds; once those are known, any pair. A lost list is refuted first."""
        lost = int(np.argmax(doubts)) if len(claims) else 0
        if len(claims) and doubts[lost] > LOST and self._can_draw(pair_of(*claims[lost]), aside):
            return pair_of(*claims[lost])  # what else it claims does not matter
        found = self._most_even(claims, doubts, aside)
        if found is not None or any(self._out(pair_of(*claim)) for claim in claims):
            return found
        everyone = [(i, j) for i in range(self.items) for j in range(i + 1, self.items)]
        return self._most_even(everyone, self._doubts(everyone, self._goal), aside)

    def _most_even(self, claims: list[Claim], doubts: NDArray[np.float64], aside: Collection[int]) -> Pair | None:
        out = np.array([self._out(pair_of(*claim)) for claim in claims])
        score = np.minimum(doubts, EVEN - doubts) / (1 + out)
        for at in np.argsort(-score, kind="stable"):
            pair = pair_of(*claims[at])
            if self._can_draw(pair, aside):
                return pair
        return None

    def _random_pair(self, aside: Collection[int]) -> Pair | None:
        """The item asked about least, with a random partner."""
        jitter = [chance.uniform(self.seed, WARM_STREAM + i, self.drawn) for i in range(self.items)]
        first = int(np.argmin(self.degree + np.array(jitter)))
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
        return self.drawn - self.told - self.set_aside

    def _out(self, pair: Pair) -> int:
        """Cells of a pair that are out and not back."""
        book = self.books.get(pair)
        return 0 if book is None else book.out

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

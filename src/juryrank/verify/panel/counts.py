"""What a log's answers settle, recomputed with plain dictionaries: pairs, scores, votes."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from juryrank.types import Link
from juryrank.verify.arithmetic.evidence import (
    SCORE_BETS,
    log_of_majority,
    logs_of_edge,
    logs_of_means,
    met_at_most,
    settles,
)
from juryrank.verify.arithmetic.levels import epoch_level, pairs_that_catch
from juryrank.verify.arithmetic.rounding import needed_at, step_down
from juryrank.verify.panel.options import ORDER, RANGES, TIERS, TOP, PanelOptions
from juryrank.verify.panel.sittings import SittingRead
from juryrank.verify.room import STEPS_PER_VALUE, Room

Pair = tuple[str, str]
LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one
CHAINED = 25  # steps that a pair is worth that follows along chains: it is kept, and in many places


class Claims(ABC):
    """Settled pairs, and what the statement covers of them."""

    transitive = False  # may chains be used: scores, and an order of fixed judges

    def __init__(self, items: Sequence[str], options: PanelOptions, room: Room) -> None:
        self.items, self.options, self.room = list(items), options, room
        self.settled: set[Pair] = set()
        self.wins: Counter[Pair] = Counter()  # of everything that was counted
        self.lost: Counter[frozenset[str]] = Counter()  # missing answers that are counted against every claim

    def without(self, sitting: SittingRead) -> None:
        """The sitting's missing answers are to go against every claim, from here on."""
        self.lost.update(sitting.missing())

    def holds(self, other: Claims, shown: Sequence[str]) -> bool:
        """Is everything promised here that the other one promises?"""
        (settled, lines), (theirs, their_lines) = self.promised(shown), other.promised(shown)
        return theirs <= settled and set(their_lines) <= set(lines)

    @abstractmethod
    def count(self, sitting: SittingRead) -> None: ...

    @abstractmethod
    def join(self, items: Sequence[str], *, arrived: int) -> None:
        """Items join after `arrived` sittings have begun."""

    @property
    def level(self) -> float | None:
        """The level at which all claims were made; None: it is counted, or items joined and others are in use."""
        return None

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels at which something may be claimed now."""
        return ()

    def evidence(self, better: str, worse: str) -> float | None:
        """log of the most evidence that one item ever had over another: what settled it. None: it is counted."""
        return None

    def promised(self, order: Sequence[str]) -> tuple[set[Pair], list[int]]:
        """The pairs and lines that the statement covers; `order` says where the lines would stand."""
        objective = self.options.objective
        settled = self.settled
        if self.transitive:
            settled = _chains(settled | self.tied(), self.items, self.room)
        lines = _lines(order, settled)
        if objective == TOP:
            lines = [line for line in lines if line == self.options.k]
        if objective in (TOP, TIERS):
            drawn = _Places(order, lines)
            settled = {(a, b) for a, b in settled if drawn.apart(a, b)}
        return settled, lines

    def spans(self, items: Sequence[str], settled: set[Pair]) -> dict[str, tuple[int, int]]:
        """The best and the worst rank that each item can have; those that go in a circle share theirs."""
        of = circles(settled)
        outside = {(a, b) for a, b in settled if of[a] != of[b]}
        above, below = Counter(b for _, b in outside), Counter(a for a, _ in outside)
        members: dict[str, list[str]] = {}
        for item in items:
            members.setdefault(of.get(item, item), []).append(item)
        fewest = {
            one: (min(above[item] for item in block), min(below[item] for item in block))
            for one, block in members.items()
        }
        spans = ((item, *fewest[of.get(item, item)]) for item in items)
        return {item: (1 + over, len(items) - under) for item, over, under in spans}

    def links(self, shown: Sequence[str], settled: set[Pair]) -> tuple[Link, ...]:
        """The neighbours of the order shown, with the most evidence that each had."""
        level = self.levels[0] if len(self.levels) == 1 else None
        found = []
        for better, worse in itertools.pairwise(shown):
            answers = self.wins[better, worse], self.wins[worse, better]
            evidence = as_number(self.evidence(better, worse))
            found.append(Link(better, worse, (better, worse) in settled, evidence, level, *answers))
        return tuple(found)

    def tied(self) -> set[Pair]:
        """Exact ties, in both directions, where they can be known."""
        return set()

    def compared(self, promised: set[Pair]) -> set[Pair]:
        """Those of the promised pairs that are claims of their own; of fixed judges: those that they compared."""
        return promised

    def decided(self, a: str, b: str) -> bool:
        """Can more answers change nothing about this pair?"""
        return (a, b) in self.settled or (b, a) in self.settled


def as_number(log_value: float | None) -> float | None:
    """Evidence as it is shown.

    >>> as_number(None), as_number(0.0)
    (None, 1.0)
    """
    return None if log_value is None else math.exp(min(log_value, LARGEST_LOG))


def circles(settled: set[Pair]) -> dict[str, str]:
    """Each item of a pair -> one item of its circle, the same for all of them; alone: itself.

    Whoever can be reached from an item, and reaches it, goes in a circle with it: two walks, forwards to find an
    order, backwards along it to gather.

    >>> found = circles({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")})
    >>> len({found[item] for item in "abc"}), found["d"]
    (1, 'd')
    """
    after: dict[str, list[str]] = {item: [] for pair in settled for item in pair}
    before: dict[str, list[str]] = {item: [] for item in after}
    for a, b in sorted(settled):
        after[a].append(b)
        before[b].append(a)
    of: dict[str, str] = {}
    for start in reversed(_finishing(after)):
        stack = [] if start in of else [start]
        while stack:
            item = stack.pop()
            if item not in of:
                of[item] = start
                stack += before[item]
    return of


def _finishing(after: Mapping[str, Sequence[str]]) -> list[str]:
    """All items, each after whatever it leads to for the first time."""
    seen: set[str] = set()
    done: list[str] = []
    for start in after:
        stack = [] if start in seen else [(start, iter(after[start]))]
        seen.add(start)
        while stack:
            item, further = stack[-1]
            new = next((other for other in further if other not in seen), None)
            if new is None:
                done.append(item)
                stack.pop()
            else:
                seen.add(new)
                stack.append((new, iter(after[new])))
    return done


class _Places:
    """An order with lines drawn in it."""

    def __init__(self, order: Sequence[str], lines: Sequence[int]) -> None:
        self.place = {item: k for k, item in enumerate(order)}
        drawn = set(lines)
        self.above = list(
            itertools.accumulate(int(k in drawn) for k in range(len(order)))
        )  # lines above each place

    def apart(self, a: str, b: str) -> bool:
        """Does the one stand above a line, and the other below it?"""
        return self.above[self.place[a]] < self.above[self.place[b]]


def _lines(order: Sequence[str], settled: set[Pair]) -> list[int]:
    """Where every item above is settled over every item below: a line of k of n items is crossed by k(n-k) pairs.

    >>> _lines("abc", {("a", "b"), ("a", "c")})
    [1]
    """
    place = {item: k for k, item in enumerate(order)}
    steps = [0] * (len(order) + 1)
    for a, b in settled:
        if place[a] < place[b]:
            steps[place[a] + 1] += 1
            steps[place[b] + 1] -= 1
    crossed = itertools.accumulate(steps)
    return [k for k, pairs in enumerate(crossed) if 0 < k < len(order) and pairs == k * (len(order) - k)]


def _chains(settled: set[Pair], items: Sequence[str], room: Room) -> set[Pair]:
    """What follows along chains; nothing between items of a circle, where each would be above each.

    >>> sorted(_chains({("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")}, "abcx", Room()))
    [('x', 'a'), ('x', 'b'), ('x', 'c')]
    """
    below: dict[str, set[str]] = {item: set() for item in items}
    for a, b in settled:
        below[a].add(b)
    found = set()
    for item in items:
        stack, seen = list(below[item]), set(below[item])
        while stack:
            for further in below[stack.pop()] - seen:
                seen.add(further)
                stack.append(further)
        room.take(CHAINED * len(seen), "what follows along chains")
        found |= {(item, other) for other in seen}
    return {(a, b) for a, b in found if (b, a) not in found}


class Pairwise(Claims):
    """Head-to-head: each pair's tally against the level; a pair once settled stays settled."""

    def __init__(self, items: Sequence[str], options: PanelOptions, error: float, room: Room) -> None:
        super().__init__(items, options, room)
        self.error, self.epoch = error, 0
        self.tally: Counter[Pair] = Counter()
        self.peak: dict[Pair, tuple[float, int, int]] = {}  # the most evidence (log), and the answers it was of

    @property
    def exact_level(self) -> Fraction:
        share = epoch_level(self.error, self.epoch, joining=self.options.joining)
        return share / pairs_that_catch(len(self.items), self.options.objective)

    @property
    def level(self) -> float | None:
        return float(self.exact_level) if not self.epoch else None

    @property
    def levels(self) -> tuple[float, ...]:
        return (float(self.exact_level),)

    def evidence(self, better: str, worse: str) -> float | None:
        return self.peak.get((better, worse), (0.0,))[0]

    def count(self, sitting: SittingRead) -> None:
        level = self.exact_level
        for better, worse in sitting.preferences():
            self.tally[better, worse] += 1
            now = self.tally[better, worse], self.tally[worse, better] + self.lost[frozenset((better, worse))]
            self.room.take(10 + sum(now) ** 0.5, "so many answers")
            self.peak[better, worse] = max(
                self.peak.get((better, worse), (0.0, 0, 0)), (log_of_majority(*now), *now)
            )
            if (worse, better) not in self.settled and settles(*now, level, self.room):
                self.settled.add((better, worse))

    def join(self, items: Sequence[str], *, arrived: int) -> None:
        """The next epoch: lines need its level on every pair; pairs settled for ranges stay."""
        self.items += items
        self.epoch += 1
        self.room.take(30 * len(self.peak), "every pair again after each join")
        level = self.exact_level
        again = {
            (a, b)
            for (a, b), (_, won, lost) in self.peak.items()
            if (b, a) not in self.settled and settles(won, lost, level, self.room)
        }
        self.settled = again | (self.settled if self.options.objective == RANGES else set())


class Scores(Claims):
    """Field-share: one factor per person for each ordered pair of items."""

    transitive = True

    def __init__(self, items: Sequence[str], options: PanelOptions, error: float, room: Room) -> None:
        super().__init__(items, options, room)
        self.error, self.epoch, self.fresh_from = error, 0, 1
        self._silent: list[frozenset[str]] = []  # pairs that the person counted next said nothing about
        self._start()

    def without(self, sitting: SittingRead) -> None:
        self._silent = sitting.missing()

    @property
    def exact_level(self) -> Fraction:
        share = epoch_level(self.error, self.epoch, joining=self.options.joining)
        return share / pairs_that_catch(len(self.items), self.options.objective, scores=True)

    @property
    def level(self) -> float | None:
        return float(self.exact_level)

    @property
    def levels(self) -> tuple[float, ...]:
        return (float(self.exact_level),)

    def evidence(self, better: str, worse: str) -> float | None:
        return 0.0 if self.most is None else float(self.most[self.number[better], self.number[worse]])

    def _start(self) -> None:
        self.settled = set()
        self.goal = needed_at(self.exact_level)
        self.number = {item: k for k, item in enumerate(self.items)}
        self.logs: NDArray[np.float64] = np.zeros((len(SCORE_BETS), 0, 0))  # by bet and pair of items
        self.most: NDArray[np.float64] | None = None  # by pair: log of the most evidence; once somebody counted

    def count(self, sitting: SittingRead) -> None:
        if sitting.number < self.fresh_from:
            return
        self.room.take(20 + len(self.items) / STEPS_PER_VALUE, "scores of so many items")
        balance, silent = np.zeros((2, len(self.items)), dtype=np.int64)
        for better, worse in sitting.preferences():
            if not sitting.own & {better, worse}:
                balance[self.number[better]] += 1
                balance[self.number[worse]] -= 1
        for item in itertools.chain.from_iterable(self._silent):
            silent[self.number[item]] += 1
        met, every = np.flatnonzero((balance != 0) | (silent != 0)), np.arange(len(self.items))
        own = np.isin(every, [self.number[item] for item in sitting.own if item in self.number])
        rest = np.setdiff1d(every, met)  # two that were met are counted once
        above = set[Pair]()
        for a, b in ((met, every), (rest, met)):
            edge = balance[a, None] - balance[b] - silent[a, None] - silent[b]
            edge[(a[:, None] == b) | own[a, None] | own[b]] = 0
            above |= {(self.items[a[k]], self.items[b[m]]) for k, m in np.argwhere(self._bet(a, b, edge))}
        self.settled |= {(a, b) for a, b in above if (b, a) not in above and (b, a) not in self.settled}

    def _bet(self, a: NDArray[np.int64], b: NDArray[np.int64], edge: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Bet on items over others, where somebody told them apart; which have the evidence that is needed?"""
        self.room.take(20 + edge.size / 8, "scores of so many items")
        if self.most is None:
            self.room.take(len(SCORE_BETS) * len(self.items) ** 2, "scores of so many items")
            self.logs = np.zeros((len(SCORE_BETS), len(self.items), len(self.items)))
            self.most = np.zeros((len(self.items), len(self.items)))
        if not edge.size:
            return np.zeros(edge.shape, dtype=np.bool_)
        most = 2 * met_at_most(len(self.items), self.options.sitting)
        lowest, here = int(edge.min()), np.ix_(a, b)
        added = np.array([logs_of_edge(one, most) for one in range(lowest, int(edge.max()) + 1)])
        old = self.logs[:, a[:, None], b]
        logs = np.where(edge != 0, step_down(old + added[edge - lowest].transpose(2, 0, 1)), old)
        means = logs_of_means(logs)
        self.logs[:, a[:, None], b] = logs
        self.most[here] = np.where(edge != 0, np.maximum(self.most[here], means), self.most[here])
        return np.asarray(means >= self.goal)

    def join(self, items: Sequence[str], *, arrived: int) -> None:
        self.items += items
        self.epoch += 1
        self.fresh_from = arrived + 1
        self._start()


class Votes(Claims):
    """The majority of a fixed list of judges: settled when those not heard could no longer turn it."""

    def __init__(self, items: Sequence[str], options: PanelOptions, judges: int, room: Room) -> None:
        super().__init__(items, options, room)
        self.judges = judges
        self.transitive = options.objective == ORDER
        self.tally: Counter[Pair] = Counter()
        self.answered: Counter[frozenset[str]] = Counter()
        self.even: set[frozenset[str]] = set()  # somebody called it a tie

    def hear(
        self, left: str, right: str, winner: str | None, *, answered: bool, even: bool, missing: bool = False
    ) -> None:
        """One judge's word on a pair; None: a tie, a skip, or no answer. `missing`: it goes against any claim."""
        pair = frozenset((left, right))
        self.answered[pair] += answered
        self.lost[pair] += missing
        if answered and even:
            self.even.add(pair)
        if winner is not None:
            self.tally[winner, right if winner == left else left] += 1
            self.wins[winner, right if winner == left else left] += 1
        for a, b in ((left, right), (right, left)):
            others = self.judges - self.answered[pair] + self.lost[pair]
            if self.tally[a, b] - self.tally[b, a] > others:
                self.settled.add((a, b))

    def tied(self) -> set[Pair]:
        level = (pair for pair, said in self.answered.items() if said - self.lost[pair] >= self.judges)
        both = (pair for a, b in map(sorted, level) for pair in ((a, b), (b, a)))
        chose = ((a, b) for a, b in both if self.tally[a, b] or frozenset((a, b)) in self.even)
        return {(a, b) for a, b in chose if self.tally[a, b] == self.tally[b, a]}

    def compared(self, promised: set[Pair]) -> set[Pair]:
        return promised & self.settled

    def decided(self, a: str, b: str) -> bool:
        pair = frozenset((a, b))
        return super().decided(a, b) or self.answered[pair] >= self.judges

    def count(self, sitting: SittingRead) -> None:
        """Fixed judges have no sittings."""

    def join(self, items: Sequence[str], *, arrived: int) -> None:
        self.items += items

"""The majority of a fixed list of judges over many items: the first ten places, then the whole order.

A list is kept from the best on. Whoever is new is first compared with its last place: most lose there, and are out
of the first ten at the cost of one pair. Who wins finds their place by halving. Once everybody was seen, the
others follow one by one behind the first ten, and then pairs that were never compared, from the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core import chance
from juryrank.core.levels import Objective
from juryrank.core.relation import Relation
from juryrank.defaults import FRONT_PLACES
from juryrank.rankers.panel.large.ballot import LargeCount, Pair, sorted_pair

QUEUE_STREAM = 41  # of chance: the order in which items are taken up
AT_ONCE = 16  # items on the way together, where questions are open at once; else the first is asked about
HEARD, SILENT, EVEN = range(3)


class LargeJudges(LargeCount):
    """Votes of `judges` fixed judges on pairs of many items.

    >>> jury = LargeJudges(3, judges=1, objective=Objective.ORDER, seed=1)
    >>> while (pair := jury.next_pair([0])) is not None:
    ...     jury.ask(0, *pair)
    ...     jury.vote(0, *pair, better=min(pair))
    >>> sorted(jury.settled)
    [(0, 1), (1, 2)]
    """

    level = 0.0

    def __init__(
        self, items: int, *, judges: int, objective: Objective, k: int | None = None, seed: int = 0
    ) -> None:
        self.items, self.judges, self.objective, self.k, self.seed = items, judges, objective, k, seed
        self.front = k if k is not None else min(FRONT_PLACES, items)
        self.settled = Relation()
        self.wins = {}
        self.said: dict[Pair, list[int]] = {}  # judges who answered, tied, skipped or timed out; silent; even
        self.asked: dict[Pair, set[int]] = {}
        self.placed: list[int] = []  # best first
        self.flights: dict[int, int] = {}  # items on the way to their place, and the first that they may have
        self.behind = False  # are the first places made, so that the others follow behind them?
        self.queue = chance.shuffled(range(items), seed, QUEUE_STREAM)[::-1]  # the next one is the last
        self.outside: list[int] = []  # seen, and behind the first places
        self._scan = (0, 1)  # from where on pairs of the finished list are looked through

    # ------------------------------------------------------------------ votes
    def ask(self, judge: int, i: int, j: int) -> None:
        """The pair is out with a judge: never again with the same one."""
        self.asked.setdefault(sorted_pair(i, j), set()).add(judge)
        while not {i, j} & self.flights.keys() and self._take_up():
            if not {i, j} & self.flights.keys():
                self._land()

    def was_asked(self, judge: int, i: int, j: int) -> bool:
        return judge in self.asked.get(sorted_pair(i, j), ())

    def vote(
        self, judge: int, i: int, j: int, *, better: int | None, even: bool = False, silent: bool = False
    ) -> None:
        """What a judge said about a pair; None: no choice, but a tie (`even`), a skip, or nothing (`silent`)."""
        self.asked.setdefault(sorted_pair(i, j), set()).add(judge)
        said = self.said.setdefault(sorted_pair(i, j), [0, 0, 0])
        said[HEARD] += 1
        said[SILENT] += silent
        said[EVEN] += even
        if better is not None:
            pair = (better, j if better == i else i)
            self.wins[pair] = self.wins.get(pair, 0) + 1
        self._settle(i, j)
        self._land()

    def _settle(self, i: int, j: int) -> None:
        for upper, lower in ((i, j), (j, i)):
            ahead, against = self.tally(upper, lower)
            if ahead - against > self._missing(i, j):
                self.settled.add(upper, lower)

    def _missing(self, i: int, j: int) -> int:
        """Judges who might still turn a pair: those not heard, and those who gave no answer."""
        heard, silent, _ = self.said.get(sorted_pair(i, j), (0, 0, 0))
        return self.judges - heard + silent

    def tied(self) -> list[Pair]:
        """Pairs on which everybody answered, somebody chose or called it a tie, and neither side has more."""
        return [pair for pair in self.said if self._level(*pair)]

    def _level(self, i: int, j: int) -> bool:
        said = self.said.get(sorted_pair(i, j), (0, 0, 0))
        ahead, against = self.tally(i, j)
        return self._missing(i, j) == 0 and ahead == against and ahead + said[EVEN] > 0

    def unanswered(self) -> int:
        """Pairs about which every judge was asked, and that answers which never came leave open."""
        return sum(
            heard >= self.judges and silent > 0 and (i, j) not in self.settled and (j, i) not in self.settled
            for (i, j), (heard, silent, _) in self.said.items()
        )

    def not_below(self) -> Relation:
        """Settled pairs, and ties in both directions."""
        over = Relation(self.settled)
        for i, j in self.tied():
            over.add(i, j)
            over.add(j, i)
        return over

    # ------------------------------------------------------------------ what to ask
    def next_pair(self, judges: Sequence[int]) -> Pair | None:
        """A pair that one of these judges was not asked about, on the way of the first who is on the way.

        Nothing changes before it is asked: a replayed log takes up the same items with the same questions.
        """
        before = (self.flights, self.placed, self.queue, self.outside, self.behind)
        self.flights, self.placed = dict(self.flights), list(self.placed)
        self.queue, self.outside = list(self.queue), list(self.outside)
        try:
            return self._next_pair(judges)
        finally:
            self.flights, self.placed, self.queue, self.outside, self.behind = before

    def _next_pair(self, judges: Sequence[int]) -> Pair | None:
        for x, low in self.flights.items():
            _, other = self._search(x, low)
            if other is not None and self._free((x, other), judges):
                return x, other
        while self._take_up():
            x, low = next(reversed(self.flights.items()))
            _, other = self._search(x, low)
            if other is not None and self._free((x, other), judges):
                return x, other
            self._land()
        return None if self.flights or self.queue or self.outside else self._never_compared(judges)

    def _take_up(self) -> bool:
        """One more on the way: somebody new, or after all of these somebody who is behind the first places."""
        if len(self.flights) >= max(self.judges, AT_ONCE):
            return False
        if self.queue:
            self.flights[self.queue.pop()] = 0
            return True
        if not self.flights:
            self.behind = True  # everybody was compared with the first places, which stand now
        if self.behind and self.outside:
            self.flights[self.outside.pop()] = self.front
            return True
        return False

    def _free(self, pair: Pair, judges: Sequence[int]) -> bool:
        out = self.asked.get(sorted_pair(*pair), set())
        return any(judge not in out for judge in judges)

    def _search(self, x: int, low: int) -> tuple[int, int | None]:
        """The place of x as far as it is known, and whom it is compared with next (None: this is the place)."""
        high = len(self.placed)
        if not self.behind and high >= self.front:  # one comparison with the last place puts most of them out
            verdict = self._over(x, self.placed[-1])
            if verdict is None or verdict <= 0:
                return high, self.placed[-1] if verdict is None else None
            high -= 1
        low, high = self._between(x, low, high)
        while low < high:
            half = (low + high) // 2
            for middle in chain(range(half, high), range(half - 1, low - 1, -1)):
                verdict = self._over(x, self.placed[middle])
                if verdict is None:
                    return middle, self.placed[middle]
                if verdict:
                    break
                if self._level(x, self.placed[middle]):
                    return middle + 1, None
            else:
                return high, None  # nobody chose between x and any of these
            low, high = (low, middle) if verdict > 0 else (middle + 1, high)
        return low, None

    def _between(self, x: int, low: int, high: int) -> tuple[int, int]:
        """The same places, narrowed by all that is settled about x: others may have come between meanwhile."""
        over, under = self.settled.above.get(x, set()), self.settled.below.get(x, set())
        lowest, highest = low, high
        for place in range(low, high) if over or under else ():
            if self.placed[place] in over:
                lowest = place + 1
            elif self.placed[place] in under:
                highest = min(highest, place)
        return (lowest, highest) if lowest <= highest else (low, high)  # in a circle it is halved as if anew

    def _land(self) -> None:
        """Put those into the list whose place is known."""
        for x, low in list(self.flights.items()):
            at, other = self._search(x, low)
            if other is not None:
                continue
            del self.flights[x]
            if not self.behind and at >= self.front:
                self.outside.append(x)
                continue
            self.placed.insert(at, x)
            if not self.behind and len(self.placed) > self.front:
                self.outside.append(self.placed.pop())

    def _over(self, x: int, y: int) -> int | None:
        """1: x is over y, -1: under it, 0: all was said and neither is; None: not known yet."""
        if (x, y) in self.settled:
            return 1
        if (y, x) in self.settled:
            return -1
        return 0 if self.said.get(sorted_pair(x, y), (0,))[HEARD] >= self.judges else None

    def _never_compared(self, judges: Sequence[int]) -> Pair | None:
        """Pairs of the finished list, from the top; an order needs none of them."""
        if self.objective is Objective.ORDER or self.outside:
            return None
        rows = self.k if self.objective is Objective.TOP and self.k is not None else len(self.placed) - 1
        i, j = self._scan
        moved = False
        while i < rows:
            while j < len(self.placed):
                pair = (self.placed[i], self.placed[j])
                if self._over(*pair) is None:
                    if not moved:
                        self._scan, moved = (i, j), True
                    if self._free(pair, judges):
                        return pair
                j += 1
            i, j = i + 1, i + 2
        return None

    def left(self) -> float:
        """About how many pairs an order still takes: one each until the first places, then by halving."""
        waiting = len(self.queue) + len(self.flights)
        behind = waiting + len(self.outside)
        return (0 if self.behind else waiting) + behind * float(np.log2(max(self.items, 2)))

    def finished(self) -> bool:
        """An order is done when everybody has a place; else every pair is closed, or the line stands."""
        if self.objective is Objective.ORDER:
            return not (self.queue or self.flights or self.outside)
        if len(self.said) >= self.items * (self.items - 1) // 2 and all(
            self._over(*p) is not None for p in self.said
        ):
            return True
        return super().finished()

    def join(self, more: int, *, arrived: int = 0) -> None:
        """More items, which are taken up next."""
        self.queue += range(self.items + more - 1, self.items - 1, -1)
        self.items += more

    def guess(self) -> NDArray[np.float64]:
        """By the list; who is behind it comes after it, and nothing is known of the others."""
        found = np.zeros(self.items)
        found[self.outside] = -1.0
        for place, item in enumerate(self.placed):
            found[item] = len(self.placed) - place
        return found

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        return {
            "asked": [[*pair, *sorted(judges)] for pair, judges in self.asked.items()],
            "said": [[*pair, *said] for pair, said in self.said.items()],
            "won": [[*pair, times] for pair, times in self.wins.items()],
            "placed": self.placed,
            "flights": list(self.flights.items()),
            "behind": self.behind,
            "queue": self.queue,
            "outside": self.outside,
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.asked = {(i, j): set(judges) for i, j, *judges in state["asked"]}
        self.said = {(i, j): list(said) for i, j, *said in state["said"]}
        self.wins = {(i, j): times for i, j, times in state["won"]}
        self.placed, self.behind = list(state["placed"]), state["behind"]
        self.flights = dict(state["flights"])
        self.queue, self.outside = list(state["queue"]), list(state["outside"])
        self.settled = Relation()
        for pair in self.said:
            self._settle(*pair)

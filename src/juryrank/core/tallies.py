"""What the monitor remembers of the answers: small tallies, one step per answer, for any ranker."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from juryrank.defaults import FALSE_ALARM
from juryrank.statements.promises import Withheld

# ----------------------------------------------------------------------------
# What the monitor says when answers do not look as assumed, and how sure it is before it speaks.
#
# Every warning that rests on a test takes its level from here, so that in at most FALSE_ALARM of reports any of
# them speaks falsely. (Warnings that state a count, such as "12 questions were skipped", are facts, not tests.)
#
#     WATCHES of equal share   below chance, by side, same again, uneven, cycle (`watches`)
#     the share of `by side`   a third: all judges together, and each judge; a third: each judge in lists of
#                              judges, where they stand in another order; a third: gold pairs
#     among judges             the first gets 1/2, the next 1/6, 1/12, ...: places that never end sum to 1, so that
#                              any number of judges may arrive one by one
#     a jury on cases          has no order to compare with: "same again" is free there, and used for answers that
#                              turn with the side
#     `fit`                    a report of its own, made at one moment: sides, and judges below chance
#     a probe of a model       likewise: sides, and gold pairs
WATCHES = 5
LOG_LEVEL = math.log(WATCHES / FALSE_ALARM)
FIT_LEVEL = FALSE_ALARM / 2
PROBE_LEVEL = FALSE_ALARM / 2


SIDE_USES = 3  # of the share of `by side`
GOLD_TESTS = 3  # of a judge with gold pairs: wrong on most, worse than before, better than before


def judge_share(place: int) -> int:
    """One over the share of a test that goes to the judge at this place, from 0 on, by first appearance.

    >>> [judge_share(place) for place in range(4)], round(sum(1 / judge_share(place) for place in range(9999)), 3)
    ([2, 6, 12, 20], 1.0)
    """
    return (place + 1) * (place + 2)


def judge_level(place: int, *, signs: int = 1) -> float:
    """The log evidence at which a watch names the judge at this place; `signs`: how many ways it looks for."""
    return LOG_LEVEL + math.log(signs * judge_share(place))


def side_level(place: int) -> float:
    """The log evidence that names somebody as choosing by side: all together at place 0, judges from 1 on."""
    return judge_level(place, signs=SIDE_USES)


def gold_odds(place: int) -> int:
    """The evidence at which gold pairs speak against the judge at this place, from 0 on.

    >>> gold_odds(0), gold_odds(2)
    (9000, 54000)
    """
    return round(WATCHES / FALSE_ALARM) * SIDE_USES * GOLD_TESTS * judge_share(place)


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something in the answers does not look as assumed; `words` may add what it means.

    `withheld`: the result may not be called certified, for this reason.
    """

    kind: str
    words: str
    about: tuple[Hashable, ...]
    withheld: Withheld | None = None


# ----------------------------------------------------------------------------
# What the monitor remembers of the answers: small tallies, one step per answer, for any ranker.
Vote: TypeAlias = tuple[Hashable, Hashable, Hashable, Hashable]  # judge, left, right, answer
Pair: TypeAlias = tuple[Hashable, Hashable]


@dataclass(slots=True)
class PairTally:
    """One judge's answers to one pair, seen from the item x that was preferred first."""

    for_first: int = 1  # answers that preferred x
    against: int = 0  # answers that preferred the other one
    last_for_first: bool = True
    same: list[int] = field(default_factory=lambda: [0, 0])  # repeats equal to the one before, [of x, of other]
    changed: list[int] = field(default_factory=lambda: [0, 0])  # repeats unlike the one before it, likewise

    def again(self, for_first: bool) -> bool:
        """The same judge answers the same pair once more: as the last time?"""
        before, same = 0 if self.last_for_first else 1, for_first == self.last_for_first
        (self.same if same else self.changed)[before] += 1
        self.for_first += for_first
        self.against += not for_first
        self.last_for_first = for_first
        return same


@dataclass(slots=True)
class AnswerTallies:
    """Every vote of a ranking as tallies: by judge and pair, and by judge and side. Ties and skips are no votes.

    >>> seen = AnswerTallies.of([("ann", "a", "b", "a"), ("ann", "b", "a", "a"), ("bob", "a", "b", None)])
    >>> seen.sides["ann"], seen.pairs["ann", ("a", "b")].same
    ([1, 1], [1, 0])
    """

    pairs: dict[tuple[Hashable, Pair], PairTally] = field(default_factory=dict)  # pair: (preferred first, other)
    sides: dict[Hashable, list[int]] = field(default_factory=dict)  # judge: answers [left, right]
    again: dict[Hashable, list[int]] = field(default_factory=dict)  # judge: repeats [same, changed]

    @classmethod
    def of(cls, votes: Iterable[Vote]) -> AnswerTallies:
        """The tallies of a list of (judge, left, right, answer), in the order given."""
        seen = cls()
        for judge, left, right, answer in votes:
            seen.count(judge, left, right, answer)
        return seen

    def count(self, judge: Hashable, left: Hashable, right: Hashable, answer: Hashable) -> None:
        """One more answer; whatever is neither of the two items is passed over."""
        if answer not in (left, right):
            return
        self.sides.setdefault(judge, [0, 0])[answer != left] += 1
        loser = right if answer == left else left
        known = self.pairs.get((judge, (answer, loser)))
        other = self.pairs.get((judge, (loser, answer))) if known is None else None
        if known is None and other is None:
            self.pairs[judge, (answer, loser)] = PairTally()
            return
        same = known.again(True) if known is not None else other is not None and other.again(False)
        self.again.setdefault(judge, [0, 0])[not same] += 1

    def wins(self) -> Iterator[tuple[Hashable, Hashable, Hashable, int, int]]:
        """(judge, x, y, answers for x, answers for y), one per judge and pair."""
        for (judge, (x, y)), seen in self.pairs.items():
            yield judge, x, y, seen.for_first, seen.against

    def state(self) -> dict[str, Any]:
        """JSON values, for snapshots: names once, the tallies as columns of numbers."""
        names = _numbered(name for judge, pair in self.pairs for name in (judge, *pair))
        rows = (
            (names[judge], names[x], names[y], a.for_first, a.against, int(a.last_for_first), *a.same, *a.changed)
            for (judge, (x, y)), a in self.pairs.items()
        )
        return {"names": list(names), "columns": list(zip(*rows, strict=True))}

    @classmethod
    def load(cls, state: Mapping[str, Any], sides: Mapping[Hashable, list[int]]) -> AnswerTallies:
        """The tallies back from `state()` and `sides`."""
        seen = cls({}, {judge: list(both) for judge, both in sides.items()})
        names = [tuple(name) if isinstance(name, list) else name for name in state["names"]]
        for judge, x, y, for_first, against, last, *again in zip(*state["columns"], strict=True):
            seen.pairs[names[judge], (names[x], names[y])] = PairTally(
                for_first, against, bool(last), again[:2], again[2:]
            )
            if for_first + against > 1:
                total = seen.again.setdefault(names[judge], [0, 0])
                total[0] += again[0] + again[1]
                total[1] += again[2] + again[3]
        return seen


def _numbered(names: Iterable[Hashable]) -> dict[Hashable, int]:
    """Every name once, numbered in the order of first appearance."""
    found: dict[Hashable, int] = {}
    for name in names:
        found.setdefault(name, len(found))
    return found


# ----------------------------------------------------------------------------
# What every judge said about every pair, counted as it comes: all answers, whatever a promise makes of them.
LOW, HIGH, TIE = range(3)  # whom a judge preferred: the item with the lower number, the other, neither


class CountTable(NamedTuple):
    """One row per judge and pair, sorted: the same answers give the same table, in whatever order they came."""

    judge: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    wins: NDArray[np.float64]  # of `low`, ties counting half
    losses: NDArray[np.float64]

    @property
    def answers(self) -> int:
        return round(float(self.wins.sum() + self.losses.sum()))


class AnswerCounts:
    """Answers by judge and pair.

    >>> counts = AnswerCounts()
    >>> counts.add(0, first=3, second=1, preferred=3)
    >>> counts.add(0, first=1, second=3, preferred=None)
    >>> table = counts.table()
    >>> table.low.tolist(), table.wins.tolist(), table.losses.tolist()
    ([1], [0.5], [1.5])
    """

    def __init__(self, rows: Iterable[Iterable[int]] = ()) -> None:
        self._counts = {(u, i, j): [low, high, ties] for u, i, j, low, high, ties in rows}
        self.answers = sum(map(sum, self._counts.values()))
        self._table: CountTable | None = None

    def add(self, judge: int, *, first: int, second: int, preferred: int | None) -> None:
        """One answer; None: a tie."""
        low, high = (first, second) if first < second else (second, first)
        counts = self._counts.setdefault((judge, low, high), [0, 0, 0])
        counts[TIE if preferred is None else LOW if preferred == low else HIGH] += 1
        self.answers += 1
        self._table = None

    def rows(self) -> list[list[int]]:
        """As JSON values, sorted: judge, lower item, higher item, how often either was preferred, ties."""
        found: list[list[int]] = self._sorted().tolist()
        return found

    def table(self) -> CountTable:
        """As arrays, which stay as they are when more answers come."""
        if self._table is None:
            rows = self._sorted()
            half = rows[:, 5] / 2
            self._table = CountTable(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] + half, rows[:, 4] + half)
        return self._table

    def _sorted(self) -> NDArray[np.int64]:
        keys = np.array(list(self._counts), np.int64).reshape(-1, 3)
        rows = np.hstack([keys, np.array(list(self._counts.values()), np.int64).reshape(-1, 3)])
        return rows[np.lexsort(keys.T[::-1])]

"""What the monitor remembers of the answers: small tallies, one step per answer, for any ranker."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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

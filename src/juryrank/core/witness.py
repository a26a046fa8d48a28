"""What the monitor remembers of the answers: small tallies, one step an answer, for any ranker."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Vote: TypeAlias = tuple[Hashable, Hashable, Hashable, Hashable]  # judge, left, right, answer
Pair: TypeAlias = tuple[Hashable, Hashable]


@dataclass(slots=True)
class Answers:
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
class Witness:
    """Every vote of a ranking as tallies: by judge and pair, and by judge and side. Ties and skips are no votes.

    >>> seen = Witness.of([("ann", "a", "b", "a"), ("ann", "b", "a", "a"), ("bob", "a", "b", None)])
    >>> seen.sides["ann"], seen.pairs["ann", ("a", "b")].same
    ([1, 1], [1, 0])
    """

    pairs: dict[tuple[Hashable, Pair], Answers] = field(default_factory=dict)  # pair: (preferred first, other)
    sides: dict[Hashable, list[int]] = field(default_factory=dict)  # judge: answers [left, right]
    again: dict[Hashable, list[int]] = field(default_factory=dict)  # judge: repeats [same, changed]

    @classmethod
    def of(cls, votes: Iterable[Vote]) -> Witness:
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
            self.pairs[judge, (answer, loser)] = Answers()
            return
        same = known.again(True) if known is not None else other is not None and other.again(False)
        self.again.setdefault(judge, [0, 0])[not same] += 1

    def wins(self) -> Iterator[tuple[Hashable, Hashable, Hashable, int, int]]:
        """(judge, x, y, answers for x, answers for y), one a judge and pair."""
        for (judge, (x, y)), seen in self.pairs.items():
            yield judge, x, y, seen.for_first, seen.against

    def state(self) -> list[list[Any]]:
        """JSON values, for snapshots."""
        return [
            [judge, x, y, a.for_first, a.against, a.last_for_first, a.same, a.changed]
            for (judge, (x, y)), a in self.pairs.items()
        ]

    @classmethod
    def load(cls, state: Iterable[Any], sides: Mapping[Hashable, list[int]]) -> Witness:
        """The tallies back from `state()` and `sides`."""
        seen = cls({}, {judge: list(both) for judge, both in sides.items()})
        for judge, x, y, *answers in state:
            kept = seen.pairs[judge, (x, y)] = Answers(*answers)
            if kept.for_first + kept.against > 1:
                total = seen.again.setdefault(judge, [0, 0])
                total[0] += sum(kept.same)
                total[1] += sum(kept.changed)
        return seen

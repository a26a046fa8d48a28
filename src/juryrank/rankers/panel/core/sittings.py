"""The book of sittings: who sits with which plan, what they answered, and when a sitting may be counted.

    arrive   -> open      a plan is fixed for a person; sittings are numbered in order of arrival
    open     -> closed    every question of the plan is told or expired, or the deadline passed (lapse)
    closed   -> counted   once every earlier sitting is counted: an open one blocks the later ones

Counting in the order of closing would let quick people choose what is counted (their answers may differ): with 30
people at once and a share of .45, the wrong side was certified in three runs of four.

A plan may be longer than what counts: whoever goes on is asked its later places, and so is whoever passes over
their own work. Only the first `counts` places count for promises. Late places are answered by keen people alone:
with 30 % keen ones who prefer i at 80 %, and the others at 20 %, a pair at place 15 was settled falsely in every
run when it counted.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any


class Given(enum.StrEnum):
    """What became of one question of a plan (i, j)."""

    FIRST = "first"  # i is preferred
    SECOND = "second"
    TIE = "tie"
    SKIP = "skip"
    EXPIRED = "expired"


@dataclass(slots=True)
class Sitting:
    """One person's plan and answers."""

    number: int
    judge: int
    plan: list[tuple[int, int]]
    asked: int = 0  # places 0 .. asked-1 have been shown
    given: dict[int, Given] = field(default_factory=dict)  # by place
    lapsed: bool = False
    counts: int | None = None  # promises count the first so many places; None: all of them
    own: frozenset[int] = frozenset()  # field-share: items that are this person's own work, said at the start

    @property
    def promised(self) -> int:
        """The places that count for promises; what comes after them is for those who go on."""
        return len(self.plan) if self.counts is None else min(self.counts, len(self.plan))

    @property
    def closed(self) -> bool:
        return self.lapsed or all(place in self.given for place in range(self.promised))

    @property
    def answered(self) -> int:
        """Places that count and were answered in time, skips included."""
        promised = self.promised
        return sum(given is not Given.EXPIRED for place, given in self.given.items() if place < promised)

    @property
    def left_early(self) -> bool:
        """Has its time ended with fewer answers than were planned? One who went on later has not left."""
        answered = sum(given is not Given.EXPIRED for given in self.given.values())
        return self.lapsed and answered < self.promised

    @property
    def next_place(self) -> int | None:
        """The place that is asked next; after the deadline only what lies beyond; None: nothing is left."""
        place = max(self.asked, self.promised) if self.lapsed else self.asked
        return place if place < len(self.plan) else None

    def preferences(self) -> list[tuple[int, int]]:
        """(better, worse) for every place that counts and was answered in time by a choice, in order."""
        chosen = []
        for place, (i, j) in enumerate(self.plan[: self.promised]):
            if self.given.get(place) is Given.FIRST:
                chosen.append((i, j))
            elif self.given.get(place) is Given.SECOND:
                chosen.append((j, i))
        return chosen


class Sittings:
    """All sittings of a panel.

    >>> book = Sittings()
    >>> first, second = book.arrive(0, [(0, 1)]), book.arrive(1, [(0, 1)])
    >>> book.answer(second.number, 0, Given.FIRST)
    >>> [sitting.number for sitting in book.due()]      # the first one is still open
    []
    >>> book.lapse(first.number)
    >>> [sitting.number for sitting in book.due()]
    [1, 2]
    """

    def __init__(self) -> None:
        self.sittings: list[Sitting] = []  # number n at index n - 1
        self.counted = 0
        self.places: Counter[int] = Counter()  # by item: places of all plans that count
        self._of: dict[int, Sitting] = {}

    def arrive(
        self,
        judge: int,
        plan: list[tuple[int, int]],
        *,
        counts: int | None = None,
        own: frozenset[int] = frozenset(),
    ) -> Sitting:
        """A person sits down: one plan per person, fixed now."""
        sitting = Sitting(len(self.sittings) + 1, judge, plan, counts=counts, own=own)
        self.sittings.append(sitting)
        self.places.update(chain.from_iterable(plan[: sitting.promised]))
        self._of[judge] = sitting
        return sitting

    def of(self, judge: int) -> Sitting | None:
        """The person's one sitting."""
        return self._of.get(judge)

    def numbered(self, number: int) -> Sitting | None:
        return self.sittings[number - 1] if 1 <= number <= len(self.sittings) else None

    def answer(self, number: int, place: int, given: Given) -> None:
        """What became of one question; after the sitting's deadline nothing is added to what counts."""
        sitting = self.sittings[number - 1]
        if not sitting.lapsed or place >= sitting.promised:
            sitting.given[place] = given

    def lapse(self, number: int) -> None:
        """The sitting's deadline has passed: what was answered in time stays, the rest never comes."""
        self.sittings[number - 1].lapsed = True

    def due(self) -> Iterator[Sitting]:
        """Sittings to count now, in order of arrival; each is given out once."""
        while self.counted < len(self.sittings) and self.sittings[self.counted].closed:
            self.counted += 1
            yield self.sittings[self.counted - 1]

    @property
    def uncounted(self) -> list[Sitting]:
        """Arrived and not yet counted, in order of arrival."""
        return self.sittings[self.counted :]

    def counted_sittings(self) -> list[Sitting]:
        return self.sittings[: self.counted]

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        return {
            "counted": self.counted,
            "sittings": [
                [s.judge, s.plan, s.asked, [[place, s.given[place].value] for place in sorted(s.given)], s.lapsed]
                + ([s.counts, sorted(s.own)] if s.own else [] if s.counts is None else [s.counts])
                for s in self.sittings
            ],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        for judge, plan, asked, given, lapsed, *more in state["sittings"]:
            counts, own = [*more, None, ()][:2] if len(more) < 2 else more
            pairs = [(int(i), int(j)) for i, j in plan]
            sitting = self.arrive(judge, pairs, counts=counts, own=frozenset(own or ()))
            sitting.asked, sitting.lapsed = asked, lapsed
            sitting.given = {int(place): Given(word) for place, word in given}
        self.counted = int(state["counted"])

"""Sittings as the raw events tell them: number, person, plan, answers, and when each was closed."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.random import PCG64, SeedSequence

from juryrank.verify.arithmetic.evidence import met_at_most
from juryrank.verify.panel.options import PanelOptions
from juryrank.verify.record import Asked, Record
from juryrank.verify.terms import is_whole, names

# ----------------------------------------------------------------------------
# Field-share: the pairs of a sitting, drawn again by lot from the study's seed
#
# The promise about scores needs that every item is equally likely to meet every other, whatever was answered
# before. So a plan is a function of the seed, the sitting's number and the items that were there. The lots are
# PCG64's raw numbers, which every version of numpy gives alike; how they become permutations is written out here.
STREAM = 11
SEED_MASK = 2**48 - 1
HALF = 2**32 - 1


class Lots:
    """Permutations from one stream of raw numbers, 32 bits at a time, the lower half first."""

    def __init__(self, seed: int, number: int) -> None:
        self._raw = PCG64(SeedSequence([seed & SEED_MASK, STREAM, number]))
        self._kept: list[int] = []

    def _half(self) -> int:
        if not self._kept:
            raw = int(self._raw.random_raw())
            self._kept = [raw >> 32, raw & HALF]
        return self._kept.pop()

    def _up_to(self, most: int) -> int:
        """A number from 0 to `most`: as many bits as it has, until they are not more."""
        mask = (1 << most.bit_length()) - 1
        while (value := self._half() & mask) > most:
            pass
        return value

    def permutation(self, n: int) -> list[int]:
        """Fisher and Yates, from the end.

        >>> sorted(Lots(7, 1).permutation(5))
        [0, 1, 2, 3, 4]
        """
        values = list(range(n))
        for at in range(n - 1, 0, -1):
            other = self._up_to(at)
            values[at], values[other] = values[other], values[at]
        return values


def plan_by_lot(items: Sequence[str], size: int, *, seed: int, number: int) -> list[frozenset[str]]:
    """The pairs that the seed gives the sitting of this number: a part of random matchings, in random order."""
    lots, n = Lots(seed, number), len(items)
    seats = lots.permutation(n + n % 2)  # with an odd number of items one seat is empty
    ring = len(seats) - 1
    pairs = [
        (seats[a], seats[b])
        for turn in lots.permutation(ring)[: met_at_most(n, size)]
        for a, b in [(turn, ring), *(((turn + k) % ring, (turn - k) % ring) for k in range(1, len(seats) // 2))]
    ]
    pairs = [pair for pair in pairs if max(pair) < n]
    chosen = lots.permutation(len(pairs))[:size]
    return [frozenset((items[pairs[k][0]], items[pairs[k][1]])) for k in chosen]


# ----------------------------------------------------------------------------
# Sittings as the raw events tell them: number, person, plan, answers, and when each was closed
@dataclass(slots=True)
class SittingRead:
    """One sitting read from a log."""

    number: int
    judge: str
    plan: list[frozenset[str]]
    begun: int  # seq of its first question
    lapsed: int | None = None
    questions: dict[int, Asked] = field(default_factory=dict)  # by place
    counts: int = 0  # promises count the first so many places of the plan
    own: frozenset[str] = frozenset()  # items that the person said to be their own work

    def counting(self) -> list[Asked]:
        """The questions at the places that count, in the order of the plan."""
        return [self.questions[place] for place in sorted(self.questions) if place < self.counts]

    def closed_at(self) -> int | None:
        """The event that closed it: the last answer or expiry, or the deadline of the whole; None: still open."""
        ends = [q.ended for q in self.counting()]
        done = None
        if len(ends) == self.counts and all(end is not None for end in ends):
            done = max((end for end in ends if end is not None), default=self.begun)
        if self.lapsed is None:
            return done
        return self.lapsed if done is None else min(done, self.lapsed)

    def ends(self) -> dict[frozenset[str], float]:
        """When each pair at a place that counts was over and done with."""
        over = math.inf if self.lapsed is None else self.lapsed
        asked = {place: q.ended for place, q in self.questions.items() if q.ended is not None}
        return {pair: asked.get(place, over) for place, pair in enumerate(self.plan[: self.counts])}

    def missing(self) -> list[frozenset[str]]:
        """The pairs at places that count about which the person said nothing; own work, named before, is none."""
        silent = [pair for place, pair in enumerate(self.plan[: self.counts]) if self._is_silent(place)]
        return [pair for pair in silent if not pair & self.own]

    def _is_silent(self, place: int) -> bool:
        q = self.questions.get(place)
        return self.lapsed is not None if q is None or q.open else q.missing

    def preferences(self) -> list[tuple[str, str]]:
        """(better, worse) of every choice made in time, in the order of the plan."""
        return [(q.winner, q.loser) for q in self.counting() if q.winner is not None and q.loser is not None]


@dataclass(slots=True)
class Sittings:
    """All sittings in order of arrival, what is wrong with them, and the questions that belong to none."""

    options: PanelOptions
    sittings: list[SittingRead] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    foreign: list[Asked] = field(default_factory=list)
    people: set[str] = field(default_factory=set)

    def take(self, q: Asked, record: Record) -> None:
        """One question more."""
        number, place = q.terms.get("sitting"), q.terms.get("place")
        if number is None and place is None:
            self.foreign.append(q)
        elif not is_whole(number, least=1) or not is_whole(place):
            self.faults.append(f"question {q.id} does not say properly which place of which sitting it is")
        else:
            if place == 0 and number == len(self.sittings) + 1:
                self._open(q, number, record)
            problem = self._misfit(q, number, place)
            if problem:
                self.faults.append(problem)
            else:
                self.sittings[number - 1].questions[place] = q

    def _open(self, q: Asked, number: int, record: Record) -> None:
        if q.judge in self.people:
            self.faults.append(f"question {q.id} opens a second sitting for {q.judge!r}")
        self.people.add(q.judge)
        plan = _plan(q.terms.get("plan"))
        counts = q.terms.get("counts", len(plan))
        counts = counts if is_whole(counts, least=1) and counts <= len(plan) else 0
        own = names(q.terms.get("own", []))
        if own is None or not record.there(own, q.seq):
            self.faults.append(f"sitting {number} does not say properly what is the person's own work")
        lapsed = record.lapsed.get(number)
        own_work = frozenset(own or ())
        self.sittings.append(SittingRead(number, q.judge, plan, q.seq, lapsed, counts=counts, own=own_work))
        items = record.count_at(q.seq)
        fault = self._plan_fault(plan, counts, items)
        if not fault and self.options.scores and not q.imported:
            record.room.take(10 * items, "plans by lot of so many items")
            present = list(itertools.islice(record.items, items))
            seed = int(record.settings.get("seed", 0))
            if plan[:counts] != plan_by_lot(present, self.options.sitting, seed=seed, number=number):
                fault = "is not the one that the study's seed draws by lot"
        if not fault and any(record.withdrawn.get(item, q.seq) < q.seq for pair in plan for item in pair):
            fault = "asks about an item that was withdrawn before"
        if fault:
            self.faults.append(f"the plan of sitting {number} {fault}")

    def _plan_fault(self, plan: list[frozenset[str]], counts: int, items: int) -> str:
        """The statement needs a plan of different pairs; scores also that no item is met too often."""
        if not plan:
            return "is not on record before its first answer"
        if any(len(pair) != 2 for pair in plan) or len(set(plan)) < len(plan):
            return "asks a pair twice, or an item against itself"
        if not 1 <= counts <= self.options.sitting or len(plan) > counts + self.options.beyond:
            return (
                f"has {len(plan)} places of which {counts} count; the study was made with {self.options.sitting} "
                f"and {self.options.beyond} beyond"
            )
        met = Counter(item for pair in plan[:counts] for item in pair)
        if self.options.scores and max(met.values()) > met_at_most(items, self.options.sitting):
            return "meets an item more often than random matchings can"
        return ""

    def _misfit(self, q: Asked, number: int, place: int) -> str:
        if not 1 <= number <= len(self.sittings):
            return f"question {q.id} belongs to sitting {number}, which has not begun"
        sitting = self.sittings[number - 1]
        if sitting.judge != q.judge:
            return f"question {q.id} of sitting {number} was asked of {q.judge!r} instead of {sitting.judge!r}"
        if place in sitting.questions:
            return f"question {q.id} asks place {place + 1} of sitting {number} a second time"
        if place >= len(sitting.plan) or sitting.plan[place] != q.pair:
            return f"question {q.id} is not what the plan of sitting {number} says at place {place + 1}"
        if (q.terms.get("beyond") is True) != (place >= sitting.counts):
            return f"question {q.id} is wrong about whether place {place + 1} of sitting {number} counts"
        if sitting.lapsed is not None and sitting.lapsed < q.seq and place < sitting.counts:
            return f"question {q.id} belongs to sitting {number}, which had lapsed"
        return ""


def _plan(value: Any) -> list[frozenset[str]]:
    """The pairs of a plan; none where it is not one."""
    pairs = [names(pair) for pair in value] if isinstance(value, list) else []
    return [frozenset(pair) for pair in pairs if pair] if all(pairs) else []


def read_sittings(record: Record, options: PanelOptions) -> Sittings:
    """All sittings of a log."""
    found = Sittings(options)
    for q in record.asked:
        found.take(q, record)
    found.faults.extend(_asked_before(found))
    if options.scores:
        found.faults.extend(words for sitting in found.sittings if (words := _unsaid(sitting)))
    return found


def _asked_before(found: Sittings) -> Iterator[str]:
    """Questions outside any plan that let somebody choose, by their answers, who sits or what is counted."""
    sitting_of = {sitting.judge: sitting for sitting in found.sittings}
    ends = {judge: sitting_of[judge].ends() for judge in {q.judge for q in found.foreign} & sitting_of.keys()}
    for q in found.foreign:
        if q.judge not in ends:
            continue
        if q.seq < sitting_of[q.judge].begun:
            yield f"question {q.id} outside any plan was asked of {q.judge!r} before their sitting"
        elif q.seq < ends[q.judge].get(q.pair, 0):
            yield f"question {q.id} outside any plan asks {q.judge!r} a pair before their plan does"


def _unsaid(sitting: SittingRead) -> str:
    """Scores leave out whoever owns an item: nothing may be passed over as own work that was not said to be."""
    over = [q for q in sitting.questions.values() if q.own_work and not q.pair & sitting.own]
    return f"question {over[0].id} was passed over as own work that its judge had not named" if over else ""

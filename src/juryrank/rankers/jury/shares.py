"""Each pair's share of the answers with an interval, in all and per group of cases: estimates, whatever is proven.

The share is that of the whole table: judges by their weight, each by its own answers, refusals left out. The
interval is Wilson's for so many answers as the weighed mean is worth, and narrows to nothing as the cells run out.
Below `SHARE_ANSWERS` answers there is none. How often they hold where questions and stops follow the answers:
`python -m benchmarks.jury intervals`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from juryrank.defaults import DIFFERENT_CASES, SHARE_ANSWERS
from juryrank.rankers.jury.core.pair import Drawn, PairBook
from juryrank.rankers.jury.core.table import Pair

if TYPE_CHECKING:
    from juryrank.rankers.jury.core.attempt import Attempt
    from juryrank.rankers.jury.state import JuryState

TIES_MORE = 2.7  # answers that the interval is drawn to the middle by: Wilson's, the square of the normal quantile
WIDE = 1.75  # standard errors: the normal quantile and 6 % more, as questions and stops follow the answers
UNSEEN = 0.3  # of an answer: what a judge nobody asked yet is worth, as in `core.opinion`


@dataclass(frozen=True, slots=True)
class PairShare:
    """The first item's share of the answers given, ties half; `low` and `high` are None for too few answers."""

    share: float
    low: float | None
    high: float | None
    answers: int

    def turned(self) -> PairShare:
        """The other item's."""
        low = None if self.high is None else 1 - self.high
        high = None if self.low is None else 1 - self.low
        return PairShare(1 - self.share, low, high, self.answers)

    def row(self) -> dict[str, Any]:
        ends = {"low": self.low, "high": self.high}
        rounded = {name: None if end is None else round(end, 4) for name, end in ends.items()}
        return {"share": round(self.share, 4), **rounded, "answers": self.answers}


@dataclass(slots=True)
class ToldCells:
    """Sums over some cells of a pair that came back."""

    weights: tuple[float, ...]
    calls: list[int] = field(default_factory=list)  # cells per judge
    x: list[float] = field(default_factory=list)
    squares: float = 0.0
    answered: float = 0.0
    known: float = 0.0  # the part of all such cells that is told

    def add(self, drawn: Drawn, part: float) -> None:
        """One more cell; `part`: of all cells, by weight."""
        self.calls[drawn.judge] += 1
        self.x[drawn.judge] += drawn.x
        self.squares += drawn.x**2
        self.answered += drawn.answered
        self.known += part

    def share(self) -> PairShare | None:
        """The estimate; None: nobody answered."""
        if not self.answered:
            return None
        given = self.answered / sum(self.calls)
        mean, worth = self._mean(given), self._worth(given)
        left = max(1 - self.known, 0.0)
        square = (self.squares + left / 2) / (self.answered + left / 2)  # never quite 0, were all ties
        low, high = wilson(mean, worth, square, left=left)
        if self.answered < SHARE_ANSWERS and self.known < 1:
            return PairShare(0.5 + mean / 2, None, None, round(self.answered))
        return PairShare(0.5 + mean / 2, max(0.5 + low / 2, 0.0), min(0.5 + high / 2, 1.0), round(self.answered))

    def _mean(self, given: float) -> float:
        overall = sum(self.x) / self.answered
        if len(self.weights) == 1:
            return overall
        rows = zip(self.weights, self.x, self.calls, strict=True)
        own = ((w, (x + overall) / (given * n + 1)) for w, x, n in rows)
        found = sum(w * min(max(mean, -1.0), 1.0) for w, mean in own)  # who refuses less may pass 1
        return found / sum(self.weights)

    def _worth(self, given: float) -> float:
        """How many answers of one judge the weighed mean is worth."""
        if len(self.weights) == 1:
            return self.answered
        total = sum(self.weights)
        spread = sum(
            (w / total) ** 2 / (given * n + UNSEEN) for w, n in zip(self.weights, self.calls, strict=True)
        )
        return min(1 / spread, self.answered)


def wilson(mean: float, worth: float, square: float, *, left: float) -> tuple[float, float]:
    """The interval of a mean of values in [-1, 1] with this mean square; `left`: the part not seen yet.

    >>> [round(end, 2) for end in wilson(0.0, 25, 1.0, left=1.0)], wilson(0.2, 25, 1.0, left=0.0)
    ([-0.33, 0.33], (0.2, 0.2))
    """
    more = left * TIES_MORE
    centre = mean * worth / (worth + more)
    half = WIDE * math.sqrt(max(square - centre**2, 0.0) / (worth + more) * left)
    return centre - half, centre + half


def share_of_pair(book: PairBook) -> PairShare | None:
    """The share of the pair's first item."""
    told = ToldCells(book.table.weights, [0] * book.table.judges, [0.0] * book.table.judges)
    for drawn in book.drawn:
        if drawn.back >= drawn.calls:
            told.add(drawn, 0.0 if book.table.fresh else book.cell_weight(drawn))
    return told.share()


def pair_rows(jury: JuryState, order: Iterable[int], attempt: Attempt | None) -> list[dict[str, Any]]:
    """One row for each pair with an answer, from the side of the one that stands higher."""
    place = {item: at for at, item in enumerate(order)}
    found = []
    for pair, book in jury.machine.books.items():
        better, worse = sorted(pair, key=place.__getitem__)
        found.append((place[better], place[worse], _row(jury, book, better, worse, attempt)))
    return [row for *_, row in sorted(found, key=lambda one: one[:2]) if row]


def _row(jury: JuryState, book: PairBook, better: int, worse: int, attempt: Attempt | None) -> dict[str, Any]:
    share = share_of_pair(book)
    if share is None:
        return {}
    turn = better > worse
    groups = [
        {"group": name, **(part.turned() if turn else part).row()}
        for name, part in sorted(by_group(jury, book).items())
    ]
    return {
        "better": jury.items[better],
        "worse": jury.items[worse],
        **(share.turned() if turn else share).row(),
        "calls": calls_of(jury, book),
        "resolution": _stated(jury, attempt, (better, worse)),
        **({"groups": groups} if groups else {}),
    }


def calls_of(jury: JuryState, book: PairBook) -> int:
    """Calls about a pair that came back, with an answer or without one; ties that took no call are none."""
    return sum(drawn.back for drawn in book.drawn) - jury.tally.same[book.pair]


def _stated(jury: JuryState, attempt: Attempt | None, claim: Pair) -> float | None:
    """The finest resolution at which a claim is stated; None: it is not, or nobody claims it."""
    at = None if attempt is None else attempt.place.get((min(claim), max(claim)))
    if attempt is None or at is None or attempt.claims[at] != claim or not attempt.stated[at].any():
        return None
    return jury.read.resolutions[attempt.shown_step(at)]


def by_group(jury: JuryState, book: PairBook) -> dict[str, PairShare]:
    """The share of a pair's first item on each group of cases."""
    groups: Mapping[str, str] | None = jury.options["groups"]
    if not groups:
        return {}
    table = book.table
    names = [groups.get(case, "") for case in jury.read.cases]
    weights = _group_weights(names, table.case_weights, table.absent.get(book.pair, frozenset()))
    found: dict[str, ToldCells] = {}
    for drawn in _told(book):
        case = drawn.cell // table.sides
        name = names[case]
        if name not in found:
            found[name] = ToldCells(table.weights, [0] * table.judges, [0.0] * table.judges)
        part = 0.0 if table.fresh else table.case_weights[case] / (weights[name] * table.sides)
        found[name].add(drawn, table.weights[drawn.judge] * part)
    return {name: share for name, told in found.items() if (share := told.share()) is not None}


def _group_weights(names: list[str], weights: tuple[int, ...], gone: Iterable[int]) -> dict[str, int]:
    """Σ k of each group's cases that the pair has."""
    found: dict[str, int] = {}
    out = set(gone)
    for case, (name, weight) in enumerate(zip(names, weights, strict=True)):
        found[name] = found.get(name, 0) + (0 if case in out else weight)
    return found


def cases_apart(jury: JuryState, better: int, worse: int) -> list[dict[str, Any]]:
    """The cases on which the answers about two systems are clearest, for either of them."""
    book = jury.machine.books.get((min(better, worse), max(better, worse)))
    if book is None or jury.read.unnamed:
        return []
    sums: dict[int, list[float]] = {}
    for drawn in _told(book):
        entry = sums.setdefault(drawn.cell // jury.table.sides, [0.0, 0.0])
        entry[0] += 1
        entry[1] += drawn.x if better < worse else -drawn.x
    rows = sorted((-abs(total) / (count + 1), case) for case, (count, total) in sums.items() if total)
    return [
        {
            "case": jury.read.cases[case],
            "share": round(0.5 + sums[case][1] / sums[case][0] / 2, 4),
            "answers": int(sums[case][0]),
        }
        for _, case in rows[:DIFFERENT_CASES]
    ]


def _told(book: PairBook) -> Iterator[Drawn]:
    """Cells that came back with an answer."""
    return (drawn for drawn in book.drawn if drawn.back >= drawn.calls and drawn.answered > 0)

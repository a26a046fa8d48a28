"""Where answers differ: by judge, by group of cases, by case. Counts and estimates; none of it is promised."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from juryrank.defaults import CASES_SHOWN
from juryrank.rankers.jury.core.machine import pair_of
from juryrank.rankers.jury.core.pair import Drawn

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState
from typing import TYPE_CHECKING

ENOUGH = 5  # answers of one judge about a claim before its own view is said
LEANS = 1.0  # standard deviations below even before answers are said to lean the other way


class Said(NamedTuple):
    """One answer about two items in the order shown by the result."""

    better: int
    worse: int
    judge: int
    case: int
    x: float  # positive: it agrees with the order


def answers(jury: JuryState, order: Sequence[int]) -> Iterator[Said]:
    """Every answer told so far, from the side of the item that stands higher."""
    place = {item: at for at, item in enumerate(order)}
    for pair in sorted(jury.machine.books):
        yield from answers_about(jury, *sorted(pair, key=place.__getitem__))


def answers_about(jury: JuryState, better: int, worse: int) -> Iterator[Said]:
    """Every answer told so far about two items, from the side of the first."""
    book = jury.machine.books.get(pair_of(better, worse))
    sign = 1 if better < worse else -1
    for drawn in book.drawn if book else ():
        if _told(drawn):
            yield Said(better, worse, drawn.judge, drawn.cell // jury.table.sides, sign * drawn.x)


def _told(drawn: Drawn) -> bool:
    return drawn.back >= drawn.calls and drawn.answered > 0


def by_group(jury: JuryState, order: Sequence[int]) -> list[dict[str, Any]]:
    """Per group of cases: how many answers, and what share of them agrees with the order (ties half)."""
    groups = jury.options["groups"]
    if not groups:
        return []
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for said in answers(jury, order):
        entry = sums[groups.get(jury.read.cases[said.case], "")]
        entry[0] += 1
        entry[1] += said.x
    return [
        {"group": group, "answers": int(count), "agreeing": round(0.5 + total / count / 2, 4)}
        for group, (count, total) in sorted(sums.items())
    ]


def by_judge(jury: JuryState) -> list[dict[str, Any]]:
    """Per judge: its weight, answers, ties and refusals, how often left won, how often an answer flipped."""
    tally = jury.tally
    return [
        {
            "judge": name,
            "weight": jury.table.weights[u],
            "answered": tally.answered[u],
            "ties": tally.ties[u],
            "refused": tally.refused[u],
            "failed": tally.failed[u],
            "left": tally.left[u],
            "both_sides": tally.both_sides[u],
            "flipped": tally.flipped[u],
        }
        for u, name in enumerate(jury.judge_names)
    ]


def disagreements(jury: JuryState, claims: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Claims about which a judge's own answers lean the other way."""
    found = []
    for better, worse in claims:
        book = jury.machine.books.get(pair_of(better, worse))
        if book is None:
            continue
        sign = 1 if better < worse else -1
        for u, name in enumerate(jury.judge_names):
            calls, lean = book.calls[u], sign * book.x[u]
            if _leans_away(calls, lean):
                share = round(0.5 + lean / calls / 2, 4)
                row = {"judge": name, "better": jury.items[better], "worse": jury.items[worse]}
                found.append({**row, "answers": calls, "share": share})
    return found


def group_disagreements(jury: JuryState, claims: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Claims about which the answers on one group of cases lean the other way."""
    groups = jury.options["groups"]
    if not groups:
        return []
    found = []
    for better, worse in claims:
        sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
        for said in answers_about(jury, better, worse):
            entry = sums[groups.get(jury.read.cases[said.case], "")]
            entry[0] += 1
            entry[1] += said.x
        pair = {"better": jury.items[better], "worse": jury.items[worse]}
        found += [
            {"group": group, **pair, "answers": int(entry[0]), "share": _share(entry)}
            for group, entry in sorted(sums.items())
            if _leans_away(*entry)
        ]
    return found


def _leans_away(answers: float, total: float) -> bool:
    """Are there enough answers, and do they prefer the other one by more than chance does as a rule?"""
    return answers >= ENOUGH and total < -LEANS * math.sqrt(answers)


def telling_cases(jury: JuryState, order: Sequence[int]) -> list[dict[str, Any]]:
    """Cases whose answers go against the order most: where to look first. At least two answers each."""
    return [row for row in _by_case(jury, order) if row["agreeing"] < 0.5][:CASES_SHOWN]


def cases_apart(jury: JuryState, order: Sequence[int]) -> list[dict[str, Any]]:
    """Cases that tell the systems apart as the order does, clearest first. At least two answers each."""
    return [row for row in _by_case(jury, order)[::-1] if row["agreeing"] > 0.5][:CASES_SHOWN]


def even_cases(jury: JuryState, order: Sequence[int]) -> int:
    """How many cases with two answers or more tell nothing apart: all of their answers are ties."""
    sums = _case_sums(jury, order)
    return sum(count > 1 and spread == 0 for count, _, spread in sums.values())


def _by_case(jury: JuryState, order: Sequence[int]) -> list[dict[str, Any]]:
    """Cases with two answers or more, from the one most against the order to the one that agrees most."""
    sums = _case_sums(jury, order)
    rows = sorted((total / (count + 2), case) for case, (count, total, _) in sums.items() if count > 1)
    return [
        {"case": jury.read.cases[case], "answers": int(sums[case][0]), "agreeing": _share(sums[case])}
        for _, case in rows
    ]


def _case_sums(jury: JuryState, order: Sequence[int]) -> dict[int, list[float]]:
    """Per case: answers, Σ x, Σ |x|."""
    sums: dict[int, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for said in () if jury.read.unnamed else answers(jury, order):
        entry = sums[said.case]
        entry[0] += 1
        entry[1] += said.x
        entry[2] += abs(said.x)
    return sums


def _share(entry: Sequence[float]) -> float:
    return round(0.5 + entry[1] / entry[0] / 2, 4)


# ----------------------------------------------------------------------------
# Answers that go against an order whose links are proven: its items go in a circle, and their ranks stay open.
#
# Each item over the next is proven; that the first is over the third is not, it follows only if "at least as good"
# is transitive. Where the answers about the two say otherwise, they say that it is not.
ENOUGH = 2  # answers about two items before they leave ranks open; a single one may be a slip
LEVEL = 1e-9  # sums of grades nearer to 0 than this are level


class Turned(NamedTuple):
    """Two places of an order, counted from 0 and no neighbours, whose answers prefer the item at the lower one."""

    above: int
    below: int
    answers: int
    share: float  # of the answers, in favour of the item above (ties half)

    @property
    def counts(self) -> bool:
        return self.answers >= ENOUGH


def turned_pairs(jury: JuryState, order: Sequence[int]) -> list[Turned]:
    """Every pair of places whose answers go against the order, neighbours apart: those are proven."""
    place = {item: at for at, item in enumerate(order)}
    found = []
    for pair in jury.machine.books:
        above, below = sorted(place[item] for item in pair)
        said = [answer.x for answer in answers_about(jury, order[above], order[below])]
        if below > above + 1 and sum(said) < -LEVEL:
            found.append(Turned(above, below, len(said), 0.5 + sum(said) / len(said) / 2))
    return sorted(found)


def open_stretches(turned: Sequence[Turned]) -> list[tuple[int, int]]:
    """The places that a circle holds, from the first to the last; circles that share an item are one.

    >>> open_stretches([Turned(0, 2, 2, 0.0), Turned(2, 4, 3, 0.3), Turned(5, 7, 1, 0.0)])
    [(0, 4)]
    """
    found: list[tuple[int, int]] = []
    for first, last in sorted((pair.above, pair.below) for pair in turned if pair.counts):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found

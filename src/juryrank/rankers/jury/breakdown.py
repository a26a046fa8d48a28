"""Where answers differ: by judge, by group of cases, by case. Counts and estimates; none of it is promised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from juryrank.core.jury.machine import pair_of
from juryrank.core.jury.pair import Drawn

if TYPE_CHECKING:
    from juryrank.rankers.jury.ranker import Jury

ENOUGH = 5  # answers of one judge about a claim before its own view is said
CASES_LISTED = 10


class Said(NamedTuple):
    """One answer about two items in the order shown by the result."""

    better: int
    worse: int
    judge: int
    case: int
    x: float  # positive: it agrees with the order


def answers(jury: Jury, order: Sequence[int]) -> Iterator[Said]:
    """Every answer told so far, from the side of the item that stands higher."""
    place = {item: at for at, item in enumerate(order)}
    for (i, j), book in sorted(jury.machine.books.items()):
        sign = 1 if place[i] < place[j] else -1
        better, worse = (i, j) if sign > 0 else (j, i)
        for drawn in book.drawn:
            if _told(drawn):
                yield Said(better, worse, drawn.judge, drawn.cell // jury.table.sides, sign * drawn.x)


def _told(drawn: Drawn) -> bool:
    return drawn.back >= drawn.calls and drawn.answered > 0


def by_group(jury: Jury, order: Sequence[int]) -> list[dict[str, Any]]:
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


def by_judge(jury: Jury) -> list[dict[str, Any]]:
    """Per judge: what it did, and the pairs of neighbours where it leans the other way than the order."""
    tally = jury.tally
    return [
        {
            "judge": name,
            "weight": jury.table.weights[u],
            "answered": tally.answered[u],
            "ties": tally.ties[u],
            "refused": tally.refused[u],
            "left": tally.left[u],
            "both_sides": tally.both_sides[u],
            "flipped": tally.flipped[u],
        }
        for u, name in enumerate(jury.judge_names)
    ]


def disagreements(jury: Jury, claims: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Claims about which a judge's own answers lean the other way."""
    found = []
    for better, worse in claims:
        book = jury.machine.books.get(pair_of(better, worse))
        if book is None:
            continue
        sign = 1 if better < worse else -1
        for u, name in enumerate(jury.judge_names):
            calls, lean = book.told.calls[u], sign * book.told.x[u]
            if calls >= ENOUGH and lean < 0:
                share = round(0.5 + lean / calls / 2, 4)
                row = {"judge": name, "better": jury.items[better], "worse": jury.items[worse]}
                found.append({**row, "answers": calls, "share": share})
    return found


def telling_cases(jury: Jury, order: Sequence[int]) -> list[dict[str, Any]]:
    """Cases whose answers go against the order most: where to look first. At least two answers each."""
    if jury.read.unnamed:
        return []
    sums: dict[int, list[float]] = defaultdict(lambda: [0, 0.0])
    for said in answers(jury, order):
        sums[said.case][0] += 1
        sums[said.case][1] += said.x
    rows = sorted((total / (count + 2), case) for case, (count, total) in sums.items() if count > 1)
    against = [(mean, case) for mean, case in rows if mean < 0][:CASES_LISTED]
    return [
        {"case": jury.read.cases[case], "answers": int(sums[case][0]), "agreeing": _share(sums[case])}
        for _, case in against
    ]


def _share(entry: Sequence[float]) -> float:
    return round(0.5 + entry[1] / entry[0] / 2, 4)

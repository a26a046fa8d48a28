"""Judges against a reference (people, gold, one of them): how often they agree, and where they differ.

They are compared on what both have judged: a pair of items, on a case where there are cases. What several say
about it is the balance of their votes; nobody is compared with themselves. Ties are verdicts of their own. Kappa
is Cohen's with each pair both ways round, as which of two items is called the first is arbitrary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from juryrank.core.intervals import t_quantile
from juryrank.defaults import FIT_LEVEL
from juryrank.errors import BadVotes
from juryrank.votes.fitting.ballots import Ballots

MOST_DIFFERENT, CASES_NAMED = 5, 3
Place = tuple[str, str, str]  # two items in alphabetical order, and a case
Verdicts = dict[Place, int]  # 1: for the first item, -1: for the second, 0: a tie


@dataclass(frozen=True, slots=True)
class JudgeAgainst:
    """`agreement` holds with its interval, clustered by case; `kappa`: 0 is chance, None where both always say the
    same; `decided`: agreement where neither calls it a tie, as most papers report it."""

    judge: str
    in_common: int
    agreement: float
    low: float
    high: float
    kappa: float | None
    decided: float | None


@dataclass(frozen=True, slots=True)
class PairApart:
    """How often a judge and the reference prefer `first` to `second` (a tie counts half), and cases where they
    differ."""

    judge: str
    first: str
    second: str
    in_common: int
    judge_prefers: float
    reference_prefers: float
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Against:
    """`themselves`: each judge of the reference against the others of it, the most that can be expected of anybody
    else; None where there is one only."""

    judges: tuple[JudgeAgainst, ...]
    themselves: JudgeAgainst | None
    apart: tuple[PairApart, ...]


def against(votes: Ballots, reference: Ballots, *, level: float = FIT_LEVEL) -> Against:
    """Compare the judges of some votes with those of others."""
    on_cases = bool(votes.cases and reference.cases)
    said, rows, apart = _said(reference, on_cases), [], list[PairApart]()
    truth = _verdicts(said)
    for judge in votes.judges:
        own = _verdicts(_said(votes, on_cases, only=judge))
        others = _verdicts(said, without=judge) if judge in reference.judges else truth
        both = [(place, own[place], others[place]) for place in own if place in others]
        if both:
            rows.append(_row(judge, both, level))
            apart += _pairs_apart(judge, both)
    if not rows:
        where = "about the same two items on the same case" if on_cases else "about the same two items"
        raise BadVotes(f"the votes and the reference have nothing in common: no vote of both is {where}")
    apart.sort(key=lambda pair: -abs(pair.judge_prefers - pair.reference_prefers) * pair.in_common**0.5)
    return Against(tuple(rows), _themselves(reference, on_cases, level), tuple(apart[:MOST_DIFFERENT]))


def without(votes: Ballots, judge: str) -> Ballots:
    """Votes of everybody else, so that nobody is compared with themselves."""
    gone = votes.judges.index(judge)
    names = (*votes.judges[:gone], *votes.judges[gone + 1 :])
    return replace(votes, judges=names, judge=votes.judge - (votes.judge > gone))


def _said(votes: Ballots, on_cases: bool, *, only: str | None = None) -> dict[Place, dict[str, float]]:
    """Per place and judge the balance of what they said, from 1 (the first item) to -1."""
    part = votes if only is None else votes.part(votes.judge == votes.judges.index(only))
    for_left, found = (2 * part.score - 1) * part.weight, dict[Place, dict[str, float]]()
    case: Sequence[int] = part.case.tolist() if on_cases and part.case is not None else [0] * len(part)
    names = votes.cases if on_cases else ("",)
    columns = (part.left.tolist(), part.right.tolist(), part.judge.tolist(), case, for_left.tolist())
    for left, right, judge, at, lead in zip(*columns, strict=True):
        a, b = votes.items[left], votes.items[right]
        place, value = ((a, b, names[at]), lead) if a < b else ((b, a, names[at]), -lead)
        said = found.setdefault(place, {})
        said[votes.judges[judge]] = said.get(votes.judges[judge], 0.0) + value
    return found


def _verdicts(said: Mapping[Place, Mapping[str, float]], *, without: str | None = None) -> Verdicts:
    """What most of the judges say, one voice each."""
    voices = {place: [np.sign(lead) for who, lead in by.items() if who != without] for place, by in said.items()}
    return {place: int(np.sign(sum(each))) for place, each in voices.items() if each}


def _row(judge: str, both: Sequence[tuple[Place, int, int]], level: float) -> JudgeAgainst:
    one, other = (np.array([row[k] for row in both]) for k in (1, 2))
    same = (one == other).astype(float)
    share = float(same.mean())
    half = _half_width(same - share, [place[2] or str(k) for k, (place, _, _) in enumerate(both)], level)
    tied = [float(np.mean(said == 0)) for said in (one, other)]
    chance = tied[0] * tied[1] + (1 - tied[0]) * (1 - tied[1]) / 2
    clear = (one != 0) & (other != 0)
    return JudgeAgainst(
        judge, len(both), share, max(share - half, 0.0), min(share + half, 1.0),
        None if chance == 1 else (share - chance) / (1 - chance),
        float(same[clear].mean()) if clear.any() else None,
    )  # fmt: skip


def _half_width(off: Any, cases: Iterable[str], level: float) -> float:
    """Of a share, clustered by case; never below what one vote more against it would show."""
    group = np.unique(list(cases), return_inverse=True)[1]
    many = int(group.max()) + 1
    if many < 2:
        return 1.0
    square = float(np.sum(np.bincount(group, off) ** 2)) * many / (many - 1)
    return t_quantile(level, many - 1) * max(square**0.5, 1.0) / len(off)


def _pairs_apart(judge: str, both: Sequence[tuple[Place, int, int]]) -> list[PairApart]:
    by_pair: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
    for (first, second, case), own, other in both:
        by_pair.setdefault((first, second), []).append((case, own, other))
    found = []
    for (first, second), rows in by_pair.items():
        leads = [sum(own for _, own, _ in rows), sum(other for _, _, other in rows)]
        prefers = [0.5 + lead / (2 * len(rows)) for lead in leads]
        cases = tuple(case for case, own, other in rows if own != other and case)[:CASES_NAMED]
        if any(own != other for _, own, other in rows):
            found.append(PairApart(judge, first, second, len(rows), prefers[0], prefers[1], cases))
    return found


def _themselves(reference: Ballots, on_cases: bool, level: float) -> JudgeAgainst | None:
    """Each judge of the reference against the balance of the others."""
    both = []
    for place, by in _said(reference, on_cases).items():
        for judge, lead in by.items() if len(by) > 1 else ():
            others = sum(np.sign(said) for who, said in by.items() if who != judge)
            both.append((place, int(np.sign(lead)), int(np.sign(others))))
    return _row("themselves", both, level) if both else None

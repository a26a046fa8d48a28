"""Numbers of a report, counted from votes: pairs, judges, sides, agreement between judges."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.core.intervals import Share
from juryrank.votes.vote import Outcome, Vote


@dataclass(frozen=True, slots=True)
class JudgeTally:
    """What one judge did."""

    name: str
    answers: int
    ties: int
    skips: int
    late: int
    with_order: Share
    left: Share
    seconds: float | None
    cost: float


def wins(votes: Iterable[Vote]) -> Counter[tuple[str, str]]:
    """How often the first was preferred to the second."""
    return Counter((vote.winner, vote.right if vote.winner == vote.left else vote.left) for vote in votes)


def judge_tallies(votes: Iterable[Vote], order: Sequence[str]) -> list[JudgeTally]:
    """A row per judge, most answers first."""
    place = {item: k for k, item in enumerate(order)}
    by_judge: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        by_judge[vote.judge].append(vote)
    rows = [_tally(name, own, place) for name, own in by_judge.items()]
    return sorted(rows, key=lambda row: (-row.answers, row.name))


def _tally(name: str, own: Sequence[Vote], place: dict[str, int]) -> JudgeTally:
    kinds, skips = Counter(vote.outcome for vote in own), sum(vote.skipped for vote in own)
    chosen = [vote for vote in own if vote.outcome in (Outcome.LEFT, Outcome.RIGHT)]
    ranked = [vote for vote in chosen if vote.left in place and vote.right in place]
    good = sum((place[v.left] < place[v.right]) == (v.winner == v.left) for v in ranked)
    times = [vote.response_time for vote in own if vote.response_time is not None and vote.counts]
    return JudgeTally(
        name=name,
        answers=len(chosen) + kinds[Outcome.TIE] + skips,
        ties=kinds[Outcome.TIE],
        skips=skips,
        late=kinds[Outcome.LATE],
        with_order=Share(good, len(ranked)),
        left=Share(kinds[Outcome.LEFT], len(chosen)),
        seconds=statistics.median(times) if times else None,
        cost=sum(vote.cost or 0.0 for vote in own),
    )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two judges prefer the same, on pairs both decided; NaN where they share none."""

    judges: tuple[str, ...]
    share: NDArray[np.float64]
    common: NDArray[np.int64]

    @property
    def overall(self) -> Share:
        """Over all pairs of judges and all pairs of items that both decided."""
        upper = np.triu_indices(len(self.judges), 1)
        common = self.common[upper]
        same = np.nan_to_num(self.share[upper]) * common
        return Share(round(float(same.sum())), int(common.sum()))

    def couples(self) -> list[tuple[str, str, int, float]]:
        """(judge, other judge, common pairs, share); those with the most common pairs first."""
        found = [
            (self.judges[i], self.judges[j], int(self.common[i, j]), float(self.share[i, j]))
            for i, j in zip(*np.triu_indices(len(self.judges), 1), strict=True)
            if self.common[i, j]
        ]
        return sorted(found, key=lambda couple: -couple[2])


def agreement(votes: Iterable[Vote], judges: Sequence[str]) -> Agreement:
    """The agreement between these judges. For a pair asked several times, what a judge said more often counts."""
    row = {name: k for k, name in enumerate(judges)}
    pairs: dict[tuple[str, str], int] = {}
    leads: defaultdict[tuple[int, int], int] = defaultdict(int)
    for vote in votes:
        if vote.judge in row:
            low, high = sorted((vote.left, vote.right))
            column = pairs.setdefault((low, high), len(pairs))
            leads[row[vote.judge], column] += 1 if vote.winner == low else -1
    said = np.zeros((len(judges), len(pairs)), dtype=np.int64)
    for (judge, column), lead in leads.items():
        said[judge, column] = (lead > 0) - (lead < 0)
    common = np.abs(said) @ np.abs(said).T
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (common + said @ said.T) / (2 * common)
    return Agreement(tuple(judges), share, common)

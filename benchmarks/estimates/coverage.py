"""Rankers ask judges of a world; how often do the estimates hold the truth?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.estimates.worlds import Floats, make_world
from juryrank import make_ranker
from juryrank.rankers import Ranker
from juryrank.rankers.guess.core.chances import log_odds
from juryrank.types import Estimates

SAME = 1e-9
# items, judges, answers per judge: a meeting, a workshop, a survey, a long list, a few experts
SIZES = ((25, 15, 10), (12, 30, 12), (20, 18, 60), (25, 60, 30), (10, 8, 45))


@dataclass(frozen=True, slots=True)
class Held:
    """One run: shares of items whose interval holds the truth; what was said of a top three, and what was true."""

    kind: str
    ranker: str
    size: str
    score: float
    rank: float
    ranks_wide: float
    said_top: float  # mean chance given to the true first three
    wrong_pairs: float  # share of pairs in the wrong order by expected rank


def run(kind: str, ranker: str, size: tuple[int, int, int], seed: int) -> Held:
    """One world, one ranker."""
    items, judges, each = size
    world = make_world(kind, items=items, judges=judges, seed=seed)
    asked = make_ranker(ranker, range(items), judges=range(judges), seed=seed, error=0.1, budget=judges * each,
                        **({"sitting": each} if ranker == "panel" else {}))  # fmt: skip
    rng = np.random.default_rng([seed, 99])
    for question in _questions(asked):
        u, i, j = question.judge, question.left, question.right
        asked.tell(question, i if world.says(u, i, j, rng) else j)
    found = asked.ranking.estimates
    assert found is not None
    beats = world.beats(asked.roster.answered)
    return measured(found, beats, kind=kind, ranker=ranker, size=f"{items} items, {judges} judges, {each} each")


def _questions(ranker: Ranker) -> Iterator[object]:
    if ranker.name != "panel":
        while (question := ranker.ask()) is not None:
            yield question
        return
    for judge in ranker.judge_names:
        while (question := ranker.ask(judge)) is not None:
            yield question


def measured(found: Estimates, beats: Floats, *, kind: str, ranker: str, size: str) -> Held:
    """The estimates beside the truth; an item tied with others may have any of their ranks."""
    by = sorted(found.items, key=lambda guess: guess.item)  # type: ignore[arg-type,return-value]
    true = log_odds(beats)
    above = (beats[None, :] > beats[:, None] + SAME).sum(axis=1)
    below = (beats[None, :] < beats[:, None] - SAME).sum(axis=1)
    low, high = (np.array([getattr(g, name) for g in by]) for name in ("score_low", "score_high"))
    first, last = (np.array([getattr(g, name) for g in by]) for name in ("rank_low", "rank_high"))
    rank, top = (np.array([getattr(g, name) for g in by]) for name in ("rank", "top"))
    wrong = (beats[:, None] > beats[None, :] + SAME) & (rank[:, None] > rank[None, :])
    return Held(
        kind=kind,
        ranker=ranker,
        size=size,
        score=float(((low <= true + SAME) & (true <= high + SAME)).mean()),
        rank=float(((first <= len(by) - below) & (above + 1 <= last)).mean()),
        ranks_wide=float((last - first + 1).mean()),
        said_top=float(top[above < found.k].mean()),
        wrong_pairs=float(wrong.sum() / max((beats[:, None] > beats[None, :] + SAME).sum(), 1)),
    )

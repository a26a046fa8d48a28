"""One row per judge: how sharply they tell items apart, how they use ties and sides, whether they agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juryrank.core.intervals import t_quantile, wilson
from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.core import FittedScores
from juryrank.votes.fitting.intake.ballots import LEFT_WON, TIED
from juryrank.votes.fitting.model.likelihood import chances
from juryrank.votes.fitting.model.own_votes import OwnVotes
from juryrank.votes.fitting.model.solver import curvature


@dataclass(frozen=True, slots=True)
class FittedJudge:
    """`slope` 1 is the median judge (hbtl only); `kept` is Crowd-BT's chance that an answer was meant as given.
    `agreement`: share of decided votes that agree with the scores as they would be without this judge.
    `infit`, `outfit`: mean squared surprise beside what the model expects, 1 on average."""

    name: str
    votes: int
    slope: float | None
    slope_low: float | None
    slope_high: float | None
    kept: float | None
    ties: float
    left: float | None
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    infit: float
    outfit: float


def judge_rows(fit: FittedScores, *, level: float) -> tuple[FittedJudge, ...]:
    """All judges, in order of appearance."""
    votes, lay, x = fit.ballots, fit.layout, fit.solution.x
    many, count = len(votes.judges), np.maximum(votes.per_judge(), 1)
    slope = _slopes(fit, level)
    swap = lay.effect(x, "swap")
    kept = None if swap is None else 1 / (1 + np.exp(-(lay.value(x, "swap") + swap)))
    ties = np.bincount(votes.judge, votes.outcome == TIED, many) / count
    decided = np.bincount(votes.judge, votes.outcome != TIED, many)
    left = np.bincount(votes.judge, votes.outcome == 0, many)
    agree, asked = agreement(fit)
    infit, outfit = surprise(fit)
    rows = []
    for u, name in enumerate(votes.judges):
        low, high = wilson(agree[u], asked[u])
        known = asked[u] > 0
        rows.append(
            FittedJudge(
                name=name, votes=int(count[u]),
                slope=_at(slope[0], u), slope_low=_at(slope[1], u), slope_high=_at(slope[2], u), kept=_at(kept, u),
                ties=float(ties[u]), left=float(left[u] / decided[u]) if decided[u] and votes.sided else None,
                agreement=float(agree[u] / asked[u]) if known else None,
                agreement_low=low if known else None, agreement_high=high if known else None,
                infit=float(infit[u]), outfit=float(outfit[u]),
            )
        )  # fmt: skip
    return tuple(rows)


def _at(values: Floats | None, u: int) -> float | None:
    return None if values is None else float(values[u])


def _slopes(fit: FittedScores, level: float) -> tuple[Floats | None, Floats | None, Floats | None]:
    h = fit.layout.effect(fit.solution.x, "slope")
    if h is None:
        return None, None, None
    fit.likelihood.spread.update(fit.solution.spread)
    spread = 1 / np.sqrt(curvature(fit.likelihood, fit.solution.x)[fit.layout.block("slope")])
    wide = t_quantile(level, 1e9) * spread
    return np.exp(h), np.exp(h - wide), np.exp(h + wide)


def agreement(fit: FittedScores) -> tuple[Floats, Floats]:
    """Per judge: decided votes that agree with the scores of the others, and how many could be compared."""
    votes, many = fit.ballots, len(fit.ballots.judges)
    gap, known = OwnVotes(fit.likelihood).gaps(fit.solution.x)
    usable = known & (votes.outcome != TIED) & (gap != 0)
    right = usable & ((gap > 0) == (votes.outcome == LEFT_WON))
    return np.bincount(votes.judge, right, many), np.bincount(votes.judge, usable, many)


def surprise(fit: FittedScores) -> tuple[Floats, Floats]:
    """Infit and outfit of each judge beside a typical one: squared residuals over their expectation."""
    votes, lay, x = fit.ballots, fit.layout, fit.solution.x
    gap = x[votes.left] - x[votes.right]
    tie = lay.value(x, "tie") if fit.spec.tie else None
    left, right, _ = chances(gap + lay.value(x, "side") + lay.control(x, votes), tie)
    expected = 0.5 + (left - right) / 2
    variance = np.maximum((left + right - (left - right) ** 2) / 4, 1e-6)
    square = (votes.score - expected) ** 2
    many, count = len(votes.judges), np.maximum(votes.per_judge(), 1)
    infit = np.bincount(votes.judge, square, many) / np.bincount(votes.judge, variance, many)
    return infit, np.bincount(votes.judge, square / variance, many) / count

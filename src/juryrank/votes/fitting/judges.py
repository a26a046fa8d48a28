"""One row per judge: how sharply they tell items apart, how they use ties and sides, whether they agree."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, replace

import numpy as np

from juryrank.core.intervals import t_quantile, wilson
from juryrank.defaults import SPLITS
from juryrank.errors import install_line
from juryrank.votes.fitting.ballots import LEFT_WON, TIED, Ballots, Floats
from juryrank.votes.fitting.core import FittedScores, estimate
from juryrank.votes.fitting.model import Spec, chances
from juryrank.votes.fitting.solver import OwnVotes, curvature


@dataclass(frozen=True, slots=True)
class FittedJudge:
    """`slope` 1 is the median judge (hbtl only).
    `agreement`: share of decided votes that agree with the scores as they would be without this judge.
    `infit`, `outfit`: mean squared surprise beside what the model expects, 1 on average."""

    name: str
    votes: int
    slope: float | None
    slope_low: float | None
    slope_high: float | None
    ties: float
    left: float | None
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    infit: float
    outfit: float


def judge_rows(fit: FittedScores, *, level: float) -> tuple[FittedJudge, ...]:
    """All judges, in order of appearance."""
    votes = fit.ballots
    many, count = len(votes.judges), np.maximum(votes.per_judge(), 1)
    slope = _slopes(fit, level)
    ties, left = (
        np.bincount(votes.judge, (votes.outcome == said) * votes.weight, many) for said in (TIED, LEFT_WON)
    )
    decided, shares = count - ties, ties / count
    agree, asked = agreement(fit)
    infit, outfit = surprise(fit)
    rows = []
    for u, name in enumerate(votes.judges):
        low, high = wilson(agree[u], asked[u])
        known = asked[u] > 0
        rows.append(
            FittedJudge(
                name=name, votes=int(count[u]),
                slope=_at(slope[0], u), slope_low=_at(slope[1], u), slope_high=_at(slope[2], u),
                ties=float(shares[u]), left=float(left[u] / decided[u]) if decided[u] and votes.sided else None,
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
    weight = votes.weight
    return np.bincount(votes.judge, right * weight, many), np.bincount(votes.judge, usable * weight, many)


def surprise(fit: FittedScores) -> tuple[Floats, Floats]:
    """Infit and outfit of each judge beside a typical one: squared residuals over their expectation."""
    lay, x, count = fit.layout, fit.solution.x, np.maximum(fit.ballots.per_judge(), 1)
    tie = lay.value(x, "tie") if fit.spec.tie else None
    sums = np.zeros((3, len(count)))  # squares, what is expected of them, and the quotients
    for votes, runs in fit.likelihood.parts:
        gap = x.take(votes.left) - x.take(votes.right)
        left, right, _ = chances(gap + lay.value(x, "side") + lay.control(x, votes), tie)
        variance = np.maximum((left + right - (left - right) ** 2) / 4, 1e-6)
        square = (votes.score - 0.5 - (left - right) / 2) ** 2
        sums[:, runs.who] += [runs.sums(line * votes.weight) for line in (square, variance, square / variance)]
    return sums[0] / sums[1], sums[2] / count


# ----------------------------------------------------------------------------
# Reliability, as schools and psychometricians measure it
SEED = 1904  # of the split halves
FIT_LIMITS = (0.5, 1.5)  # Linacre 2002: mean squares that are productive for measurement
MISFIT_SDS = 2.0  # Pollitt 2012: a judge misfits beyond the mean infit plus two standard deviations


@dataclass(frozen=True, slots=True)
class Reliability:
    """`separation`: share of the scores' variance that is not error (SSR), by the naive errors, as published
    figures use them. `clustered`: the same by the errors of the interval that the fit shows. `split_half`: mean
    correlation of scores from two halves of the judges. `alpha`: Krippendorff's, over pairs that several judges
    saw, one say per judge. `misfits`: judges beyond the usual limit. None: not measurable with these votes."""

    separation: float | None
    clustered: float | None
    split_half: float | None
    alpha: float | None
    misfits: tuple[str, ...]
    words: tuple[str, ...]


def reliability(fit: FittedScores, *, splits: int | None = None) -> Reliability:
    """All of them, in words too."""
    splits = SPLITS if splits is None else splits
    naive = _separation(fit.scores, fit.errors.naive_variance())
    clustered = _separation(fit.scores, fit.shown.variance())
    halves, alpha = split_half(fit.ballots, splits=splits), krippendorff_alpha(fit.ballots)
    misfits = misfitting(fit)
    words = (
        _told("separation reliability (SSR)", naive, "; 0.9 and more is usual for high-stakes assessment"),
        _told(f"the same with the errors of {fit.shown.name}", clustered, ""),
        _told("split-half correlation of judges", halves, f" (mean of {splits} splits)"),
        _told("Krippendorff's alpha", alpha, "; agreement on the pairs that several judges saw, 0 is chance")
        if has_krippendorff()
        else f"Krippendorff's alpha: needs the package krippendorff: {install_line('fit')}",
        f"misfitting judges (infit over the mean + 2 sd): {len(misfits)} of {len(fit.ballots.judges)}",
    )
    return Reliability(naive, clustered, halves, alpha, misfits, words)


def _told(name: str, value: float | None, more: str) -> str:
    return f"{name}: " + ("not measurable with these votes" if value is None else f"{value:.3f}{more}")


def _separation(scores: Floats, variance: Floats) -> float | None:
    """The share of the observed variance that is not error; 0 at least."""
    if len(scores) < 3:
        return None
    seen = float(np.var(scores, ddof=1))
    return max(1 - float(np.mean(variance)) / seen, 0.0) if seen > 0 else 0.0


def split_half(ballots: Ballots, *, splits: int) -> float | None:
    """The mean correlation of Bradley-Terry scores from two random halves of the judges."""
    if not ballots.judged or len(ballots.judges) < 4 or len(ballots.items) < 3:
        return None
    rng, found = np.random.default_rng(SEED), []
    for _ in range(splits):
        side = np.zeros(len(ballots.judges), dtype=bool)
        side[rng.permutation(len(side))[: len(side) // 2]] = True
        halves = [_plain_scores(ballots.part(side[ballots.judge] == part)) for part in (True, False)]
        both = np.isfinite(halves[0]) & np.isfinite(halves[1])
        if both.sum() >= 3 and all(np.std(half[both]) > 0 for half in halves):
            found.append(float(np.corrcoef(halves[0][both], halves[1][both])[0, 1]))
    return float(np.mean(found)) if found else None


def _plain_scores(part: Ballots) -> Floats:
    """Scores of the items in a part; nan for items without votes, or off the largest scale."""
    out = np.full(len(part.items), np.nan)
    used, places = np.unique(np.concatenate([part.left, part.right]), return_inverse=True)
    if not len(used):
        return out
    half = len(part)
    small = replace(
        part,
        left=places[:half].astype(np.int32),
        right=places[half:].astype(np.int32),
        items=tuple(part.items[k] for k in used),
    )
    fit = estimate(small, Spec())
    out[used] = np.where(fit.graph.component == 0, fit.scores, np.nan)
    return out


def krippendorff_alpha(ballots: Ballots) -> float | None:
    """Agreement on who wins, over pairs; None without the package, or where no pair was seen by two judges.

    A judge has one say per pair, the balance of its votes about it: whoever repeats itself does not agree with
    anybody else. Which item of a pair is called the first is arbitrary, so each pair enters both ways round.
    """
    if not has_krippendorff() or not ballots.judged:
        return None
    import krippendorff

    n = len(ballots.items)
    low, high = np.minimum(ballots.left, ballots.right), np.maximum(ballots.left, ballots.right)
    pairs, pair = np.unique(low.astype(np.int64) * n + high, return_inverse=True)
    for_first = np.where(ballots.outcome == TIED, 0, np.where(ballots.outcome == LEFT_WON, 1, -1))
    for_first = np.where(ballots.left == low, for_first, -for_first)
    says, say = np.unique(ballots.judge.astype(np.int64) * len(pairs) + pair, return_inverse=True)
    value = 1 - np.sign(np.bincount(say, for_first * ballots.weight)).astype(
        np.int64
    )  # 0: the first, 1: a tie, 2: the second
    counts = np.bincount(says % len(pairs) * 3 + value, minlength=3 * len(pairs)).reshape(-1, 3)
    both = np.concatenate([counts, counts[:, ::-1]])
    both = both[both.sum(1) > 1]
    if not len(both) or (both.sum(0) > 0).sum() < 2:
        return None
    return float(krippendorff.alpha(value_counts=both, level_of_measurement="nominal"))


def has_krippendorff() -> bool:
    """Is the package for alpha there?"""
    return importlib.util.find_spec("krippendorff") is not None


def misfitting(fit: FittedScores) -> tuple[str, ...]:
    """Judges whose infit is beyond the mean plus two standard deviations, the worst first."""
    infit, _ = surprise(fit)
    if len(infit) < 4:
        return ()
    limit = float(np.mean(infit) + MISFIT_SDS * np.std(infit, ddof=1))
    return tuple(fit.ballots.judges[u] for u in np.argsort(-infit) if infit[u] > max(limit, 1.0))

"""What `fit` gives back: items with scores and ranks, judges, checks, and what can be asked of the model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from juryrank.core.student import t_quantile, t_quantiles
from juryrank.errors import UnknownName, shown
from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.core import FittedScores
from juryrank.votes.fitting.intervals.ranks import rank_intervals
from juryrank.votes.fitting.model.spec import MODELS, spec_for
from juryrank.votes.fitting.quality.checks import VoteCheck, checks_of
from juryrank.votes.fitting.quality.judges import FittedJudge, judge_rows
from juryrank.votes.fitting.quality.reliability import Reliability, reliability
from juryrank.votes.fitting.quality.validation import Comparison, compare
from juryrank.votes.fitting.scales import UNITS, elo


@dataclass(frozen=True, slots=True)
class FittedItem:
    """`low` and `high` hold the score at the fit's level; `rank_low` and `rank_high` hold all ranks together at
    that level. `scale` numbers the connected group that score and ranks belong to (1 is the largest)."""

    name: str
    score: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    votes: int
    scale: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one item is ahead of another, in log odds of the median judge."""

    ahead: float
    low: float
    high: float


class Fitted:
    """Scores from votes: an estimate, with intervals whose coverage is measured. It promises nothing."""

    def __init__(self, estimate: FittedScores, *, level: float, scale: str, options: dict[str, str]) -> None:
        self.estimate, self.level, self.scale, self._options = estimate, level, scale, options
        self._place = {name: k for k, name in enumerate(estimate.ballots.items)}

    def __repr__(self) -> str:
        return f"<Fitted {self.model}: {self.estimate.ballots.size_in_words}>"

    @property
    def model(self) -> str:
        """bt, hbtl or crowd."""
        return self.estimate.spec.model

    @property
    def unit(self) -> str:
        """What a score means."""
        return UNITS[self.scale]

    @cached_property
    def items(self) -> tuple[FittedItem, ...]:
        """Best first; groups that no vote connects follow one another."""
        fit = self.estimate
        half = t_quantiles(self.level, fit.errors.effective - 1) * np.sqrt(fit.variance)
        component = fit.graph.component
        rank, low, high = rank_intervals(fit.scores, fit.errors, component, weak=fit.weak, level=self.level)
        ends = [self._scaled(fit.scores + shift) for shift in (0, -half, half)]
        seen, names = fit.ballots.seen(), fit.ballots.items
        order = np.lexsort((np.arange(len(names)), -fit.scores, component))
        rows = zip(*(column.tolist() for column in (*ends, rank, low, high, seen, component + 1)), strict=True)
        by_place = [FittedItem(name, *row) for name, row in zip(names, rows, strict=True)]
        return tuple(by_place[k] for k in order)

    @property
    def order(self) -> tuple[str, ...]:
        """All items, best first."""
        return tuple(item.name for item in self.items)

    @cached_property
    def judges(self) -> tuple[FittedJudge, ...]:
        """In order of appearance."""
        return judge_rows(self.estimate, level=self.level)

    @cached_property
    def checks(self) -> tuple[VoteCheck, ...]:
        """What to know before believing the scores."""
        return checks_of(self.estimate)

    @cached_property
    def reliability(self) -> Reliability:
        """As schools and psychometricians measure it."""
        return reliability(self.estimate)

    def win(self, a: str, b: str) -> float:
        """The chance that a judge nobody has seen prefers a to b; a tie counts half."""
        left, right, _ = self.chances(a, b)
        return 0.5 + (left - right) / 2

    def chances(self, a: str, b: str) -> tuple[float, float, float]:
        """What such a judge would say: a, b, or a tie."""
        gap = np.array([self._score(a) - self._score(b)])
        self._same_scale(a, b)
        left, right, tie = self.estimate.new_judge.either_side(gap)
        return float(left[0]), float(right[0]), float(tie[0])

    def difference(self, a: str, b: str) -> Difference:
        """How far a is ahead of b, with an interval for this pair alone."""
        self._same_scale(a, b)
        i, j = self._place[a], self._place[b]
        seen_by = self.estimate.errors.effective
        ahead = self._score(a) - self._score(b)
        half = t_quantile(self.level, min(seen_by[i], seen_by[j]) - 1) * self.estimate.between(i, j) ** 0.5
        return Difference(ahead, ahead - half, ahead + half)

    def compare(self, *, held_back: str | None = None, folds: int | None = None) -> tuple[Comparison, ...]:
        """Models on votes held back ("judges" or "votes"); bt is the yardstick."""
        ballots = self.estimate.ballots
        specs = [spec_for(ballots, model=name, **self._options) for name in MODELS if name != "auto"]
        return compare(ballots, specs, held_back=held_back, folds=folds)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        votes = self.estimate.ballots
        return {
            "kind": "estimate",
            "model": self.model,
            "link": self.estimate.spec.link,
            "ties": self._options["ties"],
            "level": self.level,
            "scale": self.scale,
            "unit": self.unit,
            "votes": len(votes),
            "items": [asdict(item) for item in self.items],
            "judges": [asdict(judge) for judge in self.judges],
            "spreads": dict(self.estimate.solution.spread),
            "checks": [asdict(check) for check in self.checks],
            "notes": list(votes.notes),
        }

    def figure(self, path: str | Path) -> None:
        """Scores with intervals, judges, and fit, as PNG or SVG."""
        from juryrank.votes.fitting.figures import draw

        draw(self, Path(path))

    def _scaled(self, scores: Floats) -> Floats:
        if self.scale == "logit":
            return scores
        if self.scale == "elo":
            return np.array([elo(score) for score in scores])
        return self._beats_a_random_other(scores)

    def _beats_a_random_other(self, scores: Floats) -> Floats:
        """The mean chance against the other items of the same scale, read off a curve of gaps."""
        grid = np.linspace(-20, 20, 4001)
        left, right, _ = self.estimate.new_judge.either_side(grid)
        curve, out = 0.5 + (left - right) / 2, np.empty(len(scores))
        for c in range(self.estimate.graph.count):
            inside = np.flatnonzero(self.estimate.graph.component == c)
            others = self.estimate.scores[inside]
            for k in inside:
                total = np.interp(scores[k] - others, grid, curve).sum()
                own = np.interp(scores[k] - self.estimate.scores[k], grid, curve)
                out[k] = (total - own) / (len(inside) - 1)
        return out

    def _score(self, name: str) -> float:
        if name not in self._place:
            raise UnknownName(f"there is no item {shown(name)} among the {len(self._place):,} that have votes")
        return float(self.estimate.scores[self._place[name]])

    def _same_scale(self, a: str, b: str) -> None:
        self._score(a), self._score(b)
        component = self.estimate.graph.component
        if component[self._place[a]] != component[self._place[b]]:
            raise UnknownName(
                f"no vote links {shown(a)} and {shown(b)}, directly or along others: they have no common scale"
            )

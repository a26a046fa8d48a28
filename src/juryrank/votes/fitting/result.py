"""What `fit` gives back: items with scores and ranks, judges, checks, and what can be asked of the model."""

from __future__ import annotations

import importlib
import math
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from juryrank.errors import BadInput, UnknownName, need_extra, shown
from juryrank.votes.fitting.against import Against, against, without
from juryrank.votes.fitting.ballots import Floats
from juryrank.votes.fitting.checks import VoteCheck, checks_of, open_ranks
from juryrank.votes.fitting.core import FittedScores
from juryrank.votes.fitting.influence import ANSWERS, BY_JUDGE, CELLS, by_case
from juryrank.votes.fitting.intervals import LIKE_THESE, THESE, Interval, plain_ranks, rank_ranges
from juryrank.votes.fitting.judges import FittedJudge, Reliability, judge_rows, reliability
from juryrank.votes.fitting.model import MODELS, spec_for
from juryrank.votes.fitting.sources import ballots_of
from juryrank.votes.fitting.validation import Comparison, compare

BOUNDED = ("these_judges", "judges_like_these")


@dataclass(frozen=True, slots=True)
class Bounds:
    """`low` and `high` hold the score at the fit's level; `rank_low` and `rank_high` hold all ranks together at
    that level."""

    low: float
    high: float
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class FittedItem:
    """`low` to `rank_high` are those of the interval that the fit shows, which `interval` names. `scale` numbers
    the connected group that score and ranks belong to (1 is the largest). Of judges like these, fewer than three
    say nothing (None)."""

    name: str
    score: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    votes: int
    scale: int
    interval: str
    these_judges: Bounds
    judges_like_these: Bounds | None


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one item is ahead of another, in log odds of the median judge; `interval` names what low and high
    cover, and the two pairs are (low, high) of each interval."""

    ahead: float
    low: float
    high: float
    interval: str
    these_judges: tuple[float, float]
    judges_like_these: tuple[float, float] | None


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    out = {name: value for name, value in row.items() if name not in BOUNDED}
    for name in BOUNDED:
        bounds = row[name] or dict.fromkeys(row["these_judges"])
        out |= {f"{name}_{end}": value for end, value in bounds.items()}
    return out


class Fitted:
    """Scores from votes: an estimate, with intervals whose coverage is measured. It promises nothing.

    >>> from juryrank import fit
    >>> fit([("ann", "a", "b", "a"), ("bob", "a", "b", "a"), ("cid", "a", "b", "b")]).order
    ('a', 'b')
    """

    def __init__(
        self,
        estimate: FittedScores,
        *,
        level: float,
        scale: str,
        options: dict[str, str],
        without: Fitted | None = None,
    ) -> None:
        self.estimate, self.level, self.scale, self._options = estimate, level, scale, options
        self.without = without  # the same votes without the controls, where there are any
        self._place = {name: k for k, name in enumerate(estimate.ballots.items)}

    def __repr__(self) -> str:
        return f"<Fitted {self.model}: {self.estimate.ballots.size_in_words}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        shown: str = importlib.import_module("juryrank.report").fitted_html(self)  # by name: votes know no report
        return shown

    def to_frame(self) -> Any:
        """One row per item, best first (needs pandas: `pip install 'juryrank[votes]'`)."""
        pandas = need_extra("pandas", extra="votes", what="a data frame")
        return pandas.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """One mapping per item, best first; the bounds of each interval as columns, such as these_judges_low."""
        plain = {} if self.without is None else {item.name: item.score for item in self.without.items}
        more = [{"score_without_control": plain[item.name]} if plain else {} for item in self.items]
        return [_flat(asdict(item)) | extra for item, extra in zip(self.items, more, strict=True)]

    @property
    def model(self) -> str:
        """bt or hbtl."""
        return self.estimate.spec.model

    @property
    def unit(self) -> str:
        """What a score means."""
        return UNITS[self.scale]

    @property
    def interval(self) -> str:
        """What low, high and ranks cover: "these judges" or "judges like these"."""
        return self.estimate.shown.name

    @cached_property
    def items(self) -> tuple[FittedItem, ...]:
        """Best first; groups that no vote connects follow one another."""
        fit, names = self.estimate, self.estimate.ballots.items
        component, seen = fit.graph.component, fit.ballots.seen().tolist()
        score, rank = self._scaled(fit.scores).tolist(), plain_ranks(fit.scores, component).tolist()
        bounds = {name: self._bounds(interval) for name, interval in fit.intervals.items()}
        both = zip(bounds[THESE], bounds.get(LIKE_THESE, [None] * len(names)), strict=True)
        rows = []
        for k, (these, like) in enumerate(both):
            on = these if self.interval == THESE or like is None else like
            rows.append(FittedItem(
                names[k], score[k], on.low, on.high, rank[k], on.rank_low, on.rank_high, seen[k],
                int(component[k]) + 1, self.interval, these, like,
            ))  # fmt: skip
        return tuple(rows[k] for k in np.lexsort((np.arange(len(names)), -fit.scores, component)))

    def _bounds(self, interval: Interval) -> list[Bounds]:
        fit, half = self.estimate, interval.scores(self.level)
        ends = [self._scaled(fit.scores + shift) for shift in (-half, half)]
        ranks = rank_ranges(fit.scores, interval, fit.graph.component, level=self.level)
        return [Bounds(*row) for row in zip(*(column.tolist() for column in (*ends, *ranks)), strict=True)]

    @property
    def order(self) -> tuple[str, ...]:
        """All items, best first."""
        return tuple(item.name for item in self.items)

    @cached_property
    def judges(self) -> tuple[FittedJudge, ...]:
        """In order of appearance."""
        return judge_rows(self.estimate, level=self.level)

    @cached_property
    def controls(self) -> tuple[ControlEffect, ...]:
        """What each control does; scores are those at equal values of it."""
        return control_effects(self.estimate, level=self.level)

    @cached_property
    def checks(self) -> tuple[VoteCheck, ...]:
        """What to know before believing the scores."""
        return (*checks_of(self.estimate), *open_ranks(self))

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
        """How far a is ahead of b, with intervals for this pair alone."""
        self._same_scale(a, b)
        ahead, places = self._score(a) - self._score(b), np.array([self._place[a], self._place[b]])
        ends: dict[str, tuple[float, float]] = {}
        for name, interval in self.estimate.intervals.items():
            half = float(interval.pairs(self.level, places)[0, 1])
            ends[name] = (ahead - half, ahead + half)
        return Difference(ahead, *ends[self.interval], self.interval, ends[THESE], ends.get(LIKE_THESE))

    def compare(self, *, held_back: str | None = None, folds: int | None = None) -> tuple[Comparison, ...]:
        """Models on votes held back ("judges", "cases" or "votes"); bt is the yardstick."""
        ballots = self.estimate.ballots
        specs = [spec_for(ballots, model=name, **self._options) for name in MODELS if name != "auto"]
        return compare(ballots, specs, held_back=held_back, folds=folds)

    def against(self, reference: Any, **how: Any) -> Against:
        """The judges compared with a reference: the name of one of them, or other votes (as `fit` takes them)."""
        votes = self.estimate.ballots
        if isinstance(reference, str) and reference in votes.judges:
            chosen = votes.judge == votes.judges.index(reference)
            return against(without(votes.part(~chosen), reference), votes.part(chosen), level=self.level)
        if isinstance(reference, str) and not Path(reference).exists():
            some = ", ".join(map(shown, votes.judges[:8])) + (", ..." if len(votes.judges) > 8 else "")
            raise UnknownName(f"there is no judge and no file {shown(reference)}; the judges are {some}")
        return against(votes, ballots_of(reference, **how), level=self.level)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        votes = self.estimate.ballots
        return {
            "kind": "estimate",
            "model": self.model,
            "ties": self._options["ties"],
            "level": self.level,
            "interval": self.interval,
            "scale": self.scale,
            "unit": self.unit,
            "votes": votes.total,
            "controls": [asdict(effect) for effect in self.controls],
            "without_controls": None if self.without is None else [asdict(item) for item in self.without.items],
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


# ----------------------------------------------------------------------------
# The units that scores can be told in
SCALES = ("logit", "elo", "probability")
ELO_UNIT, ELO_MEAN = 400 / math.log(10), 1000.0
UNITS = {
    "logit": "log odds: 1 more is odds of e (2.7 to 1) for the median judge; scores sum to 0",
    "elo": "Elo points: 400 more is odds of 10 to 1 for the median judge; the mean is 1000",
    "probability": "chance that a new judge prefers the item to a random other one (a tie counts half)",
}


def check_scale(scale: str) -> None:
    """Refuse a word that is no scale."""
    if scale not in SCALES:
        raise BadInput(f"there is no scale {scale!r}; there are: {', '.join(SCALES)}")


def elo(score: float) -> float:
    """Log odds as Elo points.

    >>> round(elo(0.0)), round(elo(math.log(10)))
    (1000, 1400)
    """
    return ELO_MEAN + ELO_UNIT * score


# ----------------------------------------------------------------------------
# What a control does


@dataclass(frozen=True, slots=True)
class ControlEffect:
    """`effect`: log odds that one standard deviation more on a side adds to it, with the fit's interval;
    `deviation`: how much that is in the column's own unit."""

    name: str
    effect: float
    low: float
    high: float
    deviation: float

    @property
    def words(self) -> str:
        """For people."""
        clear = "" if self.low > 0 or self.high < 0 else "; it may be nothing"
        return (
            f"control {self.name}: {self.deviation:.4g} more (one standard deviation of the difference) adds "
            f"{self.effect:+.2f} to a side's log odds ({self.low:+.2f} to {self.high:+.2f}){clear}"
        )


def control_effects(fit: FittedScores, *, level: float) -> tuple[ControlEffect, ...]:
    """Each control's effect, with the interval that scores are shown with."""
    votes, lay = fit.ballots, fit.layout
    shared = lay.shared
    cases = int(votes.case.max()) + 1 if by_case(votes) and votes.case is not None else votes.total
    groups = {ANSWERS: cases, BY_JUDGE: len(votes.judges), CELLS: max(cases, len(votes.judges))}
    found = []
    for k, (name, deviation) in enumerate(votes.controls):
        weights = np.zeros(len(shared))
        for column, at_one in ((2 * k, 1.0), (2 * k + 1, float(np.tanh(1.0)))):
            weights[shared.index(lay.controls[column])] = at_one
        values = np.array([fit.solution.x[lay.place(name)] for name in shared])
        effect, half = float(weights @ values), fit.shown.shared(level, weights, groups=groups)
        found.append(ControlEffect(name, effect, effect - half, effect + half, deviation))
    return tuple(found)

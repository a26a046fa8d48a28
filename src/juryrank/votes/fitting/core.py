"""One fit from ballots to scores with their errors; what `fit` shows is made from it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from juryrank.votes.fitting.ballots import Ballots, Floats, Graph, Ints, graph_of
from juryrank.votes.fitting.influence import by_case, by_judge, ingredients
from juryrank.votes.fitting.intervals import LIKE_THESE, THESE, Interval, sandwich
from juryrank.votes.fitting.model import STEEPEST, Layout, Likelihood, Spec, chances
from juryrank.votes.fitting.solver import MANY, OwnVotes, Solution, solve, solve_by_mm, with_equal_slopes
from juryrank.votes.fitting.sparse import sparse_sandwich

DENSE_UP_TO = 3000  # items; above, intervals come from conjugate gradients


@dataclass(frozen=True)
class FittedScores:
    """Scores found for ballots under a model."""

    ballots: Ballots
    spec: Spec
    graph: Graph
    likelihood: Likelihood = field(repr=False)
    solution: Solution = field(repr=False)

    @property
    def layout(self) -> Layout:
        return self.likelihood.layout

    @cached_property
    def scores(self) -> Floats:
        """Log odds; they sum to 0 on each scale."""
        return self.graph.centred(self.solution.x[self.layout.scores])

    @cached_property
    def new_judge(self) -> UnseenJudge:
        """What judges nobody has seen would say."""
        return new_judge(self.solution, self.likelihood)

    @cached_property
    def errors(self) -> Any:
        """`Errors`, or `SparseErrors` above `DENSE_UP_TO` items."""
        dense = len(self.ballots.items) <= DENSE_UP_TO
        parts = ingredients(self.likelihood, self.solution.x, dense=dense)
        make: Any = sandwich if dense else sparse_sandwich
        only_ties = self.ballots.decided() == 0
        return make(parts, self.graph, (self.likelihood.anchors > 0) | only_ties)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """By name: these judges always, judges like these from three judges on."""
        names = (THESE, LIKE_THESE) if by_judge(self.ballots) else (THESE,)
        return {name: Interval(name, self.errors) for name in names}

    @property
    def shown(self) -> Interval:
        """The one that scores and ranks are shown with. Where votes are about cases, judges were chosen and cases
        are the sample; where they are not, judges are all the sample that there is."""
        few = LIKE_THESE not in self.intervals
        return self.intervals[THESE if few or by_case(self.ballots) else LIKE_THESE]


def estimate(ballots: Ballots, spec: Spec) -> FittedScores:
    """Fit one model."""
    pairs = ballots.by_pairs()
    graph = graph_of(pairs)
    anchors = graph.anchors()
    if spec.tie:  # where all is tied, more ties only say that ties are likely: nothing bounds a distance
        decided = np.bincount(graph.component, ballots.decided(), graph.count)
        anchors = np.maximum(anchors, (decided == 0)[graph.component])
    like = Likelihood(ballots, spec, anchors=anchors)
    by_scipy = has_scipy() or needs_scipy(spec)
    alike = like if spec.effects else Likelihood(pairs, spec, anchors=anchors)
    solution = slopes_that_help(like, solve(alike)) if by_scipy else solve_by_mm(alike)
    return FittedScores(ballots, spec, graph, like, solution)


def has_scipy() -> bool:
    """Is the solver's package there?"""
    return importlib.util.find_spec("scipy") is not None


def needs_scipy(spec: Spec) -> bool:
    """Can numpy alone not fit it?"""
    return bool(spec.effects or spec.controls) or spec.side


# ----------------------------------------------------------------------------
# What a judge nobody has seen would say: chances averaged over how judges differ (Gauss-Hermite)
#
# With the typical judge's values instead, predictions are too sure: judges who differ agree less than one would.
NODES = {"slope": 7, "side": 3, "tie": 3}
SAMPLE, SEED = 4000, 1927  # votes that the two numbers are fitted to
LEAST_CHANCE = 1e-9  # chance given to what happened: no vote costs more than 21 nats


@dataclass(frozen=True, slots=True)
class UnseenJudge:
    """`stretch` and `tie_shift` fit the averages to the votes: judges who vote often weigh more among votes than
    among judges, and values found for judges with few votes are drawn to the middle."""

    solution: Solution
    layout: Layout
    stretch: float = 1.0
    tie_shift: float = 0.0

    def chances(self, gap: Floats, shift: Floats | float = 0.0) -> tuple[Floats, Floats, Floats]:
        """The chances of left, right and tie where left's score is ahead by `gap`, and controls add `shift`."""
        spec, x = self.layout.spec, self.solution.x
        side, tie = self.layout.value(x, "side"), self.layout.value(x, "tie")
        total = np.zeros((3, len(gap)))
        for weight, own in _nodes(self.solution, spec.effects):
            z = np.exp(np.clip(own.get("slope", 0.0), -STEEPEST, STEEPEST)) * self.stretch * gap
            z = z + side + own.get("side", 0.0) + shift
            found = chances(z, tie + self.tie_shift + own.get("tie", 0.0) if spec.tie else None)
            total += weight * np.stack(found)
        return total[0], total[1], total[2]

    def either_side(self, gap: Floats) -> tuple[Floats, Floats, Floats]:
        """The same for the first of two items, shown on either side equally often."""
        left, right, tie = self.chances(gap)
        if not self.layout.spec.side:
            return left, right, tie
        other, first, tied = self.chances(-gap)
        return (left + first) / 2, (right + other) / 2, (tie + tied) / 2


def new_judge(solution: Solution, like: Likelihood) -> UnseenJudge:
    """Fit the two numbers of an `UnseenJudge` to the votes (to some of them, where there are many), each beside
    scores without that judge's votes: to them, this judge is new."""
    layout, judge = like.layout, UnseenJudge(solution, like.layout)
    if not layout.spec.effects:
        return judge
    from scipy.optimize import minimize

    gaps, known = OwnVotes(like).gaps(solution.x)
    chosen = some_votes(like.votes, np.flatnonzero(known))
    part, gap = replace(like.votes.part(chosen), count=None), gaps[chosen]
    shift = layout.control(solution.x, part)

    def loss(y: Floats) -> float:
        told = replace(judge, stretch=float(np.exp(y[0])), tie_shift=float(y[1]))
        prior = len(part) * 1e-4 * float(y @ y)  # keeps them finite where votes say nothing
        return float(-np.log(said(told.chances(gap, shift), part, ties=layout.spec.tie)).sum()) + prior

    best = minimize(loss, np.zeros(2), method="L-BFGS-B", options={"maxiter": 10}).x
    return replace(judge, stretch=float(np.exp(best[0])), tie_shift=float(best[1]))


def some_votes(votes: Ballots, rows: Ints) -> Ints:
    """The rows of some votes, drawn at random among those of these rows."""
    rng = np.random.default_rng(SEED)
    if votes.count is None:
        return rng.permutation(rows)[:SAMPLE]
    ends = np.cumsum(votes.count[rows])
    return rows[np.searchsorted(ends, rng.integers(int(ends[-1]) if len(ends) else 0, size=SAMPLE), side="right")]


def slopes_that_help(like: Likelihood, found: Solution) -> Solution:
    """The solution found, unless a judge nobody has seen is predicted better with equal slopes.

    Where people are of two camps, slopes that differ side with one of them and call the other one blunt: a good
    account of these judges, and a bad one of the next judge. Above `MANY` votes nobody looks: it takes too long.
    """
    if not like.spec.slope or like.votes.total > MANY or not np.any(found.x[like.layout.block("slope")]):
        return found
    kept = _loss_of_own_votes(like, found)
    equal = with_equal_slopes(like, found)
    if kept <= _loss_of_own_votes(like, equal):
        like.spread.update(found.spread)
        return found
    return equal


def _loss_of_own_votes(like: Likelihood, found: Solution) -> float:
    """Minus the log of the chance given to each vote beside scores without that judge's votes, summed."""
    like.spread.update(found.spread)
    gaps, known = OwnVotes(like).gaps(found.x)
    chosen = some_votes(like.votes, np.arange(len(gaps)))
    gap = np.where(known[chosen], gaps[chosen], 0.0)  # where nobody else can be asked, nothing is known
    part = replace(like.votes.part(chosen), count=None)
    told = new_judge(found, like).chances(gap, like.layout.control(found.x, part))
    return float(-np.log(said(told, part, ties=like.spec.tie)).sum())


def said(chance: tuple[Floats, Floats, Floats], votes: Ballots, *, ties: bool) -> Floats:
    """The chance that was given to what happened; where ties are no outcome, a tie is half a win for each, and a
    grade a share of one."""
    left, right, tie = chance
    if ties:
        return np.maximum(np.stack([left, right, tie])[votes.outcome, np.arange(len(votes))], LEAST_CHANCE)
    least, score = LEAST_CHANCE, votes.score
    return np.asarray(np.maximum(left, least) ** score * np.maximum(right, least) ** (1 - score))


def _nodes(solution: Solution, effects: tuple[str, ...]) -> list[tuple[float, dict[str, float]]]:
    """Weights, and what a judge at each node has of every effect."""
    grids = []
    for name in effects:
        at, weight = np.polynomial.hermite_e.hermegauss(NODES[name])
        grids.append([(w / weight.sum(), solution.spread[name] * a) for a, w in zip(at, weight, strict=True)])
    out = []
    for combination in product(*grids):
        own = {name: float(a) for name, (_, a) in zip(effects, combination, strict=True)}
        out.append((float(np.prod([w for w, _ in combination])), own))
    return out

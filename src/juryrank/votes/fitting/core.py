"""One fit from ballots to scores with their errors; what `fit` shows is made from it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.intake.ballots import Ballots
from juryrank.votes.fitting.intervals.influence import by_case, by_judge, ingredients
from juryrank.votes.fitting.intervals.named import LIKE_THESE, THESE, Interval
from juryrank.votes.fitting.intervals.sandwich import sandwich
from juryrank.votes.fitting.intervals.sparse import sparse_sandwich
from juryrank.votes.fitting.model.graph import Graph, graph_of
from juryrank.votes.fitting.model.likelihood import Likelihood
from juryrank.votes.fitting.model.mm import solve_by_mm
from juryrank.votes.fitting.model.new_judge import UnseenJudge, new_judge, slopes_that_help
from juryrank.votes.fitting.model.solver import Solution, solve
from juryrank.votes.fitting.model.spec import Layout, Spec

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
        parts = ingredients(self.likelihood, self.solution.x)
        make: Any = sandwich if len(self.ballots.items) <= DENSE_UP_TO else sparse_sandwich
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
    graph = graph_of(ballots)
    # every loss may have been a swapped answer: then votes alone keep no score finite
    anchors = np.ones(len(ballots.items)) if spec.swap else graph.anchors()
    if spec.tie:  # where all is tied, more ties only say that ties are likely: nothing bounds a distance
        decided = np.bincount(graph.component, ballots.decided(), graph.count)
        anchors = np.maximum(anchors, (decided == 0)[graph.component])
    like = Likelihood(ballots, spec, anchors=anchors)
    by_scipy = has_scipy() or needs_scipy(spec)
    solution = slopes_that_help(like, solve(like)) if by_scipy else solve_by_mm(like)
    return FittedScores(ballots, spec, graph, like, solution)


def has_scipy() -> bool:
    """Is the solver's package there?"""
    return importlib.util.find_spec("scipy") is not None


def needs_scipy(spec: Spec) -> bool:
    """Can numpy alone not fit it?"""
    return bool(spec.effects or spec.controls) or spec.side or spec.link != "logit"

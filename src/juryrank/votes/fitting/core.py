"""One fit from ballots to scores with their errors; what `fit` shows is made from it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from juryrank.votes.fitting.arrays import Bools, Floats
from juryrank.votes.fitting.intake.ballots import Ballots
from juryrank.votes.fitting.intervals.influence import ingredients
from juryrank.votes.fitting.intervals.sandwich import sandwich
from juryrank.votes.fitting.intervals.sparse import sparse_sandwich
from juryrank.votes.fitting.model.graph import Graph, graph_of
from juryrank.votes.fitting.model.layout import Layout
from juryrank.votes.fitting.model.likelihood import Likelihood
from juryrank.votes.fitting.model.mm import solve_by_mm
from juryrank.votes.fitting.model.new_judge import UnseenJudge, new_judge, slopes_that_help
from juryrank.votes.fitting.model.solver import Solution, solve
from juryrank.votes.fitting.model.spec import Spec

DENSE_UP_TO = 3000  # items; above, intervals come from conjugate gradients
FEW_JUDGES = 2.0  # effective judges of an item below which votes count as independent if that says more


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
        return make(parts, self.graph)

    @cached_property
    def weak(self) -> Bools:
        """Items that hardly more than one judge saw, whose score is only held by a virtual tie, or that only ever
        tied: the clustered error says nothing about them, and the naive one is the least that is true."""
        only_ties = self.ballots.decided() == 0
        return (self.errors.effective < FEW_JUDGES) | (self.likelihood.anchors > 0) | only_ties

    @cached_property
    def variance(self) -> Floats:
        """Of each score minus its scale's mean."""
        clustered, naive = self.errors.variance(), self.errors.naive_variance()
        return np.where(self.weak, np.maximum(clustered, naive), clustered)

    def between(self, a: int, b: int) -> float:
        """The variance of a difference of two scores."""
        clustered = float(self.errors.between(a, b))
        return max(clustered, float(self.errors.naive_between(a, b))) if self.weak[[a, b]].any() else clustered


def estimate(ballots: Ballots, spec: Spec) -> FittedScores:
    """Fit one model."""
    graph = graph_of(ballots)
    like = Likelihood(ballots, spec, anchors=graph.anchors())
    by_scipy = has_scipy() or needs_scipy(spec)
    solution = slopes_that_help(like, solve(like)) if by_scipy else solve_by_mm(like)
    return FittedScores(ballots, spec, graph, like, solution)


def has_scipy() -> bool:
    """Is the solver's package there?"""
    return importlib.util.find_spec("scipy") is not None


def needs_scipy(spec: Spec) -> bool:
    """Can numpy alone not fit it?"""
    return bool(spec.effects) or spec.side or spec.link != "logit"

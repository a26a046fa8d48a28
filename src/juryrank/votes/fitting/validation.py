"""Models compared on votes they have not seen: judges, or cases, held back as a whole; errors clustered alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.defaults import FIT_JUDGES, FOLDS
from juryrank.errors import BadInput
from juryrank.votes.fitting.ballots import Ballots, Floats
from juryrank.votes.fitting.core import FittedScores, estimate, said
from juryrank.votes.fitting.influence import by_case
from juryrank.votes.fitting.model import Spec

SEED = 1952


@dataclass(frozen=True, slots=True)
class Comparison:
    """`loss`: mean minus log-likelihood per vote held back. `worse`: how much more than the first model's, with
    its standard error. `held_back`: "judges"; "cases" where there are too few judges to hold any back; "votes"
    where there are no cases either."""

    model: str
    loss: float
    worse: float
    error: float
    votes: int
    held_back: str


def compare(
    ballots: Ballots, specs: Sequence[Spec], *, held_back: str | None = None, folds: int | None = None
) -> tuple[Comparison, ...]:
    """Each model's loss on votes held back; the first model is the yardstick."""
    ballots = ballots.one_by_one()
    what = held_back or natural_group(ballots)
    rng, folds = np.random.default_rng(SEED), folds or FOLDS
    groups = _groups(ballots, what)
    fold = rng.permutation(int(groups.max()) + 1)[groups] % folds
    losses = [_losses(ballots, spec, fold, folds, seen=what != "judges") for spec in specs]
    return tuple(_row(spec, loss, losses[0], ballots, what) for spec, loss in zip(specs, losses, strict=True))


def natural_group(ballots: Ballots) -> str:
    """What is held back as a whole, and what errors are clustered by, where nobody says otherwise."""
    if ballots.judged and len(ballots.judges) >= FIT_JUDGES:
        return "judges"
    return "cases" if by_case(ballots) else "votes"


def _groups(ballots: Ballots, what: str) -> Any:
    if what == "cases" and ballots.case is None:
        raise BadInput(
            "the votes have no column for cases, so no case can be held back; hold back judges or votes"
        )
    return {"judges": ballots.judge, "cases": ballots.case}.get(what, np.arange(len(ballots)))


def _losses(ballots: Ballots, spec: Spec, fold: Floats, folds: int, *, seen: bool) -> Floats:
    out = np.zeros(len(ballots))
    for k in range(folds):
        held = fold == k
        if held.any() and not held.all():
            out[held] = _loss(estimate(ballots.part(~held), spec), ballots.part(held), seen=seen)
    return out


def _loss(fit: FittedScores, held: Ballots, *, seen: bool) -> Floats:
    """Per vote: minus the log of the chance given to what happened."""
    x = fit.solution.x
    if seen:
        pieces = [(piece.left, piece.right, piece.tie) for piece in fit.likelihood.pieces(x, held)]
        left, right, tie = (np.concatenate(some) for some in zip(*pieces, strict=True))
    else:
        shift = fit.layout.control(x, held)
        left, right, tie = fit.new_judge.chances(x[held.left] - x[held.right], shift)
    return -np.log(said((left, right, tie), held, ties=fit.spec.tie))


def _row(spec: Spec, loss: Floats, first: Floats, ballots: Ballots, what: str) -> Comparison:
    more = loss - first
    sums = np.bincount(_groups(ballots, natural_group(ballots)), more - more.mean())
    error = float(np.sqrt(np.sum(sums**2))) / len(loss)
    return Comparison(spec.model, float(loss.mean()), float(more.mean()), error, len(loss), what)

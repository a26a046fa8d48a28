"""Models compared on votes they have not seen: judges held back as a whole, errors clustered by judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.core import FittedScores, estimate
from juryrank.votes.fitting.intake.ballots import Ballots
from juryrank.votes.fitting.model.new_judge import said
from juryrank.votes.fitting.model.spec import FEWEST_JUDGES, Spec

FOLDS = 5
SEED = 1952


@dataclass(frozen=True, slots=True)
class Comparison:
    """`loss`: mean minus log-likelihood per vote held back. `worse`: how much more than the first model's, with
    its standard error. `held_back`: "judges", or "votes" where there are too few judges to hold any back."""

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
    by_judge = ballots.judged and len(ballots.judges) >= FEWEST_JUDGES
    what = held_back or ("judges" if by_judge else "votes")
    rng, folds = np.random.default_rng(SEED), folds or FOLDS
    groups = ballots.judge if what == "judges" else np.arange(len(ballots))
    fold = rng.permutation(int(groups.max()) + 1)[groups] % folds
    losses = [_losses(ballots, spec, fold, folds, seen=what == "votes") for spec in specs]
    return tuple(_row(spec, loss, losses[0], ballots, what) for spec, loss in zip(specs, losses, strict=True))


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
        pieces = list(fit.likelihood.pieces(x, held))
        left, right, tie = (np.concatenate([_swapped(p, k) for p in pieces]) for k in range(3))
    else:
        left, right, tie = fit.new_judge.chances(x[held.left] - x[held.right])
    return -np.log(said((left, right, tie), held, ties=fit.spec.tie))


def _swapped(piece: object, k: int) -> Floats:
    left, right, tie, keep = (getattr(piece, name) for name in ("left", "right", "tie", "keep"))
    if keep is not None:
        left, right = keep * left + (1 - keep) * right, keep * right + (1 - keep) * left
    out: Floats = (left, right, tie)[k]
    return out


def _row(spec: Spec, loss: Floats, first: Floats, ballots: Ballots, what: str) -> Comparison:
    more = loss - first
    per_judge = np.bincount(ballots.judge, more - more.mean(), len(ballots.judges))
    clustered = ballots.judged and len(ballots.judges) > 1
    square = float(np.sum(per_judge**2)) if clustered else float(np.sum((more - more.mean()) ** 2))
    error = float(np.sqrt(square)) / len(loss)
    return Comparison(spec.model, float(loss.mean()), float(more.mean()), error, len(loss), what)


def plain(spec: Spec) -> Spec:
    """The same outcomes under plain Bradley-Terry."""
    return replace(spec, model="bt", side=False, judge_side=False, judge_tie=False)

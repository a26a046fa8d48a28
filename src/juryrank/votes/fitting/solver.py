"""The best parameters: L-BFGS on a scale on which all curvatures are about 1; the judges' spreads by EM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.errors import need_extra
from juryrank.votes.fitting.ballots import Ballots, Floats, Ints
from juryrank.votes.fitting.model import PIECE, TINY, Likelihood, Piece, derivatives, information

MOST_ROUNDS, MANY_ROUNDS = 5, 25  # of EM: with over, and up to, MANY votes
MANY = 100_000
ROUND_STEPS = 6  # L-BFGS steps in a round before the last: spreads move, so exactness would be wasted
LAST_STEPS = 60
MOST_STEPS = 1000
LEAST_ROUNDS = 3
SETTLED = 0.03  # a round that moves no spread by more than this share is the last, ...
SETTLED_SLOPE = 0.1  # ... and slopes by no more than this share of their errors (else they show as judges' tastes)
FIRST_SPREAD = {"slope": 0.4, "side": 0.4, "tie": 0.7}
EXACT = 1e-6  # the scaled gradient is about (x - best) / standard error
WITH_JUDGES = 1e-3  # a thousandth of a standard error is enough where spreads are learned, too


@dataclass(frozen=True, slots=True)
class Solution:
    """The parameters found."""

    x: Floats
    spread: dict[str, float]
    log_likelihood: float


def solve(like: Likelihood) -> Solution:
    """The most likely parameters, with the judges' spreads learned."""
    need_extra("scipy", extra="fit", what="fitting judges who differ, or sides")
    x = like.layout.start()
    if not like.spec.effects:
        return Solution(*_minimised(like, x, steps=MOST_STEPS, exact=EXACT))
    like.spread.update({name: FIRST_SPREAD[name] for name in like.spec.effects})
    slopes = Slopes(like) if like.spec.slope else None
    for number in range(1, 1 + (MOST_ROUNDS if like.votes.total > MANY else MANY_ROUNDS)):
        x, _, _ = _minimised(like, x, steps=ROUND_STEPS, exact=WITH_JUDGES)
        moved = _learn_spreads(like, x)
        if slopes is not None:
            moved = max(moved, slopes.learn(x))
        if moved < SETTLED and number >= LEAST_ROUNDS:
            break
    if slopes is not None:
        slopes.settle(x)
    return _last(like, x)


def with_equal_slopes(like: Likelihood, found: Solution) -> Solution:
    """The best parameters if every judge's slope is 1, from those found with slopes that differ."""
    x = found.x.copy()
    x[like.layout.block("slope")] = 0.0
    like.spread.update(found.spread, slope=LEAST_SPREAD)
    return _last(like, x)


def _last(like: Likelihood, x: Floats) -> Solution:
    return Solution(*_minimised(like, x, steps=LAST_STEPS, exact=WITH_JUDGES))


def _minimised(like: Likelihood, x: Floats, *, steps: int, exact: float) -> tuple[Floats, dict[str, float], float]:
    from scipy.optimize import minimize

    scale = 1 / np.sqrt(curvature(like, x))

    held = like.layout.block("slope") if like.spec.slope else slice(0, 0)  # slopes have a step of their own

    def scaled(y: Floats) -> tuple[float, Floats]:
        value, grad = like(y * scale)
        grad[held] = 0.0
        return value, grad * scale

    options = {"maxiter": steps, "maxfun": 2 * steps, "gtol": exact, "ftol": 1e-15}
    found = minimize(scaled, x / scale, jac=True, method="L-BFGS-B", options=options)
    return found.x * scale, dict(like.spread), -float(found.fun)


def curvature(like: Likelihood, x: Floats) -> Floats:
    """The diagonal of the information, priors included."""
    lay, out = like.layout, np.zeros(len(x))
    for piece in like.pieces(x):
        about, _, about_tie = information(piece)
        votes, pull = piece.votes, about * piece.slope**2
        out[lay.scores] += np.bincount(votes.left, pull, lay.items) + np.bincount(votes.right, pull, lay.items)
        sums = {"slope": pull * piece.gap**2, "side": about, "tie": about_tie}
        for k, name in enumerate(lay.controls):
            sums[name] = about * votes.control[:, k] ** 2  # type: ignore[index]
        for name in lay.shared:
            out[lay.place(name)] += sums[name].sum()
        for name in like.spec.effects:
            out[lay.block(name).start + piece.runs.who] += piece.runs.sums(sums[name])
    out[lay.scores] += like.anchors / (4 * np.cosh(np.clip(x[lay.scores], -50, 50) / 2) ** 2) + 1e-9
    for name in lay.shared:
        out[lay.place(name)] += 0.04
    for name in like.spec.effects:
        out[lay.block(name)] += like.spread[name] ** -2
    return out


def _learn_spreads(like: Likelihood, x: Floats) -> float:
    """One step towards the likeliest spreads, by Laplace's approximation; how far they moved, as a share.

    EM's own step (the mean of x² + variance) creeps where a spread is near 0; MacKay's (1992) has the same fixed
    points and does not: the sum of x² over the number of values that the votes, not the prior, determine.
    """
    known, moved = curvature(like, x), 0.0
    seen = like.votes.per_judge() > 0
    for name in like.spec.effects:
        if name == "slope":
            continue  # learned against scores without the judge's own votes
        block, before = like.layout.block(name), like.spread[name]
        determined = float(np.sum(1 - before**-2 / known[block][seen]))
        second = float(np.sum(x[block][seen] ** 2)) / max(determined, TINY)
        like.spread[name] = float(np.clip(np.sqrt(second), LEAST_SPREAD, MOST_SPREAD))
        moved = max(moved, abs(like.spread[name] / before - 1))
    return moved


# ----------------------------------------------------------------------------
# Plain Bradley-Terry with numpy alone: Davidson's iteration (1970), an MM algorithm (Hunter 2004)
MM_STEPS = 20_000
STILL = 1e-9  # the largest change of a log score in a step that ends the iteration


def solve_by_mm(like: Likelihood) -> Solution:
    """The most likely scores (and readiness to tie) without sides and judges."""
    votes, lay, n = like.votes, like.layout, like.layout.items
    left, right, many = votes.left, votes.right, votes.weight
    lost = np.bincount(right, (1 - votes.score) * many, n)
    wins = np.bincount(left, votes.score * many, n) + lost + like.anchors / 2
    s, nu = np.zeros(n), 1.0 if like.spec.tie else 0.0
    for _ in range(MM_STEPS):
        p = np.exp(s)
        both = np.sqrt(p[left] * p[right])
        total = (p[left] + p[right] + nu * both) / many
        share_left, share_right = (p[left] + nu * both / 2) / total, (p[right] + nu * both / 2) / total
        expected = np.bincount(left, share_left, n) + np.bincount(right, share_right, n)
        expected += like.anchors * p / (1 + p)
        step = np.log(wins / expected)
        s = s + step - (0 if like.anchors.any() else step.mean())
        if like.spec.tie:
            nu *= votes.ties / float((nu * both / total).sum())
        if np.abs(step - step.mean() * (not like.anchors.any())).max() < STILL:
            break
    x = lay.start()
    x[lay.scores] = s
    if like.spec.tie:
        x[lay.place("tie")] = np.log(nu)
    return Solution(x, {}, -like(x)[0])


# ----------------------------------------------------------------------------
# Scores as the other judges would have made them
#
# A judge's own votes have moved the scores towards themselves: on a sparse graph every answer agrees with itself,
# and a slope learned from such scores has no bound. So judges are measured against scores without their own votes.
MOST_OWN = 0.5  # share of an item's information from one judge, beyond which nobody else can be asked
NOTHING = 1e-12
EMPTY = 4  # times as many places as votes, up to which a table of judges by items has them all


class OwnVotes:
    """Takes each judge out of the scores by one Newton step on the item's own information.

    What one judge's votes say about one item stands at one place: of a table of judges by items, or of a list of
    the places in use where such a table would be mostly empty.
    """

    def __init__(self, like: Likelihood) -> None:
        votes, self.like, n = like.votes, like, len(like.votes.items)
        self.places: Ints | None = None  # of each vote's left item, then of each vote's right one
        keys = np.arange(len(votes.judges) * n) if len(votes.judges) * n <= EMPTY * len(votes) else None
        if keys is None:
            both = np.concatenate([votes.left, votes.right])
            keys = np.concatenate([votes.judge, votes.judge]).astype(np.int64) * n + both
            keys, places = np.unique(keys, return_inverse=True)
            self.places = places.astype(np.int32)
        self.item = (keys % n).astype(np.int32)

    def _of(self, votes: Ballots, start: int) -> tuple[Any, Any]:
        """The places of some votes in a row."""
        if self.places is not None:
            half, end = len(self.like.votes), start + len(votes)
            return self.places[start:end], self.places[half + start : half + end]
        row = votes.judge.astype(np.int64) * len(votes.items)
        return row + votes.left, row + votes.right

    def gaps(self, x: Floats) -> tuple[Floats, Floats]:
        """Per vote: left's score minus right's, without that judge's votes; and whether others say enough."""
        many, votes = len(self.item), self.like.votes
        moved, own = np.zeros(many), np.zeros(many)
        for start, piece in self._pieces(x):
            pull, mass = derivatives(piece)[1] * piece.slope, information(piece)[0] * piece.slope**2
            left, right = self._of(piece.votes, start)
            table: Any
            for table, at_left, at_right in ((moved, pull, -pull), (own, mass, mass)):
                np.add.at(table, left, at_left)
                np.add.at(table, right, at_right)
        total = (np.bincount(self.item, own, self.like.layout.items) + self.like.anchors / 4)[self.item]
        without = x[self.item] - moved / np.maximum(total - own, NOTHING)
        enough = own <= MOST_OWN * total
        gap, known = np.empty(len(votes)), np.empty(len(votes), dtype=bool)
        for start in range(0, len(votes), PIECE):
            part = slice(start, start + PIECE)
            left, right = self._of(votes.part(part), start)
            gap[part], known[part] = without[left] - without[right], enough[left] & enough[right]
        return gap, known

    def _pieces(self, x: Floats) -> Iterator[tuple[int, Piece]]:
        return zip(range(0, len(self.like.votes), PIECE), self.like.pieces(x), strict=True)


# ----------------------------------------------------------------------------
# How sharply each judge tells items apart, learned against scores without the judge's own votes
LEAST_SPREAD, MOST_SPREAD = 0.03, 3.0
LONGEST_STEP = 1.0  # of a log slope, in one Newton step
TINY_COUNT = 1e-9
ASKED_FOR = 3.0  # standard errors by which judges must differ more than chance would make them
PLACEBOS, PLACEBO_SEED = 3, 1763  # shuffled scores beside which tastes are measured


class Slopes:
    """The log slopes h_u, normal around a common mean with a spread that is learned.

    Scores without the judge's own votes are noisier than the scores, so all slopes come out flatter by about the
    same factor. It is the common mean, and is taken off: 1 is the median judge.

    Judges have tastes of their own, which move their votes along any direction, not only that of the scores. How
    far is seen along shuffled scores; what slopes are learned from counts as so much noisier (a quasi-likelihood).
    """

    def __init__(self, like: Likelihood) -> None:
        self.like, self.own_votes = like, OwnVotes(like)
        self.mean = 0.0
        rng = np.random.default_rng(PLACEBO_SEED)
        self.shuffles = [rng.permutation(like.layout.items) for _ in range(PLACEBOS)]

    def learn(self, x: Floats) -> float:
        """One Newton step of all slopes (in place), then of their mean and spread; how far these moved: the spread
        as a share, or the slopes beside their errors, where that is more."""
        like, block = self.like, self.like.layout.block("slope")
        before = like.spread["slope"]
        raw = x[block] + self.mean
        pull, known, tastes = self._votes_say(x, raw)
        pull, known = pull / tastes, known / tastes
        step = (pull - (raw - self.mean) / before**2) / (known + before**-2)
        step = np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        raw, beside = raw + step, float(np.sqrt(np.mean(step**2 * known)))
        weight = known / (known + before**-2)  # how much of a slope its votes determine
        self.mean = float(np.sum(weight * raw) / max(float(np.sum(weight)), TINY_COUNT))
        x[block] = raw - self.mean
        second = float(np.sum(x[block] ** 2)) / max(float(np.sum(weight)), TINY_COUNT)
        like.spread["slope"] = float(np.clip(np.sqrt(second), LEAST_SPREAD, MOST_SPREAD))
        return max(abs(like.spread["slope"] / before - 1), beside * SETTLED / SETTLED_SLOPE)

    def settle(self, x: Floats) -> None:
        """Keep slopes apart only where the votes ask for it (a score test of the spread), else all are 1."""
        many, block = len(self.like.votes.judges), self.like.layout.block("slope")
        alike = x.copy()
        alike[block] = 0.0
        pull, known, tastes = self._votes_say(alike, np.full(many, self.mean))
        error = tastes * float(np.sqrt(2 * np.sum(known**2)))
        if float(np.sum(pull**2 - tastes * known)) < ASKED_FOR * max(error, TINY_COUNT):
            x[block] = 0.0
            self.like.spread["slope"] = LEAST_SPREAD

    def _votes_say(self, x: Floats, raw: Floats) -> tuple[Floats, Floats, float]:
        """Per judge: the derivative in the log slope, and the information about it; and how many times noisier
        than chance the derivative is along shuffled scores."""
        like, many, block = self.like, len(self.like.votes.judges), self.like.layout.block("slope")
        gap, usable = self.own_votes.gaps(x)
        at = x.copy()
        at[block] = raw
        sums = np.zeros((2 * (1 + PLACEBOS), many))
        for start in range(0, len(gap), PIECE):
            part = slice(start, start + PIECE)
            piece = like.piece(at, like.votes.part(part), gap=gap[part])
            slope, votes = piece.slope * usable[part], piece.votes
            dz, about = derivatives(piece)[1] * slope, information(piece)[0] * slope**2
            levers = [piece.gap, *(x[s[votes.left]] - x[s[votes.right]] for s in self.shuffles)]
            sums[:, piece.runs.who] += [
                piece.runs.sums(line) for lever in levers for line in (dz * lever, about * lever**2)
            ]
        placebo = float(np.sum(sums[2::2] ** 2)) / max(float(np.sum(sums[3::2])), TINY_COUNT)
        return sums[0], sums[1], max(placebo, 1.0)

"""Which effects a model has.

    outcomes left, right, tie have the logits z/2, -z/2, c + c_u     (Davidson 1970)
    z = exp(h_u) (s_left - s_right) + b + b_u

h_u, b_u and c_u are normal around 0; their spreads are learned, and spread 0 is plain Bradley-Terry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from juryrank.defaults import FIT_JUDGES
from juryrank.errors import BadInput
from juryrank.votes.fitting.ballots import TIED, Ballots, Floats

MODELS = ("auto", "bt", "hbtl")
TIES = ("auto", "davidson", "half", "drop")
SIDES = ("auto", "on", "off")
LOOK = 300_000  # votes that are looked through for a pair shown both ways round


@dataclass(frozen=True, slots=True)
class Spec:
    """The effects of one model."""

    model: str = "bt"
    tie: bool = False  # ties are an outcome (Davidson); otherwise a tie is half a win for each
    side: bool = False  # one advantage of the left side
    judge_tie: bool = False
    judge_side: bool = False
    controls: int = 0  # columns of `Ballots.control`

    @property
    def slope(self) -> bool:
        """Does each judge have a slope?"""
        return self.model == "hbtl"

    @property
    def effects(self) -> tuple[str, ...]:
        """What each judge has."""
        has = {"slope": self.slope, "side": self.judge_side, "tie": self.judge_tie}
        return tuple(name for name, there in has.items() if there)


def check_words(*, model: str, ties: str, side: str) -> None:
    """Refuse words that are no option."""
    for name, said, known in (("model", model, MODELS), ("ties", ties, TIES), ("side", side, SIDES)):
        if said not in known:
            raise BadInput(f"there is no {name} {said!r}; there are: {', '.join(known)}")


def spec_for(ballots: Ballots, *, model: str, ties: str, side: str) -> Spec:
    """The effects that these options mean for these votes.

    `bt` stays plain unless told otherwise: its numbers are those of other programs.
    """
    enough = ballots.judged and len(ballots.judges) >= FIT_JUDGES
    chosen = ("hbtl" if enough else "bt") if model == "auto" else model
    if side == "on" and not ballots.sided:
        raise BadInput("--side on: the file names winner and loser only, so nobody knows what was shown where")
    with_side = side == "on" or (side == "auto" and chosen != "bt" and shows_sides(ballots))
    tie = ties in ("auto", "davidson") and ballots.grade is None and ballots.ties > 0
    many = chosen != "bt" and len(ballots.judges) > 1
    controls = 0 if ballots.control is None else ballots.control.shape[1]
    return Spec(chosen, tie, with_side, tie and many, with_side and many, controls)


def shows_sides(ballots: Ballots) -> bool:
    """Are left and right what judges saw? Not where every pair always stands in the same order."""
    if not ballots.sided:
        return False
    left, right = ballots.left[:LOOK], ballots.right[:LOOK]
    pairs = np.minimum(left, right).astype(np.int64) * len(ballots.items) + np.maximum(left, right)
    turned = left > right
    return len(np.intersect1d(pairs[turned], pairs[~turned])) > 0


# ----------------------------------------------------------------------------
# Where each parameter stands in the vector that the solver moves
SHARED = ("side", "tie")  # one number each, for all judges
# (mean, spread) of weak priors on the shared numbers: they only keep them finite where all votes say the same
SHARED_PRIOR = {"side": (0.0, 10.0), "tie": (0.0, 20.0)}
CONTROL_PRIOR = (0.0, 10.0)


def shared_prior(name: str) -> tuple[float, float]:
    """Mean and spread of a shared number's prior."""
    return SHARED_PRIOR.get(name, CONTROL_PRIOR)


@dataclass(frozen=True, slots=True)
class Layout:
    """Items first, then the shared numbers, then one block per effect of the judges."""

    items: int
    judges: int
    spec: Spec

    @property
    def shared(self) -> tuple[str, ...]:
        """The shared numbers in use."""
        used = {"side": self.spec.side, "tie": self.spec.tie}
        return (*(name for name in SHARED if used[name]), *self.controls)

    @property
    def controls(self) -> tuple[str, ...]:
        """The shared numbers that are effects of controls; they come last."""
        return tuple(f"control {k}" for k in range(self.spec.controls))

    def control(self, x: Floats, votes: Ballots) -> Floats | float:
        """What the controls add to the log odds of left, vote by vote."""
        if votes.control is None or not self.spec.controls:
            return 0.0
        end = self.items + len(self.shared)
        added: Floats = votes.control @ x[end - self.spec.controls : end]
        return added

    @property
    def size(self) -> int:
        return self.items + len(self.shared) + self.judges * len(self.spec.effects)

    @property
    def scores(self) -> slice:
        return slice(0, self.items)

    def place(self, name: str) -> int:
        """Where a shared number stands."""
        return self.items + self.shared.index(name)

    def block(self, effect: str) -> slice:
        """Where the judges' values of an effect stand."""
        start = self.items + len(self.shared) + self.judges * self.spec.effects.index(effect)
        return slice(start, start + self.judges)

    def value(self, x: Floats, name: str) -> float:
        """A shared number; 0 where the model has none."""
        return float(x[self.place(name)]) if name in self.shared else 0.0

    def effect(self, x: Floats, name: str) -> Floats | None:
        """The judges' values of an effect; None where the model has none."""
        return x[self.block(name)] if name in self.spec.effects else None

    def start(self) -> Floats:
        """Everybody equal."""
        x = np.zeros(self.size)
        for name in self.shared:
            x[self.place(name)] = shared_prior(name)[0]
        return x


# ----------------------------------------------------------------------------
# What votes say about the parameters: log-likelihood, its gradient, and the information in each vote
#
# Votes are worked on in pieces that fit into the processor's cache; sums per item and judge are `bincount`s.
PIECE = 1 << 15  # votes worked on at a time
STEEPEST = 6.0  # |h_u| beyond this is a judge who never errs (or answers at random): exp must not overflow
TINY = 1e-12
SUREST = 600.0  # log odds beyond which the other outcomes do not happen


@dataclass(frozen=True, slots=True)
class Runs:
    """The votes of each judge stand together: where each begins, whose they are, and how many."""

    start: Any
    who: Any
    many: Any

    def sums(self, line: Any) -> Floats:
        """Over each judge's votes."""
        return np.asarray(np.add.reduceat(line, self.start))

    def each(self, values: Floats) -> Floats:
        """A value of each judge, vote by vote."""
        return np.repeat(values[self.who], self.many)


def runs_of(votes: Ballots) -> Runs:
    """The judges of some votes in a row."""
    start = np.append(0, np.flatnonzero(np.diff(votes.judge)) + 1)
    return Runs(start, votes.judge[start], np.diff(np.append(start, len(votes))))


@dataclass(frozen=True, slots=True)
class Piece:
    """Some votes in a row, with what the parameters say about each."""

    votes: Ballots
    runs: Runs  # its judges
    slope: Floats  # exp(h_u)
    gap: Floats  # s_left - s_right
    z: Floats  # the log odds of left against right
    tying: Floats | float  # the logit of a tie
    left: Floats  # the chances of the three outcomes
    right: Floats
    tie: Floats
    ties: bool  # are ties an outcome of their own?


def chances(z: Floats, c: Floats | float | None) -> tuple[Floats, Floats, Floats]:
    """The chances of left, right and tie (Davidson); c None: there are no ties.

    >>> [float(round(p[0], 3)) for p in chances(np.array([0.0]), 0.0)]
    [0.333, 0.333, 0.333]
    """
    root = np.exp(np.clip(z, -SUREST, SUREST) / -2)  # all beside the left side: nothing overflows, no branches
    right, tie = root * root, root * (0.0 if c is None else np.exp(np.minimum(c, SUREST / 2)))
    left = 1 / (1 + right + tie)
    return left, right * left, tie * left


class Likelihood:
    """The votes, and how a parameter vector is judged by them.

    `anchors` is how many virtual ties with an average item each item is given (0, or 1 where nothing else keeps
    its score finite).
    """

    def __init__(self, votes: Ballots, spec: Spec, *, anchors: Floats) -> None:
        self.votes, self.spec, self.anchors = votes, spec, anchors
        self.layout = Layout(len(votes.items), len(votes.judges), spec)
        self.spread = dict.fromkeys(spec.effects, 1.0)

    @cached_property
    def parts(self) -> list[tuple[Ballots, Runs]]:
        """The votes in pieces, each with whose they are."""
        parts = (self.votes.part(slice(start, start + PIECE)) for start in range(0, len(self.votes), PIECE))
        return [(part, runs_of(part)) for part in parts]

    def pieces(self, x: Floats, votes: Ballots | None = None) -> Iterator[Piece]:
        """The votes piece by piece (judges are in order, so a piece has few of them)."""
        parts = self.parts if votes is None else Likelihood(votes, self.spec, anchors=self.anchors).parts
        for part, runs in parts:
            yield self.piece(x, part, runs)

    def piece(self, x: Floats, votes: Ballots, runs: Runs | None = None, *, gap: Floats | None = None) -> Piece:
        """What the parameters say about some votes; `gap` stands in for the differences of scores."""
        lay, runs = self.layout, runs_of(votes) if runs is None else runs
        h, b, c = (lay.effect(x, name) for name in ("slope", "side", "tie"))
        slope = runs.each(np.exp(np.clip(h, -STEEPEST, STEEPEST))) if h is not None else np.ones(len(votes))
        gap = x.take(votes.left) - x.take(votes.right) if gap is None else gap
        z = slope * gap + lay.value(x, "side") + lay.control(x, votes)
        if b is not None:
            z += runs.each(b)
        tying: Floats | float | None = None
        if self.spec.tie:
            tying = lay.value(x, "tie") + (runs.each(c) if c is not None else 0.0)
        found = chances(z, tying)
        return Piece(votes, runs, slope, gap, z, 0.0 if tying is None else tying, *found, self.spec.tie)

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        """The negative log posterior and its gradient."""
        lay, grad, total = self.layout, np.zeros(len(x)), 0.0
        for piece in self.pieces(x):
            value, dz, dc = derivatives(piece)
            total += value
            self._add(grad, piece, dz, dc)
        s = x[lay.scores]
        total -= float(self.anchors @ np.logaddexp(s / 2, -s / 2))  # half a win and half a loss against score 0
        grad[lay.scores] -= self.anchors * np.tanh(s / 2) / 2
        for name in lay.shared:
            mean, spread = shared_prior(name)
            off = (x[lay.place(name)] - mean) / spread
            total -= off * off / 2
            grad[lay.place(name)] -= off / spread
        for name in self.spec.effects:
            block, precision = lay.block(name), self.spread[name] ** -2
            total -= float(x[block] @ x[block]) * precision / 2
            grad[block] -= x[block] * precision
        return -total, -grad

    def _add(self, grad: Floats, piece: Piece, dz: Floats, dc: Floats | None) -> None:
        lay, votes = self.layout, piece.votes
        pull = dz * piece.slope
        grad[lay.scores] += np.bincount(votes.left, pull, lay.items)
        grad[lay.scores] -= np.bincount(votes.right, pull, lay.items)
        sums = {"slope": pull * piece.gap, "side": dz, "tie": dc}
        for k, name in enumerate(lay.controls):
            sums[name] = dz * votes.control[:, k]  # type: ignore[index]
        for name in lay.shared:
            grad[lay.place(name)] += sums[name].sum()  # type: ignore[union-attr]
        for name in self.spec.effects:
            grad[lay.block(name).start + piece.runs.who] += piece.runs.sums(sums[name])


def derivatives(piece: Piece) -> tuple[float, Floats, Floats | None]:
    """Log-likelihood of a piece, and per row its derivative in x (before the slope) and in c."""
    votes, weight = piece.votes, piece.votes.weight
    tied = votes.outcome == TIED
    lean = votes.score - 0.5
    dz = lean - (piece.left - piece.right) / 2
    # the logit of what happened, minus the log of the sum of exp(logits): the likelier side's minus its log chance
    value = lean * piece.z - np.abs(piece.z) / 2 + np.log(np.maximum(piece.left, piece.right))
    if not piece.ties:
        return float(np.sum(value * weight)), dz * weight, None
    value += tied * piece.tying
    return float(np.sum(value * weight)), dz * weight, (tied - piece.tie) * weight


def information(piece: Piece) -> tuple[Floats, Floats, Floats]:
    """The information of each row about x, about x and c together, and about c."""
    lead, weight = piece.left - piece.right, piece.votes.weight
    about_z = (piece.left + piece.right - lead * lead) / 4
    return about_z * weight, -piece.tie * lead / 2 * weight, piece.tie * (1 - piece.tie) * weight

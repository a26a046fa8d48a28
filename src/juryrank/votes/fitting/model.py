"""Which effects a model has.

    outcomes left, right, tie have the logits z/2, -z/2, c + c_u     (Davidson 1970)
    z = exp(h_u) (s_left - s_right) + b + b_u

h_u, b_u and c_u are normal around 0; their spreads are learned, and spread 0 is plain Bradley-Terry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Piece:
    """Some votes in a row, with what the parameters say about each."""

    votes: Ballots
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
    if c is None:
        odds = np.exp(-np.abs(z))
        less, more = odds / (1 + odds), 1 / (1 + odds)
        up = z > 0
        return np.where(up, more, less), np.where(up, less, more), np.zeros_like(z)
    most = np.maximum(np.abs(z) / 2, c)
    left, right, tie = np.exp(z / 2 - most), np.exp(-z / 2 - most), np.exp(c - most)
    total = left + right + tie
    return left / total, right / total, tie / total


class Likelihood:
    """The votes, and how a parameter vector is judged by them.

    `anchors` is how many virtual ties with an average item each item is given (0, or 1 where nothing else keeps
    its score finite).
    """

    def __init__(self, votes: Ballots, spec: Spec, *, anchors: Floats) -> None:
        self.votes, self.spec, self.anchors = votes, spec, anchors
        self.layout = Layout(len(votes.items), len(votes.judges), spec)
        self.spread = dict.fromkeys(spec.effects, 1.0)

    def pieces(self, x: Floats, votes: Ballots | None = None) -> Iterator[Piece]:
        """The votes piece by piece (judges are in order, so a piece has few of them)."""
        all_votes = self.votes if votes is None else votes
        for start in range(0, len(all_votes), PIECE):
            yield self.piece(x, all_votes.part(slice(start, start + PIECE)))

    def piece(self, x: Floats, votes: Ballots, *, gap: Floats | None = None) -> Piece:
        """What the parameters say about some votes; `gap` stands in for the differences of scores."""
        lay, u = self.layout, votes.judge
        h, b, c = (lay.effect(x, name) for name in ("slope", "side", "tie"))
        slope = np.exp(np.clip(h[u], -STEEPEST, STEEPEST)) if h is not None else np.ones(len(votes))
        gap = x[votes.left] - x[votes.right] if gap is None else gap
        z = slope * gap + lay.value(x, "side") + lay.control(x, votes)
        if b is not None:
            z += b[u]
        tying: Floats | float | None = None
        if self.spec.tie:
            tying = lay.value(x, "tie") + (c[u] if c is not None else 0.0)
        return Piece(votes, slope, gap, z, 0.0 if tying is None else tying, *chances(z, tying), self.spec.tie)

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
        first, last = int(votes.judge[0]), int(votes.judge[-1]) + 1
        for name in self.spec.effects:
            start = lay.block(name).start
            grad[start + first : start + last] += np.bincount(votes.judge - first, sums[name], last - first)


def derivatives(piece: Piece) -> tuple[float, Floats, Floats | None]:
    """Log-likelihood of a piece, and per vote its derivative in x (before the slope) and in c."""
    votes = piece.votes
    tied = votes.outcome == TIED
    score = votes.score
    lead = (piece.left - piece.right) / 2
    dz = score - 0.5 - lead
    # the logit of what happened, minus the log of the sum of exp(logits): the largest logit minus its log chance
    half = np.abs(piece.z) / 2
    if piece.ties:
        largest = np.maximum(half, piece.tying)
        share = np.maximum(np.maximum(piece.left, piece.right), piece.tie)
        value = (score - 0.5) * piece.z + tied * piece.tying - largest + np.log(share)
        return float(value.sum()), dz, tied - piece.tie
    value = (score - 0.5) * piece.z - half + np.log(np.maximum(piece.left, piece.right))
    return float(value.sum()), dz, None


def information(piece: Piece) -> tuple[Floats, Floats, Floats]:
    """The information of each vote about x, about x and c together, and about c."""
    lead = piece.left - piece.right
    about_z = (piece.left + piece.right - lead**2) / 4
    return about_z, -piece.tie * lead / 2, piece.tie * (1 - piece.tie)

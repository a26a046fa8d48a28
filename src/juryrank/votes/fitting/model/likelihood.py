"""What votes say about the parameters: log-likelihood, its gradient, and the information in each vote.

Votes are worked on in pieces that fit into the processor's cache; sums per item and judge are `bincount`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.intake.ballots import TIED, Ballots
from juryrank.votes.fitting.model.spec import Layout, Spec, shared_prior, thurstone

PIECE = 1 << 15  # votes worked on at a time
STEEPEST = 6.0  # |h_u| beyond this is a judge who never errs (or answers at random): exp must not overflow
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Piece:
    """Some votes in a row, with what the parameters say about each."""

    votes: Ballots
    slope: Floats  # exp(h_u)
    gap: Floats  # s_left - s_right
    steep: Floats | float  # of the link
    z: Floats  # the log odds of left against right
    tying: Floats | float  # the logit of a tie
    left: Floats  # the chances of the three outcomes, before any swap
    right: Floats
    tie: Floats
    keep: Floats | None  # η_u: the chance that an answer is not swapped
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
        h, b, c, a = (lay.effect(x, name) for name in ("slope", "side", "tie", "swap"))
        slope = np.exp(np.clip(h[u], -STEEPEST, STEEPEST)) if h is not None else np.ones(len(votes))
        gap = x[votes.left] - x[votes.right] if gap is None else gap
        z = slope * gap + lay.value(x, "side") + lay.control(x, votes)
        if b is not None:
            z += b[u]
        steep: Floats | float = 1.0
        if self.spec.link == "thurstone":
            z, steep = thurstone(z)
        tying: Floats | float | None = None
        if self.spec.tie:
            tying = lay.value(x, "tie") + (c[u] if c is not None else 0.0)
        keep = None if a is None else 1 / (1 + np.exp(-(lay.value(x, "swap") + a[u])))
        return Piece(
            votes, slope, gap, steep, z, 0.0 if tying is None else tying, *chances(z, tying), keep, self.spec.tie
        )

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        """The negative log posterior and its gradient."""
        lay, grad, total = self.layout, np.zeros(len(x)), 0.0
        for piece in self.pieces(x):
            value, dz, dc, da = derivatives(piece)
            total += value
            self._add(grad, piece, dz, dc, da)
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

    def _add(self, grad: Floats, piece: Piece, dz: Floats, dc: Floats | None, da: Floats | None) -> None:
        lay, votes = self.layout, piece.votes
        pull = dz * piece.slope
        grad[lay.scores] += np.bincount(votes.left, pull, lay.items)
        grad[lay.scores] -= np.bincount(votes.right, pull, lay.items)
        sums = {"slope": pull * piece.gap, "side": dz, "tie": dc, "swap": da}
        for k, name in enumerate(lay.controls):
            sums[name] = dz * votes.control[:, k]  # type: ignore[index]
        for name in lay.shared:
            grad[lay.place(name)] += sums[name].sum()  # type: ignore[union-attr]
        first, last = int(votes.judge[0]), int(votes.judge[-1]) + 1
        for name in self.spec.effects:
            start = lay.block(name).start
            grad[start + first : start + last] += np.bincount(votes.judge - first, sums[name], last - first)


def derivatives(piece: Piece) -> tuple[float, Floats, Floats | None, Floats | None]:
    """Log-likelihood of a piece, and per vote its derivative in x (before the slope), in c, and in a."""
    votes = piece.votes
    tied = votes.outcome == TIED
    score = votes.score
    if piece.keep is not None:
        return _swapped(piece, tied, score)
    lead = (piece.left - piece.right) / 2
    dz = (score - 0.5 - lead) * piece.steep
    # the logit of what happened, minus the log of the sum of exp(logits): the largest logit minus its log chance
    half = np.abs(piece.z) / 2
    if piece.ties:
        largest = np.maximum(half, piece.tying)
        share = np.maximum(np.maximum(piece.left, piece.right), piece.tie)
        value = (score - 0.5) * piece.z + tied * piece.tying - largest + np.log(share)
        return float(value.sum()), dz, tied - piece.tie, None
    value = (score - 0.5) * piece.z - half + np.log(np.maximum(piece.left, piece.right))
    return float(value.sum()), dz, None, None


def _swapped(piece: Piece, tied: Floats, score: Floats) -> tuple[float, Floats, Floats | None, Floats]:
    """The same for Crowd-BT: left and right trade places with probability 1 - η."""
    keep = piece.keep
    assert keep is not None
    lead = (piece.left - piece.right) / 2
    up, down = piece.left * (0.5 - lead), piece.right * (-0.5 - lead)
    with_ties = piece.ties
    value, dz, da = 0.0, np.zeros_like(lead), np.zeros_like(lead)
    for side, own, other, d_own, d_other in (
        (score if not with_ties else score * ~tied, piece.left, piece.right, up, down),
        ((1 - score) if not with_ties else (1 - score) * ~tied, piece.right, piece.left, down, up),
    ):
        p = keep * own + (1 - keep) * other + TINY
        value += float((side * np.log(p)).sum())
        dz += side * (keep * d_own + (1 - keep) * d_other) / p
        da += side * (own - other) * keep * (1 - keep) / p
    if not with_ties:
        return value, dz * piece.steep, None, da
    value += float(np.log(piece.tie[tied] + TINY).sum())
    dz -= tied * lead
    return value, dz * piece.steep, tied - piece.tie, da


def information(piece: Piece) -> tuple[Floats, Floats, Floats]:
    """The information of each vote about x, about x and c together, and about c."""
    lead = piece.left - piece.right
    about_z = (piece.left + piece.right - lead**2) / 4
    if piece.keep is not None:
        about_z = _swapped_information(piece, lead)
    return about_z * piece.steep**2, -piece.tie * lead / 2 * piece.steep, piece.tie * (1 - piece.tie)


def _swapped_information(piece: Piece, lead: Floats) -> Floats:
    """Expected information about z where answers may be swapped."""
    keep = piece.keep
    assert keep is not None
    up, down = piece.left * (0.5 - lead / 2), piece.right * (-0.5 - lead / 2)
    total = piece.tie * (lead / 2) ** 2
    for own, other, d_own, d_other in ((piece.left, piece.right, up, down), (piece.right, piece.left, down, up)):
        p = keep * own + (1 - keep) * other + TINY
        total = total + (keep * d_own + (1 - keep) * d_other) ** 2 / p
    return total

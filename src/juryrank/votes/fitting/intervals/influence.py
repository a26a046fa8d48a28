"""What each judge's votes pull at, and how firmly all votes hold: the two matrices of a sandwich.

Per vote, x = exp(h_u) (s_left - s_right) + b + b_u and the logit of a tie c + c_u depend on four or five numbers.
Numbers of one judge alone are eliminated (Schur's complement), so that scores are judged by the likelihood in
which the judges' own tendencies are integrated out (by Laplace's approximation).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.intake.ballots import Ballots
from juryrank.votes.fitting.intervals.matrices import Coordinates, gathered, stacked
from juryrank.votes.fitting.model.layout import SHARED_PRIOR
from juryrank.votes.fitting.model.likelihood import PIECE, Likelihood, Piece, derivatives, information

FEWEST_CLUSTERS = 8  # judges; with fewer, each vote is a cluster of its own, and that is said
MOST_LEVERAGE = 0.9  # an item that one judge alone has seen cannot be judged by leaving that judge out


@dataclass(frozen=True, slots=True)
class Ingredients:
    """`pull`: clusters by parameters (scores and shared numbers), corrected for their own leverage. `effective`:
    how many clusters hold each parameter, had they equal shares. `hold`: the information of the votes about the
    parameters. `cross[e]`: judges by parameters, the information shared with effect e. `own`: the inverse
    information of each judge about their own effects."""

    pull: Coordinates
    effective: Floats
    share: Floats  # of all information about the scores, per cluster
    hold: Coordinates
    cross: tuple[Coordinates, ...]
    own: Floats
    clusters: int
    by_judge: bool


@dataclass(frozen=True, slots=True)
class _Slots:
    """The parameters that each vote of a piece touches: where, and how x and c depend on them."""

    place: NDArray[np.int64]  # slots by votes
    in_x: Floats
    in_c: Floats


def ingredients(like: Likelihood, x: Floats) -> Ingredients:
    """Everything that intervals are made of, at the parameters found."""
    votes, hold = like.votes, _Hold(like.layout.items, len(_slotted(like)))
    size = like.layout.items + len(_slotted(like))
    by_judge = votes.judged and len(votes.judges) >= FEWEST_CLUSTERS
    clusters = len(votes.judges) if by_judge else len(votes)
    pulls, crosses, own = [], [], _no_information(like)
    for start, part in _whole_judges(votes):
        piece = like.piece(x, part)
        slots, known = _slots(like, piece), information(piece)
        pull, cross = _pull_and_mass(piece, slots, known), _judges_part(like, piece, slots, known, own)
        if by_judge:  # judges by parameters, both of them: one sum for all
            pulls.append(_gathered(part.judge, slots, np.concatenate([pull, cross]), (clusters, size)))
        else:
            pulls.append(_gathered(np.arange(start, start + len(part)), slots, pull, (clusters, size)))
            if len(cross):
                crosses.append(_gathered(part.judge, slots, cross, (len(votes.judges), size)))
        hold.add(slots, known)
    matrices = stacked(pulls)
    cross_parts = matrices[2:] if by_judge else stacked(crosses) if crosses else []
    pull_corrected, effective = _corrected(matrices[0], matrices[1])
    return Ingredients(
        pull=pull_corrected, effective=effective, share=_shares(matrices[1], like.layout.items),
        hold=hold.matrix(votes, _priors(like, x)), cross=tuple(cross_parts), own=_inverted(like, own),
        clusters=clusters, by_judge=by_judge,
    )  # fmt: skip


def _gathered(row: Any, slots: _Slots, values: Floats, shape: tuple[int, int]) -> list[Coordinates]:
    """One matrix per line of `values` (slots by votes each)."""
    return gathered(np.tile(row, len(slots.place)), slots.place.ravel(), values.reshape(len(values), -1), shape)


def _pull_and_mass(piece: Piece, slots: _Slots, known: tuple[Floats, ...]) -> Floats:
    """Per vote and parameter: how it pulls, and what it knows."""
    about, both, about_tie = known
    _, dz, dc, _ = derivatives(piece)
    pull = slots.in_x * dz + (slots.in_c * dc if dc is not None else 0.0)
    mass = slots.in_x**2 * about + 2 * slots.in_x * slots.in_c * both + slots.in_c**2 * about_tie
    return np.stack([pull, mass])


def _whole_judges(votes: Ballots) -> Iterator[tuple[int, Ballots]]:
    """The votes in pieces that do not part a judge's votes, each with its beginning."""
    ends = np.append(np.flatnonzero(np.diff(votes.judge)) + 1, len(votes))
    start = 0
    while start < len(votes):
        end = int(ends[min(int(np.searchsorted(ends, start + PIECE)), len(ends) - 1)])
        yield start, votes.part(slice(start, end))
        start = end


def _slots(like: Likelihood, piece: Piece) -> _Slots:
    lay, votes = like.layout, piece.votes
    none = np.zeros(len(votes))
    place, in_x, in_c = [votes.left, votes.right], [piece.slope, -piece.slope], [none, none]
    for k, name in enumerate(_slotted(like)):
        place.append(np.full(len(votes), lay.items + k, dtype=np.int32))
        in_x.append(none + (name == "side"))
        in_c.append(none + (name == "tie"))
    return _Slots(np.stack(place).astype(np.int64), np.stack(in_x), np.stack(in_c))


class _Hold:
    """The information about the parameters, summed up: between two items per vote, everything else in place."""

    def __init__(self, items: int, shared: int) -> None:
        self.items = items
        self.pairs: list[Floats] = []
        self.diagonal = np.zeros(items)
        self.border = np.zeros((shared, items + shared))

    def add(self, slots: _Slots, known: tuple[Floats, ...]) -> None:
        """The votes of a piece."""
        about, both, about_tie = known
        left, right, x, c = slots.place[0], slots.place[1], slots.in_x, slots.in_c
        own = x[0] ** 2 * about
        self.pairs.append(own)
        self.diagonal += np.bincount(left, own, self.items) + np.bincount(right, own, self.items)
        for i in range(len(self.border)):
            pull = x[0] * (x[2 + i] * about + c[2 + i] * both)
            self.border[i, : self.items] += np.bincount(left, pull, self.items) - np.bincount(
                right, pull, self.items
            )
            for j in range(len(self.border)):
                mixed = (x[2 + i] * c[2 + j] + c[2 + i] * x[2 + j]) * both
                total = x[2 + i] * x[2 + j] * about + mixed + c[2 + i] * c[2 + j] * about_tie
                self.border[i, self.items + j] += float(total.sum())

    def matrix(self, votes: Ballots, priors: Floats) -> Coordinates:
        """All of it as one symmetric matrix; `priors` are added to the diagonal."""
        n, size = self.items, self.items + len(self.border)
        place, edge = np.arange(size), np.repeat(np.arange(n, size), n)
        inner = np.tile(np.arange(n), size - n)
        corner = np.repeat(np.arange(n, size), size - n), np.tile(np.arange(n, size), size - n)
        across = -np.concatenate(self.pairs)
        side = self.border[:, :n].ravel()
        diagonal = priors + np.concatenate([self.diagonal, np.zeros(size - n)])
        row = np.concatenate([votes.left, votes.right, place, edge, inner, corner[0]])
        column = np.concatenate([votes.right, votes.left, place, inner, edge, corner[1]])
        value = np.concatenate([across, across, diagonal, side, side, self.border[:, n:].ravel()])
        return gathered(row, column, value[None], (size, size))[0]


def _effects(like: Likelihood) -> list[str]:
    return [name for name in like.spec.effects if name != "swap"]


def _no_information(like: Likelihood) -> Floats:
    """Per judge, a matrix over their effects; nothing where judges have none."""
    many = len(_effects(like))
    return np.zeros((len(like.votes.judges) if many else 0, many, many))


def _judges_part(like: Likelihood, piece: Piece, slots: _Slots, known: tuple[Floats, ...], own: Floats) -> Floats:
    """The information about judges' effects: alone (added to `own`), and per vote together with the parameters."""
    about, both, about_tie = known
    zero, effects, judge = np.zeros(len(piece.votes)), _effects(like), piece.votes.judge
    if not effects:
        return np.zeros((0, *slots.in_x.shape))
    ux = np.stack([{"slope": piece.slope * piece.gap, "side": zero + 1}.get(name, zero) for name in effects])
    uc = np.stack([zero + (name == "tie") for name in effects])
    first, last = int(judge[0]), int(judge[-1]) + 1
    for i in range(len(effects)):
        for j in range(len(effects)):
            line = ux[i] * ux[j] * about + (ux[i] * uc[j] + uc[i] * ux[j]) * both + uc[i] * uc[j] * about_tie
            own[first:last, i, j] += np.bincount(judge - first, line, last - first)
    x, c = slots.in_x, slots.in_c
    return ux[:, None] * x * about + (ux[:, None] * c + uc[:, None] * x) * both + uc[:, None] * c * about_tie


def _inverted(like: Likelihood, own: Floats) -> Floats:
    if not len(own):
        return own
    k = np.arange(own.shape[1])
    own[:, k, k] += [like.spread[name] ** -2 for name in _effects(like)]
    return np.linalg.inv(own)


def _priors(like: Likelihood, x: Floats) -> Floats:
    """What the priors know about scores and shared numbers (`swap`, which is not among the slots, left out)."""
    s = np.clip(x[like.layout.scores], -50, 50)
    shared = [SHARED_PRIOR[name][1] ** -2 for name in _slotted(like)]
    return np.concatenate([like.anchors / (4 * np.cosh(s / 2) ** 2), shared])


def _slotted(like: Likelihood) -> list[str]:
    """The shared numbers whose uncertainty reaches the scores; that of Crowd-BT's swaps is not followed."""
    return [name for name in like.layout.shared if name != "swap"]


def _shares(mass: Coordinates, items: int) -> Floats:
    """Each cluster's share of the information about the scores."""
    known = np.where(mass.column < items, mass.value, 0.0)
    total = np.bincount(mass.row, known, mass.shape[0])
    return total / max(float(total.sum()), 1e-300)


def _corrected(pull: Coordinates, mass: Coordinates) -> tuple[Coordinates, Floats]:
    """Each cluster's pull, larger the more of an item's information it holds (CR2: Bell and McCaffrey 2002), and
    the effective number of clusters per parameter."""
    total = np.bincount(mass.column, mass.value, mass.shape[1])[mass.column]
    share = np.where(total > 0, mass.value / np.maximum(total, 1e-300), 1.0)  # nothing known: as if by one judge
    effective = 1 / np.maximum(np.bincount(mass.column, share**2, mass.shape[1]), 1e-12)
    return pull.with_values(pull.value / np.sqrt(1 - np.minimum(share, MOST_LEVERAGE))), effective

"""What votes pull at, in groups, and how firmly all votes hold: the two matrices of a sandwich.

Per vote, x = exp(h_u) (s_left - s_right) + b + b_u and the logit of a tie c + c_u depend on four or five numbers.
Numbers of one judge alone are eliminated (Schur's complement), so that scores are judged by the likelihood in
which the judges' own tendencies are integrated out (by Laplace's approximation). The same is taken off each vote's
pull: what a vote says about its judge's slope moves that slope, and not the scores as well. Over a judge's votes
it sums to nothing; over the votes on a case it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.fitting.ballots import Ballots, Floats, Ints
from juryrank.votes.fitting.matrices import Coordinates, gathered, line_by_line, product, stacked
from juryrank.votes.fitting.model import PIECE, Likelihood, Piece, derivatives, information, shared_prior

FEWEST_DRAWN = 3  # judges, or cases, that can say anything about others: two show one difference
MOST_LEVERAGE = 0.9  # an item that one judge alone has seen cannot be judged by leaving that judge out
ONE_BY_ONE = 1_000_000  # judges times squared parameters up to which judges are looked at one by one
ANSWERS, BY_JUDGE, CELLS = "answers", "judges", "cells"  # groups of votes; cells: one judge's votes on one case


@dataclass(frozen=True, slots=True)
class Grouped:
    """`pull`: groups by columns (scores and shared numbers, then each effect of each judge), corrected for their
    own leverage. `effective`: how many groups hold each column, had they equal shares. `mixed`: do groups hold
    votes of several judges?"""

    pull: Coordinates
    effective: Floats
    mixed: bool


@dataclass(frozen=True, slots=True)
class Summed:
    """The same where no group holds votes of several judges, and parameters are few: the summed squares of the
    groups' pulls, without the part that the judges' effects explain."""

    square: Floats
    effective: Floats


@dataclass(frozen=True, slots=True)
class FewJudges:
    """Where judges are few enough to be looked at one by one: each one's pull as it is, and what each one's votes
    know about the parameters beyond their own effects."""

    pull: Floats  # judges by parameters
    hold: Floats  # judges by parameters by parameters


@dataclass(frozen=True, slots=True)
class Ingredients:
    """`groups` by name: `ANSWERS` are cases, or single votes where there are none. `hold`: the information of the
    votes about the parameters. `cross[e]`: judges by parameters, the information shared with effect e. `own`: the
    inverse information of each judge about their own effects. `few_judges`: None where there are many, or too few
    to say anything about others."""

    groups: dict[str, Grouped | Summed]
    hold: Coordinates
    cross: tuple[Coordinates, ...]
    own: Floats
    few_judges: FewJudges | None = None

    def explained(self) -> list[Coordinates]:
        """Per effect, judges by parameters: how far the scores' pull is that of the effect."""
        values = [part.value for part in self.cross]
        row = self.cross[0].row if self.cross else np.zeros(0, dtype=np.int32)
        mixed = [sum(self.own[row, e, f] * v for f, v in enumerate(values)) for e in range(len(values))]
        return [self.cross[0].with_values(np.asarray(value)) for value in mixed]


@dataclass(frozen=True, slots=True)
class _Slots:
    """The parameters that each vote of a piece touches: where, and how x and c depend on them."""

    place: NDArray[np.int64]  # slots by votes
    in_x: Floats
    in_c: Floats


def by_case(votes: Ballots) -> bool:
    """Are there cases enough to say something about other cases?"""
    return votes.case is not None and int(votes.case.max()) + 1 >= FEWEST_DRAWN


def by_judge(votes: Ballots) -> bool:
    """Are there judges enough to say something about other judges?"""
    return votes.judged and len(votes.judges) >= FEWEST_DRAWN


def ingredients(like: Likelihood, x: Floats, *, dense: bool) -> Ingredients:
    """Everything that intervals are made of, at the parameters found; `dense`: parameters are few enough for
    matrices with a place for each two of them."""
    votes, hold = like.votes, _Hold(like.layout.items, len(like.layout.shared), dense=dense)
    size, judges = like.layout.items + len(like.layout.shared), len(votes.judges)
    wide, labels = size + judges * len(like.spec.effects), _labels(votes)
    mixed = {ANSWERS} if by_case(votes) else set()
    summed = [name for name in labels if dense and name not in mixed]
    found: dict[str, list[list[Coordinates]]] = {name: [] for name in (*labels, BY_JUDGE) if name not in summed}
    total = np.zeros(wide)
    own, alone = _no_information(like), _no_judges(votes, size)
    for start, part in _whole_judges(votes):
        piece = like.piece(x, part)
        slots, known = _slots(like, piece), information(piece)
        pull, cross = _pull_and_mass(piece, slots, known), _judges_part(like, piece, slots, known, own)
        values = np.concatenate([pull, cross])  # judges by parameters, all of them: one sum for all
        found[BY_JUDGE].append(_gathered(part.judge, slots.place, values, (judges, size)))
        place, values = _with_effects(like, piece, slots.place, pull, known, size)
        for at, line in zip(place, values[1], strict=True):
            total += np.bincount(at, line, wide)
        for name, label in labels.items():
            if name not in summed:
                found[name].append(_rows(label, start, part, place, values, wide))
        hold.add(slots, known)
        if len(alone):
            _add_information(alone, part.judge, slots, known)
    by_judges = stacked(found.pop(BY_JUDGE))
    prior = np.concatenate([np.zeros(size), *(np.full(judges, like.spread[e] ** -2) for e in like.spec.effects)])
    groups: dict[str, Grouped | Summed] = {
        name: _group(found.pop(name), votes, prior, mixed=name in mixed) for name in labels if name in found
    }
    if by_judge(votes):
        groups[BY_JUDGE] = _corrected(by_judges[0], by_judges[1], prior[:size], mixed=False)
    found_all = Ingredients(
        groups, hold.matrix(votes, _priors(like, x)), tuple(by_judges[2:]), _inverted(like, own)
    )
    for name in summed:
        groups[name] = _summed(like, x, labels[name], prior + total, found_all)
    return found_all if not len(alone) else replace(found_all, few_judges=_few(by_judges[0], alone, found_all))


def _no_judges(votes: Ballots, size: int) -> Floats:
    """Per judge, a matrix over the parameters; nothing where judges are too many, or too few."""
    few = by_judge(votes) and len(votes.judges) * size**2 <= ONE_BY_ONE
    return np.zeros((len(votes.judges) if few else 0, size, size))


def _add_information(alone: Floats, judge: Ints, slots: _Slots, known: tuple[Floats, ...]) -> None:
    about, both, about_tie = known
    x, c, size, first = slots.in_x, slots.in_c, alone.shape[1], int(judge[0])
    total = np.zeros((int(judge[-1]) + 1 - first) * size**2)
    for i, here in enumerate(slots.place):
        for j, there in enumerate(slots.place):
            value = x[i] * x[j] * about + (x[i] * c[j] + c[i] * x[j]) * both + c[i] * c[j] * about_tie
            total += np.bincount(
                ((judge - first).astype(np.int64) * size + here) * size + there, value, len(total)
            )
    alone[first : int(judge[-1]) + 1] += total.reshape(-1, size, size)


def _few(pull: Coordinates, alone: Floats, parts: Ingredients) -> FewJudges:
    cross = np.array([part.dense() for part in parts.cross])  # effects by judges by parameters
    if len(cross):
        alone = alone - np.einsum("euj,uef,fuk->ujk", cross, parts.own, cross, optimize=True)
    return FewJudges(pull.dense(), alone)


def _labels(votes: Ballots) -> dict[str, Ints | None]:
    """The group of each vote, by the groups' name; None: each vote is one."""
    if not by_case(votes):
        return {ANSWERS: None}
    case = votes.case
    if not by_judge(votes):
        return {ANSWERS: case}
    both = votes.judge.astype(np.int64) * (int(case.max()) + 1) + case  # type: ignore[union-attr]
    return {ANSWERS: case, CELLS: np.unique(both, return_inverse=True)[1]}


def _rows(
    label: Ints | None, start: int, part: Ballots, place: Ints, values: Floats, wide: int
) -> list[Coordinates]:
    """Pull and mass of each group, or of each vote, in a piece; a row that stands for many votes pulls as the root
    of their summed squares."""
    if label is not None:
        return _gathered(label[start : start + len(part)], place, values, (int(label.max()) + 1, wide))
    if part.count is not None:
        values = values / np.stack([np.sqrt(part.count), part.count])[:, None]
    return line_by_line(np.arange(start, start + len(part)), place, values, (start + len(part), wide))


def _summed(like: Likelihood, x: Floats, label: Ints | None, total: Floats, parts: Ingredients) -> Summed:
    """Once more through the votes, now that it is known how much all of them know together."""
    size, judges, wide = parts.hold.shape[0], len(like.votes.judges), len(total)
    square, shares, explained = np.zeros((size, size)), np.zeros(wide), parts.explained()
    for start, part in _whole_judges(like.votes):
        piece = like.piece(x, part)
        slots, known = _slots(like, piece), information(piece)
        pulls = _pull_and_mass(piece, slots, known)
        rows = _rows(label, start, part, *_with_effects(like, piece, slots.place, pulls, known, size), wide)
        pull, share = _leveraged(rows[0], rows[1], total)
        one_each = label is not None or part.count is None
        many = 1 if one_each else np.repeat(part.weight, len(pull.row) // len(part))
        shares += np.bincount(pull.column, share**2 * many, wide)
        first, last = int(part.judge[0]), int(part.judge[-1]) + 1
        square += _squared(pull, [_lines(line, first, last) for line in explained], size, judges, first)
    return Summed(square, 1 / np.maximum(shares, 1e-12))


def _lines(matrix: Coordinates, first: int, last: int) -> Coordinates:
    """Some rows of a matrix."""
    part = slice(*np.searchsorted(matrix.row, [first, last]).tolist())
    row, shape = matrix.row[part] - np.int32(first), (last - first, matrix.shape[1])
    return Coordinates(row, matrix.column[part], matrix.value[part], shape)


def _squared(pull: Coordinates, explained: list[Coordinates], size: int, judges: int, first: int) -> Floats:
    """The summed squares at the parameters: a pull at an effect is taken off the parameters that explain it."""
    row = pull.row - pull.row[0]
    if not explained:
        return product(*2 * (replace(pull, row=row, shape=(int(row[-1]) + 1, size)),))
    from scipy.sparse import identity, vstack

    here = explained[0].shape[0]
    effect, judge = np.divmod(pull.column - size, judges)
    column = np.where(pull.column < size, pull.column, size + effect * here + judge - first)
    shape = (int(row[-1]) + 1, size + here * len(explained))
    both = replace(pull, row=row, column=column.astype(np.int32), shape=shape).sparse()
    taken = vstack([identity(size), *(-line.sparse() for line in explained)], format="csr")
    return np.asarray((taken.T @ ((both.T @ both) @ taken)).toarray())


def _group(pieces: list[list[Coordinates]], votes: Ballots, prior: Floats, *, mixed: bool) -> Grouped:
    parts = stacked(pieces)
    if mixed and len(pieces) > 1:  # a case's votes are in several pieces
        parts = gathered(parts[0].row, parts[0].column, np.stack([part.value for part in parts]), parts[0].shape)
    return _corrected(parts[0], parts[1], prior, mixed=mixed)


def _gathered(row: Any, place: Ints, values: Floats, shape: tuple[int, int]) -> list[Coordinates]:
    """One matrix per line of `values` (slots by votes each)."""
    return gathered(np.tile(row, len(place)), place.ravel(), values.reshape(len(values), -1), shape)


def _pull_and_mass(piece: Piece, slots: _Slots, known: tuple[Floats, ...]) -> Floats:
    """Per vote and parameter: how it pulls, and what it knows."""
    about, both, about_tie = known
    _, dz, dc = derivatives(piece)
    pull = slots.in_x * dz + (slots.in_c * dc if dc is not None else 0.0)
    mass = slots.in_x**2 * about + 2 * slots.in_x * slots.in_c * both + slots.in_c**2 * about_tie
    return np.stack([pull, mass])


def _with_effects(
    like: Likelihood, piece: Piece, place: Ints, values: Floats, known: tuple[Floats, ...], size: int
) -> tuple[Ints, Floats]:
    """The same with the effects of each vote's judge as further slots; over a judge's votes they pull nowhere."""
    effects, judge, runs, many = like.spec.effects, piece.votes.judge, piece.runs, len(like.votes.judges)
    if not effects:
        return place, values
    _, dz, dc = derivatives(piece)
    lever = piece.slope * piece.gap
    pulls = {"slope": dz * lever, "side": dz, "tie": dc}
    mass = {"slope": known[0] * lever**2, "side": known[0], "tie": known[2]}
    weight = piece.votes.weight
    count = runs.many if piece.votes.count is None else runs.sums(weight)
    mean = {name: np.repeat(runs.sums(pulls[name]) / count, runs.many) * weight for name in effects}
    more = np.array([[pulls[name] - mean[name] for name in effects], [mass[name] for name in effects]])
    own = np.array([size + many * k + judge for k in range(len(effects))])
    return np.concatenate([place, own]), np.concatenate([values, more], axis=1)


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
    for k, name in enumerate(like.layout.shared):
        place.append(np.full(len(votes), lay.items + k, dtype=np.int32))
        control = lay.controls.index(name) if name in lay.controls else None
        in_x.append(none + (name == "side") if control is None else votes.control[:, control])  # type: ignore[index]
        in_c.append(none + (name == "tie"))
    return _Slots(np.stack(place).astype(np.int64), np.stack(in_x), np.stack(in_c))


class _Hold:
    """The information about the parameters, summed up: between two items per vote, everything else in place."""

    def __init__(self, items: int, shared: int, *, dense: bool) -> None:
        self.items = items
        self.pairs: list[Floats] = []  # of each vote, where there is no room for a table
        self.table = np.zeros((items, items)) if dense else None
        self.diagonal = np.zeros(items)
        self.border = np.zeros((shared, items + shared))

    def add(self, slots: _Slots, known: tuple[Floats, ...]) -> None:
        """The votes of a piece."""
        about, both, about_tie = known
        left, right, x, c = slots.place[0], slots.place[1], slots.in_x, slots.in_c
        own = x[0] ** 2 * about
        if self.table is None:
            self.pairs.append(own)
        else:
            np.add.at(self.table, (left, right), own)
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
        if self.table is None:
            left, right, across = votes.left, votes.right, -np.concatenate(self.pairs)
        else:
            left, right = np.nonzero(self.table)
            across = -self.table[left, right]
        side = self.border[:, :n].ravel()
        diagonal = priors + np.concatenate([self.diagonal, np.zeros(size - n)])
        row = np.concatenate([left, right, place, edge, inner, corner[0]])
        column = np.concatenate([right, left, place, inner, edge, corner[1]])
        value = np.concatenate([across, across, diagonal, side, side, self.border[:, n:].ravel()])
        return gathered(row, column, value[None], (size, size))[0]


def _no_information(like: Likelihood) -> Floats:
    """Per judge, a matrix over their effects; nothing where judges have none."""
    many = len(like.spec.effects)
    return np.zeros((len(like.votes.judges) if many else 0, many, many))


def _judges_part(like: Likelihood, piece: Piece, slots: _Slots, known: tuple[Floats, ...], own: Floats) -> Floats:
    """The information about judges' effects: alone (added to `own`), and per vote together with the parameters."""
    about, both, about_tie = known
    zero, effects = np.zeros(len(piece.votes)), like.spec.effects
    if not effects:
        return np.zeros((0, *slots.in_x.shape))
    ux = np.stack([{"slope": piece.slope * piece.gap, "side": zero + 1}.get(name, zero) for name in effects])
    uc = np.stack([zero + (name == "tie") for name in effects])
    for i in range(len(effects)):
        for j in range(len(effects)):
            line = ux[i] * ux[j] * about + (ux[i] * uc[j] + uc[i] * ux[j]) * both + uc[i] * uc[j] * about_tie
            own[piece.runs.who, i, j] += piece.runs.sums(line)
    x, c = slots.in_x, slots.in_c
    return ux[:, None] * x * about + (ux[:, None] * c + uc[:, None] * x) * both + uc[:, None] * c * about_tie


def _inverted(like: Likelihood, own: Floats) -> Floats:
    if not len(own):
        return own
    k = np.arange(own.shape[1])
    own[:, k, k] += [like.spread[name] ** -2 for name in like.spec.effects]
    return np.linalg.inv(own)


def _priors(like: Likelihood, x: Floats) -> Floats:
    """What the priors know about scores and shared numbers."""
    s = np.clip(x[like.layout.scores], -50, 50)
    shared = [shared_prior(name)[1] ** -2 for name in like.layout.shared]
    return np.concatenate([like.anchors / (4 * np.cosh(s / 2) ** 2), shared])


def _corrected(pull: Coordinates, mass: Coordinates, prior: Floats, *, mixed: bool) -> Grouped:
    """Each group's pull, larger the more of a column's information it holds (CR2: Bell and McCaffrey 2002), and
    the effective number of groups per column."""
    pull, share = _leveraged(pull, mass, prior + np.bincount(mass.column, mass.value, mass.shape[1]))
    effective = 1 / np.maximum(np.bincount(mass.column, share**2, mass.shape[1]), 1e-12)
    return Grouped(pull, effective, mixed)


def _leveraged(pull: Coordinates, mass: Coordinates, total: Floats) -> tuple[Coordinates, Floats]:
    """The pulls, larger by their leverage, and each group's share of what all know."""
    known = total[mass.column]
    share = np.where(known > 0, mass.value / np.maximum(known, 1e-300), 1.0)  # nothing known: as if by one judge
    return pull.with_values(pull.value / np.sqrt(1 - np.minimum(share, MOST_LEVERAGE))), share

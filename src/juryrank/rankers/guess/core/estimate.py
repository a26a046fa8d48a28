"""All of it in one call: from counted answers to chances with intervals.

Two readings of the same answers. Where judges look for one truth, some are better than others, and answers count
by how good their judge seems. Where people have tastes of their own there is no such truth, and a minority is not
a bad judge: all answers count alike, and intervals make room for how people differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from juryrank.core.tallies import CountTable
from juryrank.defaults import ESTIMATE_LEVEL
from juryrank.rankers.guess.core.chances import LINK_LAPSES, LINK_SLOPES, Chances, Promised, chances, unknown
from juryrank.rankers.guess.core.posterior import (
    DAMPING,
    ENOUGH,
    LAPSES,
    LEAST,
    SLOPES,
    SWEEPS,
    CountedAnswers,
    Floats,
    Ints,
    JudgeLinks,
    Posterior,
    Sites,
    flattened,
    meant,
    normal,
    pooled,
    sigmoid,
)

MOST_JUDGES = 24  # whose I_u² are summed; the others are taken to be like them, in proportion
# τ² is widened by 1 + FEW / judges: with few it is known badly, and each differs less from the fitted scores
# than from the true ones. That is near to M / (M - 1) times the square of Student's t over the normal's at 90 %.
FEW = 4.0
LEAST_LUCK = 0.2  # even where everybody ties, the next answer may not


def widened(found: Posterior, table: CountTable) -> Floats:
    """The covariance of the scores with room for the judges' own tastes."""
    judges, items = len(found.jury.flat), len(found.mean)
    if not len(table.judge):
        return found.covariance
    pull, information = _rows(found, table)
    pulls = _by_judge_and_item(table, pull, -pull, shape=(judges, items))
    own = _by_judge_and_item(table, information, information, shape=(judges, items))
    squares = (own**2).sum(axis=1) + 2 * np.bincount(table.judge, weights=information**2, minlength=judges)
    if squares.sum() <= 0:
        return found.covariance
    luck = float(np.clip((pull**2).sum() / information.sum(), LEAST_LUCK, 1.0))
    taste = max(float((pulls**2).sum() - luck * own.sum()), 0.0) / float(squares.sum())
    matrix = _sum_of_squares(table, information, squares, items=items)
    room = 1 + FEW / np.count_nonzero(squares)
    prior = (1 - luck) * found.covariance @ found.covariance
    wide = luck * found.covariance + prior + room * taste * found.covariance @ matrix @ found.covariance
    least = 1 / np.maximum(np.sqrt(wide.diagonal()), 1.0)  # nothing is less known than before any answer
    capped: Floats = wide * np.outer(least, least)
    return capped


def _rows(found: Posterior, table: CountTable) -> tuple[Floats, Floats]:
    """Per judge and pair: how far its answers pull the scores apart, and the information in them."""
    gap, spread = found.gaps(table.low, table.high)
    slopes = flattened(spread)
    up = sigmoid(slopes * gap[:, None])
    chance = found.jury.chance(table.judge, up)
    steepness = (found.jury.steep[table.judge] * slopes * up * (1 - up)).sum(axis=1)
    pull = steepness * (table.wins / chance - table.losses / (1 - chance))
    return pull, (table.wins + table.losses) * steepness**2 / (chance * (1 - chance))


def _by_judge_and_item(table: CountTable, low: Floats, high: Floats, *, shape: tuple[int, int]) -> Floats:
    judges, items = shape
    cells = np.zeros(judges * items)
    for item, weights in ((table.low, low), (table.high, high)):
        cells += np.bincount(table.judge * items + item, weights=weights, minlength=judges * items)
    return cells.reshape(shape)


def _sum_of_squares(table: CountTable, information: Floats, squares: Floats, *, items: int) -> Floats:
    """Σ_u I_u², from some judges if there are many."""
    heard = np.flatnonzero(squares > 0)
    chosen = heard[np.unique(np.linspace(0, len(heard) - 1, MOST_JUDGES).astype(np.int64))]
    starts = np.searchsorted(table.judge, [chosen, chosen + 1])  # rows are sorted by judge
    total = np.zeros((items, items))
    for start, stop in starts.T:
        rows = slice(start, stop)
        seen, ends = np.unique(np.append(table.low[rows], table.high[rows]), return_inverse=True)
        laplacian = _laplacian(ends.ravel(), information[rows], size=len(seen))
        total[np.ix_(seen, seen)] += laplacian @ laplacian
    return total * (squares.sum() / squares[chosen].sum())


def _laplacian(ends: Ints, weight: Floats, *, size: int) -> Floats:
    low, high = ends.reshape(2, -1)
    matrix = np.zeros((size, size))
    matrix[low, high] = -weight
    matrix += matrix.T
    matrix[np.diag_indices(size)] = -matrix.sum(axis=1)
    return matrix


# ----------------------------------------------------------------------------
# Scores with one Gaussian site per pair: expectation propagation over all answers about a pair together.
#
# What n answers say about a pair is not what one says, n times over: where judges err equally often on every pair,
# ten answers tell on which side of another an item stands, and hardly how far away. So a pair's site matches the
# mean and the variance of its gap under all of its answers together, integrated over a grid of gaps that follows
# what is believed of the pair: hundreds of answers leave much less open than the rest of the answers do.
NODES: Floats = np.linspace(-1.0, 1.0, 31)  # gaps at which a pair's answers are weighed, from end to end
FEW_NODES: Floats = np.linspace(-1.0, 1.0, 13)  # the same for the links, of which there are many, or with ...
REACH = 4.0  # standard deviations to either end
MANY_ROWS = 3000  # ... more rows than these: most have hardly more than an answer each
LINK_EVERY = 3  # sweeps
FROM_CERTAIN = 1e-12  # how far every chance stays from 0 and 1: logarithms are finite
UNLIKELY = 1e-7  # slopes that are believed less change no digit that is shown


class PairRows(NamedTuple):
    """Answers by pair and judge, sorted by pair; `first` is each pair's first row."""

    judge: Ints
    pair: Ints
    wins: Floats  # of the pair's item with the lower number, ties counting half
    losses: Floats
    first: Ints
    pairs: CountedAnswers  # one row per pair, without a judge

    @classmethod
    def of(cls, table: CountTable, *, items: int) -> PairRows:
        order = np.argsort(table.low * items + table.high, kind="stable")
        keys, first, pair = np.unique(
            (table.low * items + table.high)[order], return_index=True, return_inverse=True
        )
        pairs = CountedAnswers(np.zeros_like(keys), keys // items, keys % items, np.ones(len(keys)))
        return cls(table.judge[order], pair.ravel(), table.wins[order], table.losses[order], first, pairs)

    def alike(self) -> PairRows:
        """The same answers as if one judge had given them all."""
        wins, losses = (np.add.reduceat(column, self.first) for column in (self.wins, self.losses))
        each = np.arange(len(self.first))
        return PairRows(np.zeros_like(each), each, wins, losses, each, self.pairs)


class GapNodes(NamedTuple):
    """By pair and node: a gap, and the logarithm of the mass that the other pairs give to its surroundings."""

    at: Floats
    likely: Floats


def fit_pairs(rows: PairRows, *, items: int, jury: JudgeLinks, weighed: Callable[..., JudgeLinks]) -> Posterior:
    """The posterior after one or more answers; `weighed(found, rows)` is what they tell about the judges."""
    found = Posterior(np.zeros(items), np.eye(items), jury, Sites(*np.zeros((2, len(rows.first)))))
    nodes = NODES if len(rows.pair) <= MANY_ROWS else FEW_NODES
    for sweep in range(SWEEPS):
        before = found.mean
        if sweep and sweep % LINK_EVERY == 0:
            found = found._replace(jury=weighed(found, rows))
        new = _matched(found, rows, nodes)
        sites = Sites(*(was + DAMPING * (now - was) for was, now in zip(found.sites, new, strict=True)))
        mean, covariance = normal(items, rows.pairs, sites)
        found = Posterior(mean, covariance, found.jury, sites)
        if sweep > 2 * LINK_EVERY and np.abs(mean - before).max() < ENOUGH:
            break
    return found


def looked(found: Posterior, rows: PairRows, nodes: Floats) -> GapNodes:
    """Gaps from one end of what the other pairs leave open to the other, closer where the pair's answers are."""
    gap, spread = (column[:, None] for column in found.without(rows.pairs))
    mean, variance = (column[:, None] for column in found.gaps(rows.pairs.winner, rows.pairs.loser))
    wide, near = np.sqrt(spread), np.sqrt(variance)
    stretch = np.arcsinh((np.abs(gap - mean) + REACH * wide) / near)
    at = mean + near * np.sinh(stretch * nodes)
    return GapNodes(at, np.log(np.cosh(stretch * nodes)) - ((at - gap) / wide) ** 2 / 2)


def told(jury: JudgeLinks, rows: PairRows, at: Floats) -> Floats:
    """(row, node): log-likelihood of each row's answers."""
    chance = np.repeat(jury.flat[rows.judge][:, None], at.shape[1], axis=1)
    for g in np.flatnonzero(jury.steep.max(axis=0) > UNLIKELY):
        up = sigmoid(SLOPES[g] * at)[rows.pair]
        up *= jury.steep[rows.judge, g][:, None]
        chance += up
    np.minimum(np.maximum(chance, FROM_CERTAIN, out=chance), 1 - FROM_CERTAIN, out=chance)
    return log_likelihood(chance, rows.wins, rows.losses)


def log_likelihood(chance: Floats, wins: Floats, losses: Floats) -> Floats:
    """(..., row, node): of each row's answers, so many either way; most rows have answers one way only."""
    said = np.where((losses > wins)[:, None], 1 - chance, chance)
    values: Floats = np.maximum(wins, losses)[:, None] * np.log(said)
    split = np.flatnonzero(np.minimum(wins, losses))
    values[..., split, :] += np.minimum(wins, losses)[split, None] * np.log1p(-said[..., split, :])
    return values


def _matched(found: Posterior, rows: PairRows, nodes: Floats) -> Sites:
    """Sites that give each gap the mean and the variance it has once the pair's answers are in."""
    at, likely = looked(found, rows, nodes)
    total = np.add.reduceat(told(found.jury, rows, at), rows.first, axis=0) + likely
    mass = np.exp(total - total.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    mean = (mass * at).sum(axis=1)
    variance = np.maximum((mass * (at - mean[:, None]) ** 2).sum(axis=1), LEAST)
    gap, spread = found.without(rows.pairs)
    precision = np.maximum(1 / variance - 1 / spread, 0.0)
    return Sites(precision, mean * (precision + 1 / spread) - gap / spread)


# ----------------------------------------------------------------------------
# What answers about pairs tell about those who gave them: a link for everybody, or one for each judge.
#
# Each pair is judged by what the other pairs say about its gap and, for each judge, by what the others say about
# the pair. How far apart its items are is not known, so all gaps are integrated over: forty answers that are split
# evenly are those of a good judge about two equal items as well as those of a bad one.
FEW_ANSWERS = 2  # of a judge about a pair: they are weighed one by one, which is quicker
MEANT = 4.0  # how much likelier small lapses are before any answer
MEANT_PRIOR: Floats = meant(MEANT)
MEANT_POOL, MEANT_ROUNDS = 1.0, 8  # judges that this prior counts for, and until they settle
LINK_PAIRS = 300  # that one link is learned from
CELLS = 8192  # numbers worked on at once: few calls, and they stay in the processor's cache


def one_link(found: Posterior, rows: PairRows) -> JudgeLinks:
    """Everybody's link, if all answers count alike."""
    return JudgeLinks.of(common_link(found, rows, LAPSES, SLOPES)[None])


def common_link(found: Posterior, rows: PairRows, lapses: Floats, slopes: Floats) -> Floats:
    """(lapse, slope): what is believed of one link for all answers together."""
    every = -(-len(rows.first) // LINK_PAIRS)
    rows = rows.alike()
    at, likely = (column[::every] for column in looked(found, rows, FEW_NODES))
    wins, losses = rows.wins[::every], rows.losses[::every]
    like = np.empty((len(lapses), len(slopes)))
    for g, slope in enumerate(slopes):
        like[:, g] = every * _integrated(lapses, sigmoid(slope * at), wins, losses, likely).sum(axis=1)
    like += MEANT * np.log(1 - 2 * lapses)[:, None]
    belief: Floats = np.exp(like - like.max())
    return belief / belief.sum()


def each_link(found: Posterior, rows: PairRows) -> JudgeLinks:
    """Each judge's link, beside what the others say about each pair."""
    at, likely = looked(found, rows, FEW_NODES)
    own = told(found.jury, rows, at)
    others = (np.add.reduceat(own, rows.first, axis=0) + likely)[rows.pair] - own
    others -= others.max(axis=1, keepdims=True)
    others -= np.log(np.exp(others).sum(axis=1, keepdims=True))
    total = rows.wins + rows.losses
    few, many = np.flatnonzero(total <= FEW_ANSWERS), np.flatnonzero(total > FEW_ANSWERS)
    mass = np.exp(others[few])
    by_row = np.empty((len(LAPSES), len(total)))
    like = np.empty((len(found.jury.flat), len(LAPSES), len(SLOPES)))
    for g, slope in enumerate(SLOPES):
        up = sigmoid(slope * at)
        mean = (mass * up[rows.pair[few]]).sum(axis=1)
        by_row[:, few] = _said(mean, rows.wins[few], rows.losses[few])
        by_row[:, many] = _integrated(
            LAPSES, up[rows.pair[many]], rows.wins[many], rows.losses[many], others[many]
        )
        for e, row in enumerate(by_row):
            like[:, e, g] = np.bincount(rows.judge, weights=row, minlength=len(like))
    heard = np.asarray(np.bincount(rows.judge, weights=total, minlength=len(like)), np.float64)
    return pooled(like, heard, prior=MEANT_PRIOR, weight=MEANT_POOL, rounds=MEANT_ROUNDS)


def _said(up: Floats, wins: Floats, losses: Floats) -> Floats:
    """(lapse, row): log-likelihood of a few answers, each by itself."""
    lapse = LAPSES[:, None]
    found: Floats = wins * np.log(lapse + (1 - 2 * lapse) * up) + losses * np.log(1 - lapse - (1 - 2 * lapse) * up)
    return found


def _integrated(lapses: Floats, up: Floats, wins: Floats, losses: Floats, weight: Floats) -> Floats:
    """(lapse, row): log-likelihood of each row's answers over gaps, which have these logarithms of weights."""
    found, at_once = np.empty((len(lapses), len(wins))), max(1, CELLS // max(1, up.size))
    for start in range(0, len(lapses), at_once):
        lapse = lapses[start : start + at_once, None, None]
        chance = np.clip(lapse + (1 - 2 * lapse) * up, FROM_CERTAIN, 1 - FROM_CERTAIN)
        values = log_likelihood(chance, wins, losses) + weight
        most = values.max(axis=-1, keepdims=True)
        found[start : start + at_once] = most[..., 0] + np.log(np.exp(values - most).sum(axis=-1))
    return found


# ----------------------------------------------------------------------------
# All of it in one call: from counted answers to chances with intervals.
MOST_ITEMS = 1000  # the covariance of more takes too long
# By how much intervals are widened beyond the model, chosen on seeds that `benchmarks.estimates` does not use:
# fitted judges and sites look surer than they are.
TRUTH_WIDER, OPINION_WIDER = 1.5, 1.25  # of the covariance
TRUTH_ROOM, OPINION_ROOM = 1.5, 1.0  # of distances in the scores' intervals: they hang on the link, too


def estimate(
    table: CountTable,
    *,
    items: int,
    judges: int,
    opinions: bool,
    level: float = ESTIMATE_LEVEL,
    k: int = 1,
    order: Ints | None = None,
    promised: Promised | None = None,
) -> Chances:
    """Chances of all items; `opinions`: judges have tastes of their own; `order`: best first, if it is proven.

    `promised`: the ranges of ranks that are promised, where some are.
    """
    if not len(table.judge):
        return unknown(items, k=k)
    rows = PairRows.of(table, items=items)
    if opinions:
        found = fit_pairs(rows.alike(), items=items, jury=JudgeLinks.unheard(1), weighed=one_link)
        everybody = found._replace(jury=JudgeLinks(*(np.repeat(part, judges, axis=0) for part in found.jury)))
        covariance, room = OPINION_WIDER * widened(everybody, table), OPINION_ROOM
    else:
        found = fit_pairs(rows, items=items, jury=JudgeLinks.unheard(judges), weighed=each_link)
        covariance, room = TRUTH_WIDER * found.covariance, TRUTH_ROOM
    link = common_link(found, rows, LINK_LAPSES, LINK_SLOPES)
    return chances(found.mean, covariance, link, level=level, k=k, room=room, order=order, promised=promised)


def components(table: CountTable, *, items: int) -> Ints:
    """For each item the number of its component: items joined by answers share one.

    >>> one, two = np.array([0, 1]), np.array([1, 2])
    >>> rows = CountTable(one * 0, one, two, np.ones(2), np.zeros(2))
    >>> components(rows, items=4).tolist()
    [0, 0, 0, 3]
    """
    label = np.arange(items)
    while True:
        lowest = label.copy()
        np.minimum.at(lowest, table.low, label[table.high])
        np.minimum.at(lowest, table.high, label[table.low])
        lowest = lowest[lowest]
        if np.array_equal(lowest, label):
            return label
        label = lowest

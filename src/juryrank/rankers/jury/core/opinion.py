"""The search's opinion of every pair: Bradley-Terry strengths, plus a deviation of each pair from them.

It promises nothing. It learns of an answer when that is counted, in the order drawn. The odds of a pair are the
log-odds that an answer prefers the first item, a tie being half. They depend on the answers alone, never on the
way there, so that a restored ranker has the same opinion.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.jury.core.evidence import Floats
from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import Pair

PAIR_SPREAD = 0.3**2  # variance of a pair's deviation from the difference of two strengths (log-odds)
STRENGTH_SPREAD = 1.5**2  # prior variance of a strength
FARTHEST = 4.0  # log-odds beyond this are not told apart
LEAST_BINOMIAL = 0.02  # of p(1-p): one-sided answers do not make a pair certain
KNOWN = 1 - 1e-9  # a pair with this weight told is known
MOST_DOUBT = 1 - 1e-5  # of a claim that is not counted false: 1 is kept for those that are
EXACT = 1e-9  # variance of a known pair
ROUNDS = 3  # Newton steps; a fourth changes the third digit of nothing


class Opinion:
    """Odds and variance of every pair, from what was told of it."""

    def __init__(self, items: int, start: Start | None = None) -> None:
        shape = (items, items)
        self.items, self.start = items, start
        self.strengths: Floats = np.zeros(items)
        self._gap: Floats = np.zeros(shape)
        self._gap_spread: Floats = np.full(shape, 2 * STRENGTH_SPREAD)
        self._all: Floats = np.zeros((5, *shape))  # one array, so that claims are looked up at once
        self.odds, self.spread = self._all[0], self._all[1]
        self.part = self._all[2]  # Σ v x of what is told
        self.given = self._all[3]  # Σ v of answers told
        self.known = self._all[4]  # Σ v told, refusals included
        self.spread[:] = 2 * STRENGTH_SPREAD + PAIR_SPREAD
        self._data: dict[Pair, tuple[float, float, float]] = {}  # (size, mean, known) of each pair told
        self._fitted: dict[Pair, tuple[float, float, float]] = {}  # the same when the strengths were fitted
        self._doubts: dict[tuple[float, float], Floats] = {}  # of all claims as they are now, by (ε, reach)
        if start is not None:
            self._solve()

    # ------------------------------------------------------------------ learning
    def learn(self, book: PairBook) -> None:
        """A pair has one more answer."""
        i, j = book.pair
        self._take(book)
        gap, spread = float(self._gap[i, j]), float(self._gap_spread[i, j])
        odds, spread = (round(value, SAME) for value in blended_one(gap, spread, *self._data[book.pair]))
        self.odds[i, j], self.odds[j, i] = odds, -odds
        self.spread[i, j] = self.spread[j, i] = spread
        both = ([i, j], [j, i])
        for how, doubts in self._doubts.items():
            doubts[both] = self._doubts_at(both, *how)

    def _take(self, book: PairBook) -> None:
        i, j = book.pair
        self._data[book.pair] = summary(book)
        self.known[i, j] = self.known[j, i] = book.known
        if not book.table.fresh:
            self.part[i, j], self.part[j, i] = book.part, -book.part
            self.given[i, j] = self.given[j, i] = book.given
        else:
            share = book.answered / max(book.counted, 1)
            self.given[i, j] = self.given[j, i] = share * sum(book.table.weights)

    def fit(self) -> None:
        """Strengths from all pairs told so far, and every pair's odds from them."""
        self._fitted = dict(sorted(self._data.items()))  # one order, so that sums are the same to the last digit
        self._solve()

    def _solve(self) -> None:
        n = self.items
        self._doubts = {}
        pairs = np.array(list(self._fitted), dtype=np.int64).reshape(-1, 2)
        data = ToldPairs(*np.array(list(self._fitted.values())).reshape(-1, 3).T)
        i, j = pairs[:, 0], pairs[:, 1]
        smooth = (data.size * data.mean) / (data.size + 2)  # two ties more than there are
        odds = np.log((1 + smooth) / (1 - smooth))
        covariance, prior, lean = np.eye(n) * STRENGTH_SPREAD, np.eye(n) / STRENGTH_SPREAD, np.zeros(n)
        diagonal = np.diag_indices(n)
        if self.start is not None:
            count = len(self.start.means)  # items that joined have no strength to start from
            known = (pairs < count).all(axis=1)
            told = (i[known], j[known], data.size[known], (1 + data.mean[known]) / 2)
            self.start.learn(*told, strength=STRENGTH_SPREAD, pair=PAIR_SPREAD)
            looks = self.start.weights(n)
            prior += np.diag(looks)
            lean[:count] = looks[:count] * self.start.means
        for _ in range(ROUNDS):
            own, own_spread = data.own_odds(odds)
            weight = 1 / (own_spread + PAIR_SPREAD)
            precision = prior.copy()
            precision[diagonal] += np.bincount(i, weight, n) + np.bincount(j, weight, n)
            precision[i, j] -= weight
            precision[j, i] -= weight
            pull = np.bincount(i, weight * own, minlength=n) - np.bincount(j, weight * own, minlength=n) + lean
            covariance = inverse(precision)
            self.strengths = np.asarray(np.round(covariance @ pull, SAME), dtype=np.float64)
            own_spread = covariance[diagonal]
            gap = self.strengths[i] - self.strengths[j]
            odds, _ = blended(gap, own_spread[i] + own_spread[j] - 2 * covariance[i, j], data)
        own_spread = covariance[diagonal]
        self._gap = self.strengths[:, None] - self.strengths[None, :]
        self._gap_spread = np.round(own_spread[:, None] + own_spread[None, :] - 2 * covariance, SAME)
        self.odds[:], self.spread[:] = self._gap, self._gap_spread + PAIR_SPREAD
        if len(pairs):
            self._set((i, j), data)

    def _set(self, at: tuple[NDArray[np.int64], NDArray[np.int64]], data: ToldPairs) -> None:
        i, j = at
        odds, spread = (np.round(value, SAME) for value in blended(self._gap[at], self._gap_spread[at], data))
        self.odds[i, j], self.odds[j, i] = odds, -odds
        self.spread[i, j] = self.spread[j, i] = spread

    def strengths_now(self) -> list[tuple[float, float]]:
        """Each strength about their middle, with its standard deviation: what a later search may start from."""
        middle = np.eye(self.items) - 1 / self.items
        spread = np.diag(middle @ self._gap_spread @ middle) / -2
        means = self.strengths - self.strengths.mean()
        return list(zip(means.tolist(), np.sqrt(np.maximum(spread, 0.0)).tolist(), strict=True))

    # ------------------------------------------------------------------ doubts
    def doubts(self, better: NDArray[np.int64], worse: NDArray[np.int64], epsilon: float, reach: float) -> Floats:
        """The chance that "better over worse" is false, exact where known; `reach`: of ε, in log-odds.

        An answer changes two of them, and thousands are asked for before each question: so they are kept.
        """
        how = (epsilon, reach)
        if how not in self._doubts:
            self._doubts[how] = self._doubts_at((slice(None), slice(None)), *how)
        found: Floats = self._doubts[how].take(better * self.items + worse)  # much quicker than [better, worse]
        return found

    def _doubts_at(self, at: tuple[Any, Any], epsilon: float, reach: float) -> Floats:
        odds, spread, part, given, known = self._all[:, *at]
        reached: Any = reach * epsilon
        asked = np.count_nonzero(known)  # most pairs of a long list were not asked about yet: less to do for them
        if asked and epsilon:
            reached = reached * np.where(known > 0, np.minimum(given / np.maximum(known, 1e-12), 1.0), 1.0)
        doubt: Floats = np.minimum(normal_tail((odds + reached) / np.sqrt(spread)), MOST_DOUBT)
        if not asked:
            return doubt
        seen = part + 2 * epsilon * given
        doubt[seen + (1 - known) * (1 + 2 * epsilon) < -EXACT] = 1.0
        whole = known >= KNOWN
        if np.count_nonzero(whole):
            doubt[whole] = np.where(seen[whole] >= -EXACT, 0.0, 1.0)
        return doubt

    # ------------------------------------------------------------------ snapshots
    def state(self) -> list[list[float]]:
        return [[i, j, *data] for (i, j), data in self._fitted.items()]

    def load(self, state: list[list[float]], books: Mapping[Pair, PairBook]) -> None:
        """The same opinion from the same answers: the fit as it was, then what was told since."""
        self._fitted = {(int(i), int(j)): (size, mean, known) for i, j, size, mean, known in state}
        told = [book for book in books.values() if book.counted]
        for book in told:
            self._take(book)
        if self._fitted or self.start is not None:
            self._solve()
        for book in told:
            if self._data[book.pair] != self._fitted.get(book.pair):
                self.learn(book)
        self._doubts = {}


def summary(book: PairBook) -> tuple[float, float, float]:
    """How many answers the mean is worth, the jury's mean from each judge's own, and the weight known."""
    weights = book.table.weights
    calls, total = sum(book.calls), sum(book.x)
    overall = total / calls
    mean = sum(w * (x + overall) / (n + 1) for w, x, n in zip(weights, book.x, book.calls, strict=True))
    spread = sum(w * w / (n + 0.3) for w, n in zip(weights, book.calls, strict=True))
    if book.known >= KNOWN:
        mean = book.part
    return min(calls, 1 / spread), mean, book.known


class ToldPairs:
    """What was told of some pairs: how many answers each mean is worth, the mean, the weight known."""

    def __init__(self, size: Floats, mean: Floats, known: Floats) -> None:
        self.size, self.mean = size, mean
        self._share = (1 + mean) / 2
        self._left = np.maximum(1 - known, EXACT)
        self.whole = known >= KNOWN
        self.any_whole = bool(self.whole.any())

    def own_odds(self, odds: Floats) -> tuple[Floats, Floats]:
        """Each pair's log-odds from its own answers, and their variance: one Newton step from `odds`."""
        p = 1 / (1 + np.exp(-odds))
        binomial = np.maximum(p * (1 - p), LEAST_BINOMIAL)
        own: Floats = odds + (self._share - p) / binomial
        return own, self._left / (self.size * binomial)


def blended(gap: Floats, gap_spread: Floats, told: ToldPairs) -> tuple[Floats, Floats]:
    """A pair's log-odds and variance from the strengths' gap and its own answers."""
    odds = gap
    for _ in range(ROUNDS):
        own, own_spread = told.own_odds(odds)
        share = PAIR_SPREAD / (PAIR_SPREAD + own_spread)
        odds = np.minimum(np.maximum(gap + share * (own - gap), -FARTHEST), FARTHEST)
    spread: Floats = share * own_spread + (1 - share) ** 2 * gap_spread
    if not told.any_whole:
        return odds, spread
    certain = np.minimum(np.maximum(told.mean, -0.999), 0.999)
    return np.where(told.whole, np.log((1 + certain) / (1 - certain)), odds), np.where(told.whole, EXACT, spread)


def blended_one(gap: float, gap_spread: float, size: float, mean: float, known: float) -> tuple[float, float]:
    """The same for one pair, ten times as fast: it is wanted after every answer.

    >>> one = blended_one(0.3, 0.5, 8.0, 0.25, 0.1)
    >>> many = blended(np.array([0.3]), np.array([0.5]), ToldPairs(*np.array([[8.0], [0.25], [0.1]])))
    >>> bool(np.allclose(one, (many[0][0], many[1][0])))
    True
    """
    if known >= KNOWN:
        certain = min(max(mean, -0.999), 0.999)
        return math.log((1 + certain) / (1 - certain)), EXACT
    odds = gap
    share = spread = 0.0
    for _ in range(ROUNDS):
        p = 1 / (1 + math.exp(-odds))
        binomial = max(p * (1 - p), LEAST_BINOMIAL)
        own = odds + ((1 + mean) / 2 - p) / binomial
        spread = (1 - known) / (size * binomial)
        share = PAIR_SPREAD / (PAIR_SPREAD + spread)
        odds = min(max(gap + share * (own - gap), -FARTHEST), FARTHEST)
    return odds, share * spread + (1 - share) ** 2 * gap_spread


def normal_tail(z: Floats) -> Floats:
    """P(N(0, 1) > z) to three digits: enough for a guess, and quick for whole matrices.

    >>> [round(float(normal_tail(np.array(z))), 3) for z in (0.0, 1.0, 2.0)]
    [0.5, 0.159, 0.023]
    """
    found: Floats = 0.5 * (1 - np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
    return found


# ----------------------------------------------------------------------------
# The inverse of a symmetric positive definite matrix, without the threads of a linear algebra library.
TILE = 64  # OpenBLAS starts threads for products above 64^3 and inverses from 100 on


def inverse(matrix: Floats) -> Floats:
    """Gauss-Jordan on tiles: threads that wait for each other take 40 times as long as the inverse of 100 items.

    >>> spread = np.eye(150) + 0.1
    >>> bool(np.allclose(inverse(spread) @ spread, np.eye(150)))
    True
    """
    n = len(matrix)
    if n <= TILE:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    count = -(-n // TILE)
    size = -(-n // count)
    whole = np.eye(count * size)
    whole[:n, :n] = matrix
    tiles = whole.reshape(count, size, count, size).swapaxes(1, 2).copy()
    for k in range(count):  # what is left is positive definite at each step: no pivots are needed
        own = np.linalg.inv(tiles[k, k])
        row, column = own @ tiles[k], tiles[:, k].copy()
        row[k], column[k] = own, 0.0
        tiles[:, k] = 0.0
        tiles[k] = 0.0
        tiles -= column[:, None] @ row
        tiles[k] = row
    return tiles.swapaxes(1, 2).reshape(count * size, -1)[:n, :n]


# ----------------------------------------------------------------------------
# Where the search starts: strengths from elsewhere, with a width each. They are a guess, and never evidence.
#
# A strength m with width w counts as one look at the item's strength that is off by about w, and by a drift that
# all share: what changed since. How large the drift is, today's answers say: each drift has its likelihood, and
# a start that they contradict ends with next to no weight.
DRIFTS = np.array([0.15, 0.4, 0.8, 50.0])  # of a strength, in log-odds; the last one: the start says nothing
Places = NDArray[np.int64]
NODES, SHARES = np.polynomial.hermite_e.hermegauss(15)  # of a normal distribution
USUAL_DRIFT = 0.4
CONFIRMED, HALF_HEARD, DROPPED = 0.05, 0.3, 0.75  # how likely it is that the start says nothing: up to the first
# it counts in full, from the second on not at all, and from the third on it is not looked at any more
SAME = 9  # digits kept: processors differ in the sixteenth, and equal systems must come out equal


class Start:
    """Strengths in log-odds with their widths, for the first items; None: nothing is known of that item.

    >>> start = Start([(1.0, 0.3), (-1.0, 0.3), None])
    >>> start.means.tolist(), start.weights(3).tolist()
    ([1.0, -1.0, 0.0], [0.712957594, 0.712957594, 0.0])
    """

    def __init__(self, strengths: Sequence[tuple[float, float] | None]) -> None:
        self.known = np.array([one is not None for one in strengths], dtype=bool)
        means = np.array([0.0 if one is None else one[0] for one in strengths])
        middle = means[self.known].mean() if self.known.any() else 0.0
        self.means: Floats = np.where(self.known, means - middle, 0.0)  # only differences mean something
        self.widths: Floats = np.array([1.0 if one is None else one[1] for one in strengths])
        self.trust: Floats = np.ones(len(DRIFTS)) / len(DRIFTS)  # of each drift: how likely it is now

    def _each(self) -> Floats:
        """drifts x items: the weight of each look."""
        found: Floats = np.where(self.known, 1 / (self.widths**2 + DRIFTS[:, None] ** 2), 0.0)
        return found

    def weights(self, items: int) -> Floats:
        """The weight of each item's look now: none unless today's answers speak for it."""
        found = np.zeros(items)
        heard = min(max((HALF_HEARD - self.trust[-1]) / (HALF_HEARD - CONFIRMED), 0.0), 1.0)
        found[: len(self.means)] = np.round(heard * (self.trust @ self._each()), SAME)
        return found

    def gap(self, better: int, worse: int) -> tuple[float, float]:
        """How far one item is ahead of another before any answer, and the standard deviation of that."""
        if max(better, worse) >= len(self.means) or not (self.known[better] and self.known[worse]):
            return 0.0, 0.0
        widths = self.widths[[better, worse]] ** 2 + USUAL_DRIFT**2
        return float(self.means[better] - self.means[worse]), float(np.sqrt(widths.sum()))

    def learn(self, i: Places, j: Places, size: Floats, share: Floats, *, strength: float, pair: float) -> None:
        """How likely each drift is, by today's answers: `size` of them about (i, j), of which i got a `share`.

        `strength`, `pair`: the variances of a strength and of a pair's own deviation, where nothing is known.
        """
        each = self._each() + 1 / strength
        means, spreads = (each - 1 / strength) * self.means / each, 1 / each
        gap = means[:, i] - means[:, j]
        wide = np.sqrt(spreads[:, i] + spreads[:, j] + pair)
        odds = gap[:, :, None] + wide[:, :, None] * NODES
        won = -np.logaddexp(0.0, -odds)  # log p
        likely = (size * share)[:, None] * won + (size * (1 - share))[:, None] * (won - odds)
        top = likely.max(axis=2)
        logs = (top + np.log(np.exp(likely - top[:, :, None]) @ SHARES)).sum(axis=1)
        trust = np.exp(logs - logs.max())
        self.trust = np.asarray(trust / trust.sum(), dtype=np.float64)

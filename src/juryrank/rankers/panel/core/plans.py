"""Which questions an arriving person gets: a plan, fixed on arrival from what has been counted.

A plan may depend on anything but the person: the tallies of counted sittings, how many people have which pairs
before them now, a random number. In studies every item is heard of first, for the estimates; then come the pairs
that the objective needs, cheapest first, then other open ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.panel.core.bradley_terry import Floats, sigmoid

GUIDE_ANSWERS = 6.0  # the guide counts as this many answers to a pair; untuned
NEWCOMER = 6  # an item heard of less often, and less than half as often as most, is asked about first; untuned
HEARD_MORE = 0.5  # an opponent heard of once more must be so much nearer on the guide's scale; untuned
MOST_PEOPLE = 1e5  # more than any need: ln(1/α) is under 40, and an answer is worth at least LEAST_RATE
TIE_BREAK = 1e-3  # people: needs nearer than this are as good as equal
EVEN = 1 - 1e-9  # totals nearer than this are equal: a choice must not hang on rounding noise
CAPPED_FROM = 6  # items: from here on no item takes more than a third of a person's questions
WIDE = 30  # candidates looked at for each question of a plan, so that others are found for what is capped
LEAST_RATE = 0.002  # evidence per answer, at least: even a dead heat gets a finite number of people
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]


def all_pairs(items: int) -> Pairs:
    """Every pair (i, j) with i < j, as two arrays."""
    first, second = np.triu_indices(items, 1)
    return first, second


def other_pairs(pairs: Pairs, used: list[tuple[int, int]], without: Iterable[int]) -> NDArray[np.int64]:
    """The pairs, by index, that are not in `used` and hold nobody of `without`."""
    first, second = pairs
    n, gone = int(second.max(initial=0)) + 1, list(without)
    taken = np.isin(first * n + second, [min(pair) * n + max(pair) for pair in used])
    free: NDArray[np.int64] = np.flatnonzero(~(taken | np.isin(first, gone) | np.isin(second, gone)))
    return free


@dataclass(frozen=True, slots=True)
class Needs:
    """For each pair: the guessed share that prefers the first, and how many people it still takes."""

    share: Floats
    people: Floats


def needs(wins: NDArray[np.int64], evidence: Floats, s: Floats, goal: float, pairs: Pairs) -> Needs:
    """People needed to bring each pair's evidence (ln K) to `goal` (ln 1/α), at the share guessed now."""
    i, j = pairs
    share = guessed_share(wins[i, j], wins[j, i], sigmoid(s[i] - s[j]))
    have = np.where(share >= 0.5, evidence[i, j], evidence[j, i])
    return Needs(share, people_needed(share, goal - have))


def guessed_share(wins: NDArray[np.int64], losses: NDArray[np.int64], by_guide: Floats) -> Floats:
    """The share that prefers the first, from a pair's own tally and what the guide says of it."""
    share: Floats = (wins + GUIDE_ANSWERS * by_guide) / (wins + losses + GUIDE_ANSWERS)
    return share


def people_needed(share: Floats, missing: Floats) -> Floats:
    """Missing evidence over evidence per answer: KL(share, ½)."""
    p = np.clip(share, 1e-9, 1 - 1e-9)
    rate = np.log(2.0) + p * np.log(p) + (1 - p) * np.log(1 - p)
    people: Floats = np.maximum(1.0, missing / np.maximum(rate, LEAST_RATE))
    return people


def across_top(s: Floats, k: int, pairs: Pairs) -> NDArray[np.bool_]:
    """Pairs of one of the guide's top k with one of the others."""
    inside = np.zeros(len(s), dtype=bool)
    inside[np.argsort(-s, kind="stable")[:k]] = True
    crossing: NDArray[np.bool_] = inside[pairs[0]] != inside[pairs[1]]
    return crossing


def cheapest_line(
    s: Floats, people: Floats, open_: NDArray[np.bool_], pairs: Pairs, *, skip: set[int]
) -> int | None:
    """The size of the guide's top group whose open pairs with the rest need the fewest people in total."""
    position = np.empty(len(s), dtype=np.int64)
    position[np.argsort(-s, kind="stable")] = np.arange(len(s))
    a, b = position[pairs[0]][open_], position[pairs[1]][open_]
    cost = np.where(open_, people, 0.0)[open_]
    change = np.zeros(len(s) + 1)
    np.add.at(change, np.minimum(a, b) + 1, cost)  # positions a < b are parted by the lines a+1 .. b
    np.add.at(change, np.maximum(a, b) + 1, -cost)
    total = np.cumsum(change)[1 : len(s)]
    best: int | None = None
    for k in range(1, len(s)):
        crossed = total[k - 1] > 0.5  # an open pair costs at least one person; none: this line is settled
        if crossed and k not in skip and (best is None or total[k - 1] < EVEN * total[best - 1]):
            best = k
    return best


@dataclass(frozen=True, slots=True)
class Asked:
    """What people have been asked so far, whatever they say."""

    waiting: NDArray[np.int64]  # by pair: sittings not counted yet that hold it
    places: NDArray[np.int64]  # by item: places of all sittings that hold it

    @classmethod
    def nothing(cls, items: int) -> Asked:
        return cls(np.zeros(items * (items - 1) // 2, np.int64), np.zeros(items, np.int64))

    def heard(self, wins: NDArray[np.int64], pairs: Pairs) -> NDArray[np.int64]:
        """How often each item was answered about, or is before somebody now.

        A place is half an answer even if it brings none: what everybody skips is not asked about for ever.
        """
        heard: NDArray[np.int64] = wins.sum(axis=0) + wins.sum(axis=1)
        np.add.at(heard, pairs[0], self.waiting)
        np.add.at(heard, pairs[1], self.waiting)
        return np.maximum(heard, self.places // 2)


def newcomers(heard: NDArray[np.int64], pairs: Pairs) -> NDArray[np.bool_]:
    """Pairs with an item that hardly anybody was asked about: the guide knows nothing of it."""
    fresh = heard < min(NEWCOMER, float(np.median(heard)) / 2)
    new: NDArray[np.bool_] = fresh[pairs[0]] | fresh[pairs[1]]
    return new


def unheard(heard: NDArray[np.int64]) -> Floats:
    """Answers about each item that estimates still need first: sorting by comparisons takes 2 log2 N per item."""
    missing: Floats = np.maximum(0.0, 2 * np.log2(max(2, len(heard))) - heard)
    return missing


def for_estimates(
    size: int, s: Floats, heard: NDArray[np.int64], open_: NDArray[np.bool_], rng: np.random.Generator
) -> list[int]:
    """Pairs, by index, of items hardly heard of, the least known first, each with one that the guide puts near it.

    A proof asks the same few pairs again and again; from those alone nobody could say where other items stand.
    """
    n, heard, chosen = len(s), heard.copy(), list[int]()
    most, met = max(1, size // 3), np.zeros(n, dtype=np.int64)
    free = np.zeros((n, n), dtype=bool)
    free[all_pairs(n)] = open_
    free |= free.T
    while len(chosen) < size:
        may = free & (met < most)
        first = np.where(may.any(axis=1) & (met < most), unheard(heard), 0.0)
        if not first.any():
            break
        x = int(np.argmax(first + TIE_BREAK * rng.random(n)))
        far = np.abs(s - s[x]) + HEARD_MORE * (heard - heard[x]) + TIE_BREAK * rng.random(n)
        y = int(np.argmin(np.where(may[x], far, np.inf)))
        free[[x, y], [y, x]] = False
        heard[[x, y]] += 1
        met[[x, y]] += 1
        i, j = min(x, y), max(x, y)
        chosen.append(i * (2 * n - i - 1) // 2 + j - i - 1)  # its place in `all_pairs`
    return chosen


def choose(
    size: int,
    people: Floats,
    open_: NDArray[np.bool_],
    class_: NDArray[np.int64],
    waiting: NDArray[np.int64],
    tie_break: Floats,
    pairs: Pairs | None = None,
    before: Sequence[int] = (),
) -> NDArray[np.int64]:
    """The plan, as indices of pairs: open ones by class, then by need; never more than there are.

    `pairs`: no item in more than a third of them and of those chosen `before`, where others are as useful.

    A pair that already waits in as many open sittings as it needs goes last: those will settle it.
    """
    candidates = np.flatnonzero(open_)
    served = waiting[candidates] >= people[candidates]
    need = np.minimum(people[candidates], MOST_PEOPLE) + TIE_BREAK * tie_break[candidates]
    key = need + 2 * MOST_PEOPLE * (class_[candidates] + 3.0 * served)
    wide = size if pairs is None else WIDE * size
    if len(key) > wide:
        near = np.argpartition(key, wide - 1)[:wide]
        candidates, key = candidates[near], key[near]
    ordered: NDArray[np.int64] = candidates[np.argsort(key)]
    return ordered[:size] if pairs is None else capped(ordered, size, class_, pairs, before)


def capped(
    ordered: NDArray[np.int64], size: int, class_: NDArray[np.int64], pairs: Pairs, before: Sequence[int]
) -> NDArray[np.int64]:
    """The first `size` pairs in which, with those `before`, no item stands in more than a third.

    Pairs that the objective needs (class 1) are never left out for it, and where nothing else is left, the others
    come after all.
    """
    most, chosen = max(1, (size + len(before)) // 3), np.array(before, dtype=np.int64)
    met = np.bincount(np.append(pairs[0][chosen], pairs[1][chosen]), minlength=int(pairs[1].max()) + 1)
    taken: list[int] = []
    later: list[int] = []
    for pair in map(int, ordered if size else ()):
        i, j = int(pairs[0][pair]), int(pairs[1][pair])
        if class_[pair] != 1 and max(met[i], met[j]) >= most:
            later.append(pair)
            continue
        met[i] += 1
        met[j] += 1
        taken.append(pair)
        if len(taken) == size:
            break
    return np.array((taken + later)[:size], dtype=np.int64)

"""Field-share: the pairs of a sitting, drawn again by lot from the study's seed.

The promise about scores needs that every item is equally likely to meet every other, whatever was answered before.
So a plan is a function of the seed, the sitting's number and the items that were there. The lots are PCG64's raw
numbers, which every version of numpy gives alike; how they become permutations is written out here.
"""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import PCG64, SeedSequence

from juryrank.verify.arithmetic.evidence import met_at_most

STREAM = 11
SEED_MASK = 2**48 - 1
HALF = 2**32 - 1


class Lots:
    """Permutations from one stream of raw numbers, 32 bits at a time, the lower half first."""

    def __init__(self, seed: int, number: int) -> None:
        self._raw = PCG64(SeedSequence([seed & SEED_MASK, STREAM, number]))
        self._kept: list[int] = []

    def _half(self) -> int:
        if not self._kept:
            raw = int(self._raw.random_raw())
            self._kept = [raw >> 32, raw & HALF]
        return self._kept.pop()

    def _up_to(self, most: int) -> int:
        """A number from 0 to `most`: as many bits as it has, until they are not more."""
        mask = (1 << most.bit_length()) - 1
        while (value := self._half() & mask) > most:
            pass
        return value

    def permutation(self, n: int) -> list[int]:
        """Fisher and Yates, from the end.

        >>> sorted(Lots(7, 1).permutation(5))
        [0, 1, 2, 3, 4]
        """
        values = list(range(n))
        for at in range(n - 1, 0, -1):
            other = self._up_to(at)
            values[at], values[other] = values[other], values[at]
        return values


def plan_by_lot(items: Sequence[str], size: int, *, seed: int, number: int) -> list[frozenset[str]]:
    """The pairs that the seed gives the sitting of this number: a part of random matchings, in random order."""
    lots, n = Lots(seed, number), len(items)
    seats = lots.permutation(n + n % 2)  # with an odd number of items one seat is empty
    ring = len(seats) - 1
    pairs = [
        (seats[a], seats[b])
        for turn in lots.permutation(ring)[: met_at_most(n, size)]
        for a, b in [(turn, ring), *(((turn + k) % ring, (turn - k) % ring) for k in range(1, len(seats) // 2))]
    ]
    pairs = [pair for pair in pairs if max(pair) < n]
    chosen = lots.permutation(len(pairs))[:size]
    return [frozenset((items[pairs[k][0]], items[pairs[k][1]])) for k in chosen]

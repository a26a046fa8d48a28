"""Lots drawn by a study's seed (SplitMix64), written a second time: who is in a subset, how ties break."""

from __future__ import annotations

from collections.abc import Sequence

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
TIES, SUBSET = 3, 4  # streams


def lot(seed: int, stream: int, k: int) -> float:
    """The k-th number in [0, 1) of a stream.

    >>> 0 <= lot(7, SUBSET, 1) < 1
    True
    """
    z = 0
    for step in (seed * GOLDEN + 0x632BE59BD9B4E019, stream * 0xD1342543DE82EF95, k * GOLDEN):
        z = (z + step) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
    return (z >> 11) / 2**53


def drawn(values: Sequence[int], count: int, seed: int) -> list[int]:
    """So many of `values` by lot, in ascending order."""
    lots = [lot(seed, SUBSET, k) for k in range(len(values))]
    return sorted(values[k] for k in sorted(range(len(values)), key=lots.__getitem__)[:count])

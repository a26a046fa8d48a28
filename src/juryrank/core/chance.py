"""Chance by number: the k-th draw of a stream is a function of (seed, stream, k), with no state to keep.

A replayed log therefore draws exactly what the first run drew, on any machine, whatever happened in between.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15  # Steele, Lea & Flood 2014 (SplitMix64): the odd 64-bit fraction of the golden ratio

SEED_BITS = 59  # of fresh entropy: nobody tries them all, and 18 digits fit everywhere


def fresh_seed() -> int:
    """A seed that nobody chose."""
    return secrets.randbits(SEED_BITS)


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def uniform(seed: int, stream: int, k: int) -> float:
    """The k-th number in [0, 1) of one stream.

    >>> uniform(7, 0, 1) == uniform(7, 0, 1), uniform(7, 0, 1) == uniform(7, 1, 1)
    (True, False)
    """
    z = _mix((seed * _GOLDEN + 0x632BE59BD9B4E019) & _MASK)
    z = _mix((z + stream * 0xD1342543DE82EF95) & _MASK)
    z = _mix((z + k * _GOLDEN) & _MASK)
    return (z >> 11) * 2.0**-53


def pick(values: Sequence[T], seed: int, stream: int, k: int) -> T:
    """One of `values`, each equally likely."""
    return values[int(uniform(seed, stream, k) * len(values))]


def shuffled(values: Sequence[T], seed: int, stream: int) -> list[T]:
    """`values` in random order."""
    return [value for _, value in sorted(enumerate(values), key=lambda pair: uniform(seed, stream, pair[0]))]

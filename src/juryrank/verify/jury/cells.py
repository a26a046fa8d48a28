"""The draw of a cell, written a second time: a hash of (seed, pair, place), then a walk along the open cells."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from juryrank.verify.jury.setup import JuryOptions

Cell = tuple[int, int]  # (case, side of the pair's first item: 0 is left; always 0 where a case is one cell)


def hashed(parts: Sequence[object]) -> bytes:
    text = json.dumps(list(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


def judge_and_point(
    setup: JuryOptions, first: str, second: str, place: int, chances: Sequence[float]
) -> tuple[int, int]:
    """The judge drawn at a place of a pair, and the whole number below 2^128 that picks its cell."""
    digest = hashed(["juryrank draw", setup.seed, first, second, place])
    point = int.from_bytes(digest[:8], "big") // 2**11 / 2.0**53
    reached, judge = 0.0, -1
    for u, chance in enumerate(chances):
        if chance > 0:
            judge = u
            reached += chance
            if point < reached:
                break
    return judge, int.from_bytes(digest[8:24], "big")


def cell_at(open_cells: Sequence[tuple[Cell, int]], number: int) -> int:
    """The place in the list of open cells (with their weights) that the number falls on.

    >>> cell_at([((0, 0), 1), ((1, 0), 3)], 2**127)
    1
    """
    left = number * sum(weight for _, weight in open_cells) // 2**128
    for at, (_, weight) in enumerate(open_cells):
        if left < weight:
            return at
        left -= weight
    raise ValueError("there is no open cell")


def fixed_side(setup: JuryOptions, first: str, second: str, judge: str, case: str | None) -> int:
    """The side on which a case is shown once."""
    return hashed(["juryrank side", setup.seed, first, second, judge, case or ""])[0] % 2

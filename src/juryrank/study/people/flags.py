"""Flags for odd-looking answers: shown to the owner, never acted upon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.core.watches import chooses_by_side
from juryrank.study.reading import JudgeRow

FEW = 8  # choices below which nothing is said about time
FAST_SECONDS = 1.0  # nobody reads two items in less


def sides_by_lot(created: Mapping[str, Any]) -> bool:
    """Did juryrank draw the sides? Nobody knows how another program, whose votes were imported, chose them."""
    return not (created.get("settings") or {}).get("imported")


def flags(
    row: JudgeRow, *, place: int, median_time: float | None, note: Mapping[str, Any], by_lot: bool = True
) -> list[str]:
    """The flags of the judge at this place of the list, from 1 on.

    `note`: what the pages remember of them; `by_lot`: sides were drawn.

    "One side" is the monitor's test of sides; the others are counts.

    >>> from juryrank.types import JudgeReport
    >>> row = JudgeRow(JudgeReport("ann", 20, 20, None, None, None, True, ""), left=23, right=1)
    >>> flags(row, place=2, median_time=0.8, note={})
    ['too fast', 'mostly one side']
    """
    chosen = row.left + row.right
    odd = {
        "too fast": median_time is not None and chosen >= FEW and median_time < FAST_SECONDS,
        "mostly one side": by_lot and chooses_by_side(row.left, row.right, place=place),
        "checks failed": checks_failed(note),
    }
    return [words for words, found in odd.items() if found]


def checks(note: Mapping[str, Any]) -> tuple[int, int]:
    """How many attention checks were passed, and how many were given.

    >>> checks({"checks": {"check-1": {"answer": "left", "right": True}}})
    (1, 1)
    """
    given = list((note.get("checks") or {}).values())
    return sum(bool(one["right"]) for one in given), len(given)


def checks_failed(note: Mapping[str, Any]) -> bool:
    """Were fewer than half of the attention checks passed?"""
    passed, given = checks(note)
    return 2 * passed < given

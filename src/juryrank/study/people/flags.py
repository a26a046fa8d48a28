"""Flags for odd-looking answers: shown to the owner, never acted upon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.study.values import JudgeRow

FEW = 8  # choices below which nothing is odd: chance alone gives all left in 1 of 128
FAST_SECONDS = 1.0  # nobody reads two items in less


def flags(row: JudgeRow, *, median_time: float | None, note: Mapping[str, Any]) -> list[str]:
    """The flags of one judge; `note`: what the pages remember of them.

    >>> from juryrank.types import JudgeReport
    >>> row = JudgeRow(JudgeReport("ann", 10, 10, None, None, None, True, ""), left=10)
    >>> flags(row, median_time=0.8, note={})
    ['too fast', 'one side only']
    """
    chosen = row.left + row.right
    odd = {
        "too fast": median_time is not None and chosen >= FEW and median_time < FAST_SECONDS,
        "one side only": chosen >= FEW and not (row.left and row.right),
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

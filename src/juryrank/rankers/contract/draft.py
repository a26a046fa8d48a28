"""A question as an algorithm chooses it, and the random streams that make a shown question of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

SIDE_STREAM, JUDGE_STREAM = 1, 2  # streams of chance: which side is shown left, which judge is asked


@dataclass(frozen=True, slots=True)
class Draft:
    """Judge and items by index, before the sides are drawn (`sided`: the first one is shown left).

    `lane`: answers of one lane count in the order they were asked; None: whenever they come.
    """

    judge: int
    first: int
    second: int
    lane: Hashable = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    case: str | None = None
    sided: bool = False

"""Gold pairs: pairs whose better one is known, asked of each judge now and then, never counted in the ranking.

They may refute that a judge is any good; they cannot show that it is right on every pair, because they measure
an average. As they are looked at all the time, the interval is a confidence sequence: it holds at every moment.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, shown

LEVEL = 0.05  # of the interval: it misses the judge's share at any moment with at most this chance


@dataclass(slots=True)
class GoldRecord:
    """How a judge did on gold pairs so far.

    >>> record = GoldRecord()
    >>> for right in [True] * 30:
    ...     record.add(right)
    >>> record.low > 0.7, record.below_half
    (True, False)
    """

    right: int = 0
    asked: int = 0

    def add(self, right: bool) -> None:
        """One more answer."""
        self.asked += 1
        self.right += right

    @property
    def low(self) -> float:
        """The lower end of the confidence sequence."""
        return _end(self.right, self.asked, upper=False)

    @property
    def high(self) -> float:
        """Its upper end."""
        return _end(self.right, self.asked, upper=True)

    @property
    def below_half(self) -> bool:
        """Is the judge surely wrong more often than right on such pairs?"""
        return self.asked > 0 and self.high < 0.5


def _end(right: int, asked: int, *, upper: bool) -> float:
    """Where the mixture of all alternatives (uniform) is 1/LEVEL times likelier than the share itself (Ville)."""
    if not asked:
        return 1.0 if upper else 0.0
    mixture = math.lgamma(right + 1) + math.lgamma(asked - right + 1) - math.lgamma(asked + 2)
    bound, share = mixture + math.log(LEVEL), right / asked  # log-likelihoods below this are refuted

    def refuted(p: float) -> bool:
        wins = right * math.log(p) if right else 0.0
        losses = (asked - right) * math.log1p(-p) if asked > right else 0.0
        return wins + losses < bound

    inside, outside = share, (1.0 if upper else 0.0)
    if (upper and right == asked) or (not upper and right == 0):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if 0.0 < middle < 1.0 and refuted(middle):
            outside = middle
        else:
            inside = middle
    return outside


def read_gold(path: str | Path) -> list[tuple[str, str, str]]:
    """The pairs of a CSV with the columns left, right, winner: (left, right, better)."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows: list[dict[str, Any]] = list(csv.DictReader(file))
    except FileNotFoundError:
        raise BadInput(f"there is no file {shown(str(path))}") from None
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise BadInput(f"{shown(str(path))} cannot be read as CSV: {problem}") from None
    if not rows or not {"left", "right", "winner"} <= set(rows[0]):
        raise BadInput(f"{shown(str(path))} needs the columns left, right, winner and a row at least")
    return [_gold_row(row, place) for place, row in enumerate(rows, start=2)]


def _gold_row(row: dict[str, Any], line: int) -> tuple[str, str, str]:
    left, right, winner = (str(row[name] or "").strip() for name in ("left", "right", "winner"))
    better = {"left": left, "right": right}.get(winner, winner)
    if not left or not right or left == right or better not in (left, right):
        raise BadInput(
            f"line {line} of the gold pairs: winner must be left, right or one of the two different items"
        )
    return left, right, better

"""Gold pairs: pairs whose better item is known, asked of each judge now and then, never counted in the ranking.

They may show that a judge is no good; they cannot show that it is right on every pair, because they measure
an average. How a judge does on them is counted in `juryrank.log.gold`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, shown

COLUMNS = ("left", "right", "winner")


@dataclass(frozen=True, slots=True)
class GoldPair:
    """Two things, one of them known to be better; `case`: what they were made for, if that is shown too."""

    left: str
    right: str
    better: str
    case: str | None = None

    def __post_init__(self) -> None:
        if not self.left or not self.right or self.left == self.right:
            raise BadInput("a gold pair is two different things, none of them empty")
        if self.better not in (self.left, self.right):
            raise BadInput("the winner of a gold pair must be left, right or one of the two things")

    def plain(self) -> dict[str, str]:
        """As JSON, for the settings of a study."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def read_gold(path: str | Path) -> list[GoldPair]:
    """The pairs of a CSV with the columns left, right, winner (and case, if there is one)."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return gold_rows(csv.DictReader(file), where=shown(str(path)))
    except FileNotFoundError:
        raise BadInput(f"there is no file {shown(str(path))}; give a CSV with left, right, winner") from None
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise BadInput(f"{shown(str(path))} cannot be read as CSV: {problem}") from None


def gold_rows(rows: Iterable[Mapping[str, Any]], *, where: str) -> list[GoldPair]:
    """The pairs of rows with left, right, winner; winner is `left`, `right` or the better one itself."""
    found = list(rows)
    if not found or not set(COLUMNS) <= set(found[0]):
        raise BadInput(f"{where} needs the columns left, right, winner and at least one row")
    return [_gold_row(row, place) for place, row in enumerate(found, start=2)]


def gold_pairs(given: Any) -> list[GoldPair]:
    """Gold pairs from a file, from (left, right, better) tuples, or as a study's settings hold them.

    >>> gold_pairs([("tea", "mud", "tea")])[0].better
    'tea'
    """
    if given is None or isinstance(given, str | Path):
        return [] if given is None else read_gold(given)
    return [_gold_pair(pair) for pair in given]


def _gold_pair(pair: Any) -> GoldPair:
    if isinstance(pair, GoldPair):
        return pair
    if isinstance(pair, Mapping) and {"left", "right", "better"} <= set(pair):
        return GoldPair(str(pair["left"]), str(pair["right"]), str(pair["better"]), pair.get("case"))
    if isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == len(COLUMNS):
        return GoldPair(*map(str, pair))
    raise BadInput(f"{shown(str(pair))} is not a gold pair; give (left, right, better)")


def _gold_row(row: Mapping[str, Any], line: int) -> GoldPair:
    left, right, winner = (str(row[name] or "").strip() for name in COLUMNS)
    try:
        return GoldPair(left, right, {"left": left, "right": right}.get(winner, winner), row.get("case") or None)
    except BadInput as problem:
        raise BadInput(f"line {line} of the gold pairs: {problem}") from None

"""Where a jury's forecasts come from: all of them while they are here, else those that stand in its log.

The first event holds the root of all forecasts, and the draws hash it in. A list brings the forecasts of its
pairs, each with its path to the root, unless an earlier list has brought them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from juryrank.errors import BadInput
from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.forecasts import Foresight, OfPair, Rows, kept
from juryrank.rankers.jury.core.table import Pair, shown_side

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

LONGEST_SOURCE: Final = 200  # characters
Recorded = tuple[OfPair, list[str]]  # the forecasts of a pair, and the path to the root


def read_forecast(given: Any, *, fresh: bool, unnamed: bool) -> tuple[str, str] | None:
    """The root and the source of forecasts as they stand on record: {"root": HASH, "by": WHO}."""
    if given is None:
        return None
    fits = isinstance(given, Mapping) and given.keys() == {"root", "by"}
    if not fits or not is_hash(given["root"]) or not isinstance(given["by"], str):
        raise BadInput("forecast is no record of forecasts; juryrank.rank and --forecast make one of a file")
    if not 0 < len(given["by"]) <= LONGEST_SOURCE:
        raise BadInput(f"forecast must say by whom, in 1 to {LONGEST_SOURCE} characters")
    if fresh and unnamed:
        raise BadInput("forecasts are of cases, and there are none: give them, or leave the forecast out")
    return given["root"], given["by"]


def is_hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and not value.strip("0123456789abcdef")


class KnownForecasts:
    """The forecasts with this root, as far as they are known here."""

    def __init__(self, root: str, by: str, items: int) -> None:
        self.root, self.by, self.items = root, by, items  # items that were there at the start
        self.recorded: dict[Pair, Recorded] = {}  # what a log says
        self._whole = kept(root)

    def find(self, pair: Pair) -> Recorded:
        """A pair's forecasts and their path; raises where they are not here."""
        if pair in self.recorded:
            return self.recorded[pair]
        self._whole = self._whole or kept(self.root)
        if self._whole is None:
            raise BadInput(
                f"this ranking was begun with forecasts ({self.by}), which are not here; give the same ones "
                "again: --forecast FILE (in Python: forecast=)"
            )
        return self._whole.of(pair), self._whole.path(pair)

    def learn(self, jury: JuryState, rows: Sequence[Sequence[Any]]) -> None:
        """What a log says of some pairs."""
        cases = len(jury.read.cases)
        for first, second, values, path in rows:
            i, j = jury.roster.item(first), jury.roster.item(second)
            if not i < j < self.items or len(values) not in (0, cases, 2 * cases):
                raise ValueError("forecasts of no pair, or not of its cells")
            self.recorded[i, j] = values, list(path)

    def has(self, pair: Pair) -> bool:
        """May there be any? Of items that joined later there are none."""
        return pair[1] < self.items


def rows_of(jury: JuryState, pair: Pair) -> Rows:
    """Of each judge the forecast of each cell: of the side shown; of both sides their mean, rounded down."""
    assert jury.forecasts is not None
    cases, judges, sides = jury.table.cases, jury.judge_names, jury.table.sides
    given = np.array(jury.forecasts.find(pair)[0] if jury.forecasts.has(pair) else (), dtype=np.int64)
    if len(given) <= cases:
        return [np.repeat(given if len(given) else np.zeros(cases, dtype=np.int64), sides)] * len(judges)
    left, right = given[::2], given[1::2]
    if sides == 2 or jury.read.calls == 2 or jury.read.recorded:
        return [given if sides == 2 else left if jury.read.recorded else (left + right) // 2] * len(judges)
    names = jury.names(pair)
    turned = [[shown_side(jury.key, *names, judge, case) for case in jury.read.cases] for judge in judges]
    return [np.where(np.array(sides_shown) == 1, right, left) for sides_shown in turned]


# ---------------------------------------------------------------------- in a list's terms
def foresight_terms(jury: JuryState, attempt: Attempt, *, values: bool) -> dict[str, Any]:
    """What a list puts on record of forecasts: the shares of θ, and its pairs that no earlier list has brought."""
    if attempt.foresight is None or jury.forecasts is None:
        return {}
    found: dict[str, Any] = {
        "shares": list(attempt.foresight.shares), "squares": list(attempt.foresight.squares)
    }  # fmt: skip
    if values:
        brought = {pair for one in jury.machine.attempts if one is not attempt for pair in one.place}
        fresh = sorted(pair for pair in attempt.place if pair not in brought and jury.forecasts.has(pair))
        found["pairs"] = [pair_terms(jury, pair) for pair in fresh]
    return {"forecast": found}


def pair_terms(jury: JuryState, pair: Pair) -> list[Any]:
    assert jury.forecasts is not None
    values, path = jury.forecasts.find(pair)
    return [*jury.names(pair), list(values), path]


def read_foresight(jury: JuryState, terms: Mapping[str, Any]) -> Foresight | None:
    """The same, read back; pairs that it brings are known from here on."""
    given = terms.get("forecast")
    if given is None or jury.forecasts is None:
        return None
    jury.forecasts.learn(jury, given.get("pairs", ()))
    return Foresight(tuple(map(float, given["shares"])), tuple(map(float, given["squares"])))

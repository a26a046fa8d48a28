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
from juryrank.rankers.jury.core.forecasts import Blocks, Foresight, Rows, kept
from juryrank.rankers.jury.core.table import Pair, shown_side

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

LONGEST_SOURCE: Final = 200  # characters
Recorded = tuple[Blocks, list[str]]  # the forecasts of a pair, and the path to the root


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
        return self._whole.blocks(pair), self._whole.path(pair)

    def learn(self, jury: JuryState, rows: Sequence[Sequence[Any]]) -> None:
        """What a log says of some pairs."""
        for first, second, blocks, path in rows:
            i, j = jury.roster.item(first), jury.roster.item(second)
            whole = len(jury.read.cases)
            if not i < j < self.items or any(len(block) not in (whole, 2 * whole) for block in blocks):
                raise ValueError("forecasts of no pair, or not of its cells")
            self.recorded[i, j] = blocks, list(path)

    def has(self, pair: Pair) -> bool:
        """May there be any? Of items that joined later there are none."""
        return pair[1] < self.items


def rows_of(jury: JuryState, pair: Pair) -> Rows:
    """Of each judge the forecasts of a pair's cells: 0 where there is none."""
    assert jury.forecasts is not None
    blocks = jury.forecasts.find(pair)[0] if jury.forecasts.has(pair) else ()
    judges, cells = len(jury.judge_names), jury.table.cases * jury.table.sides
    if len(blocks) == 1 and not (jury.read.single and len(blocks[0]) > jury.table.cases):
        return [_row(jury, pair, 0, blocks[0])] * judges
    nothing = np.zeros(cells, dtype=np.int64)
    if not blocks:
        return [nothing] * judges
    of_judge = list(blocks) * judges if len(blocks) == 1 else [*blocks, *[()] * judges]
    return [_row(jury, pair, u, of_judge[u]) if len(of_judge[u]) else nothing for u in range(judges)]


def _row(jury: JuryState, pair: Pair, judge: int, block: Sequence[int]) -> Any:
    """The forecast of each cell: of the side shown; where both sides are one cell, their mean, rounded down."""
    cases, found = jury.table.cases, np.array(block, dtype=np.int64)
    if len(found) == cases:
        return np.repeat(found, jury.table.sides)
    if jury.table.sides == 2:
        return found
    if jury.read.calls == 2:
        return (found[::2] + found[1::2]) // 2
    if jury.read.recorded:
        return found[::2]
    names, judge_name = jury.names(pair), jury.judge_names[judge]
    sides = [shown_side(jury.key, *names, judge_name, case) for case in jury.read.cases]
    return found[2 * np.arange(cases) + np.array(sides)]


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
    blocks, path = jury.forecasts.find(pair)
    return [*jury.names(pair), [list(block) for block in blocks], path]


def read_foresight(jury: JuryState, terms: Mapping[str, Any]) -> Foresight | None:
    """The same, read back; pairs that it brings are known from here on."""
    given = terms.get("forecast")
    if given is None or jury.forecasts is None:
        return None
    jury.forecasts.learn(jury, given.get("pairs", ()))
    return Foresight(tuple(map(float, given["shares"])), tuple(map(float, given["squares"])))

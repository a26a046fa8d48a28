"""The ablation's cells in tables: how many more questions are asked without a heuristic, and how sure that is."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

AS_IT_IS = "as it is"
Key = tuple[str, str, str]  # variant, kind of world, assumption


@dataclass(frozen=True, slots=True)
class Change:
    """How much the mean number of questions rises, with its standard error: the runs are paired by their seeds."""

    variant: str
    kind: str
    assume: str
    runs: int
    questions: float
    rise: float
    error: float
    exact: float


def read_cells(path: Path) -> dict[Key, dict[str, Any]]:
    """The cells played so far."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["variant"], row["kind"], row["assume"]): row for row in rows}


def changes(cells: Mapping[Key, Mapping[str, Any]]) -> list[Change]:
    """Each cell beside the ranker as it is."""
    found = []
    for (variant, kind, assume), cell in cells.items():
        usual = np.array(cells[AS_IT_IS, kind, assume]["questions"], float)
        asked = np.array(cell["questions"], float)
        ratio = asked.mean() / usual.mean()
        error = float(np.std(asked - ratio * usual, ddof=1) / math.sqrt(len(asked)) / usual.mean())
        exact = float(np.mean(cell["exact"]))
        found.append(Change(variant, kind, assume, len(asked), asked.mean(), ratio - 1, error, exact))
    return found


def write(path: Path, found: Sequence[Change]) -> None:
    """All cells as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(asdict(found[0]))
        for change in found:
            values = asdict(change).values()
            rows.writerow(round(value, 4) if isinstance(value, float) else value for value in values)


def read(path: Path) -> list[Change]:
    """What `write` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return [Change(*row[:3], int(row[3]), *map(float, row[4:])) for row in rows]


def mean_rise(found: Sequence[Change]) -> tuple[float, float]:
    """Mean over worlds, and its standard error."""
    return (
        sum(change.rise for change in found) / len(found),
        math.sqrt(sum(change.error**2 for change in found)) / len(found),
    )


def table(found: Sequence[Change], assumptions: Iterable[str]) -> str:
    """One line per variant (Markdown): the mean over worlds, and the world where it matters most."""
    lines = [
        "| variant | " + " | ".join(assumptions) + " | matters most in |",
        "|---|" + "---|" * len(tuple(assumptions)) + "---|",
    ]
    for variant in dict.fromkeys(change.variant for change in found):
        own = [change for change in found if change.variant == variant]
        if variant != AS_IT_IS:
            said = " | ".join(_mean([c for c in own if c.assume == assume]) for assume in assumptions)
            most = max(own, key=lambda c: c.rise - 2 * c.error)
            where = f"{most.rise:+.0%} ± {most.error:.0%}: {most.kind}, {most.assume}"
            lines.append(f"| {variant} | {said} | {where} |")
    return "\n".join(lines)


def _mean(found: Sequence[Change]) -> str:
    if not found:
        return "-"
    rise, error = mean_rise(found)
    return f"{rise:+.1%} ± {error:.1%}"

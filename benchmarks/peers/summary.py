"""The race in one row per method and world."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.peers.race import Outcome, Point

CHECKPOINTS = (250, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True, slots=True)
class Row:
    """Means over runs. `to_exact` is the median; None where fewer than half of the runs got there."""

    world: str
    method: str
    runs: int
    stops: float | None  # questions when it stops by its own rule
    right: float  # share of runs whose final order is exact
    to_exact: float | None  # questions until an all-knowing stopper would have stopped it
    microseconds: float
    tau_at: str  # Kendall tau after so many questions


def summarise(outcomes: Iterable[Outcome], points: Iterable[Point]) -> list[Row]:
    """One row per world and method, in the order they were run."""
    by: defaultdict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by[outcome.world, outcome.method].append(outcome)
    seen: defaultdict[tuple[str, str, int], list[Point]] = defaultdict(list)
    for point in points:
        seen[point.world, point.method, point.run].append(point)
    rows = []
    for (world, method), runs in by.items():
        stops = [run.stopped for run in runs if run.stopped is not None]
        reached = sorted(run.first_exact if run.first_exact is not None else np.inf for run in runs)
        middle = float(np.median(reached))
        taus = [f"{at}: {_tau(seen, world, method, runs, at):.3f}" for at in CHECKPOINTS]
        rows.append(
            Row(
                world, method, len(runs), float(np.mean(stops)) if len(stops) == len(runs) else None,
                float(np.mean([run.right for run in runs])), middle if np.isfinite(middle) else None,
                float(np.mean([run.microseconds for run in runs])), "; ".join(taus),
            )
        )  # fmt: skip
    return rows


def _tau(
    seen: dict[tuple[str, str, int], list[Point]], world: str, method: str, runs: Sequence[Outcome], at: int
) -> float:
    """The mean of the last tau seen by then, over runs looked at on the way; who has stopped stays there."""
    looked = [run for run in runs if seen[world, method, run.run]]
    last = [[p.tau for p in seen[world, method, run.run] if p.questions <= at] for run in looked]
    return float(np.mean([taus[-1] if taus else 0.0 for taus in last]))


def table(rows: Iterable[Row]) -> str:
    """For the terminal and the docs (Markdown)."""
    lines = [
        "| world | method | stops by itself at | final order exact | exact first at (all-knowing) | µs each |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        stops = "never" if row.stops is None else f"{row.stops:,.0f}"
        first = "not reached" if row.to_exact is None else f"{row.to_exact:,.0f}"
        lines.append(
            f"| {row.world} | {row.method} | {stops} | {row.right:.0%} of {row.runs} | {first} | "
            f"{row.microseconds:,.0f} |"
        )
    return "\n".join(lines)

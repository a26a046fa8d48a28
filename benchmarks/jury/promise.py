"""False statements in the hard small worlds: a row per world, kept in a file so that a stopped run goes on.

`python -m benchmarks.jury.promise` prints the table of docs/jury-measured.md from its committed results.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from tests.statistics import lower_bound

from benchmarks.jury.play import Result
from benchmarks.jury.worlds import HardWorld

ERROR = 0.1
FRESH_MOST = 250  # questions per run where answers are fresh: such a run has no end of its own
COLUMNS = (
    "world", "objective", "resolution", "error", "seed", "runs", "proven", "false", "false_at_least", "fooled",
    "fooled_at_least", "calls",
)  # fmt: skip
RESULTS = Path(__file__).parents[1] / "results" / "jury_promise.csv"
Row = dict[str, str]


class PromiseFile:
    """The rows found so far: worlds that are there with as many runs are not played again."""

    def __init__(self, path: Path | None, *, runs: int, seed: int) -> None:
        self.path, self.runs = path, runs
        self.found: dict[str, Row] = {}
        if path is None or not path.exists():
            return
        self.found = {row["world"]: row for row in rows_of(path)}
        if {(row["runs"], row["seed"]) for row in self.found.values()} - {(str(runs), str(seed))}:
            raise SystemExit(f"{path} has rows of another number of runs or seed; give another file with --out")

    def add(self, row: Row) -> None:
        if self.path is None:
            return
        new = not self.path.exists()
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(row)


def rows_of(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def summary(world: HardWorld, found: Sequence[Result], seed: int) -> Row:
    """What came out in one world."""
    runs = len(found)
    false, fooled = sum(result.false for result in found), sum(result.fooled for result in found)
    resolution = " ".join(f"{epsilon:g}" for epsilon in world.resolution)
    values = (
        world.name, world.objective, resolution, ERROR, seed, runs, sum(result.proven for result in found), false,
        f"{lower_bound(false, runs):.4f}", fooled, f"{lower_bound(fooled, runs):.4f}",
        f"{sum(result.calls for result in found) / runs:.1f}",
    )  # fmt: skip
    return dict(zip(COLUMNS, map(str, values), strict=True))


def words(row: Row) -> str:
    good = max(float(row["false_at_least"]), float(row["fooled_at_least"])) <= float(row["error"])
    return (
        f"{row['world']:36} {row['objective']:6} "
        f"false {row['false']:>4}, fooled {row['fooled']:>4} of {row['runs']} "
        f"(99 % lower bounds {row['false_at_least']}, {row['fooled_at_least']}; δ {row['error']})  "
        f"{'ok' if good else 'BROKEN'}"
    )


def in_docs(row: Row) -> str:
    """A row of the table in docs/jury-measured.md."""
    runs = int(row["runs"])
    false, fooled = (f"{int(row[what]) / runs:.3f} ({row[f'{what}_at_least']})" for what in ("false", "fooled"))
    calls = f"{float(row['calls']):.0f}"
    return f"| {row['world']} | {row['objective']} | {row['resolution']} | {calls} | {false} | {fooled} |"


if __name__ == "__main__":
    print(*map(in_docs, rows_of(RESULTS)), sep="\n")

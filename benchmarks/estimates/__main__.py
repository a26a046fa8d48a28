"""`python -m benchmarks.estimates [VOTES...]`: how often 90 % intervals hold; votes are split by judge.

`--speed` times the estimates of 50 items with 10,000 answers and of 500 items with 100,000 instead.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.estimates.coverage import SIZES, Held, run
from benchmarks.estimates.held_back import held_back, twin
from benchmarks.estimates.speed import speed_table
from benchmarks.estimates.worlds import KINDS
from benchmarks.sweeping import add_where, played

ROOT = Path(__file__).resolve().parents[2]
RANKERS = {"tastes": ("panel",), "camps": ("panel",)}  # where there is no truth to be certified
FIRST_SEED = 50_000  # constants were chosen on smaller ones


def main() -> None:
    options = _options()
    if options.speed:
        print(speed_table())
        return
    cells = [
        (kind, ranker, size, FIRST_SEED + seed)
        for kind in KINDS
        for ranker in RANKERS.get(kind, ("panel", "certified"))
        if options.only in ranker
        for size in SIZES
        for seed in range(options.runs)
    ]
    rows = played(run, cells, options, rebuild=lambda row: Held(**row))
    rows += [row for row in _before(options.out) if options.only not in row.ranker]
    with options.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(asdict(rows[0])))
        writer.writeheader()
        writer.writerows({**asdict(row), **_rounded(row)} for row in rows)
    print(table(rows))
    for path in options.votes:
        print(f"{Path(path).parent.name}: {held_back(path)} {twin(path)}")


def _before(path: Path) -> list[Held]:
    """The rows of an earlier run: everything is seeded, so what was not played again still holds."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [Held(*row[:3], *map(float, row[3:])) for row in list(csv.reader(file))[1:]]


def table(rows: list[Held]) -> str:
    """One line per kind of world and ranker: shares held with their standard errors."""
    by: defaultdict[tuple[str, str], list[Held]] = defaultdict(list)
    for row in rows:
        by[row.kind, "all"].append(row)
        by[row.kind, row.ranker].append(row)
    lines = ["| world | ranker | runs | scores held | ranks held | mean ranks wide |", "|---|---|---|---|---|---|"]
    for (kind, ranker), some in sorted(by.items(), key=lambda entry: (KINDS.index(entry[0][0]), entry[0][1])):
        score, rank = ([getattr(row, name) for row in some] for name in ("score", "rank"))
        wide = np.mean([row.ranks_wide for row in some])
        lines.append(f"| {kind} | {ranker} | {len(some)} | {_share(score)} | {_share(rank)} | {wide:.1f} |")
    return "\n".join(lines)


def _share(values: list[float]) -> str:
    error = np.std(values) / np.sqrt(max(len(values) - 1, 1))
    return f"{100 * np.mean(values):.1f} % ± {100 * error:.1f}"


def _rounded(row: Held) -> dict[str, float]:
    return {name: round(value, 4) for name, value in asdict(row).items() if isinstance(value, float)}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.estimates", description=__doc__)
    parser.add_argument(
        "votes", nargs="*", help="files of votes; a quarter of the judges is held against the others"
    )
    parser.add_argument("--runs", type=int, default=8, help="worlds of each kind, ranker and size")
    parser.add_argument("--only", default="", help="play only rankers with this in their name, keep others' rows")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "estimates.csv")
    parser.add_argument("--speed", action="store_true", help="time the estimates; on an idle machine")
    add_where(parser)
    return parser.parse_args()


if __name__ == "__main__":
    main()

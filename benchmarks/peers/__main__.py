"""`python -m benchmarks.peers`: the race, its tables (CSV) and its figure."""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.peers.field import Maker, certified, paper, peers
from benchmarks.peers.figure import draw
from benchmarks.peers.race import Outcome, Point, play
from benchmarks.peers.summary import summarise, table
from benchmarks.peers.world import make_world

WORLDS = ("steady", "gaps")
ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    options = _options()
    points: list[Point] = []
    outcomes: list[Outcome] = []
    started = time.perf_counter()
    for world, makers, runs, cap in _plan(options):
        for run in range(runs):
            for maker in makers:
                place = make_world(world, run)
                method = maker(place.items, place.judges, np.random.default_rng([run, 7]))
                more, outcome = play(method, place, cap=cap)
                points += more
                outcomes.append(outcome)
        print(f"{world}: {len(outcomes)} runs so far, {time.perf_counter() - started:.0f} s", flush=True)
    options.results.mkdir(parents=True, exist_ok=True)
    _write(options.results / "peers_points.csv", points)
    _write(options.results / "peers_outcomes.csv", outcomes)
    rows = summarise(outcomes, points)
    _write(options.results / "peers.csv", rows)
    print(table(rows))
    if options.figure:
        draw(points, outcomes, options.figure)
        print(f"figure: {options.figure}")


def _plan(options: argparse.Namespace) -> Iterator[tuple[str, list[Maker], int, int]]:
    """(world, who, how many runs, most questions)."""
    for world in WORLDS:
        yield world, [*certified(), *peers()], options.runs, options.cap
        yield world, [*paper()], options.paper_runs, options.paper_cap


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="worlds of each kind")
    parser.add_argument("--paper-runs", type=int, default=1, help="of them for the paper's slow rankers")
    parser.add_argument("--cap", type=int, default=10_000, help="questions after which the others are stopped")
    parser.add_argument("--paper-cap", type=int, default=600_000)
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results")
    parser.add_argument("--figure", type=Path, default=ROOT / "docs" / "images" / "peers.png")
    return parser.parse_args()


def _write(path: Path, rows: Iterable[object]) -> None:
    values = [asdict(row) for row in rows]  # type: ignore[call-overload]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, values[0])
        writer.writeheader()
        writer.writerows(values)


if __name__ == "__main__":
    main()

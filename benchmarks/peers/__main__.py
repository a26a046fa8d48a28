"""`python -m benchmarks.peers`: the race, its tables (CSV) and its figure."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.peers.field import Maker, certified, paper, peers
from benchmarks.peers.figure import draw
from benchmarks.peers.files import OUTCOMES, POINTS, SUMMARY, read_outcomes, read_points, write
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
                if options.only not in method.name:
                    continue
                more, outcome = play(method, place, cap=cap)
                points += more
                outcomes.append(outcome)
        print(f"{world}: {len(outcomes)} runs so far, {time.perf_counter() - started:.0f} s", flush=True)
    options.results.mkdir(parents=True, exist_ok=True)
    if options.only:  # everything is seeded, so the others' rows of an earlier race still hold
        before = read_outcomes(options.results / OUTCOMES)
        points += [p for p in read_points(options.results / POINTS) if options.only not in p.method]
        outcomes += [o for o in before if options.only not in o.method]
        places = list(dict.fromkeys([*(o.method for o in before), *(o.method for o in outcomes)]))
        outcomes.sort(key=lambda o: (WORLDS.index(o.world), places.index(o.method), o.run))
    write(options.results / POINTS, points)
    write(options.results / OUTCOMES, outcomes)
    rows = summarise(outcomes, points)
    write(options.results / SUMMARY, rows)
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
    parser.add_argument("--paper-runs", type=int, default=1, help="how many of them the paper's slow rankers meet")
    parser.add_argument("--cap", type=int, default=10_000, help="questions after which the others are stopped")
    parser.add_argument("--paper-cap", type=int, default=600_000)
    parser.add_argument(
        "--only", default="", help="run only methods with this in their name, keep the others' rows"
    )
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results")
    parser.add_argument("--figure", type=Path, default=ROOT / "docs" / "images" / "peers.png")
    return parser.parse_args()


if __name__ == "__main__":
    main()

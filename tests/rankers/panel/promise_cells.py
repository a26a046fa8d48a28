"""The promise in many runs, cell by cell: `python -m tests.rankers.panel.promise_cells --out FILE`, resumable.

A cell is a world, a number of items, an objective and δ; every run is a Panel, asked and told.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from juryrank.rankers.panel.ranker import Panel
from tests.rankers.panel.promise import OPTIONS, WORLDS, ever_false, fitting, label, shaken
from tests.statistics import lower_bound, surely_above

PEOPLE = {2: 80, 3: 80, 5: 70, 10: 60, 20: 50, 50: 40}
RUNS, ERRORS, FIRST_SEED = 40, (0.05, 0.2), 10_000  # one core plays all cells in about an hour


def wrong(world: str, n: int, options: dict, error: float, seed: int) -> bool:
    """Does one panel ever show something false? A third of them have people who leave; up to 30 sit at once."""
    rng = np.random.default_rng([seed, n])
    people = shaken(WORLDS[world](n, rng), leave=(0.08, 0.0, 0.0)[seed % 3])
    panel = Panel(range(n), error=error, seed=seed, **fitting(options, n))
    return ever_false(panel, people, rng=rng, people=PEOPLE[n], at_once=(1, 5, 30)[seed // 3 % 3])


def play_cell(world: str, n: int, options: dict, error: float, *, runs: int) -> dict:
    """How many runs ever showed something false, and whether that is more than chance and δ allow."""
    found = sum(wrong(world, n, options, error, FIRST_SEED + run) for run in range(runs))
    cell = {"world": world, "n": n, "objective": label(options), "error": error, "runs": runs, "wrong": found}
    return cell | {"bound": lower_bound(found, runs), "broken": surely_above(found, runs, error)}


def play_cells(world: str, n: int, *, runs: int = RUNS) -> list[dict]:
    """Every cell of one world and number of items."""
    return [play_cell(world, n, options, error, runs=runs) for options in OPTIONS for error in ERRORS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one a cell")
    parser.add_argument("--runs", type=int, default=RUNS, help="of each cell")
    parser.add_argument("--items", nargs="*", type=int, default=list(PEOPLE))
    arguments = parser.parse_args()
    kept = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    done = {(row["world"], row["n"]) for row in map(json.loads, kept)}
    for n in arguments.items:
        for world in WORLDS:
            cells = play_cells(world, n, runs=arguments.runs) if (world, n) not in done else []
            with arguments.out.open("a") as file:
                file.writelines(json.dumps(cell) + "\n" for cell in cells)


if __name__ == "__main__":
    main()

"""The promise in many runs, cell by cell: `python -m tests.rankers.panel.promise_cells --out FILE`, resumable.

A cell is a world, a number of items, an objective and δ; every run is a Panel, asked and told.
"""

from __future__ import annotations

import argparse
import itertools
import json
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.sweeping import add_where, where_of

from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.sweep import HERE, Where, open_results, sweep
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


def play_cell(world: str, n: int, options: dict, error: float, *, runs: int, where: Where = HERE) -> dict:
    """How many runs ever showed something false, and whether that is more than chance and δ allow."""
    one = partial(wrong, world, n, options, error)
    with open_results(where.out, {"world": world, "n": n, "of": label(options), "error": error}, bool) as results:
        seeds = range(FIRST_SEED, FIRST_SEED + runs)
        found = sum(sweep(one, seeds, where=where, results=results))
    cell = {"world": world, "n": n, "objective": label(options), "error": error, "runs": runs, "wrong": found}
    return cell | {"bound": lower_bound(found, runs), "broken": surely_above(found, runs, error)}


def play_cells(world: str, n: int, *, runs: int = RUNS, where: Where = HERE) -> list[dict]:
    """Every cell of one world and number of items."""
    cells = itertools.product(OPTIONS, ERRORS)
    return [play_cell(world, n, options, error, runs=runs, where=where) for options, error in cells]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one a cell")
    parser.add_argument("--runs", type=int, default=RUNS, help="of each cell")
    parser.add_argument("--items", nargs="*", type=int, default=list(PEOPLE))
    add_where(parser)
    arguments = parser.parse_args()
    kept = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    done = {(row["world"], row["n"]) for row in map(json.loads, kept)}
    for n in arguments.items:
        for world in WORLDS:
            missing = (world, n) not in done
            cells = play_cells(world, n, runs=arguments.runs, where=where_of(arguments)) if missing else []
            with arguments.out.open("a") as file:
                file.writelines(json.dumps(cell) + "\n" for cell in cells)


if __name__ == "__main__":
    main()

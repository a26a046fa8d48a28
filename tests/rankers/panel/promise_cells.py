"""The promise in many runs, cell by cell: `python -m tests.rankers.panel.promise_cells --out FILE`, resumable.

A cell is a world, a number of items, an objective and δ. The runs are the quick player's (`quick/`); a
share of them is played by the real Panel as well and must come to the same.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from tests.rankers.panel.promise import OPTIONS, WITHOUT_CYCLE, WORLDS, fitting, shaken
from tests.rankers.panel.scripted import Script, as_the_panel_draws, draw, play_quick, play_really
from tests.statistics import lower_bound, surely_above

PEOPLE = {2: 80, 3: 80, 5: 70, 10: 60, 20: 50, 50: 40}
REALLY = {2: 4, 3: 4, 5: 4, 10: 3, 20: 2, 50: 1}  # runs of a cell that the real Panel plays too
RUNS, ERRORS, FIRST_SEED = 2000, (0.05, 0.2), 10_000


def label(options: dict) -> str:
    """ranges, tiers, ..., field-share tiers."""
    words = "top-half" if "k" in options else options["objective"]
    return f"{options['relation']} {words}" if "relation" in options else words


def labels(world: str) -> list[str]:
    """The objectives that promise something in this world."""
    return [label(options) for options in OPTIONS if options["objective"] != "order" or world in WITHOUT_CYCLE]


def scripts(world: str, n: int, seed: int) -> dict[bool, Script]:
    """One run's people, for head-to-head (False) and for field-share (True)."""
    rng = np.random.default_rng([seed, n])
    people = shaken(WORLDS[world](n, rng), leave=(0.08, 0.0, 0.0)[seed % 3])
    at_once = (1, 5, 30)[seed // 3 % 3]
    return {field: draw(people, rng, people=PEOPLE[n], at_once=at_once, field=field) for field in (False, True)}


def play_cells(world: str, n: int, wanted: list[str], *, runs: int = RUNS) -> list[dict]:
    """Every cell of one world and number of items: how many runs ever showed something false."""
    cells = [
        {"world": world, "n": n, "objective": name, "error": error, "runs": runs}
        | {"wrong": 0, "really": 0, "differ": 0}
        for name in wanted
        for error in ERRORS
    ]
    options = {label(options): fitting(options, n) for options in OPTIONS}
    for run in range(runs):
        seed = FIRST_SEED + run
        drawn = scripts(world, n, seed)
        for cell in cells:
            chosen = options[cell["objective"]]
            field = "relation" in chosen
            script = drawn[field]
            if run < REALLY[n]:
                script = as_the_panel_draws(script, seed, field=field)
            quick = play_quick(script, chosen, error=cell["error"])
            cell["wrong"] += quick.wrong
            if run < REALLY[n]:
                cell["really"] += 1
                cell["differ"] += quick != play_really(script, chosen, error=cell["error"], seed=seed)
    for cell in cells:
        cell["bound"] = lower_bound(cell["wrong"], runs)
        cell["broken"] = surely_above(cell["wrong"], runs, cell["error"])
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one a cell")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--objectives", nargs="*", help="only these: " + ", ".join(map(label, OPTIONS)))
    parser.add_argument("--items", nargs="*", type=int, default=list(PEOPLE))
    arguments = parser.parse_args()
    kept = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    done = {(row["world"], row["n"], row["objective"]) for row in map(json.loads, kept)}
    for n in arguments.items:
        for world in WORLDS:
            wanted = [
                name
                for name in labels(world)
                if (not arguments.objectives or name in arguments.objectives) and (world, n, name) not in done
            ]
            cells = play_cells(world, n, wanted, runs=arguments.runs) if wanted else []
            with arguments.out.open("a") as file:
                file.writelines(json.dumps(cell) + "\n" for cell in cells)


if __name__ == "__main__":
    main()

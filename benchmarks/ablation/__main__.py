"""`python -m benchmarks.ablation`: by how much questions rise when a heuristic is changed or left out.

Every variant meets the same worlds with the same seeds. A cell is a variant, a kind of world and an assumption; it
is kept in `--cells` as soon as it is done and not played again, so a stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ablation.knobs import Knobs
from benchmarks.ablation.report import AS_IT_IS, changes, read_cells, table, write
from benchmarks.ablation.variants import SWITCHES, VARIANTS, constants, matters
from benchmarks.ablation.worlds import KINDS, Kind
from juryrank.simulation.play import play

BOTH = ("better-than-chance", "steady")
BUDGET = 1000  # questions per item; a run that spends it counts with it
RESULTS = Path(__file__).resolve().parents[1] / "results" / "ablation.csv"


def main() -> None:
    """Play what is missing, then print and write the table."""
    given = _options()
    done = read_cells(given.cells)
    knobs = Knobs(constants(), SWITCHES)
    for variant, turned in VARIANTS.items():
        if variant != AS_IT_IS and given.only not in variant:
            continue
        started = time.perf_counter()
        with knobs.turned(turned), given.cells.open("a", encoding="utf-8") as out:
            for kind in KINDS:
                for assume in BOTH:
                    if matters(variant, assume) and (variant, kind.name, assume) not in done:
                        row = {"variant": variant, "kind": kind.name, "assume": assume}
                        row |= play_cell(kind, assume, given.runs, given.seed)
                        out.write(json.dumps(row) + "\n")
                        out.flush()
        print(f"{variant}: {time.perf_counter() - started:.0f} s", flush=True)
    found = changes(read_cells(given.cells))
    write(given.results, found)
    print(table(found, BOTH))


def play_cell(kind: Kind, assume: str, runs: int, seed: int) -> dict[str, Any]:
    """Questions of every run, and whether the order was exact."""
    questions, exact = [], []
    for repeat in range(max(2, runs // kind.fewer)):
        world = kind.draw(np.random.default_rng([seed, repeat, kind.items]), kind.items)
        run = play(
            "certified", world, items=kind.items, seed=seed, repeat=repeat, error=kind.delta,
            budget=BUDGET * kind.items, assume=assume, parallel=kind.parallel,
        )  # fmt: skip
        questions.append(run.questions)
        exact.append(int(run.exact))
    return {"questions": questions, "exact": exact}


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    options.add_argument("--runs", type=int, default=100, help="runs per cell; costly kinds of worlds get fewer")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="variants with this in their name")
    options.add_argument("--cells", type=Path, default=Path("ablation.jsonl"), help="every run of every cell")
    options.add_argument("--results", type=Path, default=RESULTS)
    return options.parse_args()


if __name__ == "__main__":
    main()

"""`python -m benchmarks.peers.small`: who has the better order when the budget is small?

Shares of pairs in the wrong order at 1 to 8 questions per item, with standard errors. `guess` knows its budget, so
it is played anew for each; the others are looked at on the way. `list` is the certified ranker's own list with the
items it has not placed at the end, as results showed it before they held every item (`certified`, Step A).
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.crowd_bt import CrowdBT
from benchmarks.peers.information import InformationGain
from benchmarks.peers.method import Method
from benchmarks.peers.ours import Ours, PlacedFirst
from benchmarks.peers.random_pairs import RandomPairs
from benchmarks.peers.rating import Rating
from benchmarks.peers.world import Jury, World, kendall_tau, make_world

PER_ITEM = (1, 2, 3, 5, 8)
FIRST_SEED = 20_000  # not used for choosing anything
ROOT = Path(__file__).resolve().parents[2]
CELLS = (
    (30, 18, 40),
    (10, 1, 40),
    (10, 3, 40),
    (10, 18, 40),
    (10, 50, 40),
    (30, 3, 20),
    (30, 50, 20),
    (100, 18, 6),
)


def methods(items: int, judges: int, seed: int) -> Iterator[tuple[str, Callable[[int], Method], bool]]:
    """(name, made for a budget, is it made anew for each budget?)"""

    def rng() -> np.random.Generator:
        return np.random.default_rng([seed, 7])

    fresh = {"assume": "better-than-chance", "repeats": None}
    yield "guess", lambda budget: Ours("guess", items, judges, rng(), budget=budget), True
    yield "list", lambda _: PlacedFirst("certified", items, judges, rng(), **fresh), False
    yield "certified", lambda _: Ours("certified", items, judges, rng(), **fresh), False
    for peer in (RandomPairs, Rating, CrowdBT, InformationGain):
        yield peer.name, lambda _, peer=peer: peer(items, judges, rng()), False  # type: ignore[misc]


def wrong(method: Method, world: World, marks: list[int]) -> list[float]:
    """Share of pairs in the wrong order after each of these numbers of questions."""
    jury, found = Jury(world), []
    for mark in marks:
        while jury.asked < mark and not getattr(method, "finished", False):
            judge, i, j = method.choose()
            method.learn(judge, i, j, jury.ask(judge, i, j))
        found.append((1 - kendall_tau(world, method.order())) / 2)
    return found


def cell(kind: str, items: int, judges: int, runs: int) -> dict[str, NDArray[np.float64]]:
    """By method: (run, budget) shares of wrong pairs."""
    marks = [items * each for each in PER_ITEM]
    found: defaultdict[str, list[list[float]]] = defaultdict(list)
    for run in range(runs):
        seed = FIRST_SEED + run
        world = make_world(kind, seed, items=items, judges=judges)
        for name, make, anew in methods(items, judges, seed):
            row = [wrong(make(m), world, [m])[0] for m in marks] if anew else wrong(make(0), world, marks)
            found[name].append(row)
    return {name: np.array(rows) for name, rows in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.small", description=__doc__)
    parser.add_argument("--runs", type=int, default=0, help="runs per cell, instead of its own number")
    parser.add_argument("--cells", type=int, default=len(CELLS), help="only the first so many cells")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "small_budgets.csv")
    options = parser.parse_args()
    with options.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["world", "items", "judges", "runs", "method", "questions", "wrong_pairs", "standard_error"]
        )
        for items, judges, runs in CELLS[: options.cells]:
            for kind in ("steady", "gaps"):
                for name, rows in cell(kind, items, judges, options.runs or runs).items():
                    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
                    for each, mean, off in zip(PER_ITEM, rows.mean(axis=0), error, strict=True):
                        line = [kind, items, judges, len(rows), name, each * items, f"{mean:.4f}", f"{off:.4f}"]
                        writer.writerow(line)
                        print(*line, flush=True)
                file.flush()


if __name__ == "__main__":
    main()

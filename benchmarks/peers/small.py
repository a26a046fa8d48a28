"""`python -m benchmarks.peers.small`: who has the better order when the budget is small?

Shares of pairs in the wrong order at 1 to 8 questions per item, with standard errors. `guess` knows its budget, so
it is played anew for each; the others are looked at on the way. `list` is the certified ranker's own list with the
items it has not placed at the end, as results showed it before they held every item (`certified`, Step A);
`breadth` is `certified` with `insert="breadth"` (Step B). A cell is a number of items and one of judges; `--only`
plays some cells, and the file keeps the others' rows.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
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
BARS = {(30, 18): (100, 200)}  # questions looked at beside these
FIRST_SEED = 30_000  # not used for choosing anything: that was done on smaller ones
OURS = ("guess", "list", "certified", "breadth")
ROOT = Path(__file__).resolve().parents[2]
CELLS = {  # (items, judges): runs
    **{(10, judges): 40 for judges in (1, 3, 18, 50)},
    **{(30, judges): 40 for judges in (18, 1, 3, 50)},
    **{(100, judges): 12 for judges in (18, 1, 3, 50)},
}
WORLDS = ("steady", "gaps", "spam")
COLUMNS = (
    *("world", "items", "judges", "runs", "method", "questions", "wrong_pairs", "standard_error"),
    *("guess_more", "guess_more_error"),  # by how much more of the pairs `guess` had wrong in the same worlds
)


def methods(items: int, judges: int, seed: int) -> Iterator[tuple[str, Callable[[int], Method], bool]]:
    """(name, made for a budget, is it made anew for each budget?)"""

    def rng() -> np.random.Generator:
        return np.random.default_rng([seed, 7])

    fresh = {"assume": "better-than-chance", "repeats": None}
    yield "guess", lambda budget: Ours("guess", items, judges, rng(), budget=budget), True
    yield "list", lambda _: PlacedFirst("certified", items, judges, rng(), **fresh), False
    yield "certified", lambda _: Ours("certified", items, judges, rng(), **fresh), False
    yield "breadth", lambda _: Ours("certified", items, judges, rng(), insert="breadth", **fresh), False
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


def marks_of(items: int, judges: int) -> list[int]:
    """Numbers of questions after which the orders are looked at."""
    return sorted({*(items * each for each in PER_ITEM), *BARS.get((items, judges), ())})


def cell(
    kind: str,
    items: int,
    judges: int,
    runs: int,
    first_seed: int,
    *,
    only: Collection[str] = (),
    marks: list[int] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """By method: (run, budget) shares of wrong pairs. `only`: these methods; `marks`: after so many questions."""
    marks = marks or marks_of(items, judges)
    found: defaultdict[str, list[list[float]]] = defaultdict(list)
    for run in range(runs):
        seed = first_seed + run
        world = make_world(kind, seed, items=items, judges=judges)
        for name, make, anew in methods(items, judges, seed):
            if only and name not in only:
                continue
            row = [wrong(make(m), world, [m])[0] for m in marks] if anew else wrong(make(0), world, marks)
            found[name].append(row)
    return {name: np.array(rows) for name, rows in found.items()}


def rows_of(kind: str, items: int, judges: int, runs: int, first_seed: int = FIRST_SEED) -> list[list[str]]:
    """A cell as rows of the file."""
    found = []
    shares = cell(kind, items, judges, runs, first_seed)
    for name, own in shares.items():
        more = shares["guess"] - own
        columns = (own.mean(axis=0), standard_error(own), more.mean(axis=0), standard_error(more))
        for asked, *values in zip(marks_of(items, judges), *columns, strict=True):
            numbers = (items, judges, runs, name, asked)
            found.append([kind, *map(str, numbers), *(f"{value:.4f}" for value in values)])
    return found


def standard_error(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the mean over runs."""
    error: NDArray[np.float64] = shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
    return error


def read(path: Path) -> dict[tuple[str, ...], list[list[str]]]:
    """The rows so far, by world, items and judges."""
    found: defaultdict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            for row in list(csv.reader(file))[1:]:
                found[tuple(row[:3])].append(row)
    return found


def write(path: Path, cells: dict[tuple[str, ...], list[list[str]]]) -> None:
    """All rows, in the order of the cells."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for key in sorted(cells, key=lambda key: (int(key[1]), int(key[2]), WORLDS.index(key[0]))):
            writer.writerows(cells[key])


def behind(cells: dict[tuple[str, ...], list[list[str]]], *, errors: float = 2.0) -> list[str]:
    """Where `guess` is behind somebody who promises nothing either, by more than so many standard errors."""
    said = []
    for key, rows in cells.items():
        for *_, name, asked, _wrong, _off, more, error in rows:
            if name not in OURS and float(more) > errors * float(error):
                said.append(
                    f"{' '.join(key)}: after {asked}, {float(more):+.1%} beside {name} (se {float(error):.1%})"
                )
    return said


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.small", description=__doc__)
    parser.add_argument("--runs", type=int, default=0, help="runs per cell, instead of its own number")
    parser.add_argument("--only", default="", help="cells such as 30x18, separated by commas")
    parser.add_argument("--worlds", default=",".join(WORLDS))
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "small_budgets.csv")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    options = parser.parse_args()
    for (items, judges), runs in CELLS.items():
        if options.only and f"{items}x{judges}" not in options.only.split(","):
            continue
        for kind in options.worlds.split(","):
            if kind == "spam" and judges < 3:
                continue  # then nobody would know anything
            fresh = rows_of(kind, items, judges, options.runs or runs, options.first_seed)
            cells = read(options.out)  # at each step: other cells may be played at the same time
            cells[kind, str(items), str(judges)] = fresh
            write(options.out, cells)
            for row in fresh:
                print(*row, flush=True)
    print("\n".join(behind(read(options.out))) or "guess: nowhere behind by more than two standard errors")


if __name__ == "__main__":
    main()

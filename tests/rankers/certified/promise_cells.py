"""The promise of `best` and `top-k`, cell by cell: `python -m tests.rankers.certified.promise_cells --out FILE`.

Every cell is 2,000 runs; a run fails if something false is proven. What FILE already has is not played again.
`--only TEXT TEXT` plays the cells whose line contains a TEXT, in that order. The slow tests play the same cells.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any
from unittest import mock

from juryrank.rankers.certified.core import eliminate
from juryrank.rankers.certified.core.prove.attempt import begin_attempt
from juryrank.rankers.certified.core.search import insert
from juryrank.rankers.certified.ranker import Certified
from juryrank.simulation import Bernoulli, Btl, Drifting, Where, Wst, simulate
from juryrank.simulation.sweep import HERE
from tests.statistics import surely_above

from .worlds import mixed

RUNS = 2000
BOTH = ("better-than-chance", "steady")
DELTAS = (0.25, 0.1, 0.01)
SIZES = ((2, "best"), (3, "best"), (10, "best"), (3, "top-2"), (10, "top-3"), (100, "best"), (100, "top-10"))
GAPS = (1.0, 0.2, 0.5, 2.0, 0.3, 0.9, 0.15)
UNEVEN = {  # world, items, budget; better-than-chance only
    "uneven gaps": (Btl((0.8, 1.5, 2.0), scores=tuple(math.fsum(GAPS[:k]) for k in range(8))), 8, None),
    "pair-dependent": (Wst((0.2, 0.6, 1.0), least=0.02, seed=5), 6, 20_000),
    "drifting": (Drifting((0.9, 0.8, 0.7), (0.52, 0.5, 0.9), horizon=80), 8, 20_000),
    "pool at 1/2": (Bernoulli((0.5,) * 5), 5, 2000),
}
# a search that proposes the wrong ones on purpose, on worlds where that could matter: accuracy by (better, worse)
HOSTILE: dict[str, Callable[[int, int], float]] = {
    "hostile search, all at .5": lambda better, worse: 0.5,
    "hostile search, all at .55": lambda better, worse: 0.55,
    "hostile search, the first three at .5": lambda better, worse: 0.5 if worse < 3 else 0.9,
}
NOT_STEADY = ("hostile search, the first three at .5",)  # accuracies differ by pair, which steady excludes


@dataclass(frozen=True, slots=True)
class Cell:
    """One line of the table, without its result."""

    world: str
    objective: str
    items: int
    judges: int
    delta: float
    assume: str
    parallel: int = 1


def cells() -> Iterator[Cell]:
    """All of them, the quick ones first."""
    for world in HOSTILE:
        for delta in DELTAS:
            for objective in ("best", "top-2"):
                assumed = BOTH[:1] if world in NOT_STEADY else BOTH
                yield from (Cell(world, objective, 4, 2, delta, assume) for assume in assumed)
    for world, (made, items, _) in UNEVEN.items():
        for delta in DELTAS:
            for objective in ("best", "top-3"):
                for parallel in (1, 20):
                    yield Cell(world, objective, items, made.judges, delta, BOTH[0], parallel)
    for judges in (1, 2, 9, 36, 200):
        for items, objective in SIZES:
            for delta in DELTAS:
                yield from (Cell("steady judges", objective, items, judges, delta, assume) for assume in BOTH)


def failures(cell: Cell, runs: int = RUNS, where: Where = HERE) -> int:
    """In how many runs something false was proven."""
    if cell.world in HOSTILE:
        with hostile_search():
            return sum(misled(seed, cell) for seed in range(runs))
    world: Any = mixed(cell.judges, worst=0.55, best=0.9)
    if cell.items >= 100:
        world = mixed(cell.judges, worst=0.7, best=0.95)
    budget = None
    if cell.world in UNEVEN:
        world, _, budget = UNEVEN[cell.world]
    found = simulate(
        "certified", world, items=cell.items, delta=cell.delta, repeats=runs, seed=78, budget=budget,
        assume=cell.assume, objective=cell.objective, parallel=cell.parallel, where=where,
    )  # fmt: skip
    return sum(run.certified and not run.exact for run in found.runs)


@contextmanager
def hostile_search() -> Iterator[None]:
    """Nothing is searched: a wrong set around a wrong pivot is proposed and never given up; of the best item,
    champions, bets and accusations are against the truth.
    """
    with (
        mock.patch.object(insert, "SET_PLACE_AT", 0.0),
        mock.patch("juryrank.rankers.certified.core.machine.believed_at", return_value=1e9),
        mock.patch("juryrank.rankers.certified.core.machine.begin_attempt", propose_wrong_set),
        mock.patch.object(eliminate, "lean", lambda s, x, y: 3.0 if x < y else -3.0),
        mock.patch.object(eliminate, "loss_bet", return_value=0.6),
    ):
        yield


def propose_wrong_set(s: Any) -> None:
    """The next item below the set stands in it, in turn as its pivot and as its first."""
    top = int(s.cursor.top)
    order = list(range(s.cursor.items))
    intruder = order.pop(top)
    order.insert(top - 1 if s.order[0] % 2 else 0, intruder)
    for place, item in enumerate(order):
        s.order[place], s.place[item] = item, place
    begin_attempt(s)
    s.cursor.stay = 1


def misled(seed: int, cell: Cell, budget: int = 100, accuracy: Any = None) -> bool:
    """Is something false proven, live? Smaller numbers are better items."""
    right = accuracy or HOSTILE[cell.world]
    rng = random.Random(f"{cell.objective} {cell.assume} {seed}")
    ranker = Certified(
        range(cell.items), judges=range(cell.judges), error=cell.delta, seed=seed, objective=cell.objective,
        assume=cell.assume, budget=budget, trust_repeats=True, joining=False,
    )  # fmt: skip
    while (question := ranker.ask()) is not None:
        better, worse = sorted((question.left, question.right))  # type: ignore[type-var]
        ranker.tell(question, better if rng.random() < right(better, worse) else worse)
    k = 1 if cell.objective == "best" else int(cell.objective.removeprefix("top-"))
    ranking = ranker.ranking
    ruled_out = cell.objective == "best" and 0 in (ranking.details.eliminated or ())
    return ruled_out or (ranking.proven and sorted(ranking.order[:k]) != list(range(k)))  # type: ignore[type-var]


def main() -> None:
    """Play what is missing."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--only", nargs="+", default=[""])
    options.add_argument("--runs", type=int, default=RUNS)
    given = options.parse_args()
    heads = [field.name for field in fields(Cell)]
    done: set[tuple[str, ...]] = set()
    if given.out.exists():
        with given.out.open(newline="", encoding="utf-8") as file:
            done = {tuple(row[head] for head in heads) for row in csv.DictReader(file)}
    else:
        given.out.write_text(",".join([*heads, "wrong", "runs", "holds"]) + "\n", encoding="utf-8")
    for only in given.only:
        for cell in cells():
            line = tuple(map(str, astuple(cell)))
            if line in done or only not in ",".join(line):
                continue
            done.add(line)
            wrong = failures(cell, given.runs)
            holds = "no" if surely_above(wrong, given.runs, cell.delta) else "yes"
            with given.out.open("a", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerow([*line, wrong, given.runs, holds])
            print(*line, wrong, holds, flush=True)


if __name__ == "__main__":
    main()

"""How many questions the certified ranker needs, beside what it must reach: `python -m benchmarks.certified`.

Options: `--runs 100` per cell, `--only TEXT` for the rows whose name contains TEXT, `--cells` for a row's cells.
Rows of the best item and of the k best are measured in questions of the whole order in the same worlds.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchmarks.sweeping import add_where, where_of
from juryrank.simulation import Bernoulli, Btl, Where, simulate, two_groups

GAMMAS = [(a, b) for b in (0.5, 1.0, 2.5) for a in (0.25, 0.5, 1.0)]
BOTH = ("steady", "better-than-chance")
JUDGES, DELTA = 18, 0.1


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: the cells it is made of, and what it must reach under each assumption."""

    name: str
    items: int
    worlds: tuple[Any, ...]
    must: tuple[float | None, float | None]
    parallel: int = 1
    in_questions: bool = False  # no limit is known: questions, not their ratio to it
    objective: str = "order"  # others: questions over those of the order in the same world


def rows() -> Iterator[Row]:
    """The table, line by line."""
    nine = tuple(two_groups(JUDGES, gamma_a=a, gamma_b=b) for a, b in GAMMAS)
    middle = (two_groups(JUDGES, gamma_a=0.25, gamma_b=1.0),)
    spam = Bernoulli((0.953,) * 4 + tuple(0.5 + 0.005 * k / 15 for k in range(16)))
    yield Row("nine γ panels, N = 10", 10, nine, (1.45, 2.2))
    yield Row("nine γ panels, N = 30", 30, nine, (1.3, 1.95))
    yield Row("nine γ panels, N = 100", 100, nine, (1.01, 1.43))
    yield Row("γ .25/1, N = 100, 10 open at once", 100, middle, (1.35, 1.8), parallel=10)
    yield Row("γ .25/1, N = 100, 100 open at once", 100, middle, (1.6, 2.1), parallel=100)
    yield Row("4 judges at .953, 16 at .5-.505, N = 100", 100, (spam,), (1.35, 1.75))
    yield Row("200 judges, all .953, N = 30", 30, (Bernoulli((0.953,) * 200),), (1.2, 1.8))
    yield Row("BTL, gaps 1.2 and .15, N = 30", 30, (uneven_btl(30),), (None, 9000), in_questions=True)
    yield Row("γ .25/1, N = 1000", 1000, middle, (1.12, 1.45))
    yield Row("best: nine γ panels, N = 100", 100, nine, (0.33, 0.45), objective="best")
    yield Row("top-10: nine γ panels, N = 100", 100, nine, (0.50, 0.60), objective="top-10")
    yield Row("best: BTL, gaps 1.2 and .15, N = 100", 100, (uneven_btl(100),), (None, 0.15), objective="best")
    yield Row("best: γ .25/1, N = 10,000", 10_000, middle, (0.25, 0.35), objective="best")


def uneven_btl(items: int) -> Btl:
    """Neighbours in turn far apart and close together."""
    gaps = [1.2 if k % 2 == 0 else 0.15 for k in range(items - 1)]
    return Btl((2.5,) * 6 + (1.0,) * 12, scores=tuple(round(math.fsum(gaps[:k]), 9) for k in range(items)))


@cache
def play(
    world: Any, items: int, assume: str, runs: int, parallel: int, objective: str, where: Where
) -> dict[str, Any]:
    """One cell."""
    return simulate(
        "certified", world, items=items, delta=DELTA, repeats=runs, seed=2026, assume=assume, parallel=parallel,
        objective=objective, where=where,
    ).to_dict()  # fmt: skip


def unit_of(row: Row, world: Any, assume: str, runs: int, cell: dict[str, Any], where: Where) -> float:
    """What questions are counted in."""
    if row.objective != "order":
        return float(play(world, row.items, assume, runs, row.parallel, "order", where)["questions_mean"])
    return 1.0 if row.in_questions else float(cell["limit"])


def measure(row: Row, assume: str, runs: int, where: Where, *, cells: bool = False) -> str:
    """One line: mean (± its standard error) and worst over the row's worlds; with `cells` another, one by one."""
    started = time.perf_counter()
    runs = max(2, runs)
    found = [play(world, row.items, assume, runs, row.parallel, row.objective, where) for world in row.worlds]
    units = [unit_of(row, world, assume, runs, cell, where) for world, cell in zip(row.worlds, found, strict=True)]
    values = [cell["questions_mean"] / unit for cell, unit in zip(found, units, strict=True)]
    mean = sum(values) / len(values)
    variance = sum((cell["questions_std"] / unit) ** 2 for cell, unit in zip(found, units, strict=True))
    error = math.sqrt(variance / runs) / len(found)
    yard = [cell["ratio_to_yardstick"] for cell in found if cell["ratio_to_yardstick"] is not None]
    beside = f"{sum(yard) / len(yard):.2f}" if yard else ""
    must = row.must[BOTH.index(assume)]
    exact = min(cell["exact_rate"] for cell in found)
    wrong = max(1 - cell["exact_rate"] - (1 - cell["certified_rate"]) for cell in found)
    rounds = max(cell["rounds_mean"] for cell in found)
    attempts = sum(cell["attempts_mean"] for cell in found) / len(found)
    found_mean = f"{mean:.0f} ± {error:.0f}" if row.in_questions else f"{mean:.3f} ± {error:.3f}"
    one_by_one = "\n  " + ", ".join(f"{value:.3f}" for value in values) if cells else ""
    return (
        f"| {row.name} | {assume} | {found_mean} | {max(values):.4g} | {'' if must is None else f'{must:g}'} "
        f"| {beside} "
        f"| {exact:.1%} | {max(wrong, 0):.1%} | {rounds:.0f} | {attempts:.2f} "
        f"| {time.perf_counter() - started:.0f} s |{one_by_one}"
    )


def main() -> None:
    """Print the table as Markdown."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=100)
    options.add_argument("--only", default="")
    options.add_argument("--cells", action="store_true")
    add_where(options)
    given = options.parse_args()
    print(
        "| world | assume | mean | worst cell | must reach | over finite-N yardstick | right | proven, wrong "
        "| rounds | attempts | |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for row in rows():
        if given.only in row.name:
            for assume in BOTH:
                print(measure(row, assume, given.runs, where_of(given), cells=given.cells), flush=True)


if __name__ == "__main__":
    main()

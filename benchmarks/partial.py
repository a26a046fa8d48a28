"""What a certified ranking may claim when its budget ends early: `python -m benchmarks.partial`.

For worlds drawn at random: the median number of questions that a certificate takes, then runs with 60, 80, 100 and
120 % of that as their budget. Options: `--worlds 40`, `--runs 5` per world and budget, `--seed 9000`.
"""

from __future__ import annotations

import argparse
from statistics import fmean, median
from typing import Any

import numpy as np

from benchmarks.sweeping import add_where, where_of
from juryrank.simulation import Bernoulli, Btl, Where, World, simulate

SHARES = (0.6, 0.8, 1.0, 1.2)
CELLS = (
    ("equally hard pairs", 10, "better-than-chance"),
    ("equally hard pairs", 30, "better-than-chance"),
    ("equally hard pairs", 10, "steady"),
    ("equally hard pairs", 30, "steady"),
    ("uneven gaps (BTL)", 10, "better-than-chance"),
)
DELTA = 0.1


def world(kind: str, items: int, rng: np.random.Generator) -> World:
    """3 to 18 judges of all qualities; with uneven gaps, close items are harder."""
    judges = int(rng.choice([3, 6, 12, 18]))
    if kind == "equally hard pairs":
        best = rng.uniform(0.75, 0.97)
        return Bernoulli((*rng.uniform(0.55, best, judges - 1), best))
    gaps = rng.uniform(0.4, 2.0, items - 1)
    return Btl(tuple(rng.uniform(0.7, 2.5, judges)), scores=(0.0, *np.cumsum(gaps)))


def measure(kind: str, items: int, assume: str, *, worlds: int, runs: int, seed: int, where: Where) -> str:
    """One line of the table: links claimed, and runs certified, at each budget."""
    drawn = [world(kind, items, np.random.default_rng([seed, k])) for k in range(worlds)]
    fixed: dict[str, Any] = {"items": items, "delta": DELTA, "assume": assume, "where": where}
    needs = [
        median(run.questions for run in simulate("certified", w, repeats=9, seed=seed + k, **fixed).runs)
        for k, w in enumerate(drawn)
    ]
    cells = []
    for share in SHARES:
        found = [
            run
            for k, w in enumerate(drawn)
            for run in simulate(
                "certified", w, repeats=runs, seed=seed + 500 + k, budget=round(share * needs[k]), **fixed
            ).runs
        ]
        claimed = fmean(run.claimed_links or 0 for run in found)
        cells.append(f"{claimed:.1f} ({fmean(run.certified for run in found):.0%})")
    return f"| {kind}, N = {items} | {assume} | {fmean(needs):.0f} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table as Markdown."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--worlds", type=int, default=40)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--seed", type=int, default=9000)
    add_where(options)
    given = options.parse_args()
    budgets = " | ".join(f"{share:.0%}" for share in SHARES)
    print(f"| world | assume | questions (mean of medians) | {budgets} |\n|---|---|---|" + "---|" * len(SHARES))
    fixed: dict[str, Any] = {"worlds": given.worlds, "runs": given.runs, "seed": given.seed}
    for cell in CELLS:
        print(measure(*cell, **fixed, where=where_of(given)), flush=True)


if __name__ == "__main__":
    main()

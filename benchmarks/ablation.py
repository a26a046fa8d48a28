"""What each heuristic of the certified ranker saves, on other worlds: `python -m benchmarks.ablation`.

Every variant changes named constants (or switches a part off) and meets the same worlds with the same seeds. It
runs in the plain gear, because compiled code has its constants built in. `--runs 40`, `--items 20`, `--only TEXT`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from juryrank.core.gears import plain_gear
from juryrank.simulation import Bernoulli, Btl, World, simulate

CORE = "juryrank.core."
Change = tuple[str, Any]

VARIANTS: dict[str, list[Change]] = {
    "as it is": [],
    "never try another judge": [("curiosity.TRIAL_PRICE", math.inf)],
    "try judges at a tenth of the price": [("curiosity.TRIAL_PRICE", 1.0)],
    "follow every better-looking judge": [("curiosity.LEADER_RATIO", 1.0), ("curiosity.LEADER_MARGIN", 0.0)],
    "change judges as easily in the proof": [("curiosity.PROVING_RATIO", 1.03)],
    "judges tell nothing about each other": [("accuracy.SEEN", math.inf)],
    "no pair is hard": [("doubt.may_be_hard", lambda *about: False)],
    "hard pairs by the usual judge": [
        ("repair.pick_for_hard", None),
        ("proof.pick_for_hard", None),
    ],
    "place at .90": [("inserting.PLACE_AT", 0.90)],
    "place at .99": [("inserting.PLACE_AT", 0.99)],
    "no repair": [("search_prove.REPAIR_STOP", math.inf), ("repair.REPAIR_STOP", math.inf)],
    "repair ten times longer": [("search_prove.REPAIR_STOP", 0.01), ("repair.REPAIR_STOP", 0.01)],
    "bets start from nothing": [("proof.BET_START", 0.5)],
}


def worlds(items: int) -> dict[str, World]:
    """None of them is of the family that the constants were chosen on."""
    gaps = [(1.5, 0.3, 0.8)[k % 3] for k in range(items - 1)]
    return {
        "9 judges, .55 to .92": Bernoulli(tuple(0.55 + 0.37 * k / 8 for k in range(9))),
        "30 judges, three at .9, the rest near .6": Bernoulli((0.9,) * 3 + (0.6,) * 27),
        "uneven BTL, 6 judges": Btl(
            (2.0, 2.0, 1.0, 1.0, 0.5, 0.5), scores=tuple(round(math.fsum(gaps[:k]), 9) for k in range(items))
        ),
    }


def _usual(kind: str) -> Any:
    """In place of the choice for hard pairs: the ordinary one."""
    from juryrank.core.curiosity import pick_judge
    from juryrank.core.state import ANYBODY

    return lambda s, x, y, bonus: pick_judge(s, ANYBODY, x, y, 0.0, 0.0)


def means(changes: list[Change], items: int, runs: int) -> Iterator[tuple[str, float]]:
    """Questions a run in each world."""
    with ExitStack() as stack:
        stack.enter_context(plain_gear())
        for name, value in changes:
            stack.enter_context(patch(CORE + name, _usual(name) if value is None else value))
        for name, world in worlds(items).items():
            found = simulate("certified", world, items=items, delta=0.1, repeats=runs, seed=31, budget=30_000)
            yield name, found.questions_mean


def main() -> None:
    """Print questions a run and the change against the ranker as it is."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=40)
    options.add_argument("--items", type=int, default=20)
    options.add_argument("--only", default="")
    given = options.parse_args()
    print("| variant | " + " | ".join(worlds(given.items)) + " | mean change |\n|---|---|---|---|---|")
    base: list[float] = []
    for variant, changes in VARIANTS.items():
        if base and given.only not in variant:
            continue
        found = [mean for _, mean in means(changes, given.items, given.runs)]
        base = base or found
        change = sum(a / b for a, b in zip(found, base, strict=True)) / len(base) - 1
        print(f"| {variant} | " + " | ".join(f"{mean:.0f}" for mean in found) + f" | {change:+.1%} |", flush=True)


if __name__ == "__main__":
    main()

"""How often the interval of a panel's forecast holds: `python -m benchmarks.people_forecast`.

Panels of many kinds (items, people heard so far, how clear the majorities are, how people differ, ties): a
forecast for twenty more people is made, then twenty more people come. `--salt 7` are the worlds on which the
forecast's width was fitted.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace

import numpy as np

from benchmarks.sweeping import add_where, played
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.planning.people import UNLIKE, world
from juryrank.simulation.worlds.people import play

KINDS = {
    "ranges": {"objective": "ranges"},
    "tiers": {"objective": "tiers"},
    "best": {"objective": "best"},
    "top-3": {"objective": "top-3"},
    "field-share": {"objective": "ranges", "relation": "field-share"},
}
ITEMS, HEARD, MAJORITIES, MORE, ERROR = (5, 8, 12), (10, 25, 50), (0.7, 0.8, 0.9), 20, 0.1


def one(kind: str, run: int, salt: int) -> tuple[int, int, int] | None:
    """(low, what came, high) of one panel; None where nothing is left to forecast."""
    rng = np.random.default_rng([run, salt])
    items, heard, majority = (int(rng.choice(ITEMS)), int(rng.choice(HEARD)), float(rng.choice(MAJORITIES)))
    people = replace(world(items, majority, UNLIKE[run % 3], rng), tie=0.05)
    panel = Panel(range(items), error=ERROR, seed=run, **KINDS[kind])
    play(panel, people, people=heard, rng=rng)
    if panel.done:
        return None
    wanted, before, seen = _wanted(panel), panel.state.counted.settled.copy(), panel.forecast(MORE)
    for guest in range(MORE):
        somebody = people.person(rng)
        panel.add_judge(f"guest {guest}")
        while (question := panel.ask(f"guest {guest}")) is not None:
            panel.tell(question, somebody.answer(question.left, question.right))
    came = int((panel.state.counted.settled & ~before)[wanted].sum())
    return (seen["low"], came, seen["high"]) if "low" in seen else None


def _wanted(panel: Panel) -> np.ndarray:
    """The pairs that a forecast speaks of: those across the line that the objective needs, or all."""
    counted = panel.state.counted
    wanted = np.ones((counted.items, counted.items), dtype=bool)
    if isinstance(counted, HeadToHead):
        s, (i, j) = counted.guide(), counted.pairs
        first = counted.first(s, counted.needs(s).people, counted.open_pairs)
        wanted[i, j] = wanted[j, i] = first if first.any() else True
    return wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60, help="panels of each kind")
    parser.add_argument("--salt", type=int, default=2026, help="another number draws other worlds")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS))
    add_where(parser)
    arguments = parser.parse_args()
    total = defaultdict(int)
    for kind in arguments.kinds:
        cells = [(kind, run, arguments.salt) for run in range(arguments.runs)]
        seen = [found for found in played(one, cells, arguments) if found is not None]
        low, came, high = np.array(seen).T
        held = int(((low <= came) & (came <= high)).sum())
        total["held"] += held
        total["all"] += len(seen)
        print(
            f"{kind:<12} held in {held:>3} of {len(seen):>3}; came less {int((came < low).sum()):>2}, more "
            f"{int((came > high).sum()):>2}; mean {came.mean():.1f}, in {low.mean():.1f} to {high.mean():.1f}",
            flush=True,
        )
    print(f"the forecast's interval held in {total['held']} of {total['all']} panels")


if __name__ == "__main__":
    main()

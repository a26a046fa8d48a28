"""Large lists: how long a question takes, and the room it takes, by ranker and number of items.

    python -m benchmarks.large [--items 10 --items 100 ...] [--questions 200]

Every cell is a process of its own. `ms` is processor time per question (asked, answered, progress shown). Then the
owner's pages of the longest list, right after an answer (`benchmarks.owner_pages`).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import Any

RANKERS = {
    "one judge, counted": ("panel", {"about": "panel", "objective": "order"}, ("you",)),
    "three judges, counted": ("panel", {"about": "panel", "objective": "order"}, ("a", "b", "c")),
    "a panel of people": ("panel", {"objective": "ranges", "spread": True}, ()),
    "guess": ("guess", {}, ("a", "b", "c")),
}
SIZES = (10, 100, 1_000, 10_000)


def measure(what: str, items: int, questions: int) -> dict[str, Any]:
    """One cell, in this process."""
    from juryrank.rankers import make_ranker

    name, options, judges = RANKERS[what]
    began = time.process_time()
    ranker = make_ranker(name, range(items), judges=judges, seed=1, **options)
    person, times = None, []
    for number in range(questions):
        start = time.process_time()
        question = ranker.ask(person) if judges or person else None
        if question is None and not judges:
            person = f"person {number}"
            ranker.add_judge(person)
            question = ranker.ask(person)
        if question is None:
            break
        ranker.tell(question, min(question.left, question.right))
        _ = ranker.progress
        times.append(time.process_time() - start)
        if number == 0:
            first = time.process_time() - began
    start = time.process_time()
    _ = ranker.ranking
    result = time.process_time() - start
    return {
        "ranker": what,
        "items": items,
        "asked": len(times),
        "first s": round(first, 3),
        "ms": round(1e3 * sum(times[1:]) / max(len(times) - 1, 1), 3),
        "result s": round(result, 3),
        "MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    """A line for each cell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, action="append")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--cell", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.cell:
        print(json.dumps(measure(given.cell[0], int(given.cell[1]), given.questions)))
        return
    for what in RANKERS:
        for items in given.items or SIZES:
            call = [sys.executable, "-m", "benchmarks.large", "--questions", str(given.questions)]
            subprocess.run([*call, "--cell", what, str(items)], check=False)
    pages = ["--items", str(max(given.items or SIZES)), "--judges", "4", "--limit", "300"]
    subprocess.run([sys.executable, "-m", "benchmarks.owner_pages", *pages], check=False)


if __name__ == "__main__":
    main()

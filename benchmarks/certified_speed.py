"""What a question costs in plain Python, for few items and for many: `python -m benchmarks.certified_speed`.

Times an ask and a tell together while the last items of a list are inserted (the state is made up: the others are
in their places), and over a whole ranking of 100 items.
"""

from __future__ import annotations

import random
import time

import numpy as np

from juryrank.core import state as st
from juryrank.rankers.certified import Certified

ACCURACIES = [0.9526] * 6 + [0.6792] * 12
QUESTIONS = 1500


def nearly_placed(items: int, left: int) -> Certified:
    """A ranker in which all but `left` items are placed."""
    ranker = Certified(range(items), judges=range(18), error=0.1, seed=1)
    s = ranker._machine
    placed = items - left
    s.order[:placed] = np.sort(s.arrivals[:placed])
    s.numbers[st.PLACED] = s.numbers[st.NEXT] = placed
    return ranker


def microseconds(ranker: Certified, most: int) -> tuple[float, int]:
    """Mean processor time of an ask and its tell."""
    rng, judges = random.Random(1), random.Random(2).sample(ACCURACIES, 18)
    asked, started = 0, time.process_time()
    while asked < most and (question := ranker.ask()) is not None:
        both = sorted((question.left, question.right))  # type: ignore[type-var]
        ranker.tell(question, both[rng.random() >= judges[question.judge]])  # type: ignore[call-overload]
        asked += 1
    return (time.process_time() - started) / asked * 1e6, asked


def main() -> None:
    """Print the table as Markdown."""
    print("| state | items | questions | µs an ask and a tell |\n|---|---|---|---|")
    for items in (100, 10_000, 100_000):
        mean, asked = microseconds(nearly_placed(items, min(items // 2, 120)), QUESTIONS)
        print(f"| inserting the last items | {items:,} | {asked} | {mean:.0f} |", flush=True)
    mean, asked = microseconds(Certified(range(100), judges=range(18), error=0.1, seed=1), 100_000)
    print(f"| a whole ranking | 100 | {asked} | {mean:.0f} |")


if __name__ == "__main__":
    main()

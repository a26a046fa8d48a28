"""What estimates cost: one fit of all answers, beside a plain Bradley-Terry fit of the same answers by evalica.

That fit gives scores; estimates also weigh the judges (or make room for tastes) and give intervals and chances.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from juryrank.core.tallies import AnswerCounts, CountTable
from juryrank.rankers.guess.core.estimate import estimate

SIZES = ((50, 20, 10_000, 0.3), (500, 100, 100_000, 3.0))  # items, judges, answers, seconds that it may take
TIMES = 5
ROUNDS = 1000  # of evalica's, at most; it ends at its own tolerance
SPREAD = 1.0  # of the scores, in log-odds


class Answers(NamedTuple):
    """Who was asked about which two, and whether the first was preferred."""

    judge: np.ndarray
    first: np.ndarray
    second: np.ndarray
    won: np.ndarray

    def table(self) -> CountTable:
        counts = AnswerCounts()
        for u, i, j, won in zip(*(part.tolist() for part in self), strict=True):
            counts.add(u, first=i, second=j, preferred=i if won else j)
        return counts.table()


class Timed(NamedTuple):
    """Median seconds over several runs."""

    processor: float
    wall: float


def draw(items: int, judges: int, answers: int, *, seed: int = 1) -> Answers:
    """Bradley-Terry answers about random pairs, by random judges who see the scores more or less clearly."""
    rng = np.random.default_rng([seed, items, judges])
    score, slope = SPREAD * rng.normal(size=items), rng.uniform(0.3, 1.5, judges)
    judge, first = rng.integers(judges, size=answers), rng.integers(items, size=answers)
    second = (first + rng.integers(1, items, size=answers)) % items
    won = rng.random(answers) < 1 / (1 + np.exp(slope[judge] * (score[second] - score[first])))
    return Answers(judge, first, second, won)


def timed(run: Callable[[], object], *, times: int = TIMES) -> Timed:
    """Medians; the first run, which loads and compiles, is left out."""
    run()
    processor, wall = [], []
    for _ in range(times):
        before = time.process_time(), time.perf_counter()
        run()
        processor.append(time.process_time() - before[0])
        wall.append(time.perf_counter() - before[1])
    return Timed(statistics.median(processor), statistics.median(wall))


def bradley_terry(answers: Answers) -> np.ndarray:
    """Plain Bradley-Terry strengths by evalica, from the same answers."""
    import evalica

    winners = [evalica.Winner.X if won else evalica.Winner.Y for won in answers.won.tolist()]
    found = evalica.bradley_terry(answers.first.tolist(), answers.second.tolist(), winners, limit=ROUNDS)
    return found.scores.sort_index().to_numpy()


def speed_table(sizes: tuple[tuple[int, int, int, float], ...] = SIZES, *, times: int = TIMES) -> str:
    """Median processor and wall time of each reading, beside the plain fit and beside what it may take."""
    lines = [
        "| items | judges | answers | what | processor | wall | may take |",
        "|---|---|---|---|---|---|---|",
    ]
    for items, judges, answers, most in sizes:
        said = draw(items, judges, answers)
        how = partial(estimate, said.table(), items=items, judges=judges, k=3)
        runs = {
            "estimates, one truth": partial(how, opinions=False),
            "estimates, opinions": partial(how, opinions=True),
            "Bradley-Terry, evalica": partial(bradley_terry, said),
        }
        for what, run in runs.items():
            took = timed(run, times=times)
            limit = f"{most:g} s" if "estimates" in what else ""
            lines.append(
                f"| {items:,} | {judges:,} | {answers:,} | {what} | {1000 * took.processor:,.0f} ms | "
                f"{1000 * took.wall:,.0f} ms | {limit} |"
            )
    return "\n".join(lines)

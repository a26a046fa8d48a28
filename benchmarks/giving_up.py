"""`python -m benchmarks.giving_up`: what is spent where no order can be proven, and is it ever given up wrongly?

Two tables. In the first, worlds without an order to be found: two items that are equally good for every judge,
judges who know nothing, circles, judges who remember and contradict each other. In the second, worlds with an
order, easy and hard, in which giving up would be a mistake. Options: `--runs 50` per line, `--only TEXT`.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.assumptions import Judge, remembering
from benchmarks.sweeping import add_where, played
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.ranker import Certified
from juryrank.simulation import Bernoulli, Btl, Drifting, two_groups
from juryrank.simulation.play import true_ranks
from juryrank.simulation.players.certified import ASKED, play_out
from juryrank.simulation.worlds.base import MARGINS, Stage, stage

BOTH = ("better-than-chance", "steady")
FAIR = BOTH[:1]  # pairs differ, which `steady` rules out
SKILLS = tuple(2 * p - 1 for p in (0.9,) * 3 + (0.7,) * 6)
GAMMAS = (2.5,) * 6 + (1.0,) * 12
ERROR, BUDGET = 0.1, 100_000  # an item


@dataclass(frozen=True, slots=True)
class Row:
    """A world; `fewer`: how many times fewer runs are played, where one takes long."""

    name: str
    items: int
    world: Stage | Callable[[], Judge]
    assume: tuple[str, ...] = BOTH
    fewer: int = 1


def without_order() -> Iterator[Row]:
    """Where more questions prove nothing."""
    for items in (10, 30):
        yield Row(f"one exact tie, N = {items}", items, tied(items, [items // 2]))
    yield Row("three exact ties, N = 10", 10, tied(10, [2, 5, 7]))
    yield Row("one exact tie, else perfect judges, N = 10", 10, tied(10, [5], skills=(1.0,) * 3))
    yield Row(
        "half of the judges inverted (0.9, 0.1), N = 10",
        10,
        stage(MARGINS, (0.8, 0.8, -0.8, -0.8), margins=np.full((10, 10), 0.5)),
    )
    yield Row("three judges at 1/2, N = 3", 3, Bernoulli((0.5,) * 3).stage(3))
    yield Row("three judges at 1/2, N = 10", 10, Bernoulli((0.5,) * 3).stage(10))
    yield Row("nine remember, 5 % of pairs wrong, N = 10", 10, remembering(0.95))
    for items in (10, 30):
        for length in (3, 5):
            yield Row(f"a circle of {length}, N = {items}", items, circle(items, length, SKILLS))
            yield Row(
                f"a circle of {length}, one fixed program, N = {items}", items, circle(items, length, (1.0,))
            )


def with_order() -> Iterator[Row]:
    """Where giving up would be a mistake."""
    for items, fewer in ((10, 1), (30, 1), (100, 5)):
        for a, b in ((0.25, 0.5), (0.25, 1.0), (0.5, 2.5)):
            panel = two_groups(18, gamma_a=a, gamma_b=b)
            yield Row(f"γ {a:g}/{b:g}, N = {items}", items, panel.stage(items), fewer=fewer)
    spam = Bernoulli((0.953,) * 4 + tuple(0.5 + 0.005 * k / 15 for k in range(16)))
    yield Row("4 judges at .953, 16 at .5-.505, N = 100", 100, spam.stage(100), fewer=5)
    yield Row("200 judges, all .953, N = 30", 30, Bernoulli((0.953,) * 200).stage(30))
    yield Row("three judges at .53, N = 3", 3, Bernoulli((0.53,) * 3).stage(3))
    yield Row("three judges at .55, N = 10", 10, Bernoulli((0.55,) * 3).stage(10))
    yield Row("gaps 1.2 and .15, N = 30", 30, gaps(30, 1.2, 0.15), FAIR)
    yield Row("gaps 1.2 and .05, N = 10", 10, gaps(10, 1.2, 0.05), FAIR)
    yield Row("gaps 1.2 and .05, N = 30", 30, gaps(30, 1.2, 0.05), FAIR, fewer=5)
    yield Row("one gap .05 among 1.2, N = 10", 10, gaps(10, 1.2, 0.05, every=9), FAIR)
    yield Row("one gap .05 among 1.2, N = 30", 30, gaps(30, 1.2, 0.05, every=29), FAIR)
    yield Row("all gaps .05, N = 5", 5, gaps(5, 0.05, 0.05), FAIR)
    yield Row("two items, gap .05", 2, gaps(2, 0.05, 0.05), FAIR)
    for least in (0.02, 0.1):
        margins = np.random.default_rng(7).uniform(least, 0.5, (10, 10))
        yield Row(
            f"every pair its own margin from {least:g}, N = 10",
            10,
            stage(MARGINS, (1.0, 0.8, 0.4, 0.2), margins=margins),
            FAIR,
        )
    adverse = np.full((10, 10), 0.5)
    adverse[np.arange(1, 10), np.arange(9)] = 0.02  # all neighbours at .52, everything else easy
    yield Row("neighbours at .52, the rest at .9, N = 10", 10, stage(MARGINS, (1.0, 0.8), margins=adverse), FAIR)
    yield Row("judges drift from .9 to .55, N = 10", 10, Drifting((0.9,) * 4, (0.55,) * 4, 200).stage(10), FAIR)


def tied(items: int, places: list[int], skills: tuple[float, ...] = SKILLS) -> Stage:
    """Everything as usual, but no judge sees a difference between the items at k-1 and k."""
    margins = np.full((items, items), 0.5)
    margins[places, [k - 1 for k in places]] = 0.0
    return stage(MARGINS, skills, margins=margins)


def circle(items: int, length: int, skills: tuple[float, ...]) -> Stage:
    """In the middle each item beats the next half of the circle, and loses to the others of it."""
    margins = np.full((items, items), 0.5)
    start = (items - length) // 2
    for i in range(length):
        for j in range(i - length // 2):
            margins[start + i, start + j] = -0.5
    return stage(MARGINS, skills, margins=margins)


def gaps(items: int, wide: float, narrow: float, *, every: int = 2) -> Stage:
    """Bradley-Terry scores: every second gap is narrow (or one of so many, in the middle)."""
    widths = [narrow if k % every == every // 2 else wide for k in range(items - 1)]
    return Btl(GAMMAS, scores=tuple(round(math.fsum(widths[:k]), 9) for k in range(items))).stage(items)


def one_run(row: Row, assume: str, seed: int, patience: int | None) -> Counter[str]:
    """One ranking: how much was asked, and how it ended."""
    rng = np.random.default_rng(seed)
    settings: dict[str, Any] = {"error": ERROR, "assume": assume, "patience": patience}
    budget = BUDGET * row.items
    if isinstance(row.world, Stage):
        truth = true_ranks(row.items, rng)
        judges = range(len(row.world.judges))
        ranker = Certified(range(row.items), judges=judges, seed=seed, budget=budget, **settings)
        ranker._machine, board = play_out(ranker._machine, row.world, truth, rng, budget=budget, parallel=1)
        questions = int(board.flow[ASKED])
    else:
        judge = row.world()
        items = [int(i) for i in rng.permutation(row.items)]
        ranker = Certified(items, judges=range(9), seed=seed, budget=20_000, **settings)
        while (question := ranker.ask()) is not None:
            said = judge(rng, question.judge, question.left, question.right)  # type: ignore[arg-type]
            ranker.tell(question, said)
        questions = ranker.questions
    proven = bool(ranker._machine.cursor.phase == phases.CERTIFIED)
    attempts = int(ranker._machine.cursor.attempt)
    return Counter(
        {"questions": questions, "proven": int(proven), "gave up": int(ranker.gave_up), "attempts": attempts}
    )


def one_of(name: str, assume: str, seed: int, patience: int | None) -> Counter[str]:
    """One ranking of the line of this name."""
    row = next(row for row in (*without_order(), *with_order()) if row.name == name)
    return one_run(row, assume, seed, patience)


def line(row: Row, assume: str, given: argparse.Namespace) -> dict[str, Any]:
    """All runs of one line."""
    runs = max(2, given.runs // row.fewer)
    cells = [(row.name, assume, 20_000 + seed, given.patience or None) for seed in range(runs)]
    found = played(one_of, cells, given, rebuild=Counter)
    asked = [one["questions"] for one in found]
    return {
        "world": row.name,
        "assume": assume,
        "runs": len(found),
        "gave up": sum(one["gave up"] for one in found),
        "all proven": sum(one["proven"] for one in found),
        "median questions": round(float(np.median(asked))),
        "most questions": max(asked),
        "most attempts": max(one["attempts"] for one in found),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.giving_up", description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--only", default="")
    parser.add_argument("--patience", type=int, default=20_000, help="0: never give up")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "giving_up.csv")
    add_where(parser)
    given = parser.parse_args()
    found = []
    for title, rows in (("no order to be found", without_order()), ("with an order", with_order())):
        print(f"\n| {title} | assume | runs | gave up | all proven | questions: median | most | most attempts |")
        print("|---|---|---|---|---|---|---|---|")
        for row in rows:
            for assume in row.assume if given.only in row.name else ():
                kept = line(row, assume, given)
                print(
                    "| " + " | ".join(f"{v:,}" if isinstance(v, int) else v for v in kept.values()) + " |",
                    flush=True,
                )
                found.append(kept)
    if found and not given.only:
        with given.out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, found[0])
            writer.writeheader()
            writer.writerows(found)


if __name__ == "__main__":
    main()

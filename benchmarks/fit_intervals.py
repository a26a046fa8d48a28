"""How often the two named intervals of `fit` hold, with few and many judges and cases.

    python -m benchmarks.fit_intervals [--runs 300] [--models bt] [--judges 2 3 5] [--cases 0 20] [--quick]

*these judges*: the truth is the score that the drawn judges would give to endlessly many cases. *judges like
these*: that of endlessly many judges. Both are worked out from the chances of the world, not from votes. Writes
benchmarks/results/fit_intervals.csv and the table of docs/votes-fit.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sweeping import add_where, played
from benchmarks.tables import with_table
from juryrank.votes.fitting.ballots import Ballots, graph_of, sorted_by_judge
from juryrank.votes.fitting.core import FittedScores, estimate
from juryrank.votes.fitting.intervals import LIKE_THESE, THESE
from juryrank.votes.fitting.model import Likelihood, Spec
from juryrank.votes.fitting.solver import Solution

RESULTS = Path(__file__).parent / "results" / "fit_intervals.csv"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "votes-fit.md"
SCORES = np.array([0.9, 0.4, 0.1, -0.3, -1.1])
PAIRS = np.array(list(combinations(range(len(SCORES)), 2)))
JUDGES, CASES = (2, 3, 4, 5, 7, 10, 20), (0, 20, 80, 200, 500)  # 0: no column for cases
LEVEL, SEED, ENDLESS = 0.9, 4711, 20_000
FITTED_JUDGES, FITTED_CASES = 400, 2000  # where the truth of `hbtl` is fitted
KEYS = ("model", "design", "world", "judges", "cases")
LIMITS = {THESE: (0.87, 0.96), LIKE_THESE: (0.87, 0.98)}


@dataclass(frozen=True)
class World:
    """`slope`: spread of the judges' log slopes; `taste`: of judge x item; `case`: of case x item."""

    name: str
    slope: float = 0.0
    taste: float = 0.0
    case: float = 0.0

    def judges(self, rng: np.random.Generator, many: int) -> tuple[Any, Any]:
        """Slopes, and scores of their own."""
        own = SCORES + self.taste * rng.normal(size=(many, len(SCORES)))
        return np.exp(self.slope * rng.normal(size=many)), own


WORLDS = (World("noise", slope=0.4), World("tastes", taste=0.7), World("cases", case=0.8),
          World("both", slope=0.3, taste=0.6, case=0.7))  # fmt: skip
# all: every judge answers two pairs of every case, the same ones; part: a judge sees a share of them (a fifth to
# all); star: every judge compares every item with the first one
DESIGNS = ("all", "part", "star")


def votes_of(rng: np.random.Generator, world: World, design: str, judges: Any, cases: int) -> Ballots:
    """Votes of the judges; without a column for cases, every vote is about a case of its own."""
    slopes, own = judges
    many, rounds = len(slopes), cases or 80
    if design == "star":
        asked = np.tile(PAIRS[PAIRS[:, 0] == 0], (rounds, 1))
    else:
        asked = PAIRS[rng.integers(len(PAIRS), size=2 * rounds)]
    case = np.repeat(np.arange(rounds), len(asked) // rounds)
    u = np.repeat(np.arange(many), len(asked))
    pair, case = np.tile(asked, (many, 1)), np.tile(case, many)
    if design == "part":
        seen = rng.random(len(u)) < seen_by(many)[u]
        u, pair, case = u[seen], pair[seen], case[seen]
    about = case if cases else np.arange(len(u))
    shift = world.case * rng.normal(size=(int(about.max()) + 1, len(SCORES)))
    turned = rng.random(len(u)) < 0.5
    left, right = np.where(turned, pair[:, 1], pair[:, 0]), np.where(turned, pair[:, 0], pair[:, 1])
    z = slopes[u] * (own[u, left] + shift[about, left] - own[u, right] - shift[about, right])
    lost = rng.random(len(u)) > 1 / (1 + np.exp(-z))
    ballots = Ballots(
        u.astype(np.int32), left.astype(np.int32), right.astype(np.int32), lost.astype(np.int8),
        tuple("abcde"), tuple(f"judge {k}" for k in range(many)), case=case.astype(np.int32) if cases else None,
    )  # fmt: skip
    return sorted_by_judge(ballots)


def seen_by(many: int) -> Any:
    """The share of all questions that each judge sees in the design `part`."""
    return np.linspace(0.2, 1.0, many)


def limit(world: World, design: str, judges: Any, weight: Any) -> Any:
    """The Bradley-Terry scores of endless votes: those whose expected wins are the world's."""
    slopes, own = judges
    asked = PAIRS[PAIRS[:, 0] == 0] if design == "star" else PAIRS
    at, nodes = np.polynomial.hermite_e.hermegauss(21)
    gap = own[:, asked[:, 0]] - own[:, asked[:, 1]]
    shifted = gap[:, :, None] + world.case * np.sqrt(2) * at
    chance = 1 / (1 + np.exp(-slopes[:, None, None] * shifted)) @ (nodes / nodes.sum())
    return most_likely(asked, weight @ chance / weight.sum(), np.ones(len(asked)))


def most_likely(asked: Any, share: Any, votes: Any) -> Any:
    """Bradley-Terry scores from the share of votes that the first of each pair wins (Newton's method)."""
    x = np.zeros(len(SCORES))
    across = np.eye(len(SCORES))[asked[:, 0]] - np.eye(len(SCORES))[asked[:, 1]]
    for _ in range(12):
        p = 1 / (1 + np.exp(-across @ x))
        bend = across.T @ (across * (votes * p * (1 - p))[:, None]) + 1 / len(x)
        x = x + np.linalg.solve(bend, across.T @ (votes * (share - p)))
    return x - x.mean()


def fitted(ballots: Ballots, model: str) -> FittedScores:
    """As `estimate`; for `bt` the scores come from Newton's method on the counts, which is the same and faster."""
    spec, graph = Spec(model), graph_of(ballots)
    if model != "bt" or not all(graph.strong) or graph.count > 1:
        return estimate(ballots, spec)
    many = len(SCORES)
    key = ballots.left.astype(np.int64) * many + ballots.right
    seen, won = np.bincount(key, minlength=many**2), np.bincount(key, ballots.score, many**2)
    asked = np.flatnonzero(seen)
    x = most_likely(np.stack([asked // many, asked % many], 1), won[asked] / seen[asked], seen[asked])
    like = Likelihood(ballots, spec, anchors=graph.anchors())
    return FittedScores(ballots, spec, graph, like, Solution(x, {}, 0.0))


def limits(world: World, design: str, model: str, judges: Any, cases: int, rng: np.random.Generator) -> Any:
    """The truth of these judges; `hbtl` has no equation for it, so it is fitted to very many cases."""
    weight = seen_by(len(judges[0])) if design == "part" else np.ones(len(judges[0]))
    if model == "bt":
        return limit(world, design, judges, weight)
    endless = votes_of(rng, world, design, judges, FITTED_CASES)
    return estimate(endless, Spec(model)).scores


@cache
def of_everybody(world: World, design: str, model: str) -> Any:
    """The truth of judges like these."""
    rng, many = np.random.default_rng(SEED), ENDLESS if model == "bt" else FITTED_JUDGES
    crowd = world.judges(rng, many)
    if model == "bt":
        return limit(world, design, crowd, np.ones(many))
    return estimate(votes_of(rng, world, design, crowd, 200), Spec(model)).scores


def cell(world: World, design: str, model: str, many: int, cases: int, runs: int) -> dict[str, Any]:
    """One line of the table."""
    seed = [SEED, WORLDS.index(world), DESIGNS.index(design), many, cases]
    rng, here = np.random.default_rng(seed), PAIRS.T
    everybody = of_everybody(world, design, model)
    found: dict[str, list[Any]] = {f"{name} {what}": [] for name in LIMITS for what in ("gaps", "scores", "width")}
    for _ in range(runs):
        judges = world.judges(rng, many)
        fit = fitted(votes_of(rng, world, design, judges, cases), model)
        own = limits(world, design, model, judges, cases, rng)
        gaps = fit.scores[here[0]] - fit.scores[here[1]]
        for name, interval in fit.intervals.items():
            truth = own if name == THESE else everybody
            half = interval.pairs(LEVEL, np.arange(len(SCORES)))[here[0], here[1]]
            found[f"{name} gaps"].append(np.mean(np.abs(gaps - (truth[here[0]] - truth[here[1]])) <= half))
            found[f"{name} scores"].append(np.mean(np.abs(fit.scores - truth) <= interval.scores(LEVEL)))
            found[f"{name} width"].append(np.mean(half))
    row = {"world": world.name, "design": design, "model": model, "judges": many, "cases": cases, "runs": runs}
    return row | {name: float(np.mean(values)) if values else "" for name, values in found.items()}


def cells(options: argparse.Namespace) -> Iterator[tuple[World, str, str, int, int]]:
    for model, design, world in product(options.models, DESIGNS, WORLDS):
        if design != "all" and world.name != "both":
            continue  # unequal designs in the hardest world only
        for many, cases in product(options.judges, options.cases):
            if model == "bt" or many >= 5:
                yield world, design, model, many, cases


def outside(row: dict[str, Any]) -> list[str]:
    """What of a line is not within its limits."""
    return [
        f"{name} {what} {float(row[f'{name} {what}']):.3f}"
        for name, (low, high) in LIMITS.items()
        for what in ("gaps", "scores")
        if row[f"{name} {what}"] != "" and not low <= float(row[f"{name} {what}"]) <= high
    ]


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Per kind of world and number of judges, the least and the most over all numbers of cases."""
    yield "| world | model | judges | these judges held | judges like these held | half-width |"
    yield "|---|---|---|---|---|---|"
    for key in dict.fromkeys((row["world"], row["design"], row["model"], int(row["judges"])) for row in rows):
        some = [row for row in rows if (row["world"], row["design"], row["model"], int(row["judges"])) == key]
        name = {"all": key[0], "part": f"{key[0]}, unequal judges", "star": f"{key[0]}, one baseline"}[key[1]]
        wide = " and ".join(_mean(some, f"{which} width") for which in LIMITS)
        yield f"| {name} | `{key[2]}` | {key[3]} | {_range(some, THESE)} | {_range(some, LIKE_THESE)} | {wide} |"


def _range(rows: list[dict[str, Any]], name: str) -> str:
    held = [
        100 * float(row[f"{name} {what}"]) for row in rows for what in ("gaps", "scores") if row[f"{name} {what}"]
    ]
    return f"{min(held):.0f} to {max(held):.0f} %" if held else "cannot say"


def _mean(rows: list[dict[str, Any]], name: str) -> str:
    wide = [float(row[name]) for row in rows if row[name]]
    return f"{np.mean(wide):.2f}" if wide else "–"


def merged(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The rows as text, among those of an earlier run: all is seeded, so what was not played again holds."""
    new = [{k: f"{v:.4g}" if isinstance(v, float) else str(v) for k, v in row.items()} for row in rows]
    old: list[dict[str, str]] = []
    if RESULTS.exists():
        with RESULTS.open(newline="", encoding="utf-8") as file:
            old = list(csv.DictReader(file))
    by = {tuple(row[k] for k in KEYS): row for row in (*old, *new)}
    order = ("bt", "hbtl"), DESIGNS, [world.name for world in WORLDS]

    def place(row: dict[str, str]) -> tuple[int, ...]:
        first = (some.index(row[key]) for some, key in zip(order, KEYS, strict=False))
        return (*first, int(row["judges"]), int(row["cases"]))

    return sorted(by.values(), key=place)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--models", nargs="*", default=["bt"])
    parser.add_argument("--judges", nargs="*", type=int, default=JUDGES)
    parser.add_argument("--cases", nargs="*", type=int, default=CASES)
    parser.add_argument("--quick", action="store_true", help="print only; write nothing")
    add_where(parser)
    options = parser.parse_args()
    rows = played(cell, [(*where, options.runs) for where in cells(options)], options)
    for row in rows:
        print(*(f"{v:.3f}" if isinstance(v, float) else v for v in row.values()), *outside(row))
    if options.quick:
        return
    rows = merged(rows)
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(page, "fit-intervals", table(rows)), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Recorded tables: whole evaluations by GPT-4, and people's votes, played as if the answers were not known.

The folder (--data) holds gpt4_openassistant/votes.csv.gz, gpt4_vicuna80/votes.csv.gz (judge, case, left, right,
winner as the side) and mtbench_human/votes.csv (judge, left, right, winner). Only the first was used for tuning.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.jury.play import Answers

SIGN = {"left": 1.0, "right": -1.0, "tie": 0.0}
# mean calls that the design promised (best at 0, top-3 at .05, order at .05, order at 0), and random questions
PROMISED = {
    "gpt4_openassistant": (99, 1634, 1946, 5662),
    "gpt4_vicuna80": (86, 810, 867, 1199),
    "mtbench_human": (235, 166, 382, 542),
}
GOALS = (("best", 0.0), ("top-3", 0.05), ("order", 0.05), ("order", 0.0))


def recorded(folder: Path) -> Iterator[tuple[str, Answers]]:
    """The tables that are there."""
    for name in ("gpt4_openassistant", "gpt4_vicuna80"):
        path = folder / name / "votes.csv.gz"
        if path.is_file():
            with gzip.open(path, "rt", encoding="utf-8") as file:
                yield name, on_cases(list(csv.DictReader(file)))
    path = folder / "mtbench_human" / "votes.csv"
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            yield "mtbench_human", pooled(list(csv.DictReader(file)))


def on_cases(rows: list[dict[str, str]]) -> Answers:
    """Every pair on every case, both sides; what is missing was refused."""
    items = sorted({row[side] for row in rows for side in ("left", "right")})
    cases = sorted({row["case"] for row in rows}, key=int)
    place = {item: at for at, item in enumerate(items)}
    number = {case: at for at, case in enumerate(cases)}
    n = len(items)
    values = {(i, j): np.full((1, len(cases), 2), np.nan) for i in range(n) for j in range(i + 1, n)}
    for row in rows:
        left, right, case = place[row["left"]], place[row["right"]], number[row["case"]]
        x = SIGN[row["winner"]]
        if left < right:
            values[left, right][0, case, 0] = x
        else:
            values[right, left][0, case, 1] = -x
    return Answers(values)


def pooled(rows: list[dict[str, str]]) -> Answers:
    """People's votes as one judge, one cell per vote: pairs have as many cases as votes."""
    items = sorted({row[side] for row in rows for side in ("left", "right")})
    place = {item: at for at, item in enumerate(items)}
    said = defaultdict(list)
    for row in rows:
        left, right = place[row["left"]], place[row["right"]]
        x = 1.0 if row["winner"] == row["left"] else -1.0 if row["winner"] == row["right"] else 0.0
        said[min(left, right), max(left, right)].append(x if left < right else -x)
    most = max(map(len, said.values()))
    values = {
        pair: np.array(votes + [np.nan] * (most - len(votes))).reshape(1, most, 1) for pair, votes in said.items()
    }
    absent = {pair: frozenset(range(len(votes), most)) for pair, votes in said.items()}
    return Answers(values, absent=absent)

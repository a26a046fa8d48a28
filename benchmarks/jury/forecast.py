"""Forecasts: what they save, by how much of the answers they explain; and worlds in which they lie on purpose."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.jury.play import Answers, Result, play
from benchmarks.jury.recorded import SIGN
from juryrank.rankers.jury.core.forecasts import UNIT, Rows
from juryrank.rankers.jury.core.table import Pair
from juryrank.simulation.players.cases import explaining as with_share

Forecast = Callable[[Pair], Rows]
LIES = ("right", "contrary", "for the first", "for the second", "random")
CELLS, GAPS = (160, 1906), (0.1, 0.2)  # cells of a pair; how far neighbours are apart, in shares of the answers
EXPLAINED = (0.0, 0.4, 0.8)  # R² within a pair


def ladder(cells: int, gap: float, *, items: int = 4, seed: int = 1) -> Answers:
    """Systems one after the other, one judge, both sides."""
    rng, values = np.random.default_rng(seed), {}
    for i, j in combinations(range(items), 2):
        plus = round(min(0.5 + gap * (j - i) / 2, 0.97) * cells)
        said = rng.permutation(np.repeat([1.0, -1.0], [plus, cells - plus]))
        values[i, j] = said.reshape(1, cells // 2, 2)
    return Answers(values)


def explaining(answers: Answers, share: float, seed: int) -> Forecast:
    """Forecasts with this R² within each pair."""
    rng = np.random.default_rng([seed, 9])
    rows = {pair: with_share(x, share, rng) for pair, x in answers.values.items()}
    return rows.__getitem__


def lying(answers: Answers, kind: str, seed: int) -> Forecast:
    """Forecasts by somebody who knows every answer, and says this."""
    rng = np.random.default_rng([seed, 10])

    def of(x: np.ndarray) -> Rows:
        known = np.nan_to_num(x).reshape(len(x), -1)
        said = {
            "right": known, "contrary": -known, "for the first": np.ones(known.shape),
            "for the second": -np.ones(known.shape), "random": rng.choice([-1.0, 1.0], known.shape),
        }[kind]  # fmt: skip
        return list(np.round(UNIT * said).astype(np.int64))

    rows = {pair: of(x) for pair, x in answers.values.items()}
    return rows.__getitem__


def people(folder: Path, seed: int) -> tuple[Answers, Forecast, float]:
    """People judge answers of six models: one vote on each question that a pair was compared on; what the others
    said on the same question is the forecast. (No model's verdicts on these answers are recorded; by what is
    published GPT-4 agrees with people as often as people do.) The last number: R² of the forecasts."""
    rng = np.random.default_rng([seed, 11])
    with (folder / "mtbench_human" / "votes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    items = sorted({row[side] for row in rows for side in ("left", "right")})
    said: dict[tuple[int, int], dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        left, right = items.index(row["left"]), items.index(row["right"])
        x = SIGN["tie" if not row["winner"] else "left" if row["winner"] == row["left"] else "right"]
        said[min(left, right), max(left, right)][row["question_id"], row["turn"]].append(x if left < right else -x)
    most = max(map(len, said.values()))
    values, rows_of, both = {}, {}, []
    for pair, by_case in said.items():
        one, others = np.full(most, np.nan), np.zeros(most)
        for at, votes in enumerate(by_case.values()):
            votes = list(rng.permutation(votes))
            one[at], others[at] = votes[0], np.mean(votes[1:]) if len(votes) > 1 else 0.0
        there = slice(0, len(by_case))
        both.append((one[there] - one[there].mean(), others[there] - others[there].mean()))
        values[pair] = one.reshape(1, most, 1)
        rows_of[pair] = [np.round(UNIT * others).astype(np.int64)]
    absent = {pair: frozenset(range(len(by_case), most)) for pair, by_case in said.items()}
    x, f = (np.concatenate([pair[side] for pair in both]) for side in (0, 1))
    return Answers(values, absent=absent), rows_of.__getitem__, float(np.corrcoef(x, f)[0, 1] ** 2)


def compared(answers: Answers, forecast: Forecast, runs: int, **goal: object) -> tuple[float, float, int]:
    """Calls after the list is fixed, and in all, over those without forecasts; false statements with them."""
    pairs: list[tuple[Result, Result]] = [
        (play(answers, seed=seed, forecast=forecast, **goal), play(answers, seed=seed, **goal))
        for seed in range(runs)
    ]  # type: ignore[arg-type]
    after = [sum(result.calls - result.fixed_at for result in side) for side in zip(*pairs, strict=True)]
    whole = [sum(result.calls for result in side) for side in zip(*pairs, strict=True)]
    return after[0] / max(after[1], 1), whole[0] / whole[1], sum(with_it.false for with_it, _ in pairs)

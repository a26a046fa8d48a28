"""How often a pair's interval holds its share in the whole table: after adaptive asking, at early and late stops.

Every pair with an answer counts once per run. A run ends where what it was to prove is proven, or where a budget
ends it: at a tenth, at a third and at all of the calls that it takes to the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from benchmarks.jury.play import Answers, play
from juryrank.defaults import ESTIMATE_LEVEL
from juryrank.rankers.jury.core.machine import Machine
from juryrank.rankers.jury.shares import share_of_pair

HOLDS = (0.87, 0.96)  # of intervals at 90 %
STOPS = (0.1, 1 / 3, 1.0)  # of a run


def six_worlds(seed: int = 1) -> Iterator[tuple[str, Answers]]:
    """Made-up tables: a ladder, near ties, contrary judges of unequal weight, refusals, ties, answers anew."""
    yield "ladder", _world(6, 1, 150, 0.5, seed)
    yield "near ties", _world(5, 1, 80, 0.08, seed + 1)
    yield "three judges", _world(5, 3, 80, 0.4, seed + 2, weights=(0.5, 0.3, 0.2), apart=1.0)
    yield "refusals", _world(5, 2, 100, 0.5, seed + 3, refused=0.15)
    yield "half ties", _world(5, 2, 100, 0.4, seed + 4, ties=0.5)
    yield "large", _world(10, 2, 300, 0.3, seed + 5)


def _world(
    items: int, judges: int, cases: int, step: float, seed: int, *,
    weights: tuple[float, ...] | None = None, apart: float = 0.3, refused: float = 0.0, ties: float = 0.0,
) -> Answers:  # fmt: skip
    """Strengths a step apart; judges differ from them and cases from both (log-odds); the side counts a little."""
    rng = np.random.default_rng(seed)
    values = {}
    for i, j in combinations(range(items), 2):
        odds = step * (j - i) + rng.normal(0, apart, (judges, 1, 1)) + rng.normal(0, 1.0, (judges, cases, 1))
        odds = odds + np.array([0.3, -0.3])
        x = np.where(rng.random((judges, cases, 2)) < 1 / (1 + np.exp(-odds)), 1.0, -1.0)
        x[rng.random(x.shape) < ties] = 0.0
        x[rng.random(x.shape) < refused] = np.nan
        values[i, j] = x
    return Answers(values, weights=weights)


def covered(
    answers: Answers, *, objective: str, resolution: tuple[float, ...], runs: int, seed: int
) -> np.ndarray:
    """Rows (a run, a stop, a pair with an answer): the share of the run, answers, did it hold, its width."""
    rows: list[tuple[float, int, bool, float]] = []
    for run in range(seed, seed + runs):
        how = {"objective": objective, "resolution": resolution, "seed": run}
        whole = play(answers, **how).calls
        for stop in STOPS:
            found: list[tuple[int, bool, float]] = []
            play(
                answers,
                **how,
                most=max(round(stop * whole), 1),
                look=lambda m, into=found: into.extend(_pairs(answers, m)),
            )
            rows += [(stop, *row) for row in found]
    return np.array(rows, dtype=float).reshape(-1, 4)


def _pairs(answers: Answers, machine: Machine) -> Iterator[tuple[int, bool, float]]:
    for pair, book in machine.books.items():
        found = share_of_pair(book)
        if found is not None and found.low is not None:
            true = _share(answers, pair)
            yield (
                sum(d.back >= d.calls for d in book.drawn),
                found.low - 1e-9 <= true <= found.high + 1e-9,
                found.high - found.low,
            )


def _share(answers: Answers, pair: tuple[int, int]) -> float:
    """The first item's share of the answers given in the whole table."""
    x = answers.values[pair]
    weights = np.broadcast_to(np.array(answers.table.weights)[:, None, None], x.shape)
    given = ~np.isnan(x)
    return float(0.5 + 0.5 * (x[given] * weights[given]).sum() / weights[given].sum())


def _beyond(held: np.ndarray) -> str:
    """A mark where it is outside what must hold by more than chance: two standard errors of so many intervals."""
    share, room = held.mean(), 2 * np.sqrt(0.9 * 0.1 / len(held))
    return "" if HOLDS[0] - room <= share <= HOLDS[1] + room else " OUT"


def words(name: str, rows: np.ndarray) -> str:
    """One line: how often intervals held, in all and at each stop."""
    share = rows[:, 2].mean()
    mark = "ok" if HOLDS[0] <= share <= HOLDS[1] else "OUT"
    parts = [(stop, rows[rows[:, 0] == stop, 2]) for stop in STOPS]
    stops = "  ".join(
        f"{stop:.2f}: {100 * held.mean():.1f} % of {len(held)}{_beyond(held)}" for stop, held in parts
    )
    return (
        f"{name:20} {len(rows):6,} intervals at {100 * ESTIMATE_LEVEL:.0f} % held {100 * share:5.1f} %  {mark:3}  "
        f"width {rows[:, 3].mean():.2f}  at stops {stops}"
    )

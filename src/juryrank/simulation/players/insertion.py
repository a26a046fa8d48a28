"""One insertion ranking, played: builds what the compiled play needs, and hands it more when it asks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import compiled
from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.core import state as walk_state
from juryrank.rankers.paper.core.constants import Constants
from juryrank.rankers.paper.core.insertion import FIRST_ATTEMPTS
from juryrank.rankers.paper.core.thresholds import Tables, tables
from juryrank.simulation.players.by_answer import (
    ATTEMPTS,
    FINISHED,
    NEXT_ATTEMPT,
    POOL_CHANGED,
    QUESTIONS,
    play_by_answer,
    tally,
)
from juryrank.simulation.players.by_law import laws, play_by_law
from juryrank.simulation.worlds.base import STEADY, Stage


@dataclass(frozen=True, slots=True)
class Played:
    """How one insertion ranking went."""

    questions: int
    finished: bool
    order: NDArray[np.int64]  # placed items, worst first
    active: NDArray[np.int64]  # judges still active
    attempts: int
    by_judge: NDArray[np.float64]  # answers a judge gave; in expectation where nobody keeps count

    def exact(self, truth: NDArray[np.int64]) -> bool:
        """Are all items placed, in their true order?"""
        ranks = truth[self.order]
        return self.finished and bool((ranks[1:] > ranks[:-1]).all())


@lru_cache(maxsize=32)
def _tables(n_items: int, error: float, constants: Constants, attempts: int) -> Tables:
    return tables(n_items, error / max(n_items - 1, 1), constants, attempts=attempts)


@lru_cache(maxsize=32)
def _rule(n_items: int, n_judges: int, error: float, constants: Constants) -> elimination.Rule:
    return elimination.rule(n_items, n_judges, error, constants)


def play_insertion(
    stage: Stage,
    truth: NDArray[np.int64],
    *,
    members: list[int] | None = None,
    error: float,
    constants: Constants,
    budget: int,
    rng: np.random.Generator,
    adaptive: bool = False,
    by_law: bool | None = None,
    asked: int = 0,
) -> Played:
    """Insert `len(truth)` items one by one, in the order 0, 1, ...; `truth` is their true rank, 0 = worst.

    `members`: the judges to ask (all, if not given). `adaptive`: drop judges as Ada-IIR does. `by_law=False` plays
    a steady world answer by answer all the same. `asked`: questions before this ranking, counted in the result.
    """
    if by_law is None:
        by_law = stage.kind == STEADY
    columns = 1 if by_law else len(stage.judges)
    game = _Game(stage, truth, members, error, constants, budget, rng, adaptive, columns)
    game.before = game.tally.counts[QUESTIONS] = asked
    if len(truth) < 2:
        return game.result(FINISHED)
    return game.by_law() if by_law else game.by_answer()


class _Game:
    """The moving parts of one play."""

    def __init__(
        self,
        stage: Stage,
        truth: NDArray[np.int64],
        members: list[int] | None,
        error: float,
        constants: Constants,
        budget: int,
        rng: np.random.Generator,
        adaptive: bool,
        columns: int,
    ) -> None:
        n, m = len(truth), len(stage.judges)
        self.stage, self.truth, self.constants, self.rng = stage, truth, constants, rng
        self.error, self.budget, self.adaptive = error, budget, adaptive
        share = error / max(n - 1, 1) if constants.split_elimination else error
        self.pool = elimination.pool(m, members)
        self.rule = _rule(n, len(members) if members else m, share, constants)
        self.walk = walk_state.start(n, constants)
        self.tables = _tables(n, error, constants, FIRST_ATTEMPTS)
        self.tally = tally(n, columns if adaptive else 1)
        self.before = 0  # questions asked before this ranking

    def by_law(self) -> Played:
        return self._play(compiled(play_by_law), lambda: (self._laws(), self.stage.judges))

    def by_answer(self) -> Played:
        return self._play(compiled(play_by_answer), lambda: (self.stage,))

    def _play(self, stretch: Callable[..., int], own: Callable[[], tuple[Any, ...]]) -> Played:
        """Stretch by stretch to the end; `own`: what this way of play needs besides."""
        code, attempt = NEXT_ATTEMPT, 1
        while code in (NEXT_ATTEMPT, POOL_CHANGED):
            code = stretch(
                self.walk, self.tables, self.pool, self.rule, self.truth, self.tally, self.adaptive, self.budget,
                attempt, self.rng, *own(),
            )  # fmt: skip
            attempt = self._provide(code)
        return self.result(code)

    def _laws(self) -> Any:
        return laws(self._mean_accuracy(), self.constants, attempts=self.tables.n_attempts)

    def _mean_accuracy(self) -> float:
        active = self.pool.active[: self.pool.n_active[0]]
        # fsum: the same for every pool with the same accuracies, so that laws are found again
        return math.fsum(self.stage.judges[active]) / len(active)

    def _provide(self, code: int) -> int:
        """Tables for another attempt, if that is what was missing; returns the attempt to begin, or 0."""
        if code != NEXT_ATTEMPT:
            return 0
        attempt = int(self.walk.cursor.attempt) + 1
        self.tables = _tables(len(self.truth), self.error, self.constants, attempt)
        return attempt

    def result(self, code: int) -> Played:
        counts = self.tally.counts
        return Played(
            int(counts[QUESTIONS]),
            code == FINISHED,
            self.walk.ranked[: self.walk.cursor.n_ranked].copy(),
            self.pool.active[: self.pool.n_active[0]].copy(),
            int(counts[ATTEMPTS]),
            self._by_judge(),
        )

    def _by_judge(self) -> NDArray[np.float64]:
        if self.adaptive:
            return self.pool.answered.astype(np.float64)
        answered, active = np.zeros(len(self.stage.judges)), self.pool.active[: self.pool.n_active[0]]
        answered[active] = (self.tally.counts[QUESTIONS] - self.before) / len(active)
        return answered

"""What a question costs the certified ranker, for few items and for many: `python -m benchmarks.certified_speed`.

An ask and a tell together, live, in plain Python; mean processor time by phase, from 100 to 100,000 items. At 100
items whole rankings are timed. Longer ones are played by the compiled machine, and again and again the live
ranker takes over for a while; what it does for the whole list once in a long while is timed apart and shared out.
The last column is the compiled run itself: processor time, and the most memory the process ever had.
`--objective best` or `top-10` times that instead of the whole order; `--first 3000` only the first so many
questions, live, which needs no compiled run.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from juryrank.core.compiling import compiled, kernel
from juryrank.rankers.certified.core import phases, resize
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.machine import choose, cramped
from juryrank.rankers.certified.core.prove.attempt import begin_attempt
from juryrank.rankers.certified.core.search.repair import REDO_SHARE, look_again
from juryrank.rankers.certified.core.state import ANYBODY
from juryrank.rankers.certified.ranker import Certified
from juryrank.simulation.players.certified import ASKED, BACK, CRAMPED, ENDED, OUT, come_back, send_out, table
from juryrank.simulation.worlds.kinds import Bernoulli, stage_of

ACCURACIES = [0.9526] * 6 + [0.6792] * 12
WHOLE = 100  # up to so many items, whole rankings are timed
RANKINGS = 5
BLOCK = 100  # questions timed at a time, in longer rankings ...
STRIDES = 5  # ... and then a fifth of as many as there are items are played in between
LAST_ITEMS, LAST_QUESTIONS = 200, 1500  # of a long list: insertion is timed at its longest
EVERYTHING = 1 << 60
COUNT = phases.COUNT


@dataclass
class Cost:
    """Seconds of live asking and telling, and questions, by phase; questions of the whole ranking by phase."""

    seconds: list[float] = field(default_factory=lambda: [0.0] * COUNT)
    timed: list[int] = field(default_factory=lambda: [0] * COUNT)
    questions: list[int] = field(default_factory=lambda: [0] * COUNT)
    extra: list[float] = field(default_factory=lambda: [0.0] * COUNT)  # seconds of rare work, for all of it
    played: float = 0.0  # seconds of the compiled run

    @property
    def by_phase(self) -> list[float]:
        """Microseconds per question, rare work included."""
        return [
            1e6 * (s / max(t, 1) + e / max(q, 1))
            for s, t, e, q in zip(self.seconds, self.timed, self.extra, self.questions, strict=True)
        ]

    @property
    def mean(self) -> float:
        """Microseconds per question over the whole ranking."""
        weighted = sum(cost * q for cost, q in zip(self.by_phase, self.questions, strict=True))
        return weighted / max(sum(self.questions), 1)


@kernel
def rest_of_phase(s: Any, stage: Any, truth: Any, board: Any, limits: Any, rng: Any) -> int:
    """Questions until the phase ends or a limit is reached (limits: budget, items placed, questions asked)."""
    phase = s.cursor.phase
    while s.cursor.phase == phase and s.cursor.placed < limits[1] and board.flow[ASKED] < limits[2]:
        if cramped(s):
            return CRAMPED
        s.cursor.budget_left = limits[0] - board.flow[ASKED]
        if not choose(s, ANYBODY):
            return ENDED
        send_out(s, board)
        come_back(s, stage, truth, board, rng)
        board.flow[OUT] = 0
        board.flow[BACK] = 0
    return ENDED


class Game:
    """One ranking: a live ranker, and the same machine compiled."""

    def __init__(self, items: int, seed: int, objective: str) -> None:
        self.judges = random.Random(seed).sample(ACCURACIES, len(ACCURACIES))
        self.ranker = Certified(
            range(items), judges=range(len(self.judges)), error=0.1, seed=seed, objective=objective
        )
        self.rng, self.chance = np.random.default_rng(seed), random.Random(seed)
        self.board, self.truth = table(1), np.arange(items)[::-1].copy()
        self.stage = stage_of(Bernoulli(tuple(self.judges)), items)
        self.cost = Cost()

    @property
    def phase(self) -> int:
        return int(self.ranker._machine.cursor.phase)

    def live(self, most: int) -> None:
        """Ask and tell, live, until the phase ends."""
        ranker, phase, asked, started = self.ranker, self.phase, 0, time.process_time()
        while asked < most and self.phase == phase and (question := ranker.ask()) is not None:
            both = sorted((question.left, question.right))  # type: ignore[type-var]
            ranker.tell(question, both[self.chance.random() >= self.judges[question.judge]])  # type: ignore[call-overload]
            asked += 1
        self.cost.seconds[phase] += time.process_time() - started
        self.cost.timed[phase] += asked
        self.cost.questions[phase] += asked

    def play(self, *, placed: int = EVERYTHING, most: int = EVERYTHING) -> None:
        """On in this phase, compiled, until so many items are placed, or for so many questions at most."""
        s, board, phase = st.recorded(self.ranker._machine), self.board, self.phase
        before = int(board.flow[ASKED])
        rest, started = compiled(rest_of_phase), time.process_time()
        limits = np.array([self.ranker.budget, placed, before + most])
        while rest(s, self.stage, self.truth, board, limits, self.rng) == CRAMPED:
            s = resize.roomier(s)
        self.cost.played += time.process_time() - started
        self.cost.questions[phase] += int(board.flow[ASKED]) - before
        self.ranker._machine = st.live(s)

    def rare_work(self) -> None:
        """Time what is done for the whole list at once: in REPAIR every q/15 questions, in PROVE first."""
        s, started = self.ranker._views, time.process_time()
        if self.phase == phases.REPAIR:
            look_again(s)
            self.cost.extra[phases.INSERT] = time.process_time() - started  # which ends with it
            redo = max(2, int(s.cursor.questions) // REDO_SHARE)
            per_question = (time.process_time() - started) / redo  # scaled at the end
            self.cost.extra[phases.REPAIR] = per_question
        elif self.phase == phases.PROVE:
            s.cursor.attempt -= 1
            begin_attempt(s)
            self.cost.extra[phases.PROVE] += time.process_time() - started


def whole_rankings(items: int, objective: str) -> Cost:
    """Live from start to end."""
    total = Cost()
    for seed in range(1, RANKINGS + 1):
        game = Game(items, seed, objective)
        while game.phase != phases.CERTIFIED:
            game.live(EVERYTHING)
        for k in range(COUNT):
            total.seconds[k] += game.cost.seconds[k]
            total.timed[k] += game.cost.timed[k]
            total.questions[k] += game.cost.questions[k]
    return total


def long_ranking(items: int, objective: str) -> Cost:
    """Compiled, with a block of live questions in each phase."""
    game = Game(items, 1, objective)
    if game.phase == phases.INSERT:
        game.play(placed=items - LAST_ITEMS)
        game.live(LAST_QUESTIONS)
        game.play()
    while game.phase != phases.CERTIFIED:
        game.rare_work()
        before = game.phase
        while game.phase == before:
            game.live(BLOCK)
            if game.phase == before:
                game.play(most=items // STRIDES)
    game.cost.extra[phases.REPAIR] *= game.cost.questions[phases.REPAIR]
    return game.cost


def beginning(items: int, objective: str, first: int) -> float:
    """Microseconds per question at the start of a ranking."""
    game = Game(items, 1, objective)
    while sum(game.cost.timed) < first and game.phase != phases.CERTIFIED:
        game.live(first - sum(game.cost.timed))
    return 1e6 * sum(game.cost.seconds) / sum(game.cost.timed)


def warm_up() -> float:
    """Compile, or load what was compiled before; seconds."""
    started = time.perf_counter()
    Game(10, 1, "order").play()
    return time.perf_counter() - started


def main() -> None:
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[100, 1_000, 10_000, 100_000])
    parser.add_argument("--objective", default="order")
    parser.add_argument("--first", type=int, help="time only so many questions, live")
    given = parser.parse_args()
    if given.first:
        for items in given.items:
            print(
                f"{given.objective}, {items:,} items: {beginning(items, given.objective, given.first):.0f} µs",
                flush=True,
            )
        return
    print(f"compiled after {warm_up():.1f} s\n")
    first: list[float] = []
    shown: list[int] = []
    for items in given.items:
        make = whole_rankings if items <= WHOLE else long_ranking
        cost = make(items, given.objective)
        shown = shown or [k for k in range(COUNT) if cost.questions[k]]
        figures = [*(cost.by_phase[k] for k in shown), cost.mean]
        if not first:
            first = figures
            names = " | ".join(phases.PHASES[k] for k in shown)
            print(f"| items | {names} | whole ranking | times the first line's | questions | compiled run |")
            print("|---" * (len(shown) + 5) + "|")
        ratios = ", ".join(f"{a / b:.1f}" for a, b in zip(figures, first, strict=True))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        run = f"{cost.played:.1f} s, {memory:,.0f} MB" if cost.played else "-"
        cells = " | ".join(f"{figure:.0f} µs" for figure in figures)
        count = f"{sum(cost.questions) / (RANKINGS if items <= WHOLE else 1):,.0f}"
        print(f"| {items:,} | {cells} | {ratios} | {count} | {run} |", flush=True)


if __name__ == "__main__":
    main()

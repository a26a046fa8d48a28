"""One evaluation, played: the jury asks, the world answers, with some questions open at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.options import DEFAULT_ERROR
from juryrank.rankers.jury.asking import shown
from juryrank.rankers.jury.ranker import Jury
from juryrank.rankers.jury.result import proven_resolution
from juryrank.rankers.jury.state import JuryState
from juryrank.simulation.cases.world import CaseWorld
from juryrank.types import SKIP, TIE, Answer, Question


@dataclass(frozen=True, slots=True)
class CaseRun:
    """What one run came to. `false`: something was stated that the whole table does not say."""

    calls: int
    proven: bool
    false: bool
    attempts: int
    resolution: float | None
    cost: float


def play_cases(
    world: CaseWorld,
    *,
    seed: int = 0,
    parallel: int = 1,
    budget: int | None = None,
    prices: dict[str, float] | None = None,
    error: float = DEFAULT_ERROR,
    **options: Any,
) -> CaseRun:
    """Play the jury in a world until it is done, or its budget is spent.

    >>> play_cases(CaseWorld(systems=3, judges=1, cases=50, gap=2.0), objective="best", resolution=0.05).proven
    True
    """
    jury = Jury(
        [f"s{i}" for i in range(world.systems)],
        judges=[f"j{u}" for u in range(world.judges)],
        cases=[str(c) for c in range(world.cases)],
        seed=seed,
        budget=budget,
        prices=prices,
        error=error,
        **options,
    )
    if parallel == 1 and jury.state.read.calls == 1:
        calls, cost = _drawn(jury.state, world, most=budget)
    else:
        ask_all(jury, lambda question: answer_in(world, question), parallel=parallel)
        calls, cost = jury.questions, jury.cost
    resolution = proven_resolution(jury.state)
    return CaseRun(
        calls=calls,
        proven=resolution is not None,
        false=stated_falsely(jury, world),
        attempts=len(jury.state.machine.attempts),
        resolution=resolution,
        cost=cost,
    )


def _drawn(jury: JuryState, world: CaseWorld, *, most: int | None) -> tuple[int, float]:
    """Calls and their price of the very run that `ask_all` plays one question at a time, without its questions."""
    machine, calls, cost = jury.machine, 0, 0.0
    while not machine.done and (most is None or calls < most):
        plan = machine.plan(())
        chances = () if plan is None else machine.book(plan.pair).chances(jury.rates, ())
        if plan is None or not chances:
            break
        if plan.begins is not None:
            machine.begin(plan.begins)
        book = machine.book(plan.pair)
        drawn = book.draw(jury.key, jury.names(plan.pair), chances, calls=1)
        machine.entered(plan.pair)
        case, side = shown(jury, plan.pair, drawn.judge, drawn.cell, 0)
        x = float(world.values(*plan.pair)[drawn.judge, case, side])
        machine.settle(plan.pair, len(book.drawn) - 1, None if np.isnan(x) else x)
        calls, cost = calls + 1, cost + jury.roster.price(drawn.judge)
    return calls, cost


def ask_all(jury: Jury, answer: Callable[[Question], Answer], *, parallel: int = 1) -> None:
    """Ask until nothing is left to ask, answers coming in the order asked."""
    out: deque[Question] = deque()
    while True:
        question = jury.ask() if len(out) < parallel else None
        if question is not None:
            out.append(question)
            continue
        if not out:
            return
        told = out.popleft()
        jury.tell(told, answer(told))


def answer_in(world: CaseWorld, question: Question) -> Answer:
    """What the world's judge says."""
    left, right = int(str(question.left)[1:]), int(str(question.right)[1:])
    i, j = min(left, right), max(left, right)
    x = world.values(i, j)[int(str(question.judge)[1:]), int(str(question.case)), 0 if left == i else 1]
    if np.isnan(x):
        return SKIP
    if x == 0:
        return TIE
    return question.left if (x > 0) == (left == i) else question.right


def stated_falsely(jury: Jury, world: CaseWorld) -> bool:
    """Is any claim that was ever stated false in the whole table?"""
    for attempt in jury.state.machine.attempts:
        for (better, worse), stated in zip(attempt.claims, attempt.stated, strict=True):
            for epsilon, said in zip(jury.state.read.resolutions, stated, strict=True):
                if said and world.mean(better, worse, epsilon) < -1e-9:
                    return True
    return False

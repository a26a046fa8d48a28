"""Play one method in one world: its order on the way, when it was right first, when it stopped, its time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from benchmarks.peers.method import Method
from benchmarks.peers.world import Jury, World, exact, kendall_tau

CHECKPOINT_GROWTH = 1.07  # look at the order each time the number of questions has grown by this much


@dataclass(frozen=True, slots=True)
class Point:
    """How good a method's order is after so many questions."""

    world: str
    run: int
    method: str
    questions: int
    tau: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one run went. `first_exact`: where somebody who knows the truth would have stopped it."""

    world: str
    run: int
    method: str
    first_exact: int | None
    stopped: int | None  # by its own rule
    right: bool  # was the order right when it stopped (or at the end)?
    microseconds: float  # of processor time per question


def play(method: Method, world: World, *, cap: int) -> tuple[list[Point], Outcome]:
    """Ask until the method stops by itself, or `cap` questions were asked."""
    jury, points, first_exact, spent = Jury(world), [], None, 0.0
    next_look = world.items
    while jury.asked < cap and not getattr(method, "finished", False):
        start = time.thread_time()
        judge, i, j = method.choose()
        spent += time.thread_time() - start
        won = jury.ask(judge, i, j)
        start = time.thread_time()
        method.learn(judge, i, j, won)
        spent += time.thread_time() - start
        look = jury.asked >= next_look
        if look or (method.order_is_cheap and first_exact is None):
            order = method.order()
            if first_exact is None and exact(world, order):
                first_exact = jury.asked
            if look:
                points.append(_point(method, world, jury.asked))
                next_look = int(max(jury.asked + 1, jury.asked * CHECKPOINT_GROWTH))
    points.append(_point(method, world, jury.asked))
    stopped = jury.asked if getattr(method, "finished", False) else None
    if first_exact is None and points[-1].exact:
        first_exact = jury.asked
    outcome = Outcome(
        world.name, world.seed, method.name, first_exact, stopped, points[-1].exact, 1e6 * spent / jury.asked
    )
    return points, outcome


def _point(method: Method, world: World, asked: int) -> Point:
    order = method.order()
    return Point(
        world.name, world.seed, method.name, asked, round(kendall_tau(world, order), 5), exact(world, order)
    )

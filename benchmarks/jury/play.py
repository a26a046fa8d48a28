"""Playing the jury's machine against a table of answers: as the ranker does, without its words.

A uniform baseline asks random pairs and has the same evidence, the same fix and the same stop. Somebody who knows
the whole table and only has to prove what it says is the floor.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from juryrank.core import chance
from juryrank.core.levels import read_objective
from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.claims import Claim, needed
from juryrank.rankers.jury.core.evidence import Prior, Resolutions
from juryrank.rankers.jury.core.forecasts import Rows
from juryrank.rankers.jury.core.machine import FIX_AT, RANDOM_PER_ITEM, Machine, NextQuestion
from juryrank.rankers.jury.core.opinion import Start
from juryrank.rankers.jury.core.table import Pair, Table
from juryrank.rankers.jury.core.together import MachineOfAll
from juryrank.rankers.jury.ranker import Jury
from juryrank.types import SKIP, TIE

UNIFORM_STREAM = 91
EDGE = 1e-9  # sums over a table are exact to this


@dataclass
class Answers:
    """values[pair][judge, case, side] from the side of the pair's first item; NaN is a refusal."""

    values: dict[Pair, np.ndarray]
    fresh: bool = False  # then values are chances of +1
    absent: dict[Pair, frozenset[int]] = field(default_factory=dict)
    weights: tuple[float, ...] | None = None
    _means: dict[tuple[int, int, float], float] = field(default_factory=dict)

    @property
    def items(self) -> int:
        return 1 + max(j for _, j in self.values)

    @property
    def shape(self) -> tuple[int, int, int]:
        judges, cases, sides = next(iter(self.values.values())).shape
        return judges, cases, sides

    @cached_property
    def table(self) -> Table:
        judges, cases, sides = self.shape
        weights = self.weights or (1 / judges,) * judges
        return Table(weights, (1,) * cases, sides=sides, fresh=self.fresh, absent=self.absent)

    def calls(self) -> int:
        return sum(self.shape[0] * self.table.judge_cells(pair) for pair in self.values)

    def mean(self, better: int, worse: int, epsilon: float) -> float:
        """Z of "better over worse" over the whole table."""
        at = (better, worse, epsilon)
        if at not in self._means:
            self._means[at] = self._mean(*at)
        return self._means[at]

    def _mean(self, better: int, worse: int, epsilon: float) -> float:
        pair = (min(better, worse), max(better, worse))
        x = self.values[pair] * 2 - 1 if self.fresh else self.values[pair]
        x = x if better < worse else -x
        weights = np.array(self.table.weights)[:, None, None]
        cells = np.where(np.isnan(x), 0.0, x + 2 * epsilon) * weights
        kept = [case for case in range(self.shape[1]) if case not in self.absent.get(pair, ())]
        return float(cells[:, kept].sum() / (len(kept) * self.shape[2]))


class Uniform(Machine):
    """Random pairs, the same evidence, fix and stop."""

    def plan(self, aside: Collection[int], *, hold: bool = True) -> NextQuestion | None:
        begins = None
        if self.working is None and self.counted > RANDOM_PER_ITEM * self.items:
            listed = self._claims_of(self.order)
            doubts = self._doubts(listed, self.goal)
            if doubts.sum() <= FIX_AT and self._known_list(listed) is None:
                begins = self._fixed(self.order, listed, doubts, self.goal)
        pairs = [pair for pair in self._pairs() if self._can_draw(pair, aside)]
        if not pairs:
            return None
        pick = int(chance.uniform(self.seed, UNIFORM_STREAM, self.drawn) * len(pairs))
        return NextQuestion(pairs[pick], begins)

    def _pairs(self) -> list[Pair]:
        return [(i, j) for i in range(self.items) for j in range(i + 1, self.items)]


class Known(Machine):
    """Somebody who knows the whole table: the true claims are given, with their true means, and only proven."""

    answers: Answers

    def _as_required(self) -> Attempt:
        attempt = super()._as_required()
        priors = []
        for better, worse in attempt.claims:
            squares = np.nanmean(self.answers.values[min(better, worse), max(better, worse)] ** 2)
            priors.append(Prior(self.answers.mean(better, worse, 0.0), 0.0, float(squares)))
        return self.attempt(attempt.number, attempt.order, attempt.claims, priors)


def true_claims(answers: Answers, objective: str) -> list[Claim]:
    """What the objective needs, by the whole table: each item up past those it beats."""
    goal, k = read_objective(objective)
    n = answers.items
    order: list[int] = []
    for item in sorted(range(n), key=lambda i: -sum(answers.mean(i, j, 0.0) for j in range(n) if j != i)):
        at = len(order)
        while at > 0 and answers.mean(item, order[at - 1], 0.0) > 0:
            at -= 1
        order.insert(at, item)
    return needed(goal, order, k)


@dataclass(frozen=True)
class Result:
    calls: int
    proven: bool
    false: bool  # something was stated that the whole table does not say
    fooled: bool  # the bets on a claim with Z <= 0, the first one of its list, reached the level: at most δ too
    attempts: int
    fixed_at: int  # calls when the last list was fixed
    twice: int = 0  # lists with the claims of an earlier one
    proof: frozenset[Claim] = frozenset()  # the claims proven at the finest resolution


def play(
    answers: Answers,
    *,
    objective: str,
    resolution: tuple[float, ...],
    seed: int,
    error: float = 0.05,
    out: int = 1,
    uniform: bool = False,
    known: bool = False,
    together: bool = False,
    most: int = 10**6,
    start: Start | None = None,
    look: Callable[[Machine], None] | None = None,
    forecast: Callable[[Pair], Rows] | None = None,
) -> Result:
    """One run; `look` is shown the machine at its end. `together`: each call is about all pairs."""
    goal, k = read_objective(objective)
    table = answers.table
    kind = Uniform if uniform else Known if known else MachineOfAll if together else Machine
    machine = kind(
        table, answers.items, objective=goal, k=k, error=error, resolutions=Resolutions(resolution), seed=seed,
        required=true_claims(answers, objective) if known else (), start=start, forecast=forecast,
    )  # fmt: skip
    if isinstance(machine, Known):
        machine.answers = answers
    rng = np.random.default_rng([seed, 5])
    waiting: deque[tuple[Pair, int]] = deque()
    calls = fixed_at = 0
    fooled = False
    edges: list[tuple[int, int] | None] = []
    done = machine.done
    while not done:
        plan = machine.plan(()) if len(waiting) < out and calls < most else None
        if plan is None:
            if not waiting:
                break
            pair, place = waiting.popleft()
            if isinstance(machine, MachineOfAll):
                machine.settle_all(place, _all_answers(answers, machine, place))
            else:
                machine.settle(pair, place, _answer(answers, machine, pair, place, rng))
            fooled, done = fooled or _fooled(machine, edges), machine.done
            continue
        book = machine.book(plan.pair)
        if plan.begins:
            machine.begin(plan.begins)
            fixed_at = calls
            edges.append(_first_edge(answers, plan.begins))
        book.draw(seed, plan.pair, book.chances((1.0,) * table.judges, ()), calls=1)
        machine.entered(plan.pair)
        waiting.append((plan.pair, len(book.drawn) - 1))
        calls += 1
    if look is not None:
        look(machine)
    lists = [frozenset(attempt.claims) for attempt in machine.attempts]
    best = machine.best
    return Result(
        calls, machine.step > 0, _false(answers, machine), fooled, len(lists), fixed_at,
        twice=len(lists) - len(set(lists)),
        proof=frozenset(best.claims) if best is not None and best.complete else frozenset(),
    )  # fmt: skip


def _answer(answers: Answers, machine: Machine, pair: Pair, place: int, rng: np.random.Generator) -> float | None:
    drawn = machine.books[pair].drawn[place]
    case, side = divmod(drawn.cell, machine.table.sides)
    x = answers.values[pair][drawn.judge, case, side]
    if answers.fresh:
        return 1.0 if rng.random() < x else -1.0
    return None if np.isnan(x) else float(x)


def _all_answers(answers: Answers, machine: MachineOfAll, place: int) -> dict[Pair, float] | None:
    drawn = machine.shared.drawn[place]
    case, side = divmod(drawn.cell, machine.table.sides)
    said = {pair: float(x[drawn.judge, case, side]) for pair, x in answers.values.items()}
    return None if any(map(math.isnan, said.values())) else said


def _first_edge(answers: Answers, attempt: Attempt) -> tuple[int, int] | None:
    """The first claim of a list, in its sequence, whose Z is not above 0: its place and its resolution's."""
    for step, epsilon in enumerate(attempt.resolutions.values):
        for at, claim in enumerate(attempt.claims):
            if answers.mean(*claim, epsilon) <= EDGE:
                return at, step
    return None


def _fooled(machine: Machine, edges: list[tuple[int, int] | None]) -> bool:
    """Has the evidence of such a claim reached its level now?"""
    return any(
        edge is not None and attempt.evidence[edge] >= -math.log(attempt.level)
        for attempt, edge in zip(machine.attempts, edges, strict=True)
    )


def _false(answers: Answers, machine: Machine) -> bool:
    """Was anything stated that the whole table does not say?"""
    stated = [*machine.attempts, machine.by_count]
    for attempt in filter(None, stated):
        for (better, worse), said in zip(attempt.claims, attempt.stated, strict=True):
            for epsilon, ok in zip(machine.resolutions.values, said, strict=True):
                if ok and answers.mean(better, worse, epsilon) < -EDGE:
                    return True
    return False


def in_batches(answers: Answers, size: int, seed: int, *, objective: str, resolution: float) -> tuple[int, int]:
    """Calls and batches of the ranker itself, where so many questions go out together and come back together."""
    judges, cases, _ = answers.shape
    items = [f"s{i}" for i in range(answers.items)]
    jury = Jury(
        items,
        judges=[f"j{u}" for u in range(judges)],
        cases=[str(c) for c in range(cases)],
        objective=objective,
        resolution=resolution,
        seed=seed,
    )
    jury.in_rounds_of(size if size > 1 else 0)
    calls = batches = 0
    while not jury.done:
        out = []
        while len(out) < size and (question := jury.ask()) is not None:
            out.append(question)
        if not out:
            break
        calls, batches = calls + len(out), batches + 1
        for question in out:
            left, right = items.index(question.left), items.index(question.right)
            side = 0 if left < right else 1
            x = answers.values[min(left, right), max(left, right)][
                int(str(question.judge)[1:]), int(str(question.case)), side
            ]
            ahead = x if side == 0 else -x
            better = question.left if ahead > 0 else question.right if ahead < 0 else TIE
            jury.tell(question, SKIP if np.isnan(x) else better)
    return calls, batches

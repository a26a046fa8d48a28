"""One evaluation, played: the jury asks, the world answers, with some questions open at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.intervals import t_quantile
from juryrank.defaults import DEFAULT_ERROR, PLAN_GAP, PLAN_RUNS
from juryrank.errors import BadInput, BadWorld
from juryrank.options import SIMULATED, JuryChoices
from juryrank.rankers.jury.asking import shown
from juryrank.rankers.jury.ranker import Jury
from juryrank.rankers.jury.result import proven_resolution
from juryrank.rankers.jury.state import JuryState
from juryrank.types import SKIP, TIE, Answer, Question

Floats = NDArray[np.float64]
SLOPES = (1.0, 0.6, 1.5, 0.4, 0.8)  # of the judges, round and round: some see strength better than others
PAIR_STREAM = 7


@dataclass
class CaseWorld:
    """`values(i, j)[judge, case, side]` is 1, 0 or -1 from the side of i < j; NaN is a refusal.

    >>> world = CaseWorld(systems=3, judges=2, cases=10, seed=1)
    >>> world.values(0, 1).shape, np.unique(world.values(0, 1)).tolist()
    ((2, 10, 2), [-1.0, 1.0])
    """

    systems: int = 8
    judges: int = 3
    cases: int = 100
    seed: int = 0
    gap: float = PLAN_GAP  # mean difference of neighbours, in log-odds of an answer
    uneven: float = 0.5  # how much gaps differ
    wrong: float = 0.3  # of a judge about a pair, for ever
    by_case: float = 1.0  # how much a case helps or hurts a system
    by_cell: float = 0.7
    side: float = 0.5  # a judge's leaning to one side
    ties: float = 0.0  # answers closer than this are ties
    refuse: float = 0.0  # share of refusals
    strengths: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in (("systems", 1), ("judges", 1), ("cases", 1)):
            if getattr(self, name) < least:
                raise BadWorld(f"a world needs {least} of {name} at least; {getattr(self, name)} is too few")
        if not 0 <= self.refuse < 1:
            raise BadWorld(f"the share of refusals is {self.refuse}; it must be from 0 to less than 1")
        rng = np.random.default_rng([self.seed, 1])
        shape = 1 / self.uneven**2 if self.uneven > 0 else 1e6
        gaps = self.gap * rng.gamma(shape, 1 / shape, max(self.systems - 1, 0))
        ladder = -np.concatenate(([0.0], np.cumsum(gaps)))
        self.strengths = ladder[rng.permutation(self.systems)]
        self._lean = rng.normal(0, self.side, self.judges)
        self._effects = np.random.default_rng([self.seed, 2]).normal(0, self.by_case, (self.systems, self.cases))
        self._made: dict[tuple[int, int], Floats] = {}

    def values(self, i: int, j: int) -> Floats:
        """What the jury would say of i against j."""
        if (i, j) not in self._made:
            self._made[i, j] = self._make(i, j)
        return self._made[i, j]

    def _make(self, i: int, j: int) -> Floats:
        rng = np.random.default_rng([self.seed, PAIR_STREAM, i, j])
        slopes = np.array([SLOPES[u % len(SLOPES)] for u in range(self.judges)])[:, None]
        lead = self.strengths[i] - self.strengths[j] + self._effects[i] - self._effects[j]
        own = rng.normal(0, self.wrong, (self.judges, 1)) + rng.normal(0, self.by_cell, (self.judges, self.cases))
        base = slopes * lead[None, :] + own
        odds = np.stack([base + self._lean[:, None], base - self._lean[:, None]], axis=2)
        said = np.where(rng.random(odds.shape) < 1 / (1 + np.exp(-odds)), 1.0, -1.0)
        said[np.abs(odds) < self.ties] = 0.0
        said[rng.random(odds.shape) < self.refuse] = np.nan
        return said

    def forget(self) -> None:
        """Free the memory of the answers made so far; made again, they are the same."""
        self._made.clear()

    def mean(self, i: int, j: int, epsilon: float = 0.0) -> float:
        """Z of "i over j": what the whole table says."""
        first, second, sign = (i, j, 1) if i < j else (j, i, -1)
        x = sign * self.values(first, second)
        return float(np.where(np.isnan(x), 0.0, x + 2 * epsilon).mean())


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


# ----------------------------------------------------------------------------
# Many runs of the jury in made-up evaluations: calls, how often proven, how often something false was stated.
NINE_IN_TEN = 0.9


@dataclass(frozen=True, slots=True)
class CaseSummary:
    """What the runs came to; `whole` is the number of calls of the whole evaluation."""

    systems: int
    judges: int
    cases: int
    objective: str
    resolution: str
    error: float
    repeats: int
    calls_mean: float
    calls_median: float
    calls_std: float
    calls_high: float  # nine in ten evaluations take no more
    whole: int
    proven_rate: float
    false_rate: float
    attempts_mean: float
    cost_median: float  # in the unit of the prices
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def simulate_cases(
    world: CaseWorld,
    *,
    objective: str = JuryChoices.default("objective"),
    resolution: float | str = SIMULATED,
    error: float = DEFAULT_ERROR,
    repeats: int = PLAN_RUNS,
    seed: int = 0,
    parallel: int = 1,
    budget: int | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> CaseSummary:
    """Play `repeats` evaluations like this one, each with other systems, judges and cases.

    >>> found = simulate_cases(CaseWorld(systems=3, judges=1, cases=40, gap=1.5), repeats=2)
    >>> found.repeats, found.false_rate
    (2, 0.0)
    """
    if repeats < 1:
        raise BadInput(f"repeats is {repeats}; it must be 1 or more")
    start, runs = time.perf_counter(), []
    for k in range(repeats):
        one = replace(world, seed=world.seed + 1000 * seed + k)
        settings = {"objective": objective, "resolution": resolution, "error": error, "budget": budget, **options}
        runs.append(play_cases(one, seed=seed + k, parallel=parallel, **settings))
        if progress is not None:
            progress(1)
    calls = np.array([run.calls for run in runs], dtype=float)
    whole = world.systems * (world.systems - 1) * world.judges * world.cases
    return CaseSummary(
        systems=world.systems,
        judges=world.judges,
        cases=world.cases,
        objective=objective,
        resolution=str(resolution),
        error=error,
        repeats=repeats,
        calls_mean=float(calls.mean()),
        calls_median=float(np.median(calls)),
        calls_std=float(calls.std()),
        calls_high=nine_in_ten(calls, most=whole),
        whole=whole,
        proven_rate=float(np.mean([run.proven for run in runs])),
        false_rate=float(np.mean([run.false for run in runs])),
        attempts_mean=float(np.mean([run.attempts for run in runs])),
        cost_median=float(np.median([run.cost for run in runs])),
        seconds=time.perf_counter() - start,
    )


def nine_in_ten(calls: NDArray[np.float64], *, most: float) -> float:
    """What nine in ten further evaluations take at most, if the logarithms of their calls are normal.

    The quantile of five runs would hold eight times in ten: their spread is itself only an estimate.

    >>> round(nine_in_ten(np.array([195.0, 240.0, 310.0, 180.0, 220.0]), most=1200))
    320
    >>> nine_in_ten(np.array([195.0]), most=1200)
    1200.0
    """
    if len(calls) < 2:
        return float(most)  # one run says nothing about the others
    logs = np.log(np.maximum(calls, 1))
    wide = t_quantile(2 * NINE_IN_TEN - 1, len(calls) - 1) * logs.std(ddof=1) * np.sqrt(1 + 1 / len(calls))
    return min(float(np.exp(logs.mean() + wide)), float(most))

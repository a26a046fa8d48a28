"""Many runs of one ranker in one world: `simulate`, and what came of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.core.levels import check_error, read_objective
from juryrank.defaults import DEFAULT_ERROR, SIMULATED_RUNS
from juryrank.errors import BadInput, need_extra
from juryrank.options import CertifiedChoices, PaperChoices
from juryrank.rankers.paper.core.constants import Constants, constants_named
from juryrank.simulation.play import Run, play, player
from juryrank.simulation.worlds.base import World
from juryrank.theory.limit import limits

BATCH = 25  # runs handed to a process at once; seeds do not depend on it
OPTIONAL = ("rounds", "attempts", "proven_links", "claimed_links")


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over all runs; `questions` count everything, selecting judges included."""

    ranker: str
    items: int
    judges: int
    delta: float
    constants: str
    repeats: int
    questions_mean: float
    questions_std: float
    selection_questions_mean: float
    exact_rate: float
    certified_rate: float
    active_judges_mean: float
    limit: float | None
    ratio_to_limit: float | None
    seconds: float
    runs: tuple[Run, ...] = ()
    assume: str | None = None  # where the ranker has such an option
    objective: str = CertifiedChoices.default("objective")  # `exact_rate`: the share of runs that found it
    yardstick: float | None = None  # finite N: see `theory.limits`
    ratio_to_yardstick: float | None = None
    fano: float | None = None  # Fano's bound, which is rigorous

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `juryrank simulate`; keys that only some rankers know come last."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in ("runs", "assume")}
        if self.assume is not None:
            plain["assume"] = self.assume
        for name in OPTIONAL:
            known = [value for run in self.runs if (value := getattr(run, name)) is not None]
            if known:
                plain[f"{name}_mean"] = float(np.mean(known))
        return plain


def simulate(
    ranker: str,
    world: World,
    *,
    items: int | None = None,
    delta: float = DEFAULT_ERROR,
    constants: str = PaperChoices.default("constants"),
    repeats: int = SIMULATED_RUNS,
    seed: int = 0,
    workers: int = 1,
    budget: int | None = None,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> Summary:
    """Play a ranker in a world many times. The same seed gives the same numbers, however many workers there are.

    `progress` is called with the number of runs that have just ended; `options` go to the ranker.

    >>> from juryrank.simulation import two_groups
    >>> found = simulate("oracle", two_groups(3, gamma_a=0.5, gamma_b=1.0), items=5, repeats=4, seed=1)
    >>> found.exact_rate, found.certified_rate, found.active_judges_mean
    (1.0, 1.0, 1.0)
    """
    started = time.perf_counter()
    n = _items(world, items)
    sets = constants_named(constants)
    _check(delta=delta, repeats=repeats, workers=workers, budget=budget)
    player(ranker)
    batches = [range(low, min(low + BATCH, repeats)) for low in range(0, repeats, BATCH)]
    task = _Task(ranker, world, n, delta, sets, seed, budget, options)
    runs: list[Run] = []
    for done in _all(task, batches, workers):
        runs += done
        if progress is not None:
            progress(len(done))
    return summarise(task, runs, seconds=time.perf_counter() - started)


@dataclass(frozen=True, slots=True)
class _Task:
    ranker: str
    world: World
    items: int
    delta: float
    constants: Constants
    seed: int
    budget: int | None
    options: dict[str, Any]

    def __call__(self, repeats: Sequence[int]) -> list[Run]:
        return [self.once(repeat) for repeat in repeats]

    def once(self, repeat: int) -> Run:
        return play(
            self.ranker, self.world, items=self.items, seed=self.seed, repeat=repeat, error=self.delta,
            constants=self.constants, budget=self.budget, **self.options,
        )  # fmt: skip


def _all(task: _Task, batches: Sequence[Sequence[int]], workers: int) -> Any:
    if workers == 1 or len(batches) < 2:
        return map(task, batches)
    task(batches[0][:1])  # compile here, once, instead of in every process
    joblib = need_extra("joblib", extra="fast", what="playing in several processes")
    jobs = (joblib.delayed(task)(batch) for batch in batches)
    return joblib.Parallel(n_jobs=workers, return_as="generator")(jobs)


def summarise(task: _Task, runs: Sequence[Run], *, seconds: float) -> Summary:
    """Means and standard deviation (of the sample) of some runs."""
    questions = np.array([run.questions for run in runs], np.float64)
    accuracy = task.world.accuracy
    objective = str(task.options.get("objective") or "order")
    k = read_objective(objective, task.options.get("k"))[1]
    found = None if accuracy is None or task.items < 2 else limits(task.items, accuracy, error=task.delta, k=k)
    limit = None if found is None else _usable(found.leading)
    yardstick = None if found is None else _usable(found.finite)
    mean = float(questions.mean())
    return Summary(
        ranker=task.ranker,
        items=task.items,
        judges=task.world.judges,
        delta=task.delta,
        constants=task.constants.name,
        repeats=len(runs),
        questions_mean=mean,
        questions_std=float(questions.std(ddof=1)) if len(runs) > 1 else 0.0,
        selection_questions_mean=float(np.mean([run.selection_questions for run in runs])),
        exact_rate=float(np.mean([run.exact for run in runs])),
        certified_rate=float(np.mean([run.certified for run in runs])),
        active_judges_mean=float(np.mean([run.active_judges for run in runs])),
        limit=limit,
        ratio_to_limit=None if limit is None else mean / limit,
        objective=objective,
        yardstick=yardstick,
        ratio_to_yardstick=None if yardstick is None else mean / yardstick,
        fano=None if found is None else _usable(found.fano),
        seconds=seconds,
        runs=tuple(runs),
        assume=task.options.get("assume"),
    )


def _usable(limit: float | None) -> float | None:
    return limit if limit is not None and 0 < limit < math.inf else None


def _items(world: World, items: int | None) -> int:
    found = world.items if items is None else items
    if found is None:
        raise BadInput("how many items? This world does not say: give items")
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise BadInput(f"the number of items is {found!r}; it must be a whole number, 1 or more")
    if world.items not in (None, found):
        raise BadInput(f"this world is about {world.items} items, not {found}")
    return found


def _check(*, delta: float, repeats: int, workers: int, budget: int | None) -> None:
    check_error(delta, name="delta")
    for name, value in (("repeats", repeats), ("workers", workers)):
        if value < 1:
            raise BadInput(f"{name} is {value!r}; it must be 1 or more")
    if budget is not None and budget < 0:
        raise BadInput(f"the budget is {budget!r}; it is a number of questions, 0 or more")

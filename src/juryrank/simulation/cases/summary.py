"""Many runs of the jury in made-up evaluations: calls, how often proven, how often something false was stated."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.intervals import t_quantile
from juryrank.errors import BadInput
from juryrank.options import DEFAULT_ERROR, SIMULATED, JuryChoices
from juryrank.simulation.cases.play import CaseWorld, play_cases

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
    calls_std: float
    calls_high: float  # nine in ten evaluations take no more
    whole: int
    proven_rate: float
    false_rate: float
    attempts_mean: float
    cost_mean: float  # in the unit of the prices
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def simulate_cases(
    world: CaseWorld,
    *,
    objective: str = JuryChoices.default("objective"),
    resolution: float | str = SIMULATED,
    error: float = DEFAULT_ERROR,
    repeats: int = 20,
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
        calls_std=float(calls.std()),
        calls_high=nine_in_ten(calls, most=whole),
        whole=whole,
        proven_rate=float(np.mean([run.proven for run in runs])),
        false_rate=float(np.mean([run.false for run in runs])),
        attempts_mean=float(np.mean([run.attempts for run in runs])),
        cost_mean=float(np.mean([run.cost for run in runs])),
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

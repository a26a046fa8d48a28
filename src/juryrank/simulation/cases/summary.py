"""Many runs of the jury in made-up evaluations: calls, how often proven, how often something false was stated."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from juryrank.errors import BadInput
from juryrank.simulation.cases.play import play_cases
from juryrank.simulation.cases.world import CaseWorld


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
    calls_high: float  # nine in ten runs take no more
    whole: int
    proven_rate: float
    false_rate: float
    attempts_mean: float
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def simulate_cases(
    world: CaseWorld,
    *,
    objective: str = "best",
    resolution: float | str = 0.05,
    error: float = 0.05,
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
    pairs = world.systems * (world.systems - 1) // 2
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
        calls_high=float(np.quantile(calls, 0.9)),
        whole=pairs * world.judges * world.cases * 2,
        proven_rate=float(np.mean([run.proven for run in runs])),
        false_rate=float(np.mean([run.false for run in runs])),
        attempts_mean=float(np.mean([run.attempts for run in runs])),
        seconds=time.perf_counter() - start,
    )

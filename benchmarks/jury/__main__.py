"""`python -m benchmarks.jury [recorded|floor|uniform|open|promise|speed ...] --data FOLDER --runs 200`."""

from __future__ import annotations

import argparse
import csv
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tests.statistics import lower_bound

from benchmarks.jury.play import Answers, Result, play
from benchmarks.jury.recorded import GOALS, PROMISED, recorded
from benchmarks.jury.speed import megabytes, milliseconds
from benchmarks.jury.worlds import hard_worlds

PARTS = ("recorded", "floor", "uniform", "open", "promise", "speed")
ABOVE = 1.05  # of what the design promised, plus two standard errors
UNIFORM_GOALS = (("best", 0.0, 1 / 4), ("order", 0.05, 1 / 3))
UNIFORM_MOST = 40_000
FLOOR_AT = 0.05  # the resolution of the goal beyond the design
FRESH_MOST = 1000  # questions per run where answers are fresh: such a run has no end of its own
PROMISE_COLUMNS = ("world", "objective", "resolution", "error", "runs", "proven", "false", "lower_bound", "calls")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jury", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="recorded tables")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes at once; results are the same")
    parser.add_argument("--out", type=Path, help="promise: write a row per world to this CSV, which must be new")
    given = parser.parse_args()
    if given.out is not None and given.out.exists():
        parser.error(f"{given.out} is there already; results of two runs do not belong in one file")
    for part in given.parts or PARTS:
        print(f"\n== {part}", flush=True)
        globals()[f"{part}_part"](given)


def _runs(answers: Answers, runs: int, given: argparse.Namespace, **options: object) -> list[Result]:
    one = partial(_run, answers, options)
    seeds = [10_000 * given.seed + k for k in range(runs)]
    if given.jobs == 1:
        return [one(seed) for seed in seeds]
    with ProcessPoolExecutor(given.jobs) as pool:
        return list(pool.map(one, seeds, chunksize=max(1, runs // (8 * given.jobs))))


def _run(answers: Answers, options: dict[str, Any], seed: int) -> Result:
    return play(answers, seed=seed, **options)


def _calls(found: list[Result]) -> tuple[float, float]:
    calls = np.array([result.calls for result in found], dtype=float)
    return float(calls.mean()), float(calls.std(ddof=1) / np.sqrt(len(calls))) if len(calls) > 1 else 0.0


def recorded_part(given: argparse.Namespace) -> None:
    """Calls until proven in every recorded table, against what the design promised."""
    ratios = []
    for name, answers in recorded(given.data):
        for (objective, resolution), promised in zip(GOALS, PROMISED[name], strict=True):
            found = _runs(answers, given.runs, given, objective=objective, resolution=(resolution,))
            mean, error = _calls(found)
            good = mean <= ABOVE * promised + 2 * error and all(result.proven for result in found)
            ratios.append(mean / promised)
            print(
                f"{name:20} {objective:6} {resolution:<5} {mean:8.0f} ± {error:4.0f}  promised {promised:6} "
                f" of {answers.calls():6,}  attempts {np.mean([r.attempts for r in found]):.2f} "
                f" false {sum(r.false for r in found)}  {'ok' if good else 'TOO MANY'}",
                flush=True,
            )
    if ratios:
        print(f"geometric mean of calls over promised: {np.exp(np.mean(np.log(ratios))):.3f}")


def floor_part(given: argparse.Namespace) -> None:
    """What it would cost somebody who knows the table: the true claims proven at .05, without any search."""
    runs = max(given.runs // 2, 3)
    ratios = []
    for name, answers in recorded(given.data):
        for (objective, resolution), promised in zip(GOALS, PROMISED[name], strict=True):
            if resolution != FLOOR_AT:
                continue
            found = _runs(answers, runs, given, objective=objective, resolution=(resolution,), known=True)
            mean, error = _calls(found)
            ratios.append(mean / promised)
            proven = sum(result.proven for result in found)
            print(f"{name:20} {objective:6} {resolution:<5} known {mean:7.0f} ± {error:4.0f}  promised "
                  f"{promised:6}  ratio {mean / promised:.2f}  proven {proven} of {runs}", flush=True)  # fmt: skip
    if ratios:
        print(f"geometric mean of the floor over promised: {np.exp(np.mean(np.log(ratios))):.3f}")


def uniform_part(given: argparse.Namespace) -> None:
    """Against random questions with the same evidence and stop."""
    runs = max(given.runs // 10, 3)
    for name, answers in recorded(given.data):
        for objective, resolution, most in UNIFORM_GOALS:
            options = {"objective": objective, "resolution": (resolution,)}
            ours, _ = _calls(_runs(answers, runs, given, **options))
            random, error = _calls(_runs(answers, runs, given, uniform=True, most=UNIFORM_MOST, **options))
            good = ours <= most * random
            words = "ok" if good else "TOO MANY"
            print(f"{name:20} {objective:6} {resolution:<5} ours {ours:7.0f}  random {random:7.0f} ± {error:4.0f} "
                  f" ratio {ours / random:.2f} (at most {most:.2f})  {words}", flush=True)  # fmt: skip


def open_part(given: argparse.Namespace) -> None:
    """32 questions open at once: at most 15 % more calls, plus 32."""
    runs = max(given.runs // 4, 5)
    for name, answers in recorded(given.data):
        for objective, resolution in GOALS[:3]:
            options = {"objective": objective, "resolution": (resolution,)}
            one, _ = _calls(_runs(answers, runs, given, **options))
            many, error = _calls(_runs(answers, runs, given, out=32, **options))
            good = many <= 1.15 * one + 32 + 2 * error
            print(f"{name:20} {objective:6} {resolution:<5} one {one:7.0f}  32 open {many:7.0f} ± {error:4.0f}  "
                  f"most {1.15 * one + 32:7.0f}  {'ok' if good else 'TOO MANY'}", flush=True)  # fmt: skip


def promise_part(given: argparse.Namespace, error: float = 0.1) -> None:
    """False statements in hard small worlds: the exact 99 % lower bound of their rate stays below δ."""
    runs = 10 * given.runs
    for world in hard_worlds():
        most = FRESH_MOST if world.answers.fresh else 10**6
        found = _runs(
            world.answers, runs, given, objective=world.objective, resolution=world.resolution, error=error,
            most=most,
        )  # fmt: skip
        false, proven = sum(result.false for result in found), sum(result.proven for result in found)
        low = lower_bound(false, runs)
        row = [
            world.name,
            world.objective,
            " ".join(f"{e:g}" for e in world.resolution),
            error,
            runs,
            proven,
            false,
        ]
        _write(given, PROMISE_COLUMNS, [*row, f"{low:.4f}", f"{_calls(found)[0]:.1f}"])
        print(f"{world.name:34} {world.objective:6} false {false / runs:.4f}  (99 % lower bound {low:.4f}, "
              f"δ {error}, {runs} runs)  {'ok' if low <= error else 'BROKEN'}", flush=True)  # fmt: skip


def _write(given: argparse.Namespace, columns: tuple[str, ...], row: list[object]) -> None:
    """One more row of the file of results, if one is wanted."""
    if given.out is None:
        return
    new = not given.out.exists()
    with given.out.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(columns)
        writer.writerow(row)


def speed_part(given: argparse.Namespace) -> None:
    """Time and room."""
    small, large = milliseconds(30, 500, 3), milliseconds(200, 1000, 10)
    print(f"ask and tell: {small:.2f} ms at 30 systems (at most 1), {large:.2f} ms at 200 systems, 1,000 cases, "
          "10 judges (at most 5)")  # fmt: skip
    cells, room = megabytes()
    print(f"a table of {cells:,} cells: {room:.0f} MB (at most 200)")


if __name__ == "__main__":
    main()

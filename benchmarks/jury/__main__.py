"""`python -m benchmarks.jury [recorded|uniform|open|promise|speed ...] --data FOLDER --runs 200`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from tests.statistics import lower_bound

from benchmarks.jury.play import Answers, Result, play
from benchmarks.jury.recorded import GOALS, PROMISED, recorded
from benchmarks.jury.speed import megabytes, milliseconds
from benchmarks.jury.worlds import hard_worlds

PARTS = ("recorded", "uniform", "open", "promise", "speed")
ABOVE = 1.05  # of what the design promised, plus two standard errors
UNIFORM_GOALS = (("best", 0.0, 1 / 4), ("order", 0.05, 1 / 3))
UNIFORM_MOST = 40_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jury", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="recorded tables")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for part in given.parts or PARTS:
        print(f"\n== {part}", flush=True)
        globals()[f"{part}_part"](given)


def _runs(answers: Answers, runs: int, seed: int, **options: object) -> list[Result]:
    return [play(answers, seed=10_000 * seed + k, **options) for k in range(runs)]  # type: ignore[arg-type]


def _calls(found: list[Result]) -> tuple[float, float]:
    calls = np.array([result.calls for result in found], dtype=float)
    return float(calls.mean()), float(calls.std(ddof=1) / np.sqrt(len(calls))) if len(calls) > 1 else 0.0


def recorded_part(given: argparse.Namespace) -> None:
    """Calls until proven in every recorded table, against what the design promised."""
    ratios = []
    for name, answers in recorded(given.data):
        for (objective, resolution), promised in zip(GOALS, PROMISED[name], strict=True):
            found = _runs(answers, given.runs, given.seed, objective=objective, resolution=(resolution,))
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


def uniform_part(given: argparse.Namespace) -> None:
    """Against random questions with the same evidence and stop."""
    runs = max(given.runs // 10, 3)
    for name, answers in recorded(given.data):
        for objective, resolution, most in UNIFORM_GOALS:
            options = {"objective": objective, "resolution": (resolution,)}
            ours, _ = _calls(_runs(answers, runs, given.seed, **options))
            random, error = _calls(_runs(answers, runs, given.seed, uniform=True, most=UNIFORM_MOST, **options))
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
            one, _ = _calls(_runs(answers, runs, given.seed, **options))
            many, error = _calls(_runs(answers, runs, given.seed, out=32, **options))
            good = many <= 1.15 * one + 32 + 2 * error
            print(f"{name:20} {objective:6} {resolution:<5} one {one:7.0f}  32 open {many:7.0f} ± {error:4.0f}  "
                  f"most {1.15 * one + 32:7.0f}  {'ok' if good else 'TOO MANY'}", flush=True)  # fmt: skip


def promise_part(given: argparse.Namespace, error: float = 0.1) -> None:
    """False statements in hard small worlds: the exact 99 % lower bound of their rate stays below δ."""
    runs = 10 * given.runs
    for world in hard_worlds():
        most = 3000 if world.answers.fresh else 10**6
        found = _runs(
            world.answers, runs, given.seed, objective=world.objective, resolution=world.resolution, error=error,
            most=most,
        )  # fmt: skip
        false = sum(result.false for result in found)
        low = lower_bound(false, runs)
        print(f"{world.name:34} {world.objective:6} false {false / runs:.4f}  (99 % lower bound {low:.4f}, "
              f"δ {error}, {runs} runs)  {'ok' if low <= error else 'BROKEN'}", flush=True)  # fmt: skip


def speed_part(given: argparse.Namespace) -> None:
    """Time and room."""
    small, large = milliseconds(30, 500, 3), milliseconds(200, 1000, 10)
    print(f"ask and tell: {small:.2f} ms at 30 systems (at most 1), {large:.2f} ms at 200 systems, 1,000 cases, "
          "10 judges (at most 5)")  # fmt: skip
    cells, room = megabytes()
    print(f"a table of {cells:,} cells: {room:.0f} MB (at most 200)")


if __name__ == "__main__":
    main()

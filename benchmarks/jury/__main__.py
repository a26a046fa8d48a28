"""`python -m benchmarks.jury [recorded|falling|floor|uniform|open|batches|warm|promise|once|...] --data DIR`."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.jury import forecast, owner, warm
from benchmarks.jury.intervals import covered, six_worlds
from benchmarks.jury.intervals import words as interval_words
from benchmarks.jury.play import Answers, Result, in_batches, play
from benchmarks.jury.promise import ERROR, FRESH_MOST, PromiseFile, summary, words
from benchmarks.jury.recorded import GOALS, PROMISED, recorded
from benchmarks.jury.speed import megabytes, milliseconds
from benchmarks.jury.worlds import at_once, hard_worlds, near, orders
from benchmarks.sweeping import add_where, where_of
from juryrank.rankers.jury.options import STEPS
from juryrank.simulation.sweep import sweep

PARTS = (
    "recorded",
    "falling",
    "floor",
    "uniform",
    "open",
    "batches",
    "warm",
    "forecast",
    "promise",
    "once",
    "once_promise",
    "claims",
    "intervals",
    "speed",
    "owner",
)
ABOVE = 1.05  # of what the design promised, plus two standard errors
UNIFORM_GOALS = (("best", 0.0, 1 / 4), ("order", 0.05, 1 / 3))
UNIFORM_MOST = 40_000
SMALL_TABLE, FEW_INTERVALS = 5000, 40  # calls of a table whose early stops have few intervals in a run; runs of it
BATCHES = (1, 64, 256)  # questions that go out together
OWNERS = (
    (160, 79, 2, 5),
    (160, 79, 3, 3),
    (1000, 499, 2, 4),
    (160, 79, 5, 2),
)  # cells, wins, systems, places tried
FLOOR_AT = 0.05  # the resolution of the goal beyond the design


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jury", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="recorded tables")
    parser.add_argument("--runs", type=int, help="runs of each row; each part has its own usual number")
    parser.add_argument("--seed", type=int, default=1)
    add_where(parser)
    parser.add_argument("--out", type=Path, help="promise: a CSV with a row per world; what is there is kept")
    given = parser.parse_args()
    for part in given.parts or PARTS:
        print(f"\n== {part}", flush=True)
        globals()[f"{part}_part"](given)


def _number(given: argparse.Namespace, usual: int) -> int:
    return usual if given.runs is None else int(given.runs)


def _runs(answers: Answers, runs: int, given: argparse.Namespace, **options: object) -> list[Result]:
    seeds = [10_000 * given.seed + k for k in range(runs)]
    return sweep(partial(_run, answers, options), seeds, where=replace(where_of(given), out=None))


def _run(answers: Answers, options: dict[str, Any], seed: int) -> Result:
    return play(answers, seed=seed, **options)


def _calls(found: list[Result]) -> tuple[float, float]:
    calls = np.array([result.calls for result in found], dtype=float)
    return float(calls.mean()), float(calls.std(ddof=1) / np.sqrt(len(calls))) if len(calls) > 1 else 0.0


def _ratio(pairs: list[tuple[Result, Result]]) -> tuple[float, float]:
    """The calls of all the first over those of all the second, with the standard error of runs in pairs."""
    if not pairs:
        return np.nan, np.nan
    first, second = (np.array([result.calls for result in side], dtype=float) for side in zip(*pairs, strict=True))
    ratio = float(first.sum() / second.sum())
    off = first - ratio * second
    return ratio, float(np.sqrt((off**2).sum() / max(len(off) - 1, 1) / len(off)) / second.mean())


def recorded_part(given: argparse.Namespace) -> None:
    """Calls until proven in every recorded table, against what the design promised."""
    ratios = []
    for name, answers in recorded(given.data):
        for (objective, resolution), promised in zip(GOALS, PROMISED[name], strict=True):
            found = _runs(answers, _number(given, 200), given, objective=objective, resolution=(resolution,))
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


def falling_part(given: argparse.Namespace) -> None:
    """Falling resolution against the finest alone: calls where both end with the same proof, and lists fixed."""
    runs = _number(given, 34)
    near_ties = [(f"near ties, {lead}", near(lead), ("best", "order")) for lead in (0, 3)]
    tables = [(name, answers, ("best", "top-3", "order")) for name, answers in recorded(given.data)]
    for name, answers, objectives in [*tables, *near_ties]:
        for objective in objectives:
            finest = _runs(answers, runs, given, objective=objective, resolution=(0.0,))
            falling = _runs(answers, runs, given, objective=objective, resolution=STEPS)
            pairs = [(a, b) for a, b in zip(falling, finest, strict=True) if a.proof and a.proof == b.proof]
            ratio, error = _ratio(pairs)
            both, lists = [*falling, *finest], float(np.mean([r.attempts for r in falling]))
            print(
                f"{name:20} {objective:6} finest {_calls(finest)[0]:6.0f}  falling {_calls(falling)[0]:6.0f}  "
                f"same proof {len(pairs)} of {runs}, ratio {ratio:.3f} ± {error:.3f}  lists {lists:.2f}, "
                f"at most {max(r.attempts for r in both)}; fixed twice {sum(r.twice for r in both)}  "
                f"false {sum(r.false for r in both)}",
                flush=True,
            )


def floor_part(given: argparse.Namespace) -> None:
    """What it would cost somebody who knows the table: the true claims proven at .05, without any search."""
    runs = _number(given, 100)
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
    runs = _number(given, 20)
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
    runs = _number(given, 50)
    for name, answers in recorded(given.data):
        for objective, resolution in GOALS[:3]:
            options = {"objective": objective, "resolution": (resolution,)}
            one, _ = _calls(_runs(answers, runs, given, **options))
            many, error = _calls(_runs(answers, runs, given, out=32, **options))
            good = many <= 1.15 * one + 32 + 2 * error
            print(f"{name:20} {objective:6} {resolution:<5} one {one:7.0f}  32 open {many:7.0f} ± {error:4.0f}  "
                  f"most {1.15 * one + 32:7.0f}  {'ok' if good else 'TOO MANY'}", flush=True)  # fmt: skip


def batches_part(given: argparse.Namespace) -> None:
    """Calls and batches where so many questions go out together: from 1,000 calls on at most .65 of the price."""
    for name, answers in recorded(given.data):
        if answers.shape[2] == 1:
            continue  # its answers have one side only
        for objective, resolution in GOALS[:3]:
            found = [
                np.mean(
                    [
                        in_batches(answers, size, seed, objective=objective, resolution=resolution)
                        for seed in range(_number(given, 8))
                    ],
                    axis=0,
                )
                for size in BATCHES
            ]
            one = found[0][0]
            said = "  ".join(
                f"{size} open {calls:6.0f} calls in {batches:4.1f} batches (price {calls / one / 2:.2f})"
                for size, (calls, batches) in zip(BATCHES[1:], found[1:], strict=True)
            )
            print(f"{name:20} {objective:6} {resolution:<5} one by one {one:6.0f}  {said}", flush=True)


def warm_part(given: argparse.Namespace) -> None:
    """From last week: of the search at least 60 % saved, .8 of all calls, 1.15 if it is turned round."""
    rows = []
    for name, answers in recorded(given.data):
        for objective, resolution in GOALS:
            seeds = [10_000 * given.seed + k for k in range(_number(given, 40))]
            found = [warm.one(answers, seed, objective=objective, resolution=(resolution,)) for seed in seeds]
            rows.append(warm.ratios(found))
            print(warm.words(name, objective, resolution, found), flush=True)
    if rows:
        ratio, wrong, best, saved, best_saved = np.mean(rows, axis=0)
        print(f"mean over tables and goals: ratio {ratio:.3f}, saved {saved:.2f}, reversed {wrong:.3f}; "
              f"from today's truth: ratio {best:.3f}, saved {best_saved:.2f}")  # fmt: skip


def forecast_part(given: argparse.Namespace) -> None:
    """Calls with forecasts over those without: R² .4 at most .9 at 160 cells, .8 at 1,900; R² 0 at most 1.05."""
    runs = _number(given, 30)
    tables = [(f"{cells:,} cells, {gap} apart", forecast.ladder(cells, gap)) for cells in forecast.CELLS
              for gap in forecast.GAPS]  # fmt: skip
    for name, answers in tables:
        for objective, resolution in (("best", 0.0), ("order", 0.05)):
            said = []
            for share in forecast.EXPLAINED:
                foreseen = forecast.explaining(answers, share, given.seed)
                goal = {"objective": objective, "resolution": (resolution,)}
                after, whole, false = forecast.compared(answers, foreseen, runs, **goal)
                said.append(f"R² {share}: {after:.2f}, whole {whole:.2f}, false {false}")
            print(f"{name:22} {objective:6} {resolution:<5} {'  '.join(said)}", flush=True)
    for objective, resolution in GOALS:
        answers, foreseen, explained = forecast.people(given.data, given.seed)
        after, whole, false = forecast.compared(
            answers, foreseen, runs, objective=objective, resolution=(resolution,)
        )
        print(f"people, others' votes  {objective:6} {resolution:<5} R² {explained:.2f}: {after:.2f}, whole "
              f"{whole:.2f}, false {false}", flush=True)  # fmt: skip


def promise_part(given: argparse.Namespace) -> None:
    """False statements in hard small worlds: the exact 99 % lower bound of their rate stays below δ."""
    file = PromiseFile(given.out, runs=_number(given, 2000), seed=given.seed)
    for world in hard_worlds():
        row = file.found.get(world.name)
        if row is None:
            most = FRESH_MOST if world.answers.fresh else 10**6
            asked = {"objective": world.objective, "resolution": world.resolution}
            found = _runs(world.answers, file.runs, given, error=ERROR, most=most, **asked)
            row = summary(world, found, given.seed)
            file.add(row)
        print(words(row), flush=True)


def once_part(given: argparse.Namespace) -> None:
    """One call for all systems against a call per pair: calls until proven at .05, and the promise."""
    runs = _number(given, 20)
    for items in (5, 7, 8):
        for objective in ("best", "top-3", "order"):
            found: dict[bool, list[Result]] = {True: [], False: []}
            for world, together in product(range(runs), found):
                how = {"objective": objective, "resolution": (FLOOR_AT,), "seed": given.seed + world}
                found[together].append(play(orders(items, world), together=together, **how))
            once, pairs = (_calls(found[together])[0] for together in (True, False))
            false = sum(result.false for result in found[True])
            print(f"{items} systems, {objective:6} {once:6.0f} calls, pairs {pairs:6.0f}: {once / pairs:.2f}; "
                  f"false {false} of {runs}", flush=True)  # fmt: skip


def once_promise_part(given: argparse.Namespace) -> None:
    """The same worlds, where one call is about all pairs."""
    file = PromiseFile(given.out, runs=_number(given, 2000), seed=given.seed)
    for world in [at_once(world) for world in hard_worlds() if not world.answers.fresh]:
        row = file.found.get(world.name)
        if row is None:
            asked = {"objective": world.objective, "resolution": world.resolution, "together": True}
            row = summary(world, _runs(world.answers, file.runs, given, error=ERROR, **asked), given.seed)
            file.add(row)
        print(words(row), flush=True)


def claims_part(given: argparse.Namespace) -> None:
    """Everything that is stated, of every goal, against the whole table: recorded ones and six made up."""
    runs, stated, false = _number(given, 20), 0, 0
    for name, answers in [*recorded(given.data), *six_worlds()]:
        for objective, resolution in (*((goal, (epsilon,)) for goal, epsilon in GOALS), ("order", STEPS)):
            found = _runs(answers, runs, given, objective=objective, resolution=resolution)
            wrong = sum(result.false for result in found)
            stated, false = stated + sum(result.proven for result in found), false + wrong
            print(f"{name:20} {objective:6} {min(resolution):<5} proven {sum(r.proven for r in found)} of {runs}, "
                  f"false {wrong}, calls {_calls(found)[0]:.0f}", flush=True)  # fmt: skip
    print(f"all: {false} false of {stated} proven")


def owner_part(given: argparse.Namespace) -> None:
    """False proofs of an owner who knows seed and answers, and chooses in which order these come."""
    for cells, wins, items, places in OWNERS:
        runs, answers = _number(given, 10), owner.just_false(cells, wins, items)
        found = [owner.first_lucky(answers, seed, places=places) for seed in range(runs)]
        lucky = Counter(how[0] for how in found if how is not None)
        print(
            f"{wins} of {cells} cells, {items} systems: false {lucky.total()} of {runs} {dict(lucky)}", flush=True
        )


def intervals_part(given: argparse.Namespace) -> None:
    """How often the intervals of pairs hold: after adaptive asking, at early and late stops."""
    held = [0.0, 0.0]
    for name, answers in [*recorded(given.data), *six_worlds()]:
        runs = _number(given, FEW_INTERVALS if answers.calls() < SMALL_TABLE else 8)
        rows = [
            covered(answers, objective=objective, resolution=(resolution,), runs=runs, seed=given.seed)
            for objective, resolution in (("best", 0.0), ("order", 0.05))
        ]
        print(interval_words(name, np.concatenate(rows)), flush=True)
        held = [held[0] + sum(each[:, 2].sum() for each in rows), held[1] + sum(map(len, rows))]
    print(f"all: {100 * held[0] / held[1]:.1f} % of {held[1]:,.0f}")


def speed_part(given: argparse.Namespace) -> None:
    """Time and room."""
    for systems, cases, most in ((20, 2000, 0.5), (100, 500, 1.0)):
        for objective in ("best", "top-10", "order"):
            took = milliseconds(systems, cases, 3, _number(given, 2000), objective)
            print(
                f"ask and tell: {took:.2f} ms at {systems} systems, {cases:,} cases, 3 judges, {objective} "
                f"(at most {most})  {'ok' if took <= most else 'TOO SLOW'}",
                flush=True,
            )
    print(f"ask and tell: {milliseconds(200, 1000, 10):.2f} ms at 200 systems, 1,000 cases, 10 judges (at most 5)")
    cells, room = megabytes()
    print(f"a table of {cells:,} cells: {room:.0f} MB (at most 150)")


if __name__ == "__main__":
    main()

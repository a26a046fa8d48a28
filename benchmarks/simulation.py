"""How fast simulation is, side by side in one run: `python -m benchmarks.simulation [--only PART ...]`.

    question     nanoseconds per question: duel law, per-answer compiled play, not compiled, naive Python loop
    difficulty   one run as judges get worse (Δ = 0.4 down to 0.005): law against per-answer play
    size         one ada-iir run of 100 to 100,000 items
    startup      a whole `juryrank simulate` call of 10 items
    grid         `juryrank reproduce all --repeats 100`, warm and cold, with the memory of all its processes

Ratios are what to compare: both sides of one are measured in turns. Where the machine is shared, wall time says
little, so the processor's time stands beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from juryrank.rankers.paper.core import state as walk_state
from juryrank.rankers.paper.core.constants import PAPER
from juryrank.rankers.paper.core.elimination import INNER, NODE_ERROR, longest
from juryrank.simulation import Bernoulli, World, two_groups
from juryrank.simulation.play import play
from juryrank.simulation.players import by_law as duel_law
from juryrank.simulation.players import insertion

UNLIMITED = 10**15
MARGINS = (0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
MOST_BY_ANSWER = 0.02  # per-answer play of harder worlds takes minutes


def run_insertion(world: World, items: int, repeat: int, *, by_law: bool, adaptive: bool = True) -> int:
    """Questions of one run."""
    ranker = "ada-iir" if adaptive else "iir"
    return play(
        ranker, world, items=items, seed=1, repeat=repeat, error=0.25, budget=UNLIMITED, by_law=by_law
    ).questions


@contextlib.contextmanager
def without_compiling():
    """Play with the kernels as they are."""
    kept = insertion.compiled, insertion.walk_state
    insertion.compiled = lambda function: function
    insertion.walk_state = SimpleNamespace(start=lambda *given: walk_state.live(walk_state.start(*given)))
    try:
        yield
    finally:
        insertion.compiled, insertion.walk_state = kept


def naive_duels(count: int, accuracies: tuple[float, ...]) -> int:
    """The paper's ATC as one would first write it: a judge, an answer, a bound, again."""
    error, most, questions = NODE_ERROR[INNER], longest(0.25, NODE_ERROR[INNER], PAPER), 0
    for _ in range(count):
        wins = r = 0
        while r < most:
            judge = random.randrange(len(accuracies))
            wins += random.random() < accuracies[judge]
            r += 1
            if abs(wins / r - 0.5) >= math.sqrt(math.log(math.pi**2 * r**2 / (3 * error)) / (2 * r)):
                break
        questions += r
    return questions


def in_turns(ways: dict[str, Callable[[int], int]], rounds: int) -> dict[str, tuple[float, float]]:
    """(least seconds of processor time per question, mean questions per call) of each way.

    The least, because what others do on the machine can only add to it.
    """
    seen: dict[str, list[tuple[float, int]]] = {name: [] for name in ways}
    for k in range(rounds + 1):
        for name, way in ways.items():
            started = time.process_time()
            questions = way(k)
            seen[name].append((time.process_time() - started, questions))
    # the first round compiles and fills caches
    return {
        name: (min(s / q for s, q in found[1:]), statistics.fmean(q for _, q in found[1:]))
        for name, found in seen.items()
    }


def bench_question() -> None:
    world = two_groups(9, gamma_a=0.5, gamma_b=0.5)

    def plain(repeat: int) -> int:
        with without_compiling():
            return run_insertion(world, 5, repeat, by_law=False)

    found = in_turns(
        {
            "duel law": lambda k: sum(run_insertion(world, 100, 10 * k + j, by_law=True) for j in range(10)),
            "per answer": lambda k: run_insertion(world, 100, k, by_law=False),
            "not compiled (5 items)": plain,
            "naive Python loop": lambda k: naive_duels(300, world.accuracies),
        },
        rounds=9,
    )
    per_answer = found["per answer"][0]
    print("\nnanoseconds per question, ada-iir, N = 100, M = 9, γ 0.5/0.5 (must: duel law ≥ 10x per answer)")
    for name, (seconds, _) in found.items():
        print(f"  {name:22} {seconds * 1e9:10.2f} ns   {per_answer / seconds:8.2f}x per answer")


def bench_difficulty() -> None:
    print("\none run of 100 items, one judge of accuracy 1/2 + Δ (must: law ≥ 100x per answer at Δ = 0.02)")
    print(f"  {'Δ':>6} {'questions':>16} {'law':>12} {'making laws':>12} {'per answer':>12} {'ratio':>8}")
    for margin in MARGINS:
        world = Bernoulli((0.5 + margin,))
        duel_law._law.cache_clear()
        duel_law.laws.cache_clear()
        started = time.process_time()
        run_insertion(world, 100, 0, by_law=True, adaptive=False)
        first = time.process_time() - started
        ways = {"law": lambda k, w=world: run_insertion(w, 100, k, by_law=True, adaptive=False)}
        if margin >= MOST_BY_ANSWER:
            ways["answer"] = lambda k, w=world: run_insertion(w, 100, k, by_law=False, adaptive=False)
        found = in_turns(ways, rounds=3)
        law, questions = found["law"]
        slow = f"{found['answer'][0] * questions:10.4f} s" if "answer" in found else " " * 12
        ratio = f"{found['answer'][0] / law:7.0f}x" if "answer" in found else ""
        making = max(first - law * questions, 0)
        print(f"  {margin:6} {questions:16,.0f} {law * questions:10.4f} s {making:10.3f} s {slow} {ratio:>8}")


def bench_size() -> None:
    print("\none ada-iir run, 9 judges, γ 0.5/2.5 (must: 100,000 items under 30 s and 2 GiB)")
    world = two_groups(9, gamma_a=0.5, gamma_b=2.5)
    for items in (100, 1_000, 10_000, 100_000):
        wall, cpu = time.perf_counter(), time.process_time()
        run = play("ada-iir", world, items=items, seed=1, error=0.25)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"  N = {items:7,}: {run.questions:14,} questions, exact {run.exact}, {wall:8.3f} s wall, "
            f"{cpu:8.3f} s processor, {peak:.2f} GiB"
        )


def bench_startup() -> None:
    command = [sys.executable, "-m", "juryrank", "simulate", "--items", "10", "--json"]
    walls, cpus = zip(*(measured(command)[:2] for _ in range(4)), strict=True)
    print("\n`juryrank simulate --items 10 --json`, 100 runs, whole process (must: under 2 s)")
    print(f"  best {min(walls[1:]):.2f} s wall, {min(cpus[1:]):.2f} s processor")


def bench_grid() -> None:
    print("\n`juryrank reproduce all --repeats 100` (must: warm 90 s, cold 150 s on 2 cores, under 1 GiB)")
    with tempfile.TemporaryDirectory() as cache:
        for state in ("cold", "warm"):
            with tempfile.TemporaryDirectory() as out:
                command = [sys.executable, "-m", "juryrank", "reproduce", "all", "--out", out, "--repeats", "100"]
                wall, cpu, peak = measured(command, JURYRANK_CACHE=cache)
            print(f"  {state}: {wall:6.1f} s wall, {cpu:6.1f} s processor, {peak:.2f} GiB in all", flush=True)


def measured(command: list[str], **env: str) -> tuple[float, float, float]:
    """(wall, processor, peak GiB over all its processes) of a command."""
    import psutil

    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    top, peak, finished = psutil.Process(process.pid), 0, {}
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            family = [top, *top.children(recursive=True)]
            peak = max(peak, sum(member.memory_info().rss for member in family))
            for member in family[1:]:
                times = member.cpu_times()
                finished[member.pid] = times.user + times.system
        time.sleep(0.1)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, max(own, sum(finished.values())), peak / 2**30


PARTS = {
    "question": bench_question,
    "difficulty": bench_difficulty,
    "size": bench_size,
    "startup": bench_startup,
    "grid": bench_grid,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast simulation is.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    chosen = parser.parse_args().only
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load average {load:.1f} before the start, numpy {np.__version__}")
    for name in chosen:
        PARTS[name]()


if __name__ == "__main__":
    main()

"""kill -9 at random moments: is every acknowledged answer there, once, and is the state the fold of the log?

python -m tests.faults.harness --runs 200 [--storage sqlite|postgresql]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field

from juryrank.log import GENESIS, Event, event_hash
from juryrank.storage import open_storage
from juryrank.study import create_study, open_study
from tests.faults.worker import start
from tests.study.conftest import refolded, state_of

ITEMS = [f"item {k}" for k in range(30)]
WORKERS, JUDGES_EACH, GENERATIONS = 3, 2, 2
LONGEST_LIFE = 0.7  # seconds from a worker's first sign of life to its death


@dataclass
class Outcome:
    """What happened in all runs so far."""

    runs: int = 0
    kills: int = 0
    acknowledged: int = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.runs} runs, {self.kills} kills, {self.acknowledged} acknowledged answers, "
            f"{len(self.problems)} problems"
        )


def one_run(url: str, *, seed: int, outcome: Outcome) -> None:
    """One study; several generations of workers, each killed at a random moment; then the examination."""
    rng = random.Random(seed)
    name = f"run {seed}"
    judges = [f"judge {k}" for k in range(WORKERS * JUDGES_EACH)]
    storage = open_storage(url)
    ranker = rng.choice(["iir", "ada-iir", "certified"])
    create_study(ITEMS, name=name, judges=judges, ranker=ranker, seed=seed, storage=storage)
    storage.close()  # no connection may live in two processes
    said: list[str] = []
    for generation in range(GENERATIONS):
        said += _killed_generation(url, name, judges, rng, generation)
        outcome.kills += WORKERS
    acknowledged = [line for line in said if line.startswith("told")]
    outcome.acknowledged += len(acknowledged)
    outcome.runs += 1
    outcome.problems += [f"seed {seed}: {line}" for line in said if line.startswith("problem")]
    outcome.problems += [f"seed {seed}: {problem}" for problem in examine(url, name, said)]


def _killed_generation(url: str, name: str, judges: list[str], rng: random.Random, generation: int) -> list[str]:
    workers = [
        start(
            url,
            name,
            judges[k * JUDGES_EACH : (k + 1) * JUDGES_EACH],
            mode=rng.choice(["ask and tell", "ask and tell", "run"]),
            seed=rng.randrange(2**31),
        )
        for k in range(WORKERS)
    ]
    texts = [os.read(pipe, 6) for _, pipe in workers]  # "ready"
    deaths = sorted((rng.uniform(0, LONGEST_LIFE), pid) for pid, _ in workers)
    began = time.monotonic()
    for moment, pid in deaths:
        time.sleep(max(0.0, began + moment - time.monotonic()))
        os.kill(pid, signal.SIGKILL)
    said: list[str] = []
    for text, (pid, pipe) in zip(texts, workers, strict=True):
        while block := os.read(pipe, 65536):
            text += block
        os.close(pipe)
        os.waitpid(pid, 0)
        whole = text.decode().split("\n")[:-1]  # a line cut in the middle was not acknowledged
        said += whole
    return said


def examine(url: str, name: str, said: list[str]) -> list[str]:
    """Everything that is wrong with a study, in words."""
    study = open_study(name, storage=url)
    try:
        log = list(study.events())
        problems = [*_chain(log), *_answers(log, said)]
        if state_of(study) != refolded(study):
            problems.append("the state after reopening is not the fold of the log")
        study.ask()  # and it goes on
        return problems
    finally:
        study.storage.close()


def _chain(log: list[Event]) -> list[str]:
    before, problems = GENESIS, list[str]()
    for number, event in enumerate(log, start=1):
        if event.seq != number:
            problems.append(f"event {number} is missing")
        if event.hash != event_hash(before, event.seq, event.kind, event.data, event.at):
            problems.append(f"the chain breaks at event {number}")
        before = event.hash
    return problems


def _answers(log: list[Event], said: list[str]) -> list[str]:
    standing: dict[int, str] = {}
    counted: Counter[int] = Counter()
    for event in log:
        number = event.data.get("q")
        if event.kind == "told":
            counted[number] += 1
            standing[number] = event.data["answer"]
        elif event.kind == "retracted":
            counted[number] -= 1
            standing.pop(number)
    problems = [f"question {number} is counted {times} times" for number, times in counted.items() if times > 1]
    for number, (word, side) in _last_words(said).items():
        if word in ("told", "stays") and standing.get(number) != side:
            problems.append(f"question {number}: {side} was acknowledged, {standing.get(number)} is there")
    return problems


def _last_words(said: list[str]) -> dict[int, tuple[str, str]]:
    last: dict[int, tuple[str, str]] = {}
    for line in said:
        word, *rest = line.split(" ")
        if word in ("told", "undo", "undone", "stays"):
            number = int(rest[0])
            side = rest[1] if word == "told" else last.get(number, ("", ""))[1]
            last[number] = (word, side)
    return last


def many_runs(url: str, *, runs: int, first_seed: int = 0, show: bool = False) -> Outcome:
    """As many runs on one database."""
    outcome = Outcome()
    for seed in range(first_seed, first_seed + runs):
        one_run(url, seed=seed, outcome=outcome)
        if show and (outcome.runs % 20 == 0 or outcome.problems):
            print(outcome, *outcome.problems[:5], sep="\n  ", flush=True)
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--storage", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.storage == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            outcome = many_runs(
                f"sqlite:///{folder}/studies.db", runs=asked.runs, first_seed=asked.seed, show=True
            )
    else:
        from tests.postgres import running_server

        with running_server() as server:
            outcome = many_runs(server.url(), runs=asked.runs, first_seed=asked.seed, show=True)
    print(f"{asked.storage}: {outcome}")
    raise SystemExit(bool(outcome.problems))


if __name__ == "__main__":
    main()

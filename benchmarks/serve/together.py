"""Answers to one study on PostgreSQL, one by one and sharing a write: `python -m benchmarks.serve.together`.

Threads of one process answer without thinking; in turn with and without sharing, on new studies.
"""

from __future__ import annotations

import argparse
import random
import threading
import time

from juryrank.study import create_study, keeper

SITTING = 25


def answered(url: str, name: str, threads: int, seconds: float) -> str:
    """So many threads for so many seconds."""
    judges = [f"judge {k}" for k in range(threads * 100)]
    items, options = [f"item {k}" for k in range(30)], {"objective": "ranges", "sitting": SITTING}
    study = create_study(items, name=name, ranker="panel", judges=judges, storage=url, seed=1, options=options)
    took: list[float] = []
    until = time.monotonic() + seconds

    def work(k: int) -> None:
        rng = random.Random(k)
        for judge in judges[k::threads]:
            question = study.ask(judge)
            while question is not None:
                if time.monotonic() > until:
                    return
                began = time.perf_counter()
                side = rng.choice(["left", "right"])
                question = study.tell_and_ask(question.id, side=side, judge=judge)[1]
                took.append(time.perf_counter() - began)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(threads)]
    used = time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    used = time.process_time() - used
    study.storage.close()
    took.sort()
    middle, last = 1000 * took[len(took) // 2], 1000 * took[int(0.99 * len(took))]
    return (
        f"{len(took) / seconds:.0f} answers per second, p50 {middle:.1f} ms, p99 {last:.1f} ms, "
        f"{1000 * used / len(took):.2f} ms of processor time each"
    )


def main() -> None:
    from tests.postgres import running_server

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--runs", type=int, default=3)
    wish = parser.parse_args()
    most = keeper.MOST_IN_TURN
    with running_server() as postgres:
        url = postgres.url()
        for run in range(wish.runs):
            for together in (1, most):
                keeper.MOST_IN_TURN = together
                found = answered(url, f"run {run}, {together}", wish.threads, wish.seconds)
                print(f"{'one by one' if together == 1 else 'together  '}  {found}", flush=True)


if __name__ == "__main__":
    main()

"""A large sweep on a Dask cluster on loopback: `python -m benchmarks.cluster` (at most five minutes).

10,000 cells of 100 runs each: by one worker, by two, and by two of whom one is killed on the way. Two must take
at most .7 of one's time (idle machine), and whoever is killed, the rows are the same and each is there once.
`--cells 500` for a try.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import islice, product
from pathlib import Path

from juryrank.simulation.paper.cells import Cell, CellRow, Settings, play_cell
from juryrank.simulation.sweep import FILE_NAME, Engine, Where, open_results, sweep

SETTINGS = Settings(0.25, "paper", 100, 0)
SHARE = 0.7
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def worker(address: str, folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    """A worker without a nanny to revive it."""
    folder.mkdir()
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
    command += ["--no-dashboard", "--local-directory", str(folder)]
    return subprocess.Popen(command, env={**os.environ, **environment}, **QUIET)


def said(words: str, log: Path, *, times: int = 1, seconds: int = 60) -> list[str]:
    """What a log says, once it says it so often."""
    for _ in range(seconds * 20):
        if len(found := re.findall(words, log.read_text())) >= times:
            return list(found)
        time.sleep(0.05)
    raise RuntimeError(log.read_text())


@contextmanager
def cluster(folder: Path, workers: int, **environment: str) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and the processes: itself, then its workers."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
    path = folder / "scheduler.log"
    with path.open("w") as log:
        started = [subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=log, stderr=log, cwd=folder)]
        try:
            address = said(r"Scheduler at:\s+(tcp://\S+)", path)[0]
            started += [worker(address, folder / f"worker{k}", **environment) for k in range(workers)]
            said("Register worker", path, times=workers)
            yield address, started
        finally:
            for process in started:
                process.kill()
                process.wait()


def cells(number: int) -> list[Cell]:
    """Small and all different."""
    gammas = product(range(25, 250), range(25, 250))
    some = islice(gammas, number)
    return [Cell(3, a / 100, b / 100, 5 + (a + b) % 4, ("oracle", "ada-iir")[b % 2]) for a, b in some]


def timed(
    folder: Path, workers: int, number: int, tell: Callable[[int, list[subprocess.Popen[bytes]]], None]
) -> tuple[float, list[CellRow], int]:
    """Seconds, rows, and lines on disk."""
    arrived = 0
    with (
        cluster(folder, workers) as (address, processes),
        open_results(folder, asdict(SETTINGS), CellRow.rebuilt) as results,
    ):
        where = Where(engine=Engine.DASK, scheduler=address)
        warm = [Cell(3, 0.5, 2.5, 5 + k % 4, ("oracle", "ada-iir")[k // 4]) for k in range(8)] * workers
        sweep(partial(play_cell, SETTINGS), warm, where=where)

        def progress(_cell: Cell, _row: CellRow) -> None:
            nonlocal arrived
            arrived += 1
            tell(arrived, processes)

        begun = time.perf_counter()
        rows = sweep(partial(play_cell, SETTINGS), cells(number), where=where, results=results, progress=progress)
        took = time.perf_counter() - begun
    return took, rows, (folder / FILE_NAME).read_text().count("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=10_000)
    number = parser.parse_args().cells

    def nothing(arrived: int, processes: list[subprocess.Popen[bytes]]) -> None:
        pass

    def kill_one(arrived: int, processes: list[subprocess.Popen[bytes]]) -> None:
        if arrived == number // 2:
            processes[1].send_signal(signal.SIGKILL)

    with tempfile.TemporaryDirectory() as place:
        one, rows, _ = timed(Path(place, "one"), 1, number, nothing)
        print(f"{number:,} cells of {SETTINGS.repeats} runs, one worker: {one:.1f} s", flush=True)
        two, same, _ = timed(Path(place, "two"), 2, number, nothing)
        good = "ok" if two <= SHARE * one else "TOO SLOW"
        print(f"two workers: {two:.1f} s, {two / one:.2f} of that (at most {SHARE}) {good}", flush=True)
        third, killed, lines = timed(Path(place, "killed"), 2, number, kill_one)
        failed = sum(bool(row.error) for row in rows)
        print(f"two workers, one of them killed half-way: {third:.1f} s; rows on disk {lines:,}; "
              f"the same rows in all three: {rows == same == killed}; failed cells: {failed}")  # fmt: skip


if __name__ == "__main__":
    main()
